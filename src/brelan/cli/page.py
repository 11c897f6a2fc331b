"""`brelan` alone: a server on this machine, and its page in the browser."""

from __future__ import annotations

import dataclasses
import http.client
import ipaddress
import json
import os
import subprocess
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from brelan.errors import Refused

if TYPE_CHECKING:
    from brelan.server.settings import Settings

IN_TERMINALS = ("www-browser", "lynx", "links", "links2", "elinks", "w3m", "browsh")
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
REMOTE = ("SSH_CONNECTION", "SSH_TTY")
SOON = 2.0  # seconds in which another Brelan answers


def page() -> int:
    """Serve until Ctrl-C, and open the page; one that is served already is only opened.

    A port that something else uses is left to it.
    """
    from brelan.server.serving import listen, serve
    from brelan.server.settings import Settings

    settings = Settings.from_environment(
        log_level=None if os.environ.get("BRELAN_LOG_LEVEL") else "warning"
    )
    try:
        listening = listen(settings)
    except Refused:
        if not settings.port:
            raise
        if is_brelan(settings):
            _tell("page.runs", address(settings))
            return 0
        settings = dataclasses.replace(settings, port=0)
        listening = listen(settings)
    settings = dataclasses.replace(settings, port=listening.getsockname()[1])
    serve(settings, listening=listening, begun=lambda: _tell("page.at", address(settings)))
    return 0


def address(settings: Settings) -> str:
    """Return where a browser of this machine finds a server."""
    host = settings.host
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return f"http://{host}:{settings.port}/"
    if found.is_unspecified:
        host = "::1" if found.version == 6 else "127.0.0.1"
    return f"http://[{host}]:{settings.port}/" if ":" in host else f"http://{host}:{settings.port}/"


def is_brelan(settings: Settings) -> bool:
    """Whether it is a Brelan that listens on our port."""
    host, _, port = address(settings).removeprefix("http://").rstrip("/").rpartition(":")
    asked = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=SOON)
    try:
        asked.request("GET", "/healthz")
        said = json.loads(asked.getresponse().read(1000))
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        asked.close()
    return isinstance(said, dict) and said.get("server") == "brelan"


def can_open() -> bool:
    """Whether there is a browser with a window; one in the terminal does not count."""
    if not os.environ.get("BROWSER"):  # who names one knows that it works, also from afar
        if any(os.environ.get(name) for name in REMOTE):
            return False
        has_windows = sys.platform in ("win32", "darwin", "cygwin")
        if not has_windows and not any(os.environ.get(name) for name in DISPLAYS):
            return False
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    return Path(getattr(browser, "name", "")).stem.lower() not in IN_TERMINALS


def _tell(key: str, where: str) -> None:
    """Say where the page is, and open it if that can be done."""
    from brelan import i18n
    from brelan.terminal.screen import lang_of_environment

    texts = i18n.load(Path(i18n.__file__).parent, lang_of_environment())
    sys.stdout.write(texts(key, {"address": where}) + "\n")
    if can_open():
        subprocess.Popen(  # noqa: S603 - in a process of its own, since browsers are talkative
            [sys.executable, "-m", "webbrowser", where],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    else:
        sys.stdout.write(texts("page.by_hand") + "\n")
    sys.stdout.flush()
