"""`brelan join`: a seat at a table of a server, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.errors import Refused

if TYPE_CHECKING:
    from brelan.client import Client, Connection, Link
    from brelan.client.terminal import Loop
    from brelan.engine.game import Game
    from brelan.terminal.screen import Screen


def join(
    link: str,
    /,
    *,
    name: Annotated[str | None, Parameter(metavar="NAME")] = None,
    bot: Annotated[str | None, Parameter(metavar="NAME")] = None,
    nonce: Annotated[str | None, Parameter(metavar="TEXT")] = None,
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
) -> int:
    """Sit down at a table of a server, or come back to it.

    Parameters
    ----------
    link
        An invitation (SERVER/#join=KEY), your own seat (#seat=KEY), or a table (#table=ID).
    name
        What the others call you.
    bot
        Let a bot play in your place: any that `brelan arena` knows, such as `club`,
        `module:factory`, or a program of your own.
    nonce
        Add this text of your own to the luck of the match.
    lang
        The language to play in; otherwise that of your environment.
    """
    from brelan.client import Client, Link

    meant = Link.parse(link)
    if not meant.kind:
        raise Refused(
            f"{meant} is a server; join a table by its link, or open one: "
            f"brelan play GAME --server {meant}"
        )
    _check_name(name)
    return at_table(Client(meant.server, name=name), meant, bot=bot, nonce=nonce, lang=lang)


def open_table(
    game: Game, server: str, *, bot: str, invite: bool, seat: int, lang: str | None
) -> int:
    """Open a table of a variant at a server, and sit down at it."""
    from brelan.client import Client, Link
    from brelan.client.terminal import Loop
    from brelan.server.messages import Options

    client, loop = Client(server), Loop()
    seats = ["open" if invite else bot for _ in range(game.players)]
    seats[seat] = "me"
    opening = client.open(game.id, seats, knobs=game.knobs, options=Options(hints=True))
    try:
        opened = loop.run(opening)
    finally:
        loop.close()
    key = opened.links[f"seat {seat}"]
    invited = {
        int(name.removeprefix("invitation ")): Link(client.server, "join", secret)
        for name, secret in opened.links.items()
        if name.startswith("invitation ")
    }
    return at_table(client, Link(client.server, "seat", key), invited=invited, lang=lang)


def at_table(
    client: Client,
    link: Link,
    *,
    bot: str | None = None,
    nonce: str | None = None,
    invited: dict[int, Link] | None = None,
    lang: str | None = None,
) -> int:
    """Sit at a table until the match is over or the user leaves; return the exit status."""
    from brelan.client import Link, open_link
    from brelan.client.terminal import Loop, sit
    from brelan.engine.folder import open_folder
    from brelan.terminal.screen import Screen, lang_of_environment

    loop = Loop()

    async def arrive() -> Connection:
        where = link
        if link.kind == "join":
            seated = await client.join(link.key, nonce=nonce)
            assert seated.key is not None
            where = Link(client.server, "seat", seated.key)
            come_back.append(where)
        connection = await open_link(client, where, record=True)
        return await connection.__aenter__()

    come_back = [link] if link.kind == "seat" else []
    seat = None
    try:
        seat = loop.run(arrive())
        texts = open_folder(seat.table.game).texts(lang or lang_of_environment())
        screen = Screen(texts)
        if bot is not None:
            return _let_play(loop, seat, bot, screen)
        lines = [
            screen.say("terminal.invite", {"number": number, "link": each})
            for number, each in (invited or {}).items()
        ]
        return sit(loop, seat, screen, come_back[0] if come_back else None, lines)
    finally:
        if seat is not None:
            loop.run(seat.close())
        loop.close()


def _let_play(loop: Loop, seat: Connection, bot: str, screen: Screen) -> int:
    """Let a bot play the match, and say how it ended."""
    from brelan.client.playing import play_seat
    from brelan.client.terminal import RemoteMatch
    from brelan.terminal.session import result_line

    loop.run(play_seat(seat, bot))
    match = RemoteMatch(loop, seat)
    names = [name for name, _ in match.names()]
    screen.print(result_line(match, names, None, screen))  # type: ignore[arg-type]
    return 0


def _check_name(name: str | None) -> None:
    if name is not None and not 0 < len(name) <= 30:
        raise Refused("--name is not allowed; it has 1 to 30 letters")
