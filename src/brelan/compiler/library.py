"""The rules of one game, linked: what the hooks mean, and how the rules run.

A rule is an ordinary Python function. In the mode `interpreted` it runs as it stands, but for its
names: they lead to the game's own rules where a hook is called. In the mode `compiled` it is
machine code; in the mode `checked` too, with every index, division and shift checked. All three
can be used side by side.
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from brelan.compiler import cache
from brelan.compiler.program import Knobs, Program, Unread
from brelan.compiler.source import CannotCompile, is_rule
from brelan.compiler.types import (
    BOOL,
    INT,
    ORDINARY,
    REAL,
    WORD,
    Record,
    Row,
    Scalar,
    Traits,
    Tuple,
    Type,
    natural_alignment,
    record,
)
from brelan.errors import Refused

MODES = ("compiled", "checked", "interpreted")
SYMBOL = "entry"  # what the function is called that Python calls
C_TYPES: dict[str, Any] = {
    "i64": ctypes.c_int64, "double": ctypes.c_double, "i1": ctypes.c_bool, "ptr": ctypes.c_void_p
}  # fmt: skip

Function = Callable[..., Any]


class StillRead(Exception):  # noqa: N818 - it says what was found
    """A rule depends on a place that its library said to be unread."""


class Library:
    """The rules of one game in one mode.

    `knobs` names places of a record that are the same in all matches this library is used for, with
    their values: then machine code is made for just these, and is quicker. `unread` names places
    that no result depends on: what is written there is left out (`StillRead`: one matters).
    """

    def __init__(
        self,
        game: str,
        mode: str,
        hooks: Mapping[Function, Function],
        knobs: Knobs | None = None,
        unread: Unread | None = None,
    ) -> None:
        if mode not in MODES:
            raise Refused(f"there is no mode {mode!r}; there are: {', '.join(MODES)}")
        self.game, self.mode = game, mode
        self.knobs, self.unread = knobs or {}, unread or {}
        self.hooks = dict(hooks)
        for dtype, values in self.knobs.items():
            _refuse_unknown(dtype, values)
        self._linked: dict[Function, Function] = {}
        self._globals: dict[int, dict[str, Any]] = {}
        self._lock = threading.RLock()

    def __call__(self, rule: Function) -> Function:
        """Return a rule, or what the game means by a hook, to be called from Python."""
        function = self.hooks.get(rule, rule)
        with self._lock:
            if self.mode == "interpreted":
                return self._relinked(function)
            if function not in self._linked:
                self._linked[function] = MachineCode(self, function)
            return self._linked[function]

    # ------------------------------------------------------------ interpreted

    def _relinked(self, function: Function) -> Function:
        """Return a rule whose names lead to the rules of this library."""
        assert isinstance(function, FunctionType)
        if function not in self._linked:
            names, defaults = self._names(function), function.__defaults__
            linked = FunctionType(function.__code__, names, function.__name__, defaults)
            linked.__module__, linked.__qualname__ = function.__module__, function.__qualname__
            found = _wrapping_around(linked) if hasattr(function, "__wraps__") else linked
            self._linked[function] = found
        return self._linked[function]

    def _names(self, function: FunctionType) -> dict[str, Any]:
        """Return the names of a module, one dictionary for all its rules, which are in there."""
        known = self._globals.get(id(function.__globals__))
        if known is not None:
            return known
        names = self._globals[id(function.__globals__)] = dict(function.__globals__)
        for name, value in function.__globals__.items():
            meaning = self.hooks.get(value, value) if callable(value) else value
            if is_rule(meaning):
                names[name] = self._relinked(meaning)
        return names


def _refuse_unknown(dtype: np.dtype[Any], knobs: Mapping[str, int]) -> None:
    places = {name: of for name, of in record(dtype).fields.items() if not of[1]}
    for name in knobs:
        if name not in places:
            listed = ", ".join(places)
            raise Refused(f"there is no number {name!r} to be a knob; there are: {listed}")


class MachineCode:
    """A rule as machine code, made when it is called for the first time, or loaded."""

    def __init__(self, library: Library, rule: Function) -> None:
        self.library, self.rule = library, rule
        self._entries: dict[tuple[Type, ...], Entry] = {}
        self._lock = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        """Run it. Python's lock is not held meanwhile."""
        types = tuple([type_of(argument) for argument in arguments])
        entry = self._entries.get(types) or self._make(types)
        return entry(*arguments)

    def prepare(self, *arguments: Any) -> None:
        """Make it ready for arguments such as these, without running it."""
        self._make(tuple([type_of(argument) for argument in arguments]))

    def _make(self, types: tuple[Type, ...]) -> Entry:
        with self._lock:
            if types not in self._entries:
                self._entries[types] = Entry(self._compiled(types), types)
            return self._entries[types]

    def _compiled(self, types: tuple[Type, ...]) -> cache.Compiled:
        """Return machine code for arguments of these types, from the cache if it is there."""
        library = self.library
        name = cache.digest(self.rule, types, library)
        file = cache.cache_folder() / library.game / f"{self.rule.__name__}-{name}"
        found = cache.read(file)
        if found is None:
            found = compile_rule(self.rule, types, library)
            cache.write(file, found)
        if not found.code:
            raise StillRead(f"{self.rule.__name__} depends on a place that is said to be unread")
        return found


