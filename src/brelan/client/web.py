"""HTTP as a client needs it: on the standard library alone, and on a thread beside the loop."""

from __future__ import annotations

import asyncio
import http.client
import json
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from brelan.client.errors import Disconnected, ServerError
from brelan.server.messages import Failed

COOKIE = "brelan_guest"
TIMEOUT = 30.0  # seconds that an answer may take
Kind = TypeVar("Kind")


class Web:
    """Asks a server; it keeps the cookie by which the server knows its guest."""

    def __init__(self, server: str, cookie: str | None = None) -> None:
        parts = urlsplit(server)
        self._is_secure = parts.scheme == "https"
        self._host, self._path = parts.netloc, parts.path.rstrip("/")
        self.cookie = cookie

    @property
    def socket_base(self) -> str:
        """The address under which the server's sockets are."""
        return f"{'wss' if self._is_secure else 'ws'}://{self._host}{self._path}"

    @property
    def headers(self) -> dict[str, str]:
        """The headers by which the server knows its guest."""
        return {} if self.cookie is None else {"Cookie": f"{COOKIE}={self.cookie}"}

    async def get(self, path: str, kind: type[Kind]) -> Kind:
        """Return what is at a path, of a type; ServerError if it is refused."""
        return _decoded(await self.ask("GET", path), kind)

    async def post(self, path: str, body: Any, kind: type[Kind]) -> Kind:
        """Send something to a path, and return the answer; ServerError if it is refused."""
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        return _decoded(await self.ask("POST", path, content), kind)

    async def ask(self, method: str, path: str, content: bytes | None = None) -> bytes:
        """Return the content of an answer; ServerError if it is a refusal."""
        return await asyncio.to_thread(self._ask, method, path, content)

    def _ask(self, method: str, path: str, content: bytes | None) -> bytes:
        kind = http.client.HTTPSConnection if self._is_secure else http.client.HTTPConnection
        connection = kind(self._host, timeout=TIMEOUT)
        headers = self.headers
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, self._path + path, content, headers)
            answer = connection.getresponse()
            found = answer.read()
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Disconnected(f"cannot reach {self._host}: {why}") from None
        finally:
            connection.close()
        self._keep_cookie(answer.headers.get_all("Set-Cookie") or [])
        if answer.status >= 400:
            raise _refusal(answer.status, found)
        return found

    def _keep_cookie(self, given: list[str]) -> None:
        for text in given:
            try:
                cookies = SimpleCookie(text)
            except CookieError:
                continue
            if COOKIE in cookies:
                self.cookie = cookies[COOKIE].value


def _decoded(content: bytes, kind: type[Kind]) -> Kind:
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.MsgspecError as error:
        raise Disconnected(f"this is no server of Brelan: {error}") from None


def _refusal(status: int, content: bytes) -> Exception:
    try:
        failed = msgspec.json.decode(content, type=Failed)
    except (msgspec.MsgspecError, json.JSONDecodeError):
        return Disconnected(f"this is no server of Brelan: it answers with status {status}")
    return ServerError(failed.code, failed.args)
