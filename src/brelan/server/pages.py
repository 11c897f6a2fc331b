"""The browser client: the files of its bundle, as the build has compressed them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

FOLDER = Path(__file__).resolve().parent.parent / "static"
INDEX = "index.html"
HASHED = "/assets/"  # the names of these files change with their content
FOREVER, ASK_FIRST = "public, max-age=31536000, immutable", "no-cache"
ENCODINGS = {"br": ".br", "gzip": ".gz"}  # the best first, and how such files end
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Brelan</title>
<h1>Brelan</h1>
<p>The server runs, but its page is not built. To build it, run this where Brelan lies, with Node
20.19 or later and a network, and load this page again:</p>
<pre>python3 hatch_build.py</pre>
<p>Until then, <code>brelan play</code> plays in the terminal.</p>
<div lang="fr">
<p>Le serveur marche, mais sa page n\xe2\x80\x99est pas construite. Pour la construire, lancez cette
commande dans le dossier de Brelan, avec Node 20.19 ou plus r\xc3\xa9cent et un acc\xc3\xa8s au
r\xc3\xa9seau, puis rechargez cette page\xc2\xa0:</p>
<pre>python3 hatch_build.py</pre>
<p>D\xe2\x80\x99ici l\xc3\xa0, <code>brelan play</code> joue dans le terminal.</p>
</div>
"""


class Page(NamedTuple):
    """One file in one encoding."""

    content: bytes
    tag: str
    encoding: str | None


class Bundle:
    """The files of a folder by their paths. They are read once, when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._built: int | None = None  # when, so that another build is noticed
        self._files: dict[str, Path] = {}
        self._read: dict[tuple[str, str | None], Page] = {}
        self._look()

    def has(self, path: str) -> bool:
        """Whether there is a page at a path; there always is one at `/`."""
        if path == "/":
            self._look()
        return path == "/" or path in self._files

    def page(self, path: str, accepted: set[str]) -> Page | None:
        """Return what lies at a path in the best encoding that is accepted, if it is there."""
        for encoding in (*(each for each in ENCODINGS if each in accepted), None):
            known = self._read.get((path, encoding))
            if known is None and (file := self._files.get(path)) is not None:
                known = _read(file, encoding)
            if known is not None:
                self._read[path, encoding] = known
                return known
        return None

    def is_compressed(self, path: str) -> bool:
        """Whether what is sent from a path depends on what is accepted."""
        file = self._files.get(path)
        return file is not None and any(
            file.with_name(file.name + ending).exists() for ending in ENCODINGS.values()
        )

    def _look(self) -> None:
        """List the files, if they are not those that were listed last."""
        index = self._folder / INDEX
        try:
            built = index.stat().st_mtime_ns
        except OSError:
            built = None
        if built == self._built:
            return
        self._built, self._read, self._files = built, {}, {}
        if built is None:
            return
        for file in self._folder.rglob("*"):
            if file.suffix in TYPES and file.is_file():
                self._files["/" + file.relative_to(self._folder).as_posix()] = file
        self._files["/"] = self._files.pop(f"/{INDEX}")


def _read(file: Path, encoding: str | None) -> Page | None:
    ending = ENCODINGS[encoding] if encoding is not None else ""
    try:
        content = file.with_name(file.name + ending).read_bytes()
    except OSError:
        return None
    tag = hashlib.sha256(content).hexdigest()[:20]
    return Page(content, f'"{tag}"', encoding)


class Pages(BaseRoute):
    """The route to a bundle. Paths that it does not hold are somebody else's."""

    path = "/"

    def __init__(self, folder: Path) -> None:
        self._bundle = Bundle(folder)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether a file of the bundle is asked for."""
        is_asked = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        is_ours = is_asked and self._bundle.has(scope["path"])
        return Match.FULL if is_ours else Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file."""
        await self.answer(scope["path"], Headers(scope=scope))(scope, receive, send)

    def answer(self, path: str, asked: Headers) -> Response:
        """Return the answer to who asks for a file, or only whether theirs is still the one."""
        page = self._bundle.page(path, accepted(asked.get("accept-encoding", "")))
        if page is None and path != "/":
            raise HTTPException(404)  # it was there before another build
        if page is None:
            headers = {"Cache-Control": "no-store", "Retry-After": "10"}
            return Response(NOT_BUILT, 503, headers, TYPES[".html"])
        file = INDEX if path == "/" else path
        headers = {
            "Cache-Control": FOREVER if path.startswith(HASHED) else ASK_FIRST,
            "ETag": page.tag,
        }
        if page.encoding is not None or self._bundle.is_compressed(path):
            headers["Vary"] = "Accept-Encoding"
        if is_known(page.tag, asked.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if page.encoding is not None:
            headers["Content-Encoding"] = page.encoding
        return Response(page.content, 200, headers, TYPES[Path(file).suffix])


def accepted(header: str) -> set[str]:
    """Return which encodings of ours a client accepts, by its header `Accept-Encoding`."""
    weights: dict[str, bool] = {}
    for part in header.lower().split(","):
        name, *parameters = (each.strip() for each in part.split(";"))
        refused = any(each.replace(" ", "").rstrip("0.") == "q=" for each in parameters)
        weights[name] = not refused
    other = weights.get("*", False)
    return {each for each in ENCODINGS if weights.get(each, other)}


def is_known(tag: str, header: str) -> bool:
    """Whether a client that sends this header `If-None-Match` has what is under a tag."""
    known = {each.strip().removeprefix("W/") for each in header.split(",")}
    return tag in known or "*" in known
