"""A guest of a server: opening and joining tables, and what has been played there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

from brelan import i18n
from brelan.client.connection import Connection
from brelan.client.links import Link
from brelan.client.position import TextsOf
from brelan.client.web import Web
from brelan.client.words import Dictionary
from brelan.errors import Refused
from brelan.i18n import LANGUAGES
from brelan.server.messages import (
    Branch,
    Checked,
    Exported,
    Following,
    GameInfo,
    Join,
    Listed,
    Me,
    Named,
    NewTable,
    Opened,
    Options,
    Seated,
    SetName,
    SetNonce,
    Sitting,
    TableInfo,
    Told,
    Vocabulary,
)


class Client:
    """One guest of a server. `cookie` is who the guest is: keep it to be the same one again."""

    def __init__(self, server: str, *, name: str | None = None, cookie: str | None = None) -> None:
        self.server = Link.parse(server).server
        self.name = name
        self.web = Web(self.server, cookie)
        self._dictionaries: dict[str, Dictionary] = {}
        self._texts: dict[str, dict[str, dict[str, str]]] = {}

    @property
    def cookie(self) -> str | None:
        """What the server knows this guest by; None: it does not know them yet."""
        return self.web.cookie

    # ------------------------------------------------------------ what there is

    async def games(self) -> list[GameInfo]:
        """Return the games of the server."""
        return await self.web.get("/api/games", list[GameInfo])

    async def lobby(self) -> list[Listed]:
        """Return the tables at which anybody may sit down."""
        return await self.web.get("/api/lobby", list[Listed])

    async def me(self) -> Me:
        """Return who I am, and my tables."""
        return await self.web.get("/api/me", Me)

    async def rename(self, name: str) -> str:
        """Change my name; return it."""
        self.name = name
        return (await self.web.post("/api/me", SetName(name), Named)).name

    async def dictionary(self, table: TableInfo) -> Dictionary:
        """Return what the numbers of a table's views and moves mean."""
        if table.variant not in self._dictionaries:
            path = f"/api/games/{quote(table.game)}/vocabulary?{urlencode(table.knobs)}"
            vocabulary = await self.web.get(path, Vocabulary)
            if vocabulary.variant != table.variant:
                raise Refused(f"the table plays {table.variant}, which the server cannot explain")
            self._dictionaries[table.variant] = Dictionary(vocabulary)
        return self._dictionaries[table.variant]

    async def texts(self, game: str, langs: Sequence[str] = LANGUAGES) -> TextsOf:
        """Return the server's texts of a game, by language."""
        for lang in langs:
            if lang not in self._texts:
                path = f"/api/texts/{quote(lang)}"
                self._texts[lang] = await self.web.get(path, dict[str, dict[str, str]])
        found = {lang: i18n.Texts.of(lang, self._texts[lang][game]) for lang in langs}

        def texts_of(lang: str) -> i18n.Texts:
            if lang not in found:
                raise Refused(f"unknown language {lang!r}; there are: {', '.join(found)}")
            return found[lang]

        return texts_of

    # ------------------------------------------------------------ tables

    async def open(
        self,
        game: str,
        seats: Sequence[str | Sitting],
        *,
        knobs: Mapping[str, int | str] | None = None,
        preset: str | None = None,
        options: Options | None = None,
    ) -> Opened:
        """Open a table; a seat is for `me`, `open`, or a bot by its name."""
        wanted = NewTable(
            game=game,
            seats=[seat if isinstance(seat, Sitting) else _sitting(seat) for seat in seats],
            knobs=dict(knobs or {}),
            preset=preset,
            options=options or Options(),
            name=self.name,
        )
        return await self.web.post("/api/tables", wanted, Opened)

    async def table(self, table: str) -> TableInfo:
        """Return a table as I may know it."""
        return await self.web.get(f"/api/tables/{quote(table)}", TableInfo)

    async def invitation(self, key: str) -> Seated:
        """Return to which table and seat an invitation leads."""
        return await self.web.get(f"/api/invitations/{quote(key)}", Seated)

    async def join(
        self,
        invitation: str | None = None,
        *,
        table: str | None = None,
        seat: int | None = None,
        nonce: str | None = None,
    ) -> Seated:
        """Sit down: by an invitation, or at an open seat of a table in the lobby."""
        if invitation is not None:
            table = (await self.invitation(invitation)).table
        if table is None:
            raise Refused("join what? give an invitation, or a table and a seat")
        wanted = Join(invitation=invitation, seat=seat, name=self.name, nonce=nonce)
        return await self.web.post(f"/api/tables/{quote(table)}/join", wanted, Seated)

    async def claim(self, key: str) -> Seated:
        """Go on at a seat on this device, by the personal link to it."""
        return await self.web.post(f"/api/links/{quote(key)}", b"", Seated)

    async def nonce(self, table: str, seat: int, nonce: str) -> TableInfo:
        """Add to the luck of a match, until the cards are dealt."""
        wanted = SetNonce(seat, nonce)
        return await self.web.post(f"/api/tables/{quote(table)}/nonce", wanted, TableInfo)

    async def rematch(self, table: str) -> str:
        """Return the table of the next match, seats rotated; it is opened if it is not yet."""
        path = f"/api/tables/{quote(table)}/rematch"
        return (await self.web.post(path, b"", Following)).table

    async def branch(
        self,
        table: str,
        seat: int,
        ply: int,
        *,
        move: int | None = None,
        as_dealt: bool = False,
        bot: str | None = None,
    ) -> Opened:
        """Open a table at which a match that is over goes on from a decision of one of its seats.

        I sit at that seat, and bots at all others: those of the match, and `bot` where people sat.
        `ply` is the number of the decision in the history, `move` is made at once. Hidden cards
        are drawn again from what the seat knew then; `as_dealt` leaves them as they lay.
        """
        wanted = Branch(seat, ply, move, as_dealt, bot, self.name)
        return await self.web.post(f"/api/tables/{quote(table)}/branch", wanted, Opened)

    def connect(
        self,
        table: str,
        seat: int | None = None,
        *,
        key: str | None = None,
        record: bool = False,
        langs: Sequence[str] = LANGUAGES,
        patience: float = 60.0,
    ) -> Connection:
        """Return a connection to a seat of mine, or as a spectator; it is an async context.

        With the secret `key` of a seat nobody asks who I am. `record` keeps all that is seen, so
        that `Position.view` works. When the server cannot be reached for `patience` seconds, the
        connection ends.
        """
        return Connection(self, table, seat, key=key, record=record, langs=langs, patience=patience)

    # ------------------------------------------------------------ what has been played

    async def history(self, table: str, seat: int | str | None = None) -> Told:
        """Return a match as a seat saw it; of one that is over, `all`: as each seat did."""
        asked = "" if seat is None else f"?seat={quote(str(seat))}"
        return await self.web.get(f"/api/tables/{quote(table)}/history{asked}", Told)

    async def export(self, table: str) -> bytes:
        """Return a match that is over as one file."""
        return await self.web.ask("GET", f"/api/tables/{quote(table)}/export")

    async def verify(self, content: bytes | Exported) -> Checked:
        """Let the server check an exported match; `brelan verify` does the same here."""
        return await self.web.post("/api/verify", content, Checked)

    async def replay(self, content: bytes | Exported) -> Checked:
        """Let the server check an exported match, and tell it as each seat saw it."""
        return await self.web.post("/api/replay", content, Checked)


def _sitting(text: str) -> Sitting:
    if text in ("me", "open"):
        return Sitting(kind="me" if text == "me" else "open")
    return Sitting(kind="bot", bot=text)
