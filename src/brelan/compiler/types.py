"""The types of compiled rules: numbers, records, rows of them, and tuples.

A value of a type is held in one or more LLVM values, its *parts*: a number in one, a row in a
pointer and the lengths that are not known while compiling.
"""

from __future__ import annotations

import enum
import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


class TypeMismatch(TypeError):  # noqa: N818 - it is told as a refusal of a rule
    """Something that rules cannot do with values of these types; the message says what is."""


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


class Traits(enum.Flag):
    """What is special about the memory of a row or a record; usually nothing."""

    CONSTANT = enum.auto()  # a table of a module, or what Python lends for reading only
    UNALIGNED = enum.auto()  # numbers lie at any addresses
    SCRATCH = enum.auto()  # made by a rule, and gone when it returns
    PASSING = enum.auto()  # made in a loop, and made anew in each turn
    UNREAD = enum.auto()  # nothing depends on it: what is written there is left out


ORDINARY = Traits(0)
LENT = Traits.SCRATCH | Traits.PASSING  # what matters only to the rule that made it


@dataclass(frozen=True, eq=False)
class Record:
    """A record, by its address. There is one of these for each numpy type: see `record`."""

    dtype: np.dtype[Any]
    fields: Mapping[str, tuple[np.dtype[Any], tuple[int, ...], int]]  # type, shape, offset
    traits: Traits

    @property
    def parts(self) -> tuple[str, ...]:
        """The LLVM types that hold it."""
        return ("ptr",)

    def __str__(self) -> str:
        return "a record"


@dataclass(frozen=True)
class Row:
    """Numbers or records one after another, in one or more dimensions."""

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]  # None: known when it runs
    traits: Traits = ORDINARY

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
        return f"a tuple of {len(self.members)}" if self.members else "nothing"


Type = Scalar | Record | Row | Tuple


@dataclass(frozen=True)
class Value:
    """What an expression stands for: its type, its parts, and what else is known of it."""

    type: Type
    parts: tuple[str, ...]
    constant: int | float | bool | None = None  # the number, if it is known while compiling
    members: tuple[Value, ...] = ()  # of a tuple, as they were put together

    @property
    def ir(self) -> str:
        """The one part of a number or a record."""
        (part,) = self.parts
        return part


NOTHING = Value(Tuple(()), ())  # what a rule without a result returns


@functools.cache
def record(dtype: np.dtype[Any], traits: Traits = ORDINARY) -> Record:
    """Return the type of a record, the same object for equal types and traits."""
    assert dtype.fields is not None
    fields = {name: (of[0].base, of[0].shape, int(of[1])) for name, of in dtype.fields.items()}
    ends = [(at, natural_alignment(base)) for base, _, at in fields.values()]
    if any(at % unit for at, unit in [*ends, (dtype.itemsize, natural_alignment(dtype))]):
        traits |= Traits.UNALIGNED
    return Record(dtype, fields, traits)


def natural_alignment(dtype: np.dtype[Any]) -> int:
    """Return what the address of a number or a record is to be a multiple of."""
    if dtype.fields is None:
        return dtype.itemsize & -dtype.itemsize or 1
    return max([1, *(natural_alignment(of[0].base) for of in dtype.fields.values())])


def element_type(dtype: np.dtype[Any], traits: Traits = ORDINARY) -> Scalar | Record:
    """Return the type of what a row holds."""
    if dtype.fields is not None:
        return record(dtype, traits)
    found = _NUMBERS.get(dtype.str[1:]) if dtype.isnative else None
    if found is None:
        raise TypeMismatch(f"rules read numbers and records, not {dtype}")
    return found


_NUMBERS = {
    "b1": BOOL, "i1": INT, "i2": INT, "i4": INT, "i8": INT,
    "u1": WORD, "u2": WORD, "u4": WORD, "u8": WORD, "f4": REAL, "f8": REAL,
}  # fmt: skip


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
    if isinstance(one, Record) and isinstance(other, Record):
        same = one.dtype == other.dtype
        return record(one.dtype, one.traits | other.traits) if same else None
    if isinstance(one, Row) and isinstance(other, Row):
        if one.dtype != other.dtype or len(one.shape) != len(other.shape):
            return None
        pairs = zip(one.shape, other.shape, strict=True)
        shape = tuple(mine if mine == theirs else None for mine, theirs in pairs)
        return Row(one.dtype, shape, one.traits | other.traits)
    if isinstance(one, Tuple) and isinstance(other, Tuple):
        if len(one.members) != len(other.members):
            return None
        joined = [join(*pair) for pair in zip(one.members, other.members, strict=True)]
        found = tuple(member for member in joined if member is not None)
        return Tuple(found) if len(found) == len(joined) else None
    return None


def traits_of(type_: Type) -> Traits:
    """Return what is special about the memory that a value leads to."""
    if isinstance(type_, Tuple):
        return functools.reduce(operator.or_, map(traits_of, type_.members), ORDINARY)
    return ORDINARY if isinstance(type_, Scalar) else type_.traits


def as_parameter(type_: Type) -> Type:
    """Return the type by which a rule takes a value: memory of its caller is a place to it."""
    return _with_traits(type_, lambda traits: traits & ~LENT)


def as_result(type_: Type, arguments: Iterable[Type]) -> Type:
    """Return the type of a rule's result to its caller: it may lie where the arguments lie."""
    lent = traits_of(Tuple(tuple(arguments))) & LENT
    return _with_traits(type_, lambda traits: traits | lent) if lent else type_


def _with_traits(type_: Type, change: Callable[[Traits], Traits]) -> Type:
    if isinstance(type_, Tuple):
        return Tuple(tuple(_with_traits(member, change) for member in type_.members))
    if isinstance(type_, Row):
        return Row(type_.dtype, type_.shape, change(type_.traits))
    return record(type_.dtype, change(type_.traits)) if isinstance(type_, Record) else type_