def compile_rule(rule: Any, types: Sequence[Type], library: Library) -> cache.Compiled:
    """Compile a rule, with all that it uses, for arguments of some types.

    The code is empty if it depends on a place that the library says is unread.
    """
    from brelan.compiler.machine_code import compile_object

    program = Program(
        library.hooks, library.knobs, library.unread, is_checked=library.mode == "checked"
    )
    result = _described(rule, program.entry(rule, types, SYMBOL).result)
    return cache.Compiled(compile_object(program.text()), result, program.exceptions)


def _described(rule: Function, type_: Type) -> cache.Result:
    """Return the name of a number's type, a list of such for a tuple, None for nothing."""
    if isinstance(type_, Scalar):
        return type_.name
    if isinstance(type_, Tuple):
        return [_described(rule, each) for each in type_.members] or None
    raise CannotCompile(f"{rule.__name__} returns {type_}; Python can be given numbers only")


class Entry:
    """Machine code that Python calls, for arguments of some types."""

    def __init__(self, compiled: cache.Compiled, types: Sequence[Type]) -> None:
        from brelan.compiler.machine_code import Loaded

        self._loaded = Loaded(compiled.code)  # as long as this lives
        parts = [C_TYPES[part] for type_ in types for part in type_.parts]
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, *parts, ctypes.c_void_p)
        self._call = kind(self._loaded.address(SYMBOL))
        self._flatten = [_flattened(type_) for type_ in types]
        self._result, self._exceptions = compiled.result, compiled.exceptions
        self._memory = ctypes.c_int64 * max(1, _count(compiled.result))

    def __call__(self, *arguments: Any) -> Any:
        """Run it; raise what it raises."""
        flat: list[Any] = []
        for flatten, argument in zip(self._flatten, arguments, strict=True):
            flatten(argument, flat)
        memory = self._memory()  # of this call alone: others may run beside it
        status = self._call(*flat, ctypes.addressof(memory))
        if status:
            name, text = self._exceptions[status - 1]
            raise getattr(builtins, name)(text)
        return _as_python(self._result, iter(memory))


def _count(result: cache.Result) -> int:
    """Return how many numbers a result consists of."""
    return sum(map(_count, result)) if isinstance(result, list) else 1


def _as_python(result: cache.Result, bits: Iterator[int]) -> Any:
    """Return a result as Python numbers."""
    if isinstance(result, list):
        return tuple([_as_python(each, bits) for each in result])
    if result is None:
        return None
    number = next(bits)
    if result == "real":
        return ctypes.c_double.from_buffer(ctypes.c_int64(number)).value
    if result == "word":
        return np.uint64(number % 2**64)
    return bool(number) if result == "bool" else number


# ---------------------------------------------------------------- arguments


def type_of(argument: Any) -> Type:
    """Return the type by which a rule takes an argument from Python."""
    if isinstance(argument, np.void) and argument.dtype.fields is not None:
        return record(argument.dtype, ORDINARY if argument.flags.writeable else Traits.CONSTANT)
    if isinstance(argument, np.ndarray) and argument.ndim > 0:
        if not (argument.flags.c_contiguous and argument.flags.aligned):
            raise TypeError("a rule takes arrays whose entries lie one after another")
        traits = ORDINARY if argument.flags.writeable else Traits.CONSTANT
        return Row(argument.dtype, (None,) * argument.ndim, traits)
    for kinds, type_ in _KINDS:
        if isinstance(argument, kinds):
            return type_
    raise TypeError(f"a rule takes numbers, arrays and records, not {type(argument).__name__}")


_KINDS: list[tuple[Any, Scalar]] = [
    ((bool, np.bool_), BOOL),
    (np.uint64, WORD),
    ((int, np.integer), INT),
    ((float, np.floating), REAL),
]


def _flattened(type_: Type) -> Callable[[Any, list[Any]], None]:
    """Return what writes the parts of an argument into a list."""
    if isinstance(type_, Record):
        is_unaligned = type_.traits & Traits.UNALIGNED
        address, unit = _address_of(type_), 1 if is_unaligned else natural_alignment(type_.dtype)

        def flatten(given: Any, flat: list[Any]) -> None:
            flat.append(address(given))
            if flat[-1] % unit:
                raise TypeError(f"a rule takes records at addresses that are multiples of {unit}")

        return flatten
    if isinstance(type_, Row):
        return lambda given, flat: flat.extend((given.ctypes.data, *given.shape))
    if type_ is INT:
        return _flatten_int
    if type_ is REAL:
        return lambda given, flat: flat.append(float(given))
    return lambda given, flat: flat.append(int(given))


def _flatten_int(given: Any, flat: list[Any]) -> None:
    number = int(given)
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{number} is no int of 64 bits")
    flat.append(number)


def _address_of(type_: Record) -> Callable[[Any], int]:
    """Return what finds the address of a record; through a row in it that is done faster."""
    row = next((name for name, (_, shape, _) in type_.fields.items() if shape), None)
    if row is None:
        return lambda given: int(given.__array_interface__["data"][0])
    offset = type_.fields[row][2]
    return lambda given: int(given[row].ctypes.data) - offset


def _wrapping_around(function: Function) -> Function:
    """Let numbers wrap around without a warning, as they do in machine code."""

    @functools.wraps(function)
    def quiet(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return quiet
