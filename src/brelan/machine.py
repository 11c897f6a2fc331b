"""Rules as machine code.

A rule stays the plain Python function it is. A `Library` makes a *linked function* of it: the same
code whose names lead to the linked functions of the rules it uses, and, for a hook such as `play`,
to the rule of the library's own game. In the modes `compiled` and `checked` (bounds checked) the
linked functions are compiled by numba; in the mode `interpreted` they are Python again. So all
three run side by side in one process, numba is imported only when something is compiled, and a
file of rules can be stepped through with a debugger.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from brelan import rules
from brelan.errors import Refused

MODES = ("compiled", "checked", "interpreted")
LIGHT = (
    2600  # bytes of Python code, used rules included, up to which a rule is compiled into its users
)
WRAPPING = (rules.next_luck, rules.shuffle, rules.hash64)  # whose numbers are to wrap around
UNUSED_AFTER = 30 * 24 * 3600.0  # seconds after which machine code of old sources is removed

_lock = threading.RLock()


class Library:
    """The rules of one game, linked and run in one mode."""

    def __init__(
        self,
        game: str,
        mode: str,
        implementations: Mapping[Callable[..., Any], Callable[..., Any]],
        sources: Iterable[Path],
    ) -> None:
        self.mode = mode
        self._implementations = dict(implementations)
        self._sources = sources
        self._game = game
        self._linked: dict[tuple[Callable[..., Any], bool], Callable[..., Any]] = {}
        self._globals: dict[str, dict[str, Any]] = {}
        self._weights: dict[Callable[..., Any], int] = {}

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the linked function of a rule or of a hook, to be called from Python."""
        with _lock:
            return self._linked_function(self._implementations.get(function, function), entry=True)

    @property
    def size(self) -> int:
        """How many rules are linked so far."""
        return len(self._linked)

    def _linked_function(self, function: Callable[..., Any], entry: bool) -> Callable[..., Any]:
        """Return the linked function of a rule; only an entry may be called from Python."""
        if (function, entry) not in self._linked:
            self._linked[function, entry] = self._link(function, entry)
        return self._linked[function, entry]

    def _link(self, function: Callable[..., Any], entry: bool) -> Callable[..., Any]:
        assert isinstance(function, FunctionType)
        linked = FunctionType(
            function.__code__, self._names(function), function.__name__, function.__defaults__
        )
        linked.__module__, linked.__qualname__ = function.__module__, function.__qualname__
        if self.mode == "interpreted":
            return _wrapping_around(linked) if function in WRAPPING else linked
        import numba

        from brelan.compiling import RuleCompiler

        flags: dict[str, Any] = {
            "cache": entry,
            "pipeline_class": RuleCompiler,
            "error_model": "numpy",
            "nogil": True,
            "boundscheck": self.mode == "checked",
            "forceinline": self.mode == "compiled" and self._weight(function) <= LIGHT,
            "no_cpython_wrapper": not entry,
            "no_cfunc_wrapper": True,
            "inline": "always" if hasattr(function, "__woven__") else "never",
        }
        numba.config.CACHE_DIR = str(self._cache)  # type: ignore[attr-defined]
        compiled: Any = numba.njit(**flags)(linked)
        template = compiled.get_call_template  # by which other rules call it
        compiled.get_call_template = lambda kinds, named: template(tuple(map(_wide, kinds)), named)
        return compiled  # type: ignore[no-any-return]

    def _weight(self, function: FunctionType) -> int:
        """Return the bytes of Python code of a rule and of all the rules it uses, once per use."""
        if function not in self._weights:
            self._weights[function] = weight = len(function.__code__.co_code)
            for step in dis.get_instructions(function):
                used = (
                    function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
                )
                if callable(used) and (hasattr(used, "__rule__") or used in self._implementations):
                    weight += self._weight(self._implementations.get(used, used))
            self._weights[function] = weight
        return self._weights[function]

    def _names(self, function: FunctionType) -> dict[str, Any]:
        """Return the names of a function's module, each rule replaced by its linked function."""
        module = function.__module__
        if module not in self._globals:
            self._globals[module] = names = dict(function.__globals__)
            for name, value in function.__globals__.items():
                if callable(value) and (
                    hasattr(value, "__rule__") or value in self._implementations
                ):
                    names[name] = self._linked_function(
                        self._implementations.get(value, value), entry=False
                    )
        return self._globals[module]

    @functools.cached_property
    def _cache(self) -> Path:
        """The folder of this machine's code, named by all the sources it is made from.

        numba keys its own cache by one file and by no flag, so an edit elsewhere, or another
        mode, would leave old machine code running.
        """
        import numba

        digest = hashlib.blake2b(digest_size=10)
        for version in (sys.version, np.__version__, numba.__version__, self.mode):
            digest.update(version.encode())
        for source in sorted(self._sources):
            digest.update(source.read_bytes())
        shelf = cache_folder() / self._game / self.mode
        folder = shelf / digest.hexdigest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
        except OSError as error:
            raise Refused(
                f"cannot keep machine code in {folder}: {error.strerror}; "
                "let BRELAN_CACHE name a folder that can be written"
            ) from None
        for old in shelf.iterdir():
            if time.time() - old.stat().st_mtime > UNUSED_AFTER:
                shutil.rmtree(old, ignore_errors=True)
        return folder


def _wide(kind: Any) -> Any:
    """Return the type by which a rule takes a number: one for all widths, to be compiled once."""
    from numba.core import types

    plain = getattr(kind, "literal_type", kind)
    return types.int64 if getattr(plain, "signed", False) else plain


def cache_folder() -> Path:
    """Return where machine code is kept between runs: $BRELAN_CACHE, or the user's cache."""
    if chosen := os.environ.get("BRELAN_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return home / "brelan"


def _wrapping_around(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let numbers wrap around without a warning, as they do in machine code."""

    @functools.wraps(function)
    def quiet(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return quiet
