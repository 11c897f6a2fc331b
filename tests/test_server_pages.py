"""The browser client as a server sends it: types, encodings, caching, and nothing else."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from brelan.server import pages
from server_fixture import Answer, Client, Server, running

FILES = {
    "index.html": b"<!doctype html><script type=module src=/assets/main-1a2b.js></script>",
    "favicon.svg": b"<svg/>",
    "favicon.ico": b"ico",
    "manifest.webmanifest": b"{}",
    "icons/icon-192.png": b"png",
    "assets/main-1a2b.js": b"let a = 1;" * 100,
    "assets/main-1a2b.css": b"a{}" * 100,
    "assets/cards-1a2b.json": b"[]",
    "assets/letters-1a2b.woff2": b"woff2",
}
SCRIPT = "/assets/main-1a2b.js"
ONE_YEAR = "public, max-age=31536000, immutable"
SECRET = b"nobody may read this"


def put(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        if file.suffix in (".js", ".html"):
            file.with_name(file.name + ".gz").write_bytes(gzip.compress(content))
            file.with_name(file.name + ".br").write_bytes(b"brotli")  # nobody reads it here


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages") / "static"
    put(folder, FILES)
    (folder / ".sources").write_bytes(SECRET)
    (folder.parent / "secret.txt").write_bytes(SECRET)
    return folder


@pytest.fixture(scope="module")
def server(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "FOLDER", bundle)
        made = running(tmp_path_factory.mktemp("server"))
        server = made.__enter__()  # which has read where its pages are
    yield server
    made.__exit__(None, None, None)


def get(server: Server, path: str, *, method: str = "GET", **headers: str) -> Answer:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Client(server).ask(method, path, headers=named)


def test_the_first_page_is_asked_for_each_time(server: Server) -> None:
    first = get(server, "/")
    assert (first.status, first.content) == (200, FILES["index.html"])
    assert first.headers["Content-Type"] == "text/html; charset=utf-8"
    assert first.headers["Cache-Control"] == "no-cache"
    assert first.headers["Vary"] == "Accept-Encoding"
    again = get(server, "/", If_None_Match=f'"other", W/{first.headers["ETag"]}')
    assert (again.status, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert get(server, "/", If_None_Match='"other"').status == 200
    assert get(server, "/index.html").code == "no_such_page"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (SCRIPT, "text/javascript; charset=utf-8"),
        ("/assets/main-1a2b.css", "text/css; charset=utf-8"),
        ("/assets/cards-1a2b.json", "application/json"),
        ("/assets/letters-1a2b.woff2", "font/woff2"),
        ("/favicon.svg", "image/svg+xml"),
        ("/favicon.ico", "image/x-icon"),
        ("/icons/icon-192.png", "image/png"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ],
)
def test_a_file_has_its_type_and_its_time(server: Server, path: str, kind: str) -> None:
    answer = get(server, path)
    assert (answer.status, answer.content) == (200, FILES[path[1:]])
    assert answer.headers["Content-Type"] == kind
    is_hashed = path.startswith("/assets/")
    assert answer.headers["Cache-Control"] == (ONE_YEAR if is_hashed else "no-cache")


@pytest.mark.parametrize(
    ("accepted", "sent"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip;q=1.0", "gzip"),
        ("br ; q=0.0 , gzip", "gzip"),
        ("*", "br"),
        ("*;q=0", None),
        ("identity", None),
        ("", None),
        ("brotli, ;;,=", None),
    ],
)
def test_an_encoding_is_agreed_on(server: Server, accepted: str, sent: str | None) -> None:
    answer = get(server, SCRIPT, Accept_Encoding=accepted)
    assert answer.headers["Content-Encoding"] == sent
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    plain = {None: answer.content, "br": FILES[SCRIPT[1:]]}
    if sent == "gzip":
        plain["gzip"] = gzip.decompress(answer.content)
    assert plain[sent] == FILES[SCRIPT[1:]]
    other = get(server, SCRIPT, Accept_Encoding="gzip" if sent is None else "identity")
    assert other.headers["ETag"] != answer.headers["ETag"]


def test_what_is_not_compressed_goes_as_it_is(server: Server) -> None:
    answer = get(server, "/favicon.svg", Accept_Encoding="br, gzip")
    assert answer.headers["Content-Encoding"] is None
    assert answer.headers["Vary"] is None
    assert answer.content == FILES["favicon.svg"]


@pytest.mark.parametrize("path", ["/", SCRIPT])
def test_only_the_head_of_a_file(server: Server, path: str) -> None:
    whole, head = (get(server, path, method=method) for method in ("GET", "HEAD"))
    assert (head.status, head.content) == (200, b"")
    for name in ("Content-Length", "Content-Type", "ETag", "Cache-Control"):
        assert head.headers[name] == whole.headers[name]


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/assets/",
        "/assets",
        "/assets/main-0000.js",
        "/.sources",
        f"{SCRIPT}.gz",
        f"/{SCRIPT}",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%5csecret.txt",
        "/assets/main-1a2b.js%00",
        "//etc/passwd",
    ],
)
def test_nothing_else_is_there(server: Server, path: str) -> None:
    answer = get(server, path)
    assert (answer.status, answer.code) == (404, "no_such_page")
    assert SECRET not in answer.content


def test_a_page_is_only_read(server: Server) -> None:
    for path in ("/", SCRIPT):
        assert get(server, path, method="POST").code == "no_such_page"
    assert get(server, "/api/games", method="POST").code == "no_such_method"


def test_what_a_page_may_do_is_said_with_it(server: Server) -> None:
    """With 304 too, whose headers take the place of those that a browser has kept."""
    for answer in (get(server, "/"), get(server, "/", If_None_Match="*")):
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Permissions-Policy"] is not None


def test_a_part_of_the_page_is_sent_with_few_headers(server: Server) -> None:
    answer = get(server, SCRIPT, Accept_Encoding="br")
    assert len(str(answer.headers)) < 600  # it is a request each, and most of them are small


@pytest.mark.parametrize("path", ["/", SCRIPT, "/favicon.svg"])
def test_the_headers_of_security_are_there(server: Server, path: str) -> None:
    for answer in (get(server, path), get(server, path, If_None_Match="*")):
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Set-Cookie"] is None
        assert len(answer.headers.get_all("Cache-Control") or []) == 1


def test_a_client_that_is_not_built_is_explained_until_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "static"
    monkeypatch.setattr(pages, "FOLDER", bundle)
    with running(tmp_path) as server:
        missing = get(server, "/")
        assert missing.status == 503
        assert missing.headers["Cache-Control"] == "no-store"
        assert b"python3 hatch_build.py" in missing.content
        assert b"<script" not in missing.content
        assert b"<style" not in missing.content
        assert get(server, SCRIPT).status == 404
        put(bundle, FILES)
        assert get(server, "/").content == FILES["index.html"]
        assert get(server, SCRIPT).status == 200
        for file in bundle.rglob("*.js*"):
            file.unlink()
        put(bundle, {"index.html": b"another build", "assets/main-3c4d.js": b"2"})
        os.utime(bundle / "index.html", (1, 1))
        assert get(server, "/").content == b"another build"
        assert get(server, "/assets/main-3c4d.js").content == b"2"
        assert get(server, SCRIPT).code == "no_such_page"


def test_a_file_that_vanished_is_no_failure(tmp_path: Path) -> None:
    put(tmp_path, FILES)
    bundle = pages.Bundle(tmp_path)
    (tmp_path / SCRIPT[1:]).unlink()
    assert bundle.page(SCRIPT, set()) is None


@pytest.mark.skipif(not pages.FOLDER.exists(), reason="the browser client is not built")
def test_the_real_client_is_whole(tmp_path: Path) -> None:
    """All that its first page and its manifest name is there; text is sent compressed."""
    with running(tmp_path) as server:
        page = get(server, "/").content.decode()
        named = re.findall(r'(?:src|href)="(/[^"]+)"', page)
        assert any(name.startswith("/assets/") for name in named)
        manifest = json.loads(get(server, "/manifest.webmanifest").content)
        assert manifest["start_url"] == "/"
        assert manifest["display"] == "standalone"
        assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
        assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
        for name in [*named, *(icon["src"] for icon in manifest["icons"])]:
            assert get(server, name).status == 200, name
        for name in named:
            if name.endswith((".js", ".css")) and len(get(server, name).content) > 2000:
                assert get(server, name, Accept_Encoding="br").headers["Content-Encoding"] == "br"
