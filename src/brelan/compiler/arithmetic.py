"""Numbers in machine code, with the semantics of Python: conversions, operators, comparisons.

Ints have 64 bits and wrap around where Python would go on beyond them. Where Python raises, the
mode `checked` raises too. The mode `compiled` then gives the result named here, so that no rule
can do what LLVM leaves undefined:

- a division by zero gives 0; of reals, infinity or no number;
- a shift by a number below 0 or above 63 (in `checked`: a ValueError) shifts by it modulo 64;
- a negative int becomes the word of its bits, a word from 2**63 on the int of its bits (unchecked);
- a real beyond the ints becomes the nearest of them, what is no number becomes 0;
- functions of `math` and powers give infinity or no number.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from brelan.compiler.code import Code, constant
from brelan.compiler.types import (
    BOOL,
    INT,
    REAL,
    WORD,
    Row,
    Scalar,
    Tuple,
    Type,
    TypeMismatch,
    Value,
    join,
)

Check = Callable[[str, str, str], None]  # raise an exception with a text, if something is so

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le),
    ast.Gt: ("gt", operator.gt),
    ast.GtE: ("ge", operator.ge),
}
PLAIN = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
BITWISE = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
ALL = 2**64 - 1  # the word of all bits
MATHS = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt}


class Arithmetic:
    """Operators on values, written into the code of one rule."""

    def __init__(self, code: Code, check: Check | None) -> None:
        self.code = code
        self._check = check  # None: nothing is checked

    # ------------------------------------------------------------ conversions

    def convert(self, value: Value, to: Type) -> Value:
        """Return a value as one of a wider type."""
        if value.type == to:
            return value
        if isinstance(to, Scalar):
            return self._number(value, to)
        if isinstance(to, Tuple):
            members = zip(members_of(value), to.members, strict=True)
            return together([self.convert(member, wanted) for member, wanted in members], to)
        if not isinstance(to, Row):
            return Value(to, value.parts)
        lengths = zip(lengths_of(value), to.shape, strict=True)
        dynamic = [length.ir for length, known in lengths if known is None]
        return Value(to, (value.parts[0], *dynamic))

    def _number(self, value: Value, to: Scalar) -> Value:
        if not isinstance(value.type, Scalar):
            raise TypeMismatch(f"{value.type} is no number")
        if to is BOOL:
            return self.truth(value)
        if to is WORD:
            return self._word(value)
        if value.type is REAL:
            return self._whole(value)
        if value.constant is not None:
            return constant(value.constant, to)
        if to is REAL:
            of = "sitofp" if value.type is INT else "uitofp"
        elif value.type is BOOL:
            of = "zext"
        else:
            return Value(INT, value.parts)  # the same 64 bits
        return Value(to, (self.code.value(f"{of} {value.type.ir} {value.ir} to {to.ir}"),))

    def _word(self, value: Value) -> Value:
        """Return an int as a word: the same 64 bits."""
        if value.type is REAL:
            raise TypeMismatch("a real is no word; write np.uint64(int(…))")
        if value.type is BOOL:
            value = self._number(value, INT)
        if value.constant is not None:
            if value.constant < 0:
                raise TypeMismatch(f"{value.constant} is no word; a word is 0 or more")
            return constant(value.constant, WORD)
        if self._check:
            is_negative = self.code.value(f"icmp slt i64 {value.ir}, 0")
            self._check(is_negative, "OverflowError", "a negative number is no word")
        return Value(WORD, value.parts)

    def _whole(self, value: Value) -> Value:
        """Return a real as an int, cut off towards zero."""
        if self._check:
            is_none = self.code.value(f"fcmp uno double {value.ir}, 0.0")
            self._check(is_none, "ValueError", "what is no number (nan) is no int")
            size = self.code.value(f"call double @llvm.fabs.f64(double {value.ir})")
            beyond = self.code.value(f"fcmp oge double {size}, {constant(2.0**63).ir}")
            self._check(beyond, "OverflowError", "a real too large for an int")
        whole = self.code.value(f"call i64 @llvm.fptosi.sat.i64.f64(double {value.ir})")
        return Value(INT, (whole,))

    def index(self, value: Value) -> Value:
        """Return a number that counts, as an int: an index, a length, the end of a range."""
        if value.type not in (INT, WORD):
            raise TypeMismatch(f"{value.type} where an int is due; convert it by int(…)")
        return self.convert(value, INT)

    def truth(self, value: Value) -> Value:
        """Return whether a number is not zero."""
        if value.type is BOOL:
            return value
        if value.constant is not None:
            return constant(bool(value.constant))
        if value.type is REAL:
            return Value(BOOL, (self.code.value(f"fcmp une double {value.ir}, 0.0"),))
        if value.type in (INT, WORD):
            return Value(BOOL, (self.code.value(f"icmp ne i64 {value.ir}, 0"),))
        raise TypeMismatch(f"{value.type} is neither true nor false; ask for its length")

    def alike(self, left: Value, right: Value) -> tuple[Value, Value]:
        """Return two numbers as of one type; a word meets words and constants only."""
        for value in (left, right):
            if not isinstance(value.type, Scalar):
                raise TypeMismatch(f"{value.type} is no number")
        kinds = (left.type, right.type)
        if WORD in kinds and REAL not in kinds:
            for value in (left, right):
                if value.type is not WORD and value.constant is None:
                    raise TypeMismatch(f"a word meets {value.type}; convert one by np.uint64(…)")
            return self.convert(left, WORD), self.convert(right, WORD)
        joined = REAL if WORD in kinds else join(*kinds)
        assert joined is not None
        return self.convert(left, joined), self.convert(right, joined)

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """Return one of two numbers of one type."""
        if condition.constant is not None:
            return yes if condition.constant else no
        (ir,) = yes.type.parts
        chosen = self.code.value(f"select i1 {condition.ir}, {ir} {yes.ir}, {ir} {no.ir}")
        return Value(yes.type, (chosen,))

    # ------------------------------------------------------------ operators

    def binary(self, of: type[ast.operator], left: Value, right: Value) -> Value:
        """Return what a binary operator gives."""
        if of not in OPERATORS:
            raise TypeMismatch(f"the operator {of.__name__} is not one of rules")
        if left.constant is not None and right.constant is not None:
            folded = self._fold(of, left, right)
            if folded is not None:
                return folded
        if of is ast.Pow:
            return self._power(left, right)
        if of in BITWISE and left.type is BOOL and right.type is BOOL:
            return self._like(left, f"{BITWISE[of]} i1", right)
        left, right = self.alike(left, right)
        if left.type is BOOL:
            raise TypeMismatch("two bools are no numbers to reckon with; convert them by int(…)")
        if of is ast.Div:
            left, right = self.convert(left, REAL), self.convert(right, REAL)
        if of in (ast.Div, ast.FloorDiv, ast.Mod):
            self._refuse_zero(right)
        if of in PLAIN:
            prefix = "f" if left.type is REAL else ""
            return self._like(left, f"{prefix}{PLAIN[of]} {left.type.parts[0]}", right)
        if of in (ast.FloorDiv, ast.Mod):
            divide = self._floor_real if left.type is REAL else self._floor
            return divide(of, left, right)
        if left.type is REAL:
            raise TypeMismatch("a real has no bits; convert it by int(…)")
        if of in BITWISE:
            return self._like(left, f"{BITWISE[of]} i64", right)
        return self._shift(of, left, right)

    def _fold(self, of: type[ast.operator], left: Value, right: Value) -> Value | None:
        """Reckon with constants as Python does; None: a division by zero, which may not be met."""
        assert left.constant is not None
        assert right.constant is not None
        if of in (ast.LShift, ast.RShift):
            _refuse_shift(right.constant)
        try:
            result = OPERATORS[of](left.constant, right.constant)
        except ZeroDivisionError:
            return None
        except (OverflowError, TypeError) as error:
            raise TypeMismatch(str(error)) from None
        if WORD in (left.type, right.type) and isinstance(result, int):
            return constant(result, WORD)
        if isinstance(result, complex) or (isinstance(result, int) and abs(result) >= 2**63):
            raise TypeMismatch("the result is no number of 64 bits")
        return constant(result)

    def _like(self, left: Value, operation: str, right: Value) -> Value:
        return Value(left.type, (self.code.value(f"{operation} {left.ir}, {right.ir}"),))

    def _real(self, operation: str) -> Value:
        return Value(REAL, (self.code.value(operation),))

    def _power(self, left: Value, right: Value) -> Value:
        if left.type is not REAL and right.type is not REAL:
            raise TypeMismatch("a power is of a real, or of two constants; write it as 1.0 * …")
        base, exponent = self.convert(left, REAL).ir, self.convert(right, REAL).ir
        value = self.code.value
        if self._check:
            is_zero = value(f"fcmp oeq double {base}, 0.0")
            is_negative = value(f"fcmp olt double {exponent}, 0.0")
            wrong = value(f"and i1 {is_zero}, {is_negative}")
            self._check(wrong, "ZeroDivisionError", "a negative power of 0")
        result = value(f"call double @pow(double {base}, double {exponent}) nobuiltin")
        self._refuse_infinity(result, base, exponent)
        return Value(REAL, (result,))

    def _refuse_infinity(self, result: str, *operands: str) -> None:
        """Check that a result is a finite number, if the operands are."""
        if self._check:
            is_wrong = self.code.value(f"xor i1 {self._is_finite(result)}, true")
            for operand in operands:
                is_wrong = self.code.value(f"and i1 {is_wrong}, {self._is_finite(operand)}")
            self._check(is_wrong, "OverflowError", "a result that is no finite real")

    def _is_finite(self, real: str) -> str:
        nothing = self.code.value(f"fsub double {real}, {real}")
        return self.code.value(f"fcmp ord double {nothing}, 0.0")

    def _refuse_zero(self, divisor: Value) -> None:
        if self._check and not divisor.constant:
            kind = "fcmp oeq double" if divisor.type is REAL else "icmp eq i64"
            zero = "0.0" if divisor.type is REAL else "0"
            is_zero = self.code.value(f"{kind} {divisor.ir}, {zero}")
            self._check(is_zero, "ZeroDivisionError", "a division by zero")

    def _floor(self, of: type[ast.operator], left: Value, right: Value) -> Value:
        """Divide towards minus infinity; what remains has the sign of the divisor."""
        value = self.code.value
        divisor, is_odd, sign = right.ir, "", "u" if left.type is WORD else "s"
        if right.constant in (None, 0, -1):  # -1: the least int has no counterpart
            shifted = divisor if left.type is WORD else value(f"add i64 {divisor}, 1")
            is_odd = value(f"icmp ult i64 {shifted}, {1 if left.type is WORD else 2}")
            divisor = value(f"select i1 {is_odd}, i64 1, i64 {right.ir}")
        result = rest = value(f"{sign}rem i64 {left.ir}, {divisor}")
        is_below = ""
        if left.type is INT:
            differs = value(f"xor i64 {rest}, {divisor}")
            is_negative = value(f"icmp slt i64 {differs}, 0")
            has_rest = value(f"icmp ne i64 {rest}, 0")
            is_below = value(f"and i1 {is_negative}, {has_rest}")
        if of is ast.Mod and is_below:
            more = value(f"select i1 {is_below}, i64 {divisor}, i64 0")
            result = value(f"add i64 {rest}, {more}")
        if of is ast.FloorDiv:
            result = value(f"{sign}div i64 {left.ir}, {divisor}")
            if is_below:
                less = value(f"sext i1 {is_below} to i64")
                result = value(f"add i64 {result}, {less}")
            if is_odd:
                product = value(f"mul i64 {left.ir}, {right.ir}")  # by 0 or -1
                result = value(f"select i1 {is_odd}, i64 {product}, i64 {result}")
        return Value(left.type, (result,))

    def _floor_real(self, of: type[ast.operator], left: Value, right: Value) -> Value:
        """As Python does it: by what remains, which is exact."""
        value = self.code.value
        rest = value(f"frem double {left.ir}, {right.ir}")
        is_negative = value(f"fcmp olt double {rest}, 0.0")
        is_other = value(f"fcmp olt double {right.ir}, 0.0")
        differs = value(f"xor i1 {is_negative}, {is_other}")
        has_rest = value(f"fcmp une double {rest}, 0.0")
        is_below = value(f"and i1 {differs}, {has_rest}")
        moved = value(f"fadd double {rest}, {right.ir}")
        signed = value(f"call double @llvm.copysign.f64(double 0.0, double {right.ir})")
        exact = value(f"select i1 {has_rest}, double {rest}, double {signed}")
        modulo = value(f"select i1 {is_below}, double {moved}, double {exact}")
        if of is ast.Mod:
            return Value(REAL, (modulo,))
        even = value(f"fsub double {left.ir}, {rest}")
        quotient = value(f"fdiv double {even}, {right.ir}")
        lower = value(f"fsub double {quotient}, 1.0")
        chosen = value(f"select i1 {is_below}, double {lower}, double {quotient}")
        floor = value(f"call double @llvm.floor.f64(double {chosen})")
        is_half = value(f"fsub double {chosen}, {floor}")
        is_up = value(f"fcmp ogt double {is_half}, 0.5")
        up = value(f"fadd double {floor}, 1.0")
        nearest = value(f"select i1 {is_up}, double {up}, double {floor}")
        plain = value(f"fdiv double {left.ir}, {right.ir}")
        zero = value(f"call double @llvm.copysign.f64(double 0.0, double {plain})")
        is_zero = value(f"fcmp oeq double {chosen}, 0.0")
        return self._real(f"select i1 {is_zero}, double {zero}, double {nearest}")

    def _shift(self, of: type[ast.operator], left: Value, right: Value) -> Value:
        if right.constant is None:
            if self._check:
                beyond = self.code.value(f"icmp uge i64 {right.ir}, 64")
                self._check(beyond, "ValueError", "a shift by less than 0 or more than 63")
            right = Value(right.type, (self.code.value(f"and i64 {right.ir}, 63"),))
        else:
            _refuse_shift(right.constant)
        right_shift = "lshr" if left.type is WORD else "ashr"
        return self._like(left, f"{'shl' if of is ast.LShift else right_shift} i64", right)

    def unary(self, of: type[ast.unaryop], value: Value) -> Value:
        """Return what a unary operator gives."""
        if of is ast.Not:
            truth = self.truth(value)
            if truth.constant is not None:
                return constant(not truth.constant)
            return Value(BOOL, (self.code.value(f"xor i1 {truth.ir}, true"),))
        if not isinstance(value.type, Scalar):
            raise TypeMismatch(f"{value.type} is no number")
        if value.type is BOOL:
            raise TypeMismatch("a bool is no number to reckon with; write not, or int(…)")
        if of is ast.UAdd:
            return value
        if value.type is REAL:
            if of is ast.Invert:
                raise TypeMismatch("a real has no bits; convert it by int(…)")
            if value.constant is not None:
                return constant(-value.constant)
            return self._real(f"fneg double {value.ir}")
        if of is ast.USub:
            return self.binary(ast.Sub, constant(0, value.type), value)
        return self.binary(
            ast.BitXor, value, constant(-1 if value.type is INT else ALL, value.type)
        )

    def compare(self, of: type[ast.cmpop], left: Value, right: Value) -> Value:
        """Return whether two numbers stand so to each other."""
        if of not in COMPARISONS:
            raise TypeMismatch("rules compare by ==, !=, <, <=, > and >=")
        name, python = COMPARISONS[of]
        if left.constant is not None and right.constant is not None:
            return constant(python(left.constant, right.constant))
        left, right = self.alike(left, right)
        if left.type is REAL:
            test = f"fcmp {'une' if name == 'ne' else 'o' + name} double"
        elif name in ("eq", "ne"):
            test = f"icmp {name} {left.type.parts[0]}"
        else:
            test = f"icmp {'s' if left.type is INT else 'u'}{name} {left.type.parts[0]}"
        return Value(BOOL, (self.code.value(f"{test} {left.ir}, {right.ir}"),))

    # ------------------------------------------------------------ functions

    def extreme(self, name: str, values: list[Value]) -> Value:
        """Return the least or the most of some numbers, the first of equal ones."""
        best, *others = values
        for other in others:
            best, tried = self.alike(best, other)
            of = ast.Lt if name == "min" else ast.Gt
            best = self.select(self.compare(of, tried, best), tried, best)
        return best

    def magnitude(self, value: Value) -> Value:
        """Return a number without its sign."""
        if value.type is WORD:
            return value
        if value.type is REAL and value.constant is None:
            return self._real(f"call double @llvm.fabs.f64(double {value.ir})")
        if value.constant is not None:
            return constant(abs(value.constant))
        whole = self.convert(value, INT)
        return Value(INT, (self.code.value(f"call i64 @llvm.abs.i64(i64 {whole.ir}, i1 false)"),))

    def maths(self, name: str, value: Value) -> Value:
        """Return a function of `math` of a number."""
        if value.constant is not None:
            try:
                return constant(float(MATHS[name](value.constant)))
            except (ValueError, OverflowError) as error:
                raise TypeMismatch(f"math.{name}({value.constant}): {error}") from None
        real = self.convert(value, REAL).ir
        if self._check and name != "exp":
            outside = self.code.value(
                f"fcmp {'ole' if name == 'log' else 'olt'} double {real}, 0.0"
            )
            self._check(outside, "ValueError", f"math.{name} of a number out of its range")
        result = self.code.value(f"call double @llvm.{name}.f64(double {real})")
        if name == "exp":
            self._refuse_infinity(result, real)
        return Value(REAL, (result,))


def _refuse_shift(number: float) -> None:
    if not 0 <= number < 64:
        raise TypeMismatch(f"a shift by {number}; it may be by 0 to 63")


def lengths_of(row: Value) -> list[Value]:
    """Return how long a row is in each dimension."""
    assert isinstance(row.type, Row)
    dynamic = iter(row.parts[1:])
    return [
        Value(INT, (next(dynamic),)) if length is None else constant(length)
        for length in row.type.shape
    ]


def members_of(value: Value) -> list[Value]:
    """Return the values that stand side by side in a tuple."""
    assert isinstance(value.type, Tuple)
    if value.members:
        return list(value.members)
    parts = iter(value.parts)
    return [Value(each, tuple(next(parts) for _ in each.parts)) for each in value.type.members]


def together(values: list[Value], type_: Tuple | None = None) -> Value:
    """Return values as a tuple."""
    type_ = type_ or Tuple(tuple(value.type for value in values))
    parts = tuple(part for value in values for part in value.parts)
    return Value(type_, parts, members=tuple(values))
