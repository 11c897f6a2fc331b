"""The text of one LLVM function, as it is written."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from brelan.compiler.types import BOOL, INT, REAL, WORD, Scalar, Type, Value

UNROLLED = 16  # turns of a loop of known length up to which it is written out
GIVE_BACK = "; give back"  # stands for what is not known before the function's end
UNREAD = "call i64 @unread()"  # what stands for a number in a place that is said to be unread
KEPT_ROLLED, WRITTEN_OUT = "!1", "!2"  # metadata of loops, see program.py


class Code:
    """Instructions in basic blocks; those that nobody can come to are dropped."""

    def __init__(self) -> None:
        self._slots: list[str] = []  # memory of variables, at the function's entry
        self._lines: list[str] = []
        self._count = 0
        self._reached: set[str] = set()  # blocks that somebody comes to
        self._borrowed: list[str] = []  # slots of memory to give back when the function returns
        self.is_open = True  # whether the current block can be gone on with

    def name(self) -> str:
        """Return a name not used yet."""
        self._count += 1
        return f"%v{self._count}"

    def label(self) -> str:
        """Return the name of a block not used yet."""
        self._count += 1
        return f"b{self._count}"

    def begin(self, label: str) -> None:
        """Begin a block; the one before goes on to it, if it is not ended."""
        if self.is_open:
            self.jump(label)
        if label in self._reached:
            self._lines.append(f"{label}:")
            self.is_open = True

    def line(self, text: str) -> None:
        """Write an instruction that has no result."""
        if self.is_open:
            self._lines.append(f"  {text}")

    def value(self, text: str) -> str:
        """Write an instruction, and return the name of its result."""
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def end(self, text: str) -> None:
        """End the block with an instruction."""
        self.line(text)
        self.is_open = False

    def jump(self, label: str, hint: str = "") -> None:
        """Go on at a block."""
        self._reach(label)
        self.end(f"br label %{label}{hint}")

    def branch(self, condition: str, then: str, otherwise: str) -> None:
        """Go on at one of two blocks."""
        self._reach(then, otherwise)
        self.end(f"br i1 {condition}, label %{then}, label %{otherwise}")

    def switch(self, number: str, cases: Iterable[tuple[int, str]], default: str) -> None:
        """Go on at the block of a number."""
        self._reach(default, *(label for _, label in cases))
        listed = " ".join(f"i64 {case}, label %{label}" for case, label in cases)
        self.end(f"switch i64 {number}, label %{default} [ {listed} ]")

    def _reach(self, *labels: str) -> None:
        if self.is_open:
            self._reached.update(labels)

    # ------------------------------------------------------------ several parts as one

    def packed(self, values: Sequence[str], parts: Sequence[str]) -> str:
        """Return one LLVM value that holds several parts."""
        if len(parts) == 1:
            return values[0]
        whole, type_ = "poison", together_as(parts)
        for place, (ir, part) in enumerate(zip(parts, values, strict=True)):
            whole = self.value(f"insertvalue {type_} {whole}, {ir} {part}, {place}")
        return whole

    def unpacked(self, whole: str, parts: Sequence[str]) -> list[str]:
        """Return the parts that one LLVM value holds."""
        if len(parts) == 1:
            return [whole]
        type_ = together_as(parts)
        return [self.value(f"extractvalue {type_} {whole}, {place}") for place in range(len(parts))]

    def call(self, name: str, given: Iterable[Value], parts: Sequence[str]) -> list[str]:
        """Call a function; return the parts of what it returns."""
        call = f"call fastcc {together_as(parts)} @{name}({', '.join(declared(given))})"
        if parts:
            return self.unpacked(self.value(call), parts)
        self.line(call)
        return []

    # ------------------------------------------------------------ memory

    def borrow(self, count: str, is_zero: bool) -> str:
        """Take memory from the system until the function returns, or comes here again."""
        slot = self.slot("ptr")
        self._borrowed.append(slot)
        self.line(f"call void @free(ptr {self.load('ptr', slot)})")
        call = f"calloc(i64 {count}, i64 1)" if is_zero else f"malloc(i64 {count})"
        taken = self.value(f"call ptr @{call}")
        self.store("ptr", taken, slot)
        return taken

    def give_back(self) -> None:
        """Give back all that is borrowed here or further down."""
        if self.is_open:
            self._lines.append(GIVE_BACK)

    def slot(self, ir: str, count: int = 1, align: int = 8) -> str:
        """Return memory of the function, the same each time the code is passed."""
        name = self.name()
        what = ir if count == 1 else f"[{count} x {ir}]"
        self._slots.append(f"  {name} = alloca {what}, align {align}")
        if count == 1:
            zero = {"ptr": "null", "double": "0.0"}.get(ir, "0")
            self._slots.append(f"  store {ir} {zero}, ptr {name}")
        return name

    def store(self, ir: str, value: str, pointer: str, align: str = "") -> None:
        """Write a part into memory."""
        self.line(f"store {ir} {value}, ptr {pointer}{align}")

    def load(self, ir: str, pointer: str, align: str = "") -> str:
        """Read a part from memory."""
        return self.value(f"load {ir}, ptr {pointer}{align}")

    def slots_of(self, type_: Type) -> list[str]:
        """Return memory for a value."""
        return [self.slot(part) for part in type_.parts]

    def keep(self, value: Value, slots: Iterable[str]) -> None:
        """Write a value into its memory."""
        for ir, part, slot in zip(value.type.parts, value.parts, slots, strict=True):
            self.store(ir, part, slot)

    def kept(self, type_: Type, slots: Iterable[str]) -> Value:
        """Read a value from its memory."""
        parts = zip(type_.parts, slots, strict=True)
        return Value(type_, tuple(self.load(ir, slot) for ir, slot in parts))

    def text(self, head: str) -> str:
        """Return the whole function."""
        body: list[str] = []
        for line in self._lines:
            body += self._given_back() if line == GIVE_BACK else [line]
        return "\n".join([f"{head} {{", "entry:", *self._slots, *body, "}", ""])

    def _given_back(self) -> list[str]:
        lines = []
        for slot in self._borrowed:
            name = self.name()
            lines += [f"  {name} = load ptr, ptr {slot}", f"  call void @free(ptr {name})"]
        return lines


def declared(values: Iterable[Value]) -> list[str]:
    """Return the parts of values with their LLVM types, as functions are given them."""
    return [
        f"{ir} {part}"
        for value in values
        for ir, part in zip(value.type.parts, value.parts, strict=True)
    ]


def together_as(parts: Sequence[str]) -> str:
    """Return the LLVM type of several parts as one."""
    if len(parts) < 2:
        return parts[0] if parts else "void"
    return "{ " + ", ".join(parts) + " }"


# ---------------------------------------------------------------- constants


def constant(number: int | float | bool, type_: Scalar | None = None) -> Value:
    """Return a constant as a value, of its own type or of another one."""
    if type_ is None:
        type_ = BOOL if isinstance(number, bool) else REAL if isinstance(number, float) else INT
    if type_ is REAL:
        number = float(number)
        bits = struct.unpack("<Q", struct.pack("<d", number))[0]
        return Value(REAL, (f"0x{bits:016X}",), number)
    if type_ is BOOL:
        return Value(BOOL, ("true" if number else "false",), bool(number))
    assert type_ in (INT, WORD)
    signed = (int(number) + 2**63) % 2**64 - 2**63
    return Value(type_, (str(signed),), signed if type_ is INT else signed % 2**64)
