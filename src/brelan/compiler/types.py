"""The types of compiled rules: numbers, records, rows of them, and tuples.

A value of a type is held in one or more LLVM values, its *parts*: a number in one, a row in a
pointer and the lengths that are not known while compiling.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Scalar:
    """A number: `bool`, `int` (64 bits, signed), `word` (64 bits that wrap around) or `real`."""

    name: str
    ir: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The LLVM types that hold it."""
        return (self.ir,)

    def __str__(self) -> str:
        return f"a {self.name}" if self.name != "int" else "an int"


BOOL = Scalar("bool", "i1")
INT = Scalar("int", "i64")
WORD = Scalar("word", "i64")
REAL = Scalar("real", "double")
WIDTH = {BOOL: 0, INT: 1, REAL: 2}  # a number may be taken for a wider one


@dataclass(frozen=True, eq=False)
class Record:
    """A record, by its address. There is one of these for each numpy type: see `record`."""

    dtype: np.dtype[Any]
    fields: dict[str, tuple[np.dtype[Any], tuple[int, ...], int]]  # type, shape, offset

    @property
    def parts(self) -> tuple[str, ...]:
        """The LLVM types that hold it."""
        return ("ptr",)

    def __str__(self) -> str:
        return "a record"


@dataclass(frozen=True)
class Row:
    """Numbers or records one after another, in one or more dimensions.

    `origin` says where they lie: in a `place`, in a `constant` of the module, which cannot be
    written, in `scratch` memory of the rule, which is gone when it returns, or in a place that is
    `unread`: what is written there is left out.
    """

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]  # None: known when it runs
    origin: str = "place"

    @property
    def parts(self) -> tuple[str, ...]:
        """The LLVM types that hold it."""
        return ("ptr", *("i64" for length in self.shape if length is None))

    def __str__(self) -> str:
        return "a row" if len(self.shape) == 1 else f"a row of {len(self.shape)} dimensions"


@dataclass(frozen=True)
class Tuple:
    """Several values side by side."""

    members: tuple[Type, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The LLVM types that hold it."""
        return tuple(part for member in self.members for part in member.parts)

    def __str__(self) -> str:
        return f"a tuple of {len(self.members)}"


Type = Scalar | Record | Row | Tuple


@dataclass(frozen=True)
class Value:
    """What an expression stands for: its type, its parts, and its number if that is constant."""

    type: Type
    parts: tuple[str, ...]
    constant: int | float | bool | None = field(default=None, compare=False)

    @property
    def ir(self) -> str:
        """The one part of a number or a record."""
        (part,) = self.parts
        return part


_records: dict[int, Record] = {}
_canonical: dict[np.dtype[Any], Record] = {}


def record(dtype: np.dtype[Any]) -> Record:
    """Return the type of a record, the same object for equal numpy types."""
    if id(dtype) not in _records:
        if dtype not in _canonical:
            assert dtype.fields is not None
            split = {name: (*_split(of[0]), int(of[1])) for name, of in dtype.fields.items()}
            _canonical[dtype] = Record(dtype, split)
        _records[id(dtype)] = _canonical[dtype]
        _kept.append(dtype)
    return _records[id(dtype)]


_kept: list[np.dtype[Any]] = []  # as long as a type lives, no other one has its id


def _split(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Return the type and the shape of a field."""
    return (dtype.base, dtype.shape) if dtype.shape else (dtype, ())


def element_type(dtype: np.dtype[Any]) -> Scalar | Record | None:
    """Return the type of what a row holds; None: rules cannot read it."""
    if dtype.fields is not None:
        return record(dtype)
    return {"b": BOOL, "i": INT, "u": WORD, "f": REAL}.get(dtype.kind)


def stored_as(dtype: np.dtype[Any]) -> str:
    """Return the LLVM type of a number as it lies in memory."""
    if dtype.kind == "f":
        return {4: "float", 8: "double"}[dtype.itemsize]
    return f"i{8 * dtype.itemsize}"


def join(one: Type, other: Type) -> Type | None:
    """Return the type that can hold values of both; None: there is none."""
    if one == other:
        return one
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        if one in WIDTH and other in WIDTH:
            return max(one, other, key=WIDTH.__getitem__)
        return None
    if isinstance(one, Row) and isinstance(other, Row):
        if one.dtype != other.dtype or len(one.shape) != len(other.shape):
            return None
        pairs = zip(one.shape, other.shape, strict=True)
        shape = tuple(mine if mine == theirs else None for mine, theirs in pairs)
        origins = {one.origin, other.origin}
        order = ("constant", "scratch", "place", "unread")
        origin = next(each for each in order if each in origins)
        return Row(one.dtype, shape, origin)
    if isinstance(one, Tuple) and isinstance(other, Tuple):
        if len(one.members) != len(other.members):
            return None
        joined = tuple(map(join, one.members, other.members))
        return None if None in joined else Tuple(joined)  # type: ignore[arg-type]
    return None


def as_parameter(type_: Type) -> Type:
    """Return the type by which a rule takes a value: memory of its caller is a place to it."""
    if isinstance(type_, Row) and type_.origin == "scratch":
        return Row(type_.dtype, type_.shape)
    return type_
