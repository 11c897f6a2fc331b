"""Answers that are the same for everybody: compressed, and kept by browsers until they change."""

from __future__ import annotations

import functools
import gzip
import hashlib

from starlette.requests import Request
from starlette.responses import Response

WORTH_IT = 1000  # bytes: less is not compressed
LEVEL = 6


@functools.lru_cache(maxsize=128)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, LEVEL, mtime=0)


@functools.lru_cache(maxsize=512)
def _tag(content: bytes) -> str:
    return f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'


def public(request: Request, content: bytes, media_type: str, seconds: int = 0) -> Response:
    """Return an answer that may be kept for some seconds, and then is asked for by its tag."""
    tag = _tag(content)
    headers = {
        "ETag": tag,
        "Vary": "Accept-Encoding",
        "Cache-Control": f"public, max-age={seconds}" if seconds else "no-cache",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    accepted = request.headers.get("accept-encoding", "")
    if len(content) >= WORTH_IT and "gzip" in accepted:
        content, headers["Content-Encoding"] = _packed(content), "gzip"
    return Response(content, headers=headers, media_type=media_type)
