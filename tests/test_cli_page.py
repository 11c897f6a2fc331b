"""`brelan` alone: a server on this machine, whose page opens in the browser."""

from __future__ import annotations

import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brelan.cli import page
from brelan.server.settings import Settings
from server_fixture import running

PROGRAM = [sys.executable, "-c", "from brelan.cli import main; main()"]
PATIENCE = 60.0
FROM_WINDOWS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "SSH_CONNECTION", "SSH_TTY")


class Alone:
    """The program without arguments, and a browser that writes down what it is to open."""

    def __init__(self, folder: Path, port: int, *, browser: bool = True, **more: str) -> None:
        self.opened = folder / "opened"
        fake = folder / "browser"
        fake.write_text(f'#!/bin/sh\necho noise; echo "$1" >> {self.opened}\n', encoding="utf-8")
        fake.chmod(0o755)
        kept = {name: text for name, text in os.environ.items() if name not in FROM_WINDOWS}
        environment = {
            **kept,
            "BRELAN_PORT": str(port),
            "XDG_DATA_HOME": str(folder / "data"),
            "LC_ALL": "C.UTF-8",
            **({"BROWSER": str(fake)} if browser else {}),
            **more,
        }
        self.process = subprocess.Popen(
            PROGRAM,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # even in background
        )

    def line(self) -> str:
        """Return the next line that it writes."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip()

    def browsed(self) -> list[str]:
        """Return the pages that were opened, once there are some."""
        latest = time.monotonic() + PATIENCE
        while not self.opened.exists() or not self.opened.read_text().endswith("\n"):
            assert time.monotonic() < latest, "no browser was opened"
            time.sleep(0.05)
        return self.opened.read_text(encoding="utf-8").split()

    def end(self) -> tuple[int, str, str]:
        """Interrupt it; return its status, and what else it wrote."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Callable[..., Alone]]:
    started: list[Alone] = []

    def start(port: int, **given: object) -> Alone:
        started.append(Alone(tmp_path, port, **given))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def healthy(where: str) -> bool:
    with urllib.request.urlopen(where + "healthz", timeout=10) as answer:  # noqa: S310
        return bool(json.load(answer)["server"] == "brelan")


def test_it_serves_and_opens_its_page(
    alone: Callable[..., Alone], port: int, tmp_path: Path
) -> None:
    where = f"http://127.0.0.1:{port}/"
    first = alone(port)
    assert first.line() == f"Brelan is at {where} (Ctrl-C ends it)."
    assert healthy(where)
    assert first.browsed() == [where]
    assert (tmp_path / "data" / "brelan" / "brelan.db").exists()
    second = alone(port, LC_ALL="fr_FR.UTF-8")  # while the first one runs
    assert second.line() == f"Brelan tourne déjà sur cette machine, à l’adresse {where}"
    assert second.process.wait(PATIENCE) == 0
    while second.browsed() != [where, where]:
        time.sleep(0.05)
    assert first.end() == (0, "", "")


def test_without_a_browser_it_says_so(alone: Callable[..., Alone], port: int) -> None:
    asked = alone(port, browser=False)
    assert asked.line() == f"Brelan is at http://127.0.0.1:{port}/ (Ctrl-C ends it)."
    assert asked.line() == "No browser can be opened from here: open this address in yours."
    assert not asked.opened.exists()
    assert asked.end() == (0, "", "")


class Stranger(http.server.BaseHTTPRequestHandler):
    """Something else that speaks HTTP."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'["ok"]')

    def log_message(self, *_: object) -> None: ...


def test_a_port_of_somebody_else_is_left_to_it(alone: Callable[..., Alone]) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever, daemon=True).start()
        asked = alone(stranger.server_port)
        where = asked.line().split()[3]
        stranger.shutdown()
    assert not where.endswith(f":{stranger.server_port}/")
    assert healthy(where)
    assert asked.browsed() == [where]


# ---------------------------------------------------------------- its parts


@pytest.mark.parametrize(
    ("host", "where"),
    [
        ("127.0.0.1", "http://127.0.0.1:8080/"),
        ("0.0.0.0", "http://127.0.0.1:8080/"),  # noqa: S104
        ("::", "http://[::1]:8080/"),
        ("::1", "http://[::1]:8080/"),
        ("192.0.2.7", "http://192.0.2.7:8080/"),
        ("localhost", "http://localhost:8080/"),
    ],
)
def test_the_address_is_one_that_a_browser_finds(host: str, where: str) -> None:
    assert page.address(Settings(host=host)) == where


def test_a_brelan_is_told_from_others(tmp_path: Path, port: int) -> None:
    assert not page.is_brelan(Settings(port=port))  # nobody is there
    with running(tmp_path) as server:
        assert page.is_brelan(Settings(port=server.port))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        assert not page.is_brelan(Settings(port=silent.getsockname()[1]))
        assert time.monotonic() - started < PATIENCE


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a window here")
@pytest.mark.parametrize(
    ("environment", "can"),
    [
        ({}, False),
        ({"BROWSER": "lynx"}, False),
        ({"BROWSER": "/usr/bin/w3m %s"}, False),
        ({"BROWSER": "/opt/editor/open"}, True),
        ({"BROWSER": "/opt/editor/open", "SSH_CONNECTION": "1"}, True),
        ({"DISPLAY": ":0", "SSH_CONNECTION": "1"}, False),
        ({"DISPLAY": ":0", "PATH": "TEXT"}, False),
        ({"DISPLAY": ":0", "PATH": "WINDOW"}, True),
        ({"PATH": "WINDOW"}, False),
    ],
)
def test_only_browsers_with_windows_are_opened(
    environment: dict[str, str], can: bool, tmp_path: Path
) -> None:
    """Asked of a process of its own: `webbrowser` looks around once."""
    for folder, program in (("TEXT", "lynx"), ("WINDOW", "firefox")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / program).touch(0o755)
    given = {name: str(tmp_path / text) if name == "PATH" else text
             for name, text in environment.items()}  # fmt: skip
    kept = {name: text for name, text in os.environ.items() if name not in FROM_WINDOWS}
    asked = subprocess.run(
        [sys.executable, "-c", "from brelan.cli.page import can_open; print(can_open())"],
        env={**kept, "PATH": str(tmp_path), "TERM": "xterm", **given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert asked.stdout.strip() == str(can)
