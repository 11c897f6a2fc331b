"""What a server refuses, and what goes wrong on the way to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brelan.errors import Refused


class ServerError(Refused):
    """The server has refused something: `code` says what, `args_` what it speaks of."""

    def __init__(self, code: str, args: Mapping[str, Any] | None = None) -> None:
        self.code, self.args_ = code, dict(args or {})
        facts = ", ".join(f"{name}={value}" for name, value in self.args_.items())
        super().__init__(f"the server says {code}" + (f" ({facts})" if facts else ""))


class Disconnected(Refused):
    """The server cannot be reached, or was left."""
