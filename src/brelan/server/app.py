"""The web application: pages and questions over HTTP, tables over WebSockets."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from brelan.errors import Refused
from brelan.server import branches, catalogue, history, lessons, metrics, pages
from brelan.server.house import House
from brelan.server.identity import COOKIE_AGE, Signer, cookie_name
from brelan.server.lab.routes import LabRoutes
from brelan.server.limits import Limit
from brelan.server.messages import (
    Branch,
    Failed,
    Following,
    Join,
    Me,
    Named,
    NewTable,
    Opened,
    Refusal,
    Seated,
    SetName,
    SetNonce,
    encode,
)
from brelan.server.public import public
from brelan.server.security import SecurityHeaders, is_own_origin, is_within
from brelan.server.sessions import SHUTTING_DOWN, Session
from brelan.server.settings import Settings
from brelan.server.sockets import OFFER
from brelan.server.storage import Store, Unavailable
from brelan.server.tables import Table

log = logging.getLogger("brelan.app")
SOCKET = re.compile(r"/api/tables/(?P<table>[^/]+)/socket")
JSON = "application/json"
DEFAULT_NAME = "Guest"
SHARED = 5  # how many guests may open all the tables they may, from one address
Body = TypeVar("Body")
Handler = Callable[[Request], Awaitable[Response]]


class App:
    """The routes of one server process, and what they share."""

    def __init__(self, settings: Settings, signer: Signer, house: House) -> None:
        self.settings, self.signer, self.house = settings, signer, house
        self.is_closing = False
        self.sessions: set[Session] = set()
        self.heavy = asyncio.Semaphore(1)  # of what keeps a core busy, one at a time
        self._tellings = asyncio.Semaphore(1)  # of histories, which need not wait for the others
        self._sockets: Counter[str] = Counter()  # by guest, or by address
        self._requests = Limit(settings.requests_per_second, 10 * settings.requests_per_second)
        self._openings = Limit(settings.tables_per_hour / 3600, settings.tables_per_hour)
        many = SHARED * settings.tables_per_hour
        self._openings_from = Limit(many / 3600, many)
        many = settings.analyses_per_hour
        self._analyses = Limit(many / 3600, many)
        self._analyses_from = Limit(SHARED * many / 3600, SHARED * many)
        self.cookie = cookie_name(settings)
        self.lab = LabRoutes(self)

    def routes(self) -> list[Any]:
        """Return what is answered, and by whom."""
        api = [
            ("GET", "/api/games", self.games),
            ("GET", "/api/games/{game}/vocabulary", self.vocabulary),
            ("GET", "/api/texts/{lang}", self.texts),
            ("GET", "/api/rules/{game}/{lang}", self.rulebook),
            ("GET", "/api/lessons/{game}", self.lesson),
            ("GET", "/api/me", self.me),
            ("POST", "/api/me", self.rename),
            ("GET", "/api/lobby", self.lobby),
            ("POST", "/api/tables", self.open_table),
            ("GET", "/api/tables/{table}", self.table),
            ("POST", "/api/tables/{table}/join", self.join),
            ("POST", "/api/tables/{table}/nonce", self.nonce),
            ("POST", "/api/tables/{table}/rematch", self.rematch),
            ("GET", "/api/tables/{table}/history", self.history),
            ("GET", "/api/tables/{table}/export", self.export),
            ("GET", "/api/tables/{table}/analysis", self.analysis),
            ("POST", "/api/tables/{table}/branch", self.branch),
            ("GET", "/api/invitations/{key}", self.invitation),
            ("POST", "/api/links/{key}", self.claim),
            ("POST", "/api/verify", self.verify),
            ("POST", "/api/replay", self.replay),
            *self.lab.all(),
            ("GET", "/healthz", self.health),
            ("GET", "/readyz", self.ready),
            ("GET", "/metrics", self.metrics),
        ]
        routes: list[Any] = [
            Route(path, self._guarded(handler), methods=[method]) for method, path, handler in api
        ]
        return [*routes, pages.Pages(pages.FOLDER)]

    # ------------------------------------------------------------ around every request

    def _guarded(self, handler: Handler) -> Handler:
        """Return a handler whose refusals become coded answers."""

        async def guarded(request: Request) -> Response:
            self.house.counted["requests"] += 1
            try:
                if not self._requests.take(_address(request)):
                    raise Refusal("too_many_requests", 429)
                if request.method != "GET" and not is_own_origin(request, self.settings):
                    raise Refusal("foreign_origin", 403)
                return await handler(request)
            except Refusal as refusal:
                self.house.count_error(refusal.code)
                return _json(Failed(refusal.code, refusal.args_), refusal.status)
            except Refused as error:
                self.house.count_error("refused")
                return _json(Failed("refused", {"why": str(error)[:200]}), 422)
            except ClientDisconnect:  # nobody reads the answer
                return _json(Failed("disconnected"), 400)
            except Unavailable:
                self.house.count_error("database_unavailable")
                return _json(Failed("database_unavailable"), 503)

        return guarded

    async def body(self, request: Request, kind: type[Body]) -> Body:
        """Return what a request asks for, or refuse what is not of its type or too long."""
        content = await self._content(request)
        try:
            return msgspec.json.decode(content, type=kind)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise Refusal("bad_request", 400, why=str(error).splitlines()[0][:200]) from None

    async def _content(self, request: Request) -> bytes:
        content = b""
        async for part in request.stream():
            content += part
            if len(content) > self.settings.max_body:
                raise Refusal("too_large", 413, allowed=self.settings.max_body)
        return content

    # ------------------------------------------------------------ guests

    async def known(self, request: Request | WebSocket) -> str | None:
        """Return the guest who asks, if it is one whom we have met."""
        guest = self.signer.guest(request.cookies.get(self.cookie))
        if guest is None or await self.house.guest_name(guest) is None:
            return None
        return guest

    async def guest(self, request: Request, name: str | None = None) -> tuple[str, str, bool]:
        """Return the guest who asks, met now if need be; the name; and whether it is new."""
        guest = self.signer.guest(request.cookies.get(self.cookie))
        known = await self.house.guest_name(guest) if guest is not None else None
        if guest is not None and known is not None:
            if name is not None and name != known:
                await self.house.rename(guest, name)
            return guest, name or known, False
        return await self.house.meet(name or DEFAULT_NAME), name or DEFAULT_NAME, True

    def greet(self, response: Response, guest: str) -> Response:
        """Give a guest the cookie by which we shall know them again."""
        response.set_cookie(
            self.cookie,
            self.signer.sign(guest),
            max_age=COOKIE_AGE,
            httponly=True,
            samesite="lax",
            secure=self.settings.secure_cookies,
        )
        return response

    async def me(self, request: Request) -> Response:
        """Say who asks, and at which tables they sit."""
        guest = await self.known(request)
        if guest is None:
            return _json(Me(None, []))
        rows = await self.house.tables_of(guest)
        turns = await self.house.turns_of(rows)
        rows = [{**row, "turn": turns.get(row["id"])} for row in rows]
        listed = [history.listed(row, guest) for row in rows]
        found = Me(await self.house.guest_name(guest), listed)
        return self.greet(_json(found), guest)  # a cookie is renewed, and signed by the newest key

    async def rename(self, request: Request) -> Response:
        """Let a guest choose a name."""
        wanted = await self.body(request, SetName)
        guest, name, _ = await self.guest(request, wanted.name)
        return self.greet(_json(Named(name)), guest)

    # ------------------------------------------------------------ games

    async def games(self, request: Request) -> Response:
        """List the games, with what a table may be opened with."""
        found = catalogue.games(self.house.readiness.compiled, self.house.readiness.prepared)
        return public(request, encode(found), JSON)

    async def vocabulary(self, request: Request) -> Response:
        """Say what the numbers of a variant mean."""
        asked = dict(request.query_params)
        async with self.heavy:  # a variant that nobody has asked for yet takes half a second
            found = await asyncio.to_thread(
                catalogue.vocabulary, request.path_params["game"], asked
            )
        return public(request, encode(found), JSON)

    async def texts(self, request: Request) -> Response:
        """Return the texts of the house and of all games, or of one, in a language."""
        game = request.query_params.get("game")
        return public(request, encode(catalogue.texts(request.path_params["lang"], game)), JSON)

    async def lesson(self, request: Request) -> Response:
        """Return the first match that teaches a game."""
        return public(request, encode(lessons.lesson(request.path_params["game"])), JSON)

    async def rulebook(self, request: Request) -> Response:
        """Return a rulebook, as Markdown."""
        text = catalogue.rulebook(request.path_params["game"], request.path_params["lang"])
        return public(request, text.encode(), "text/markdown; charset=utf-8")

    # ------------------------------------------------------------ tables

    async def lobby(self, request: Request) -> Response:
        """List the tables at which anybody may sit down."""
        guest = await self.known(request)
        return _json([history.listed(row, guest) for row in await self.house.lobby()])

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        wanted = await self.body(request, NewTable)
        self._count_opening(request, await self.known(request))
        self.house.check(wanted)  # who asks for what cannot be is not met, nor renamed
        guest, name, _ = await self.guest(request, wanted.name)
        table, links = await self.house.open(guest, name, wanted)
        return self.greet(_json(Opened(table, links), 201), guest)

    def _count_opening(self, request: Request, guest: str | None) -> None:
        """Refuse a guest who opens too many tables, and an address that sends many new guests."""
        if (guest is not None and not self._openings.take(guest)) or not self._openings_from.take(
            _address(request)
        ):
            raise Refusal("too_many_tables", 429)

    async def table_of(self, request: Request | WebSocket) -> Table:
        """Return the table that is asked for."""
        return await self.house.current(request.path_params["table"])

    async def table(self, request: Request) -> Response:
        """Say what anybody may know of a table."""
        table = await self.table_of(request)
        return _json(table.info(await self.known(request)))

    async def join(self, request: Request) -> Response:
        """Let a guest sit down: by an invitation, or at a listed table."""
        wanted, table = await self.body(request, Join), await self.table_of(request)
        if wanted.invitation is not None:
            found = await self.house.invitation(wanted.invitation)
            if found is None or found[0] != table.id:
                raise Refusal("no_such_invitation", 404)
            seat = found[1]
        elif table.options.listed and wanted.seat is not None:
            seat = wanted.seat
        else:
            raise Refusal("invitation_needed", 403)
        table.check_open(seat)
        guest, name, _ = await self.guest(request, wanted.name)
        key = await self.house.join(guest, name, table, seat, wanted.nonce)
        return self.greet(_json(Seated(table.id, seat, key)), guest)

    async def invitation(self, request: Request) -> Response:
        """Say to which table and seat an invitation leads."""
        found = await self.house.invitation(request.path_params["key"])
        if found is None:
            raise Refusal("no_such_invitation", 404)
        return _json(Seated(*found))

    async def claim(self, request: Request) -> Response:
        """Go on at a seat on this device, by the secret link to it."""
        if await self.house.seat_of_key(request.path_params["key"]) is None:
            raise Refusal("no_such_link", 404)
        guest, _, _ = await self.guest(request)
        found = await self.house.claim(guest, request.path_params["key"])
        if found is None:
            raise Refusal("no_such_link", 404)
        return self.greet(_json(Seated(*found)), guest)

    async def _own_seat(self, request: Request, table: Table, seat: int) -> str:
        guest = await self.known(request)
        if guest is None or seat >= len(table.seats) or table.seats[seat]["guest"] != guest:
            raise Refusal("not_your_seat", 403)
        return guest

    async def nonce(self, request: Request) -> Response:
        """Let a seat add to the luck of the match."""
        wanted, table = await self.body(request, SetNonce), await self.table_of(request)
        await self._own_seat(request, table, wanted.seat)
        await self.house.set_nonce(table, wanted.seat, wanted.nonce)
        return _json(table.info(await self.known(request)))

    async def rematch(self, request: Request) -> Response:
        """Open the next table for the same players, seats rotated."""
        table, guest = await self.table_of(request), await self.known(request)
        if guest is None or all(seat["guest"] != guest for seat in table.seats):
            raise Refusal("not_your_seat", 403)
        if not table.is_over:
            raise Refusal("match_not_over", 409)
        if not table.rematch:
            self._count_opening(request, guest)
        return _json(Following(await self.house.rematch(guest, table)))

    # ------------------------------------------------------------ what has been played

    async def history(self, request: Request) -> Response:
        """Return a match, move by move: as a seat saw it, or as all did when it is over."""
        table, guest = await self.table_of(request), await self.known(request)
        recording = history.recorded(table, guest, request.query_params.get("seat"))
        async with self._tellings:  # of a long match, from all seats, it takes half a second
            content = await asyncio.to_thread(lambda: encode(history.told(recording)))
        return Response(content, media_type=JSON)

    async def export(self, request: Request) -> Response:
        """Return a finished match as one file, which `brelan verify` checks."""
        table = await self.table_of(request)
        return _json(history.exported(table))

    async def analysis(self, request: Request) -> Response:
        """Return the analysis of a match that is over, as far as it is made, and go on with it."""
        table, guest = await self.table_of(request), await self.known(request)
        own = next((each["seat"] for each in table.seats if guest and each["guest"] == guest), 0)
        asked = request.query_params.get("seat", str(own))
        since = request.query_params.get("from", "0")
        if asked not in map(str, range(len(table.seats))):
            raise Refusal("no_such_seat", 404)
        if not since.isdecimal() or len(since) > 5:
            raise Refusal("bad_request", 400, why="`from` is a number of decisions")

        def begin() -> None:
            if (guest is not None and not self._analyses.take(guest)) or (
                not self._analyses_from.take(_address(request))
            ):
                raise Refusal("too_many_analyses", 429)

        return _json(await self.house.analysts.analysis(table, int(asked), int(since), begin))

    async def branch(self, request: Request) -> Response:
        """Open a table at which a match that is over goes on otherwise."""
        wanted, table = await self.body(request, Branch), await self.table_of(request)
        self._count_opening(request, await self.known(request))
        async with self.heavy:
            found = await branches.prepared(table, wanted)
        guest, name, _ = await self.guest(request, wanted.name)
        opened, links = await branches.open_branch(self.house, guest, name, table, wanted, found)
        return self.greet(_json(Opened(opened, links), 201), guest)

    async def verify(self, request: Request) -> Response:
        """Check an exported match: its deal, its moves, its result."""
        content = await self._content(request)
        async with self.heavy:
            return _json(await asyncio.to_thread(history.verified, content))

    async def replay(self, request: Request) -> Response:
        """Check an exported match, and return it as each seat saw it. Nothing is stored."""
        content = await self._content(request)
        async with self.heavy:
            return _json(await asyncio.to_thread(history.replay, content))

    # ------------------------------------------------------------ operation

    async def health(self, request: Request) -> Response:
        """Say that the process runs."""
        return _json({"status": "ok", "server": "brelan"})

    async def ready(self, request: Request) -> Response:
        """Say whether requests can be served."""
        is_ready = not self.is_closing and await self.house.store.is_ready()
        found = {"ready": is_ready, "games": self.house.readiness.compiled}
        return _json(found, 200 if is_ready else 503)

    async def metrics(self, request: Request) -> Response:
        """Return figures for Prometheus."""
        if not is_within(_address(request), self.settings.metrics_from):
            raise Refusal("not_for_you", 403)
        return Response(metrics.text(self.house), media_type=metrics.MEDIA_TYPE)

    # ------------------------------------------------------------ sockets

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one seat, or one spectator, at a table."""
        socket = WebSocket(scope, receive, send)
        try:
            session, since = await self._admitted(socket)
        except Refusal as refusal:
            await self._turn_away(socket, refusal)
            return
        except Refused as error:
            await self._turn_away(socket, Refusal("refused", 422, why=str(error)[:200]))
            return
        except Unavailable:
            await self._turn_away(socket, Refusal("database_unavailable", 503))
            return
        await socket.accept()
        del socket  # and all that the request brought: thousands of sockets do nothing
        scope["headers"] = []
        self.sessions.add(session)
        self._sockets[session.owner] += 1
        try:
            session.connect(Client(send, scope.get("extensions", {}).get(OFFER)))
            session.welcome(since)
            while session.closed_with is None:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    break
                await session.receive(message.get("bytes") or message.get("text") or "")
        finally:
            self.sessions.discard(session)
            self._sockets[session.owner] -= 1
            if not self._sockets[session.owner]:
                del self._sockets[session.owner]
            session.leave()
            session.close(1000)
            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                await asyncio.wait_for(session.delivered(), 5)

    async def _admitted(self, socket: WebSocket) -> tuple[Session, int | None]:
        """Return the session of a client who may have it, and since when it wants to know."""
        if self.is_closing:
            raise Refusal("shutting_down", 503)
        if not is_own_origin(socket, self.settings):
            raise Refusal("foreign_origin", 403)
        if not self._requests.take(socket.client.host if socket.client else "?"):
            raise Refusal("too_many_requests", 429)
        table, guest = await self.table_of(socket), await self.known(socket)
        asked, key = socket.query_params.get("seat"), socket.query_params.get("key")
        since = socket.query_params.get("since")
        reader: int | None = None
        if key is not None:
            found = await self.house.seat_of_key(key, table.id)
            if found is None:
                raise Refusal("no_such_link", 403)
            reader, guest = found[1], table.seats[found[1]]["guest"]
        elif asked is not None:
            if asked not in map(str, range(len(table.seats))):
                raise Refusal("no_such_seat", 404)
            reader = int(asked)
            if guest is None or table.seats[reader]["guest"] != guest:
                raise Refusal("not_your_seat", 403)
        elif table.options.spectators == "none":
            raise Refusal("no_spectators", 403)
        known, owner = guest or "", guest or _address(socket)
        allowed = self.settings.sockets_per_guest * (1 if guest else SHARED)
        if self._sockets[owner] >= allowed:
            raise Refusal("too_many_sockets", 429)
        rate = self.settings.messages_per_second
        session = Session(table, reader, known, rate, has_link=key is not None)
        session.owner = owner
        is_ply = since is not None and since.isdecimal() and len(since) < 10
        return session, int(since) if since is not None and is_ply else None

    async def _turn_away(self, socket: WebSocket, refusal: Refusal) -> None:
        """Answer a socket that is not admitted: with a code, then it is closed."""
        self.house.count_error(refusal.code)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it may be gone already
            await socket.accept()
            await socket.send_text(encode(Failed(refusal.code, refusal.args_)).decode())
            await socket.close(4000 + refusal.status % 1000)

    def close_sessions(self) -> None:
        """Tell all clients to come back to another process."""
        self.is_closing = True
        self.house.analysts.close()
        for session in list(self.sessions):
            session.close(SHUTTING_DOWN)


