"""Headers that browsers go by, and whose pages may talk to us."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brelan.server.settings import Settings

EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # a link to a seat is a secret
    "Cross-Origin-Resource-Policy": "same-origin",
}
NO_PAGE = {  # what is never shown as a page of its own may do nothing if it is
    **EVERYWHERE,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
PAGE = {
    **EVERYWHERE,
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}
HTML = b"text/html"
NO_STORE = (b"cache-control", b"no-store")  # what is answered to one guest is for nobody else


class SecurityHeaders:
    """Adds the headers to every answer, but for those that it has.

    Most answers are data and parts of the page, which need only few of them. One without a type,
    such as 304, may stand for a page.
    """

    def __init__(self, app: ASGIApp, *, is_https: bool = False) -> None:
        self._app = app
        more = HTTPS_ONLY if is_https else {}
        self._of_pages, self._of_others = _raw(PAGE | more), _raw(NO_PAGE | more)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower(): value for name, value in message["headers"]}
                is_page = given.get(b"content-type", HTML).startswith(HTML)
                added = self._of_pages if is_page else self._of_others
                added = [each for each in added if each[0] not in given]
                headers = [*message["headers"], *added]
                if all(name.lower() != NO_STORE[0] for name, _ in headers):
                    headers.append(NO_STORE)
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), text.encode()) for name, text in headers.items()]


def is_own_origin(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether the page that asks is ours. Programs, which send no origin, may ask too."""
    origin = connection.headers.get("origin")
    if origin is None or origin in settings.origins:
        return True
    try:
        asks = urlsplit(origin)
    except ValueError:
        return False
    if asks.scheme != "https" and (asks.scheme != "http" or settings.secure_cookies):
        return False  # a page that came over an open line may have been changed on its way
    return asks.netloc != "" and asks.netloc == connection.headers.get("host")


def is_within(address: str, networks: tuple[str, ...]) -> bool:
    """Whether an address lies in one of some networks."""
    try:
        found = ipaddress.ip_address(address)
        return any(found in ipaddress.ip_network(each, strict=False) for each in networks)
    except ValueError:
        return False
