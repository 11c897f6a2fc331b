"""`brelan serve`: tables for people and bots, over the network."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from brelan.cli.variants import whole


def serve(
    *,
    host: Annotated[str | None, Parameter(metavar="ADDRESS")] = None,
    port: Annotated[str | None, Parameter(metavar="N")] = None,
    database: Annotated[str | None, Parameter(metavar="URL")] = None,
    workers: Annotated[str, Parameter(metavar="N")] = "1",
) -> None:
    """Serve tables over HTTP and WebSockets, until Ctrl-C.

    Everything else is set by environment variables: see docs/operate.md.

    Parameters
    ----------
    host
        The address to listen on; otherwise $BRELAN_HOST, or this machine only.
    port
        The port to listen on; otherwise $BRELAN_PORT, or 8080.
    database
        sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; otherwise $BRELAN_DATABASE, or a
        SQLite file in your data folder.
    workers
        How many processes serve; more than one need PostgreSQL.
    """
    from brelan.server.serving import serve as run
    from brelan.server.settings import Settings

    settings = Settings.from_environment(
        host=host, port=None if port is None else whole("--port", port, 0), database=database
    )
    run(settings, whole("--workers", workers, 1))