class Client:
    """The client of a session, over ASGI."""

    __slots__ = ("_offer", "_send")

    def __init__(self, send: Send, offer: Callable[[bytes], bool] | None) -> None:
        self._send, self._offer = send, offer

    def offer(self, content: bytes) -> bool:
        """Send a message if that needs no waiting, and the server of sockets is ours."""
        return self._offer is not None and self._offer(content)

    async def send(self, content: bytes) -> None:
        """Send a message."""
        await self._send({"type": "websocket.send", "text": content.decode()})

    async def end(self, code: int) -> None:
        """Close the socket, with a code."""
        await self._send({"type": "websocket.close", "code": code})


class Application(Starlette):
    """The application; sockets at tables go past the layers of Starlette, which are for requests.

    Each layer would stay in memory for as long as a socket is open.
    """

    serve_socket: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a socket."""
        found = SOCKET.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await super().__call__(scope, receive, send)
            return
        scope["path_params"], found = found.groupdict(), None
        await self.serve_socket(scope, receive, send)


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "?"


def _json(content: Any, status: int = 200) -> Response:
    return Response(encode(content), status, media_type=JSON)


async def _no_answer(_: Request, error: HTTPException) -> Response:
    codes = {404: "no_such_page", 405: "no_such_method"}
    answer = _json(Failed(codes.get(error.status_code, "bad_request")), error.status_code)
    answer.headers.update(error.headers or {})
    return answer


async def _failure(_: Request, __: Exception) -> Response:
    return _json(Failed("internal"), 500)


def make_app(settings: Settings, signer: Signer, store: Store) -> Starlette:
    """Return the application of one server process."""
    house = House(settings, store)
    app = App(settings, signer, house)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await house.start()
        yield
        app.close_sessions()
        await app.lab.studies.close()
        await asyncio.sleep(0.1)  # what is on its way to clients arrives
        await house.close()

    handlers: dict[Any, Any] = {HTTPException: _no_answer, Exception: _failure}
    application = Application(routes=app.routes(), lifespan=lifespan, exception_handlers=handlers)
    application.add_middleware(SecurityHeaders, is_https=settings.secure_cookies)
    application.serve_socket = app.socket
    application.state.house = house
    application.state.close_sessions = app.close_sessions
    return application
