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
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from brelan.errors import Refused
from brelan.server import catalogue, history, metrics
from brelan.server.house import House
from brelan.server.identity import COOKIE, COOKIE_AGE, Signer
from brelan.server.limits import Limit
from brelan.server.messages import Failed, Join, NewTable, Refusal, SetName, SetNonce, encode
from brelan.server.security import SecurityHeaders, is_own_origin
from brelan.server.sessions import SHUTTING_DOWN, Session
from brelan.server.settings import Settings
from brelan.server.storage import Store, Unavailable
from brelan.server.tables import Table

log = logging.getLogger("brelan.app")
JSON = "application/json"
DEFAULT_NAME = "Guest"
SOCKET = re.compile(r"/api/tables/(?P<table>[^/]+)/socket")
Body = TypeVar("Body")
Handler = Callable[[Request], Awaitable[Response]]


class App:
    """The routes of one server process, and what they share."""

    def __init__(self, settings: Settings, signer: Signer, house: House) -> None:
        self.settings, self.signer, self.house = settings, signer, house
        self.is_closing = False
        self.sessions: set[Session] = set()
        self._sockets_of: Counter[str] = Counter()
        self._requests = Limit(settings.requests_per_second, 10 * settings.requests_per_second)
        self._openings = Limit(settings.tables_per_hour / 3600, settings.tables_per_hour)

    def routes(self) -> list[Any]:
        """Return what is answered, and by whom."""
        api = [
            ("GET", "/api/games", self.games),
            ("GET", "/api/games/{game}/vocabulary", self.vocabulary),
            ("GET", "/api/texts/{lang}", self.texts),
            ("GET", "/api/rules/{game}/{lang}", self.rulebook),
            ("GET", "/api/me", self.me),
            ("POST", "/api/me", self.rename),
            ("GET", "/api/lobby", self.lobby),
            ("POST", "/api/tables", self.open_table),
            ("POST", "/api/import", self.verify),
            ("GET", "/api/tables/{table}", self.table),
            ("POST", "/api/tables/{table}/join", self.join),
            ("POST", "/api/tables/{table}/nonce", self.nonce),
            ("POST", "/api/tables/{table}/rematch", self.rematch),
            ("GET", "/api/tables/{table}/history", self.history),
            ("GET", "/api/tables/{table}/export", self.export),
            ("GET", "/api/invitations/{key}", self.invitation),
            ("POST", "/api/links/{key}", self.claim),
            ("POST", "/api/verify", self.verify),
            ("GET", "/healthz", self.health),
            ("GET", "/readyz", self.ready),
            ("GET", "/metrics", self.metrics),
        ]
        return [
            Route(path, self._guarded(handler), methods=[method]) for method, path, handler in api
        ]

    # ------------------------------------------------------------ around every request

    def _guarded(self, handler: Handler) -> Handler:
        """Return a handler whose refusals become coded answers."""

        async def guarded(request: Request) -> Response:
            self.house.counted["requests"] += 1
            client = request.client.host if request.client else "?"
            try:
                if not self._requests.take(client):
                    raise Refusal("too_many_requests", 429)
                if request.method != "GET" and not is_own_origin(request, self.settings):
                    raise Refusal("foreign_origin", 403)
                return await handler(request)
            except Refusal as refusal:
                return _json(Failed(refusal.code, refusal.args_), refusal.status)
            except Refused as error:
                return _json(Failed("refused", {"why": str(error)}), 422)
            except Unavailable:
                return _json(Failed("database_unavailable"), 503)

        return guarded

    async def _body(self, request: Request, kind: type[Body]) -> Body:
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

    async def _known(self, request: Request | WebSocket) -> str | None:
        """Return the guest who asks, if it is one whom we have met."""
        guest = self.signer.guest(request.cookies.get(COOKIE))
        if guest is None or await self.house.guest_name(guest) is None:
            return None
        return guest

    async def _guest(self, request: Request, name: str | None = None) -> tuple[str, str, bool]:
        """Return the guest who asks, met now if need be; the name; and whether it is new."""
        guest = self.signer.guest(request.cookies.get(COOKIE))
        known = await self.house.guest_name(guest) if guest is not None else None
        if guest is not None and known is not None:
            if name is not None and name != known:
                await self.house.rename(guest, name)
            return guest, name or known, False
        return await self.house.meet(name or DEFAULT_NAME), name or DEFAULT_NAME, True

    def _greet(self, response: Response, guest: str) -> Response:
        """Give a guest the cookie by which we shall know them again."""
        response.set_cookie(
            COOKIE,
            self.signer.sign(guest),
            max_age=COOKIE_AGE,
            httponly=True,
            samesite="lax",
            secure=self.settings.secure_cookies,
        )
        return response

    async def me(self, request: Request) -> Response:
        """Say who asks, and at which tables they sit."""
        guest = await self._known(request)
        if guest is None:
            return _json({"name": None, "tables": []})
        rows = await self.house.tables_of(guest)
        listed = [history.listed(row) for row in rows]
        return _json({"name": await self.house.guest_name(guest), "tables": listed})

    async def rename(self, request: Request) -> Response:
        """Let a guest choose a name."""
        wanted = await self._body(request, SetName)
        guest, name, _ = await self._guest(request, wanted.name)
        return self._greet(_json({"name": name}), guest)

    # ------------------------------------------------------------ games

    async def games(self, request: Request) -> Response:
        """List the games, with what a table may be opened with."""
        return _cached(_json(catalogue.games(self.house.compiled)), 60)

    async def vocabulary(self, request: Request) -> Response:
        """Say what the numbers of a variant mean."""
        found = catalogue.vocabulary(request.path_params["game"], dict(request.query_params))
        return _cached(_json(found), 3600)

    async def texts(self, request: Request) -> Response:
        """Return the texts of the house and of all games in a language."""
        return _cached(_json(catalogue.texts(request.path_params["lang"])), 3600)

    async def rulebook(self, request: Request) -> Response:
        """Return a rulebook, as Markdown."""
        text = catalogue.rulebook(request.path_params["game"], request.path_params["lang"])
        return _cached(Response(text, media_type="text/markdown; charset=utf-8"), 3600)

    # ------------------------------------------------------------ tables

    async def lobby(self, request: Request) -> Response:
        """List the tables at which anybody may sit down."""
        return _json([history.listed(row) for row in await self.house.lobby()])

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        wanted = await self._body(request, NewTable)
        client = request.client.host if request.client else "?"
        known = await self._known(request)
        if not self._openings.take(known or client):
            raise Refusal("too_many_tables", 429)
        guest, name, _ = await self._guest(request, wanted.name)
        table, links = await self.house.open(guest, name, wanted)
        return self._greet(_json({"table": table, "links": links}, 201), guest)

    async def _table(self, request: Request | WebSocket) -> Table:
        return await self.house.table(request.path_params["table"])

    async def table(self, request: Request) -> Response:
        """Say what anybody may know of a table."""
        table = await self._table(request)
        return _json(table.info(await self._known(request)))

    async def join(self, request: Request) -> Response:
        """Let a guest sit down: by an invitation, or at a listed table."""
        wanted, table = await self._body(request, Join), await self._table(request)
        if wanted.invitation is not None:
            found = await self.house.invitation(wanted.invitation)
            if found is None or found[0] != table.id:
                raise Refusal("no_such_invitation", 404)
            seat = found[1]
        elif table.options.listed and wanted.seat is not None:
            seat = wanted.seat
        else:
            raise Refusal("invitation_needed", 403)
        guest, name, _ = await self._guest(request, wanted.name)
        key = await self.house.join(guest, name, table, seat)
        return self._greet(_json({"table": table.id, "seat": seat, "key": key}), guest)

    async def invitation(self, request: Request) -> Response:
        """Say to which table and seat an invitation leads."""
        found = await self.house.invitation(request.path_params["key"])
        if found is None:
            raise Refusal("no_such_invitation", 404)
        return _json({"table": found[0], "seat": found[1]})

    async def claim(self, request: Request) -> Response:
        """Go on at a seat on this device, by the secret link to it."""
        found = await self.house.seat_of_key(request.path_params["key"])
        if found is None:
            raise Refusal("no_such_link", 404)
        table = await self.house.table(found[0])
        guest, _, _ = await self._guest(request)
        await self.house.claim(guest, table, found[1])
        return self._greet(_json({"table": found[0], "seat": found[1]}), guest)

    async def _own_seat(self, request: Request, table: Table, seat: int) -> str:
        guest = await self._known(request)
        if guest is None or seat >= len(table.seats) or table.seats[seat]["guest"] != guest:
            raise Refusal("not_your_seat", 403)
        return guest

    async def nonce(self, request: Request) -> Response:
        """Let a seat add to the luck of the match."""
        wanted, table = await self._body(request, SetNonce), await self._table(request)
        await self._own_seat(request, table, wanted.seat)
        await self.house.set_nonce(table, wanted.seat, wanted.nonce)
        return _json(table.info(await self._known(request)))

    async def rematch(self, request: Request) -> Response:
        """Open the next table for the same players, seats rotated."""
        table, guest = await self._table(request), await self._known(request)
        if guest is None or all(seat["guest"] != guest for seat in table.seats):
            raise Refusal("not_your_seat", 403)
        if not table.is_over:
            raise Refusal("match_not_over", 409)
        name = await self.house.guest_name(guest) or DEFAULT_NAME
        return _json({"table": await self.house.rematch(guest, name, table)})

    # ------------------------------------------------------------ what has been played

    async def history(self, request: Request) -> Response:
        """Return a match, move by move: as a seat saw it, or as all did when it is over."""
        table, guest = await self._table(request), await self._known(request)
        return _json(history.told(table, guest, request.query_params.get("seat")))

    async def export(self, request: Request) -> Response:
        """Return a finished match as one file, which `brelan verify` checks."""
        table = await self._table(request)
        return _json(history.exported(table))

    async def verify(self, request: Request) -> Response:
        """Check an exported match: its deal, its moves, its result."""
        content = await self._content(request)
        found = await asyncio.to_thread(history.verified, content)
        return _json(found)

    # ------------------------------------------------------------ operation

    async def health(self, request: Request) -> Response:
        """Say that the process runs."""
        return _json({"status": "ok"})

    async def ready(self, request: Request) -> Response:
        """Say whether requests can be served."""
        is_ready = not self.is_closing and await self.house.store.is_ready()
        return _json({"ready": is_ready, "games": self.house.compiled}, 200 if is_ready else 503)

    async def metrics(self, request: Request) -> Response:
        """Return figures for Prometheus."""
        return Response(metrics.text(self.house), media_type=metrics.MEDIA_TYPE)

    # ------------------------------------------------------------ sockets

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one seat, or one spectator, at a table."""
        socket = WebSocket(scope, receive, send)
        try:
            session, since = await self._admitted(socket, send)
        except Refusal as refusal:
            await self._turn_away(socket, refusal)
            return
        except Unavailable:
            await self._turn_away(socket, Refusal("database_unavailable", 503))
            return
        await socket.accept()
        del socket  # with what it has read of the request: nobody asks for that again
        self.sessions.add(session)
        self._sockets_of[session.guest] += 1
        session.welcome(since)
        try:
            while session.closed_with is None:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    break
                await session.receive(message.get("bytes") or message.get("text") or "")
        finally:
            self.sessions.discard(session)
            self._sockets_of[session.guest] -= 1
            if not self._sockets_of[session.guest]:
                del self._sockets_of[session.guest]
            session.leave()
            session.close(1000)
            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                await asyncio.wait_for(session.delivered(), 5)

    async def _admitted(self, socket: WebSocket, send: Send) -> tuple[Session, int | None]:
        """Return the session of a client who may have it, and since when it wants to know."""
        if self.is_closing:
            raise Refusal("shutting_down", 503)
        if not is_own_origin(socket, self.settings):
            raise Refusal("foreign_origin", 403)
        table, guest = await self._table(socket), await self._known(socket)
        asked, key = socket.query_params.get("seat"), socket.query_params.get("key")
        since = socket.query_params.get("since")
        reader: int | None = None
        if key is not None:
            reader = table.seat_of_key(key)
            if reader is None:
                reader = await self._new_seat(table, key)
            guest = table.seats[reader]["guest"]
        elif asked is not None:
            if not asked.isdecimal() or int(asked) >= len(table.seats):
                raise Refusal("no_such_seat", 404)
            reader = int(asked)
            if guest is None or table.seats[reader]["guest"] != guest:
                raise Refusal("not_your_seat", 403)
        elif table.options.spectators == "none":
            raise Refusal("no_spectators", 403)
        known = guest or ""
        if known and self._sockets_of[known] >= self.settings.sockets_per_guest:
            raise Refusal("too_many_sockets", 429)
        rate = self.settings.messages_per_second
        session = Session(table, reader, known, rate, _sender(send), _closer(send))
        return session, int(since) if since is not None and since.isdecimal() else None

    async def _new_seat(self, table: Table, key: str) -> int:
        """Return the seat that a link leads to: another process may have made it just now."""
        found = await self.house.seat_of_key(key)
        if found is None or found[0] != table.id:
            raise Refusal("no_such_link", 403)
        async with table.lock:
            await self.house.refresh(table)
        return found[1]

    async def _turn_away(self, socket: WebSocket, refusal: Refusal) -> None:
        """Answer a socket that is not admitted: with a code, then it is closed."""
        await socket.accept()
        await socket.send_bytes(encode(Failed(refusal.code, refusal.args_)))
        await socket.close(4000 + refusal.status % 1000)

    def close_sessions(self) -> None:
        """Tell all clients to come back to another process."""
        self.is_closing = True
        for session in list(self.sessions):
            session.close(SHUTTING_DOWN)


def _json(content: Any, status: int = 200) -> Response:
    return Response(encode(content), status, media_type=JSON)


class Sockets:
    """Answers the sockets, on the way to the routes: a message then passes through no other layer.

    A route of Starlette would wrap what is sent to each socket.
    """

    def __init__(self, app: ASGIApp, serve: ASGIApp) -> None:
        self._app, self._serve = app, serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a socket."""
        found = SOCKET.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await self._app(scope, receive, send)
        else:
            scope["path_params"] = found.groupdict()
            await self._serve(scope, receive, send)


def _sender(send: Send) -> Callable[[bytes], Awaitable[None]]:
    return lambda content: send({"type": "websocket.send", "text": content.decode()})


def _closer(send: Send) -> Callable[[int], Awaitable[None]]:
    return lambda code: send({"type": "websocket.close", "code": code})


def _cached(response: Response, seconds: int) -> Response:
    response.headers["Cache-Control"] = f"public, max-age={seconds}"
    return response


def make_app(settings: Settings, signer: Signer, store: Store) -> Starlette:
    """Return the application of one server process."""
    house = House(settings, store)
    app = App(settings, signer, house)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await house.start()
        yield
        app.close_sessions()
        await asyncio.sleep(0.1)  # what is on its way to clients arrives
        await house.close()

    application = Starlette(routes=app.routes(), lifespan=lifespan)
    application.add_middleware(SecurityHeaders)
    application.add_middleware(Sockets, serve=app.socket)
    application.state.house = house
    return application
