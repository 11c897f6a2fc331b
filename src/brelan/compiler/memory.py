"""Places in machine code: where a field or an entry of a row lies, reading and writing it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import numpy as np

from brelan.compiler.arithmetic import Arithmetic, Check, lengths_of
from brelan.compiler.code import UNREAD, Code, constant
from brelan.compiler.types import (
    BOOL,
    INT,
    REAL,
    WORD,
    Record,
    Row,
    Scalar,
    Traits,
    TypeMismatch,
    Value,
    element_type,
    stored_as,
)

STACKED = 1 << 14  # bytes up to which scratch memory of known size lies on the stack


@dataclass(frozen=True)
class Place:
    """Where a number lies."""

    type: Scalar
    pointer: str
    dtype: np.dtype[Any]
    traits: Traits

    @property
    def align(self) -> str:
        """How LLVM is told of an address that is aligned to nothing."""
        return ", align 1" if self.traits & Traits.UNALIGNED else ""


class Memory:
    """Reading and writing records and rows, written into the code of one rule."""

    def __init__(self, code: Code, numbers: Arithmetic, check: Check | None) -> None:
        self.code, self._numbers, self._check = code, numbers, check

    def field(self, owner: Value, name: str, special: Traits) -> Value | Place:
        """Return a field of a record: a row or a record as a value, a number as a place.

        `special` is what the field has beside the traits of its record.
        """
        assert isinstance(owner.type, Record)
        if name not in owner.type.fields:
            names = ", ".join(each for each in owner.type.fields if each != "padding")
            raise TypeMismatch(f"there is no place {name!r}; there are: {names}")
        dtype, shape, offset = owner.type.fields[name]
        pointer = self._moved(owner.ir, str(offset)) if offset else owner.ir
        traits = owner.type.traits | special
        if shape:
            return Value(Row(dtype, shape, traits), (pointer,))
        return self._entry(pointer, dtype, traits)

    def item(self, row: Value, indices: list[Value]) -> Value | Place:
        """Return an entry of a row, or a row of it where it has more dimensions."""
        assert isinstance(row.type, Row)
        dtype, lengths = row.type.dtype, lengths_of(row)
        if len(indices) > len(lengths):
            raise TypeMismatch(f"{row.type} has not {len(indices)} dimensions")
        at = constant(0)
        for index, length in zip(indices, lengths, strict=False):
            self.check_bounds(index, length)
            at = self._sum(self._product(at, length), index)
        left, step = lengths[len(indices) :], constant(dtype.itemsize)
        for length in left:
            step = self._product(step, length)
        offset = self._product(at, step)
        pointer = row.parts[0] if offset.constant == 0 else self._moved(row.parts[0], offset.ir)
        if not left:
            return self._entry(pointer, dtype, row.type.traits)
        rest = Row(dtype, row.type.shape[len(indices) :], row.type.traits)
        return Value(rest, (pointer, *(each.ir for each in left if each.constant is None)))

    def _entry(self, pointer: str, dtype: np.dtype[Any], traits: Traits) -> Value | Place:
        type_ = element_type(dtype, traits)
        if isinstance(type_, Record):
            return Value(type_, (pointer,))
        return Place(type_, pointer, dtype, traits)

    def _sum(self, one: Value, other: Value) -> Value:
        return other if one.constant == 0 else self._numbers.binary(ast.Add, one, other)

    def _product(self, one: Value, other: Value) -> Value:
        return one if one.constant == 0 else self._numbers.binary(ast.Mult, one, other)

    def check_bounds(self, index: Value, length: Value) -> None:
        """Refuse an index out of range, now if it is known, else when it is checked."""
        if index.constant is not None and length.constant is not None:
            if not 0 <= index.constant < length.constant:
                last = int(length.constant) - 1
                raise TypeMismatch(f"index {index.constant} is out of range; it may be 0 to {last}")
        elif self._check:
            beyond = self.code.value(f"icmp uge i64 {index.ir}, {length.ir}")
            self._check(beyond, "IndexError", "an index is out of range")

    def _moved(self, pointer: str, offset: str) -> str:
        return self.code.value(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}")

    def read(self, place: Place) -> Value:
        """Return the number in a place."""
        if place.traits & Traits.UNREAD:
            return self._numbers.convert(Value(INT, (self.code.value(UNREAD),)), place.type)
        ir, wide = stored_as(place.dtype), place.type.ir
        raw = self.code.load(ir, place.pointer, place.align)
        if place.type is BOOL:
            raw = self.code.value(f"icmp ne {ir} {raw}, 0")
        elif ir != wide:
            extend = {INT: "sext", WORD: "zext", REAL: "fpext"}[place.type]
            raw = self.code.value(f"{extend} {ir} {raw} to {wide}")
        return Value(place.type, (raw,))

    def write(self, place: Place, value: Value) -> None:
        """Write a number into a place; what is too wide for it is cut off."""
        if place.traits & Traits.CONSTANT:
            raise TypeMismatch("constant tables and read-only arrays cannot be written")
        if place.traits & Traits.UNREAD:
            return
        ir, wide = stored_as(place.dtype), place.type.ir
        part = self._numbers.convert(value, place.type).ir
        if ir != wide:
            narrow = {BOOL: "zext", REAL: "fptrunc"}.get(place.type, "trunc")
            part = self.code.value(f"{narrow} {wide} {part} to {ir}")
        self.code.store(ir, part, place.pointer, place.align)

    def fresh(
        self, dtype: np.dtype[Any], shape: list[Value], traits: Traits, *, is_zero: bool
    ) -> Value:
        """Return a row of scratch memory."""
        element_type(dtype)
        count, lengths = constant(dtype.itemsize), []
        shape = [self._numbers.index(length) for length in shape]
        for length in shape:
            self._refuse_negative(length)
            count = self._product(count, length)
            lengths.append(None if length.constant is None else int(length.constant))
        dynamic = [each.ir for each in shape if each.constant is None]
        row = Row(dtype, tuple(lengths), traits)
        if count.constant is None or count.constant > STACKED:
            return Value(row, (self.code.borrow(count.ir, is_zero), *dynamic))
        pointer = self.code.slot("i8", max(int(count.constant), 2), align=16)
        if is_zero:
            clear = f"@llvm.memset.p0.i64(ptr {pointer}, i8 0, i64 {count.ir}, i1 false)"
            self.code.line(f"call void {clear}")
        return Value(row, (pointer, *dynamic))

    def _refuse_negative(self, length: Value) -> None:
        if length.constant is not None:
            if length.constant < 0:
                raise TypeMismatch(f"a row cannot have {length.constant} entries")
        elif self._check:
            is_negative = self.code.value(f"icmp slt i64 {length.ir}, 0")
            self._check(is_negative, "ValueError", "a row cannot have a negative length")
