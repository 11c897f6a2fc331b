"""Machine code between runs: files named by all that the code is made from."""

from __future__ import annotations

import enum
import functools
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from brelan.compiler.source import is_rule
from brelan.compiler.types import Type
from brelan.errors import Refused

if TYPE_CHECKING:
    from brelan.compiler.library import Library

UNUSED_AFTER = 30 * 24 * 3600.0  # seconds after which code that nobody loads is removed

Hooks = Mapping[Callable[..., Any], Callable[..., Any]]


class Compiled(NamedTuple):
    """The machine code of a program, and what Python must know to call it."""

    code: bytes
    result: list[str]  # the types of the parts of the result, by name
    exceptions: list[tuple[str, str]]  # what a status means, less one


def cache_folder() -> Path:
    """Return where machine code is kept between runs: $BRELAN_CACHE, or the user's cache."""
    if chosen := os.environ.get("BRELAN_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return home / "brelan"


def read(file: Path) -> Compiled | None:
    """Return what a file holds; None: there is none, or it is damaged."""
    try:
        head, _, code = file.read_bytes().partition(b"\n")
        content = json.loads(head)
        if content["digest"] != _digest_of(code):
            return None
        os.utime(file)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    exceptions = [(str(name), str(text)) for name, text in content["exceptions"]]
    return Compiled(code, content["result"], exceptions)


def write(file: Path, compiled: Compiled) -> None:
    """Keep machine code in a file, whole or not at all; remove what nobody has used for long."""
    head = {
        "digest": _digest_of(compiled.code),
        "result": compiled.result,
        "exceptions": compiled.exceptions,
    }
    part = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(json.dumps(head).encode() + b"\n" + compiled.code)
        part.replace(file)
        for old in file.parent.iterdir():
            if time.time() - old.stat().st_mtime > UNUSED_AFTER:
                old.unlink(missing_ok=True)
    except FileNotFoundError:
        return  # another process has cleaned up beside us
    except OSError as error:
        raise Refused(
            f"cannot keep machine code in {file.parent}: {error.strerror}; "
            "let BRELAN_CACHE name a folder that can be written"
        ) from None


def _digest_of(code: bytes) -> str:
    return hashlib.blake2b(code, digest_size=16).hexdigest()


# ---------------------------------------------------------------- by what code is named


def digest(rule: Callable[..., Any], types: Sequence[Type], library: Library) -> str:
    """Return a digest of all that the machine code of a rule depends on.

    That is the code of the rules it reaches and the constants they use, not their comments; the
    types of its arguments, the compiler and the processor. Where an error says in which line it
    came up (the mode `checked`), the lines count too.
    """
    found = hashlib.blake2b(digest_size=16)
    from brelan.compiler import machine_code  # and LLVM, which takes a moment

    unread = {dtype: sorted(names) for dtype, names in library.unread.items()}
    assumed = repr((library.mode, types, library.knobs, unread))
    for part in (_compiler(), machine_code.platform(), assumed):
        found.update(part.encode())
    for part in _reached(rule, library.hooks, with_lines=library.mode == "checked"):
        found.update(part)
    return found.hexdigest()


def _reached(rule: Callable[..., Any], hooks: Hooks, *, with_lines: bool) -> Iterator[bytes]:
    """Yield the content of a rule and of all the rules it uses, each once."""
    known, waiting = {rule}, [rule]
    while waiting:
        function = waiting.pop()
        code = function.__code__
        constants = [each for each in code.co_consts if each != function.__doc__]
        yield repr((code.co_code, constants, code.co_names, code.co_varnames)).encode()
        if with_lines:
            yield repr((code.co_firstlineno, list(code.co_lines()))).encode()
        for name in code.co_names:
            if name not in function.__globals__:
                continue
            value = function.__globals__[name]
            value = hooks.get(value, value) if callable(value) else value
            if is_rule(value):
                yield value.__qualname__.encode()
                if value not in known:
                    known.add(value)
                    waiting.append(value)
            else:
                yield _content(value)


def _content(value: Any) -> bytes:
    """Return what a constant is, as bytes."""
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return repr([(each.name, each.value) for each in value]).encode()
    if isinstance(value, ModuleType):
        return value.__name__.encode()
    if isinstance(value, bool | int | float | np.generic | np.dtype | tuple):
        return repr(value).encode()
    return type(value).__name__.encode()


@functools.cache
def _compiler() -> str:
    """Return a digest of the compiler itself."""
    found = hashlib.blake2b(digest_size=16)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest() + sys.version
