"""Links to tables: SERVER/#join=KEY, SERVER/#seat=KEY, SERVER/#table=ID, or a server alone.

What stands after `#` is a secret that browsers do not send on.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from brelan.errors import Refused

KINDS = ("join", "seat", "table")


class Link(NamedTuple):
    """Where a link leads: an invitation (`join`), one's own seat, a table, or just a server."""

    server: str
    kind: str = ""
    key: str = ""

    @classmethod
    def parse(cls, text: str) -> Link:
        """Return the link that is meant by an address; Refused if it is none.

        >>> Link.parse("http://127.0.0.1:8080/#join=abc")
        Link(server='http://127.0.0.1:8080', kind='join', key='abc')
        >>> str(Link.parse("127.0.0.1:8080"))
        'http://127.0.0.1:8080/'
        """
        full = text if "://" in text else f"http://{text}"
        try:
            parts = urlsplit(full)
            is_known = parts.scheme in ("http", "https") and bool(parts.hostname)
            is_known = is_known and parts.port != 0 and not parts.username
        except ValueError:
            is_known = False
        if not is_known:
            raise Refused(f"{text[:200]!r} is no address of a server; write http://HOST:PORT")
        kind, _, key = parts.fragment.partition("=")
        if kind not in ("", *KINDS) or bool(kind) != bool(key):
            wanted = ", ".join(f"#{name}=…" for name in KINDS)
            raise Refused(f"{text[:200]!r} leads nowhere; after the server's address: {wanted}")
        return cls(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", kind, key)

    def __str__(self) -> str:
        return f"{self.server}/" + (f"#{self.kind}={self.key}" if self.kind else "")
