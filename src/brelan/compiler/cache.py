"""Machine code between runs: files named by all that the code is made from."""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import json
import os
import sys
import threading
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


Result = str | list[Any] | None  # the name of a number, a list for a tuple, None for nothing


class Compiled(NamedTuple):
    """The machine code of a program, and what Python must know to call it."""

    code: bytes
    result: Result
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
        digest, _, content = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    if digest != _digest_of(content):
        return None
    with contextlib.suppress(OSError):  # it may lie where nobody can write
        os.utime(file)
    head, _, code = content.partition(b"\n")
    of = json.loads(head)
    return Compiled(code, of["result"], [(name, text) for name, text in of["exceptions"]])


def write(file: Path, compiled: Compiled) -> None:
    """Keep machine code in a file, whole or not at all; remove what nobody has used for long."""
    head = json.dumps({"result": compiled.result, "exceptions": compiled.exceptions}).encode()
    content = head + b"\n" + compiled.code
    part = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_digest_of(content) + b"\n" + content)
        part.replace(file)
        _clean(file.parent)
    except OSError as error:
        raise Refused(
            f"cannot keep machine code in {file.parent}: {error.strerror}; "
            "let BRELAN_CACHE name a folder that can be written"
        ) from None


def _clean(folder: Path) -> None:
    """Remove files that have not been used for long."""
    for old in folder.iterdir():
        with contextlib.suppress(OSError):  # another process cleans up beside us
            if old.is_file() and time.time() - old.stat().st_mtime > UNUSED_AFTER:
                old.unlink()


def _digest_of(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).hexdigest().encode()


# ---------------------------------------------------------------- by what code is named


def digest(rule: Callable[..., Any], types: Sequence[Type], library: Library) -> str:
    """Return a digest of all that the machine code of a rule depends on.

    That is the code of the rules it reaches and the constants they use, not their comments; the
    types of its arguments, the compiler and the processor. Where an error says in which line it
    came up (the mode `checked`), the lines count too.
    """
    from brelan.compiler import machine_code  # and LLVM, which takes a moment

    found = hashlib.blake2b(digest_size=16)
    unread = {dtype: sorted(names) for dtype, names in library.unread.items()}
    assumed = repr((library.mode, types, library.knobs, unread))
    of = (_compiler(), machine_code.platform(), assumed)
    content = _reached(rule, library.hooks, with_lines=library.mode == "checked")
    for part in (*(text.encode() for text in of), *content):
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


def _reached(rule: Callable[..., Any], hooks: Hooks, *, with_lines: bool) -> Iterator[bytes]:
    """Yield the content of a rule and of all the rules it uses, each once."""
    known, waiting = {rule}, [rule]
    while waiting:
        function = waiting.pop()
        yield _code(function, with_lines=with_lines)
        for name, value in _used(function):
            meaning = hooks.get(value, value) if callable(value) else value
            yield name.encode()
            if not is_rule(meaning):
                yield _content(meaning)
                continue
            yield f"{meaning.__module__}.{meaning.__qualname__}".encode()
            if meaning not in known:
                known.add(meaning)
                waiting.append(meaning)


def _code(function: Callable[..., Any], *, with_lines: bool) -> bytes:
    """Return what a rule does, without its comments."""
    code, doc = function.__code__, function.__doc__
    constants = code.co_consts[1:] if doc and code.co_consts[0] == doc else code.co_consts
    content: list[object] = [code.co_name, code.co_code, constants, code.co_names, code.co_varnames]
    if with_lines:
        content += [Path(code.co_filename).name, code.co_firstlineno, list(code.co_lines())]
    return repr(content).encode()


def _used(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """Yield what the names in a rule mean: those of its module, and those of modules it knows."""
    owners = [function.__globals__]
    for name in function.__code__.co_names:
        for owner in owners[:]:
            if name in owner:
                yield name, owner[name]
                if isinstance(owner[name], ModuleType):
                    owners.append(vars(owner[name]))


def _content(value: Any) -> bytes:
    """Return what a constant is, as bytes."""
    if isinstance(value, np.ndarray):
        if value.dtype.names is None:
            return repr((value.dtype, value.shape)).encode() + value.tobytes()
        parts = [_content(value[name]) for name in value.dtype.names]  # without what pads them
        return repr((value.dtype, parts)).encode()
    if isinstance(value, enum.EnumType):
        members: Mapping[str, enum.Enum] = value.__members__
        return repr([(name, each.value) for name, each in members.items()]).encode()
    if isinstance(value, enum.Enum):
        return repr(value.value).encode()
    if isinstance(value, tuple):
        return repr([_content(each) for each in value]).encode()
    if isinstance(value, ModuleType):
        return value.__name__.encode()
    if isinstance(value, bool | int | float | np.generic | np.dtype):
        return repr(value).encode()
    return type(value).__name__.encode()


@functools.cache
def _compiler() -> str:
    """Return a digest of the compiler itself."""
    found = hashlib.blake2b(digest_size=16)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest() + sys.version
