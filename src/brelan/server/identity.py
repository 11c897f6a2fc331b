"""Who somebody is: a guest by a signed cookie, the owner of a seat by a secret link."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

from brelan.server.settings import Settings

COOKIE = "brelan_guest"
COOKIE_AGE = 400 * 24 * 3600  # seconds, the longest that browsers allow


def cookie_name(settings: Settings) -> str:
    """Return how our cookie is called. Over HTTPS, browsers take it from this very host only."""
    return f"__Host-{COOKIE}" if settings.secure_cookies else COOKIE


def new_id() -> str:
    """Return an id of a guest or a table: short, in no order, not to be guessed."""
    return secrets.token_urlsafe(12)


def new_key() -> str:
    """Return a secret for a link."""
    return secrets.token_urlsafe(24)


def hash_of(key: str) -> str:
    """Return what is stored of a secret: whoever reads the database learns no link."""
    return hashlib.blake2b(key.encode(), digest_size=24).hexdigest()


class Signer:
    """Signs cookies with the newest key, and accepts those of older ones."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = [hashlib.blake2b(key.encode(), digest_size=32).digest() for key in keys]

    def sign(self, guest: str) -> str:
        """Return a cookie that names a guest."""
        return f"{guest}.{self._signature(guest, self._keys[0])}"

    def guest(self, cookie: str | None) -> str | None:
        """Return the guest whom a cookie names; None if it is not signed by us."""
        guest, dot, signature = (cookie or "").rpartition(".")
        if not dot or not signature.isascii():
            return None
        signed = (self._signature(guest, key) for key in self._keys)
        known = [hmac.compare_digest(each, signature) for each in signed]  # all, in equal time
        return guest if any(known) else None

    @staticmethod
    def _signature(guest: str, key: bytes) -> str:
        digest = hmac.digest(key, guest.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
