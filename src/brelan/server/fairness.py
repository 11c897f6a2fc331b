"""Verifiable deals: the secret is fixed before the first move, and shown after the last.

Before the first move everybody sees the *commitment*, a hash of the secret. Each seat may add a
*nonce* of its own until the cards are dealt. The luck of all plies follows from secret and nonces
(`Match`, whose seed `deal_seed` returns), so neither the house nor a player alone chooses the
cards; when they are dealt everybody sees the *seal*, a hash of that seed. When the match is over
the secret is shown, and anybody can work all of it out again.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping

MAX_NONCE = 64  # characters


def new_secret() -> bytes:
    """Return the secret of a deal, drawn by the operating system."""
    return secrets.token_bytes(32)


def commitment(secret: bytes) -> str:
    """Return what is shown of a secret before the match: 64 hexadecimal digits."""
    return hashlib.blake2b(b"brelan commitment " + secret, digest_size=32).hexdigest()


def seal(seed: str) -> str:
    """Return what is shown of a deal as soon as it is made: 64 hexadecimal digits.

    Secret and nonces cannot be replaced afterwards, even where the moves would fit other cards.
    """
    content = b"brelan seal " + bytes.fromhex(seed)
    return hashlib.blake2b(content, digest_size=32).hexdigest()


def deal_seed(secret: bytes, nonces: Mapping[int, str]) -> str:
    """Return the seed of the match: 64 hexadecimal digits, from the secret and all nonces."""
    digest = hashlib.blake2b(b"brelan deal ", key=secret, digest_size=32)
    for seat in sorted(nonces):
        nonce = nonces[seat].encode()
        digest.update(seat.to_bytes(2, "little") + len(nonce).to_bytes(2, "little") + nonce)
    return digest.hexdigest()
