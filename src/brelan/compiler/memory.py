"""Places in machine code: where a field or an entry of a row lies, reading and writing it."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np

from brelan.compiler.arithmetic import Arithmetic, TypeMismatch, lengths_of
from brelan.compiler.code import Code, constant
from brelan.compiler.types import (
    BOOL,
    INT,
    REAL,
    WORD,
    Record,
    Row,
    Scalar,
    Value,
    element_type,
    stored_as,
)

FILLED_BY_STORES = 64  # bytes up to which memory is cleared by stores


class Memory:
    """Reading and writing records and rows, written into the code of one rule."""

    def __init__(self, code: Code, numbers: Arithmetic, check: Any) -> None:
        self.code, self._numbers, self._check = code, numbers, check

    def field(self, owner: Value, name: str, origin: str = "place") -> Value | Place:
        """Return a field of a record: a row or a record as a value, a number as a place."""
        assert isinstance(owner.type, Record)
        found = owner.type.fields.get(name)
        if found is None:
            names = ", ".join(each for each in owner.type.fields if each != "padding")
            raise TypeMismatch(f"there is no place {name!r}; there are: {names}")
        dtype, shape, offset = found
        pointer = self._moved(owner.ir, str(offset)) if offset else owner.ir
        if shape:
            return Value(Row(dtype, shape, origin), (pointer,))
        return self._entry(pointer, dtype, _alignment(owner.type.dtype, offset, dtype), origin)

    def item(self, row: Value, indices: list[Value]) -> Value | Place:
        """Return an entry of a row, or a row of it where it has more dimensions."""
        assert isinstance(row.type, Row)
        shape, dtype = row.type.shape, row.type.dtype
        if len(indices) > len(shape):
            raise TypeMismatch(f"{row.type} has not {len(indices)} dimensions")
        lengths = lengths_of(row)
        at: Value | None = None
        for index, length in zip(indices, lengths, strict=False):
            whole = self._index(index)
            self._check_bounds(whole, length)
            if at is not None:
                at = self._numbers.binary(ast.Mult, at, length)
                at = self._numbers.binary(ast.Add, at, whole)
            else:
                at = whole
        assert at is not None
        step = constant(dtype.itemsize)
        for length in lengths[len(indices) :]:
            step = self._numbers.binary(ast.Mult, step, length)
        offset = self._numbers.binary(ast.Mult, at, step)
        pointer = self._moved(row.parts[0], offset.ir) if offset.constant != 0 else row.parts[0]
        left = shape[len(indices) :]
        if left:
            dynamic = [n.ir for n in lengths[len(indices) :] if n.constant is None]
            return Value(Row(dtype, left, row.type.origin), (pointer, *dynamic))
        return self._entry(pointer, dtype, _lowest_bit(dtype.itemsize), row.type.origin)

    def _entry(
        self, pointer: str, dtype: np.dtype[Any], align: int, origin: str = "place"
    ) -> Value | Place:
        type_ = element_type(dtype)
        if type_ is None:
            raise TypeMismatch(f"rules read numbers and records, not {dtype}")
        if isinstance(type_, Record):
            return Value(type_, (pointer,))
        return Place(type_, pointer, dtype, align, origin)

    def _index(self, index: Value) -> Value:
        if index.type not in (INT, WORD, BOOL):
            raise TypeMismatch(f"{index.type} is no index; it may be an int")
        return index if index.type is WORD else self._numbers.convert(index, INT)

    def _check_bounds(self, index: Value, length: Value) -> None:
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
        if place.origin == "unread":
            unread = Value(INT, (self.code.value("call i64 @unread()"),))
            return self._numbers.convert(unread, place.type)
        ir = stored_as(place.dtype)
        raw = self.code.load(ir, place.pointer, place.align)
        if place.type is BOOL:
            return Value(BOOL, (self.code.value(f"icmp ne {ir} {raw}, 0"),))
        if place.type is REAL:
            return Value(REAL, (raw if ir == "double" else self._cast("fpext", ir, raw, "double"),))
        if ir == "i64":
            return Value(place.type, (raw,))
        extend = "zext" if place.type is WORD else "sext"
        return Value(place.type, (self._cast(extend, ir, raw, "i64"),))

    def write(self, place: Place, value: Value) -> None:
        """Write a number into a place; what is too wide for it is cut off."""
        if place.origin == "constant":
            raise TypeMismatch("a constant table cannot be written; write into a place")
        if place.origin == "unread":
            return
        if not isinstance(value.type, Scalar):
            raise TypeMismatch(f"{value.type} does not fit in a place of numbers")
        ir = stored_as(place.dtype)
        if place.type is REAL:
            part = self._numbers.convert(value, REAL).ir
            part = part if ir == "double" else self._cast("fptrunc", "double", part, ir)
        elif place.type is BOOL:
            part = self._cast("zext", "i1", self._numbers.truth(value).ir, ir)
        else:
            if value.type is WORD:
                part = value.ir
            elif place.type is WORD and value.constant is not None:
                part = self._numbers.convert(value, WORD).ir
            else:
                part = self._numbers.convert(value, INT).ir
            part = part if ir == "i64" else self._cast("trunc", "i64", part, ir)
        self.code.store(ir, part, place.pointer, place.align)

    def _cast(self, of: str, ir: str, part: str, to: str) -> str:
        return self.code.value(f"{of} {ir} {part} to {to}")

    def fresh(self, dtype: np.dtype[Any], shape: list[Value], is_zero: bool) -> Value:
        """Return a row of scratch memory, which is gone when the rule returns."""
        count = constant(dtype.itemsize)
        for length in shape:
            count = self._numbers.binary(ast.Mult, count, self._numbers.convert(length, INT))
        row = Row(dtype, tuple(_length(each) for each in shape), "scratch")
        dynamic = [each.ir for each in shape if each.constant is None]
        if count.constant is None:
            return Value(row, (self._allocate(count, is_zero), *dynamic))
        pointer = self.code.slot("i8", max(int(count.constant), 2), align=16)
        if is_zero:
            self.code.line(
                f"call void @llvm.memset.p0.i64(ptr {pointer}, i8 0, i64 {count.ir}, i1 false)"
            )
        return Value(row, (pointer,))

    def _allocate(self, count: Value, is_zero: bool) -> str:
        """Take memory from the system; what was taken here before is given back."""
        slot = self.code.slot("ptr")
        self.code.line(f"call void @free(ptr {self.code.load('ptr', slot)})")
        taken = (
            self.code.value(f"call ptr @calloc(i64 {count.ir}, i64 1)")
            if is_zero
            else (self.code.value(f"call ptr @malloc(i64 {count.ir})"))
        )
        self.code.store("ptr", taken, slot)
        self.code.borrowed.append(slot)
        return taken


class Place:
    """Where a number lies."""

    def __init__(
        self, type_: Scalar, pointer: str, dtype: np.dtype[Any], align: int, origin: str
    ) -> None:
        self.type, self.pointer, self.dtype = type_, pointer, dtype
        self.align, self.origin = align, origin


def _length(value: Value) -> int | None:
    return None if value.constant is None else int(value.constant)


def _lowest_bit(number: int) -> int:
    return number & -number if number else 8


def _alignment(owner: np.dtype[Any], offset: int, dtype: np.dtype[Any]) -> int:
    return min(_lowest_bit(math.gcd(owner.itemsize, offset)), _lowest_bit(dtype.itemsize), 8)
