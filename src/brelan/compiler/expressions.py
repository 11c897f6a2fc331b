"""Expressions of rules as machine code."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from brelan.compiler.arithmetic import (
    MATHS,
    Arithmetic,
    TypeMismatch,
    lengths_of,
    members_of,
    together,
)
from brelan.compiler.code import Code, constant
from brelan.compiler.memory import Memory, Place
from brelan.compiler.source import ALLOWED, Source, is_rule
from brelan.compiler.types import (
    BOOL,
    INT,
    REAL,
    WORD,
    Record,
    Row,
    Scalar,
    Tuple,
    Type,
    Value,
    join,
)

if TYPE_CHECKING:
    from brelan.compiler.program import Program

CONVERSIONS: dict[Any, Scalar] = {
    int: INT, np.int64: INT, float: REAL, np.float64: REAL, bool: BOOL, np.uint64: WORD,
}  # fmt: skip
TABLES = (np.empty, np.zeros)


class Expressions:
    """Translates the expressions of one rule, with variables of the types found so far."""

    def __init__(self, source: Source, program: Program, types: dict[str, Type]) -> None:
        self.source, self.program = source, program
        self.types = types  # of the variables
        self.variables: dict[str, list[str]] = {}  # their memory, as far as they have a value
        self.code = Code()
        self.may_raise = program.is_checked
        check = self._raise_if if program.is_checked else None
        self.numbers = Arithmetic(self.code, check)
        self.memory = Memory(self.code, self.numbers, check)
        self._node: ast.AST = source.tree

    def refuse(self, message: str) -> NoReturn:
        """Refuse the rule, at the node that is translated."""
        self.source.refuse(self._node, message)

    # ------------------------------------------------------------ any expression

    def value(self, node: ast.expr) -> Value:
        """Translate an expression; return its value."""
        before, self._node = self._node, node
        translate: Callable[[Any], Value | Place] | None
        translate = getattr(self, f"_{type(node).__name__.lower()}", None)
        if translate is None:
            self.refuse(f"{ast.unparse(node)[:60]!r} cannot be compiled: {ALLOWED}")
        try:
            found = translate(node)
            value = self.memory.read(found) if isinstance(found, Place) else found
        except TypeMismatch as error:
            self.refuse(str(error))
        self._node = before
        return value

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bool | int | float):
            if isinstance(node.value, float) or node.value < 2**63:
                return constant(node.value)
            if node.value < 2**64:
                return constant(node.value, WORD)
        raise TypeMismatch(f"{node.value!r} is no number: {ALLOWED}")

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.variables:
            return self.code.kept(self.types[node.id], self.variables[node.id])
        if node.id in self.source.function.__code__.co_varnames:
            raise TypeMismatch(f"{node.id!r} is used before it has a value")
        return self._global(node.id, self._meaning(node))

    def _meaning(self, node: ast.expr) -> Any:
        """Return what a name that is no variable means; None: nothing known while compiling."""
        if isinstance(node, ast.Name) and node.id not in self.variables:
            meaning = self.source.meaning(node.id)
            if meaning is None:
                raise TypeMismatch(f"there is no {node.id!r}")
            return meaning
        if isinstance(node, ast.Attribute):
            owner = self._meaning(node.value) if _is_global(node.value, self.variables) else None
            if isinstance(owner, ModuleType) or (
                isinstance(owner, type) and issubclass(owner, enum.Enum)
            ):
                if not hasattr(owner, node.attr):
                    names = "its members" if isinstance(owner, type) else "its names"
                    allowed = ", ".join(each.name for each in owner) if names != "its names" else ""
                    raise TypeMismatch(
                        f"there is no {ast.unparse(node)!r}"
                        + (f"; there are: {allowed}" if allowed else "")
                    )
                return getattr(owner, node.attr)
        return None

    def _global(self, name: str, meaning: Any) -> Value:
        """Return a number, or a table of numbers or records, that stands outside of rules."""
        if isinstance(meaning, np.uint64):
            return constant(int(meaning), WORD)
        if isinstance(meaning, bool | np.bool_):
            return constant(bool(meaning))
        if isinstance(meaning, int | np.integer):
            return constant(int(meaning))
        if isinstance(meaning, float | np.floating):
            return constant(float(meaning))
        if isinstance(meaning, np.ndarray):
            pointer = self.program.table(meaning)
            return Value(Row(meaning.dtype, meaning.shape, "constant"), (pointer,))
        if isinstance(meaning, tuple):
            return together([self._global(name, each) for each in meaning])
        raise TypeMismatch(
            f"{name!r} is {type(meaning).__name__}; outside of rules there may be numbers, tuples "
            "of them and numpy arrays"
        )

    def _attribute(self, node: ast.Attribute) -> Value | Place:
        if _is_global(node.value, self.variables):
            meaning = self._meaning(node)
            if meaning is not None:
                return self._global(ast.unparse(node), meaning)
        owner = self.value(node.value)
        return self.field(owner, node.attr)

    def field(self, owner: Value, name: str) -> Value | Place:
        """Return a place of a record; one that is the same in all matches is a constant."""
        if not isinstance(owner.type, Record):
            raise TypeMismatch(f"{owner.type} has no places, so no {name!r}")
        known = self.program.knobs.get(owner.type.dtype, {}).get(name)
        if known is not None:
            return constant(known)
        is_unread = name in self.program.unread.get(owner.type.dtype, ())
        return self.memory.field(owner, name, "unread" if is_unread else "place")

    def _subscript(self, node: ast.Subscript) -> Value | Place:
        return self.item(self.value(node.value), node.slice)

    def item(self, owner: Value, index: ast.expr) -> Value | Place:
        """Return an entry of a row or of a tuple."""
        indices = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        if any(isinstance(each, ast.Slice) for each in indices):
            raise TypeMismatch("a slice cannot be compiled; write a loop, or pass row and place")
        values = [self.value(each) for each in indices]
        if isinstance(owner.type, Row):
            return self.memory.item(owner, values)
        if isinstance(owner.type, Tuple) and len(values) == 1:
            return self._member(owner, values[0])
        raise TypeMismatch(f"{owner.type} has no entries")

    def _member(self, owner: Value, index: Value) -> Value:
        """Return a member of a tuple; one that is not known while compiling is selected."""
        members = members_of(owner)
        if index.constant is not None:
            if not 0 <= index.constant < len(members):
                last = len(members) - 1
                raise TypeMismatch(f"index {index.constant} is out of range; it may be 0 to {last}")
            return members[int(index.constant)]
        found = members[-1]
        whole = self.numbers.convert(index, INT)
        for place, member in enumerate(members[:-1]):
            member, found = self.numbers.alike(member, found)
            is_it = self.numbers.compare(ast.Eq, whole, constant(place)).ir
            ir = found.type.parts[0]
            chosen = self.code.value(f"select i1 {is_it}, {ir} {member.ir}, {ir} {found.ir}")
            found = Value(found.type, (chosen,))
        if self.program.is_checked:
            beyond = self.code.value(f"icmp uge i64 {whole.ir}, {len(members)}")
            self._raise_if(beyond, "IndexError", "an index is out of range")
        return found

    def _tuple(self, node: ast.Tuple) -> Value:
        return together([self.value(each) for each in node.elts])

    # ------------------------------------------------------------ operators

    def _binop(self, node: ast.BinOp) -> Value:
        return self.numbers.binary(type(node.op), self.value(node.left), self.value(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        return self.numbers.unary(type(node.op), self.value(node.operand))

    def _compare(self, node: ast.Compare) -> Value:
        left, right = self.value(node.left), self.value(node.comparators[0])
        found = self.numbers.compare(type(node.ops[0]), left, right)
        later = list(zip(node.ops[1:], node.comparators[1:], strict=True))
        return self._chain(node, found, right, later) if later else found

    def _chain(
        self, node: ast.Compare, first: Value, left: Value, later: list[tuple[ast.cmpop, ast.expr]]
    ) -> Value:
        """Compare further, each operand once, and only as long as the comparisons hold."""
        result, after = f"#{id(node)}", self.code.label()
        self.assign(result, first)
        for of, operand in later:
            following = self.code.label()
            self.code.branch(self.variable(result).ir, following, after)
            self.code.begin(following)
            right = self.value(operand)
            self.assign(result, self.numbers.compare(type(of), left, right))
            left = right
        self.code.begin(after)
        return self.variable(result)

    def _boolop(self, node: ast.BoolOp) -> Value:
        """Return the operand that decides, as Python does."""
        result, after = f"#{id(node)}", self.code.label()
        for operand in node.values:
            value = self.value(operand)
            self.assign(result, value)
            if operand is not node.values[-1]:
                following = self.code.label()
                decides = (after, following) if isinstance(node.op, ast.Or) else (following, after)
                self._branch(self.numbers.truth(value), *decides)
                self.code.begin(following)
        self.code.begin(after)
        return self.variable(result)

    def _ifexp(self, node: ast.IfExp) -> Value:
        result = f"#{id(node)}"
        yes, no, after = (self.code.label() for _ in range(3))
        self.condition(node.test, yes, no)
        for label, expression in ((yes, node.body), (no, node.orelse)):
            self.code.begin(label)
            if self.code.is_open:
                self.assign(result, self.value(expression))
            self.code.jump(after)
        self.code.begin(after)
        return self.variable(result)

    def condition(self, node: ast.expr, yes: str, no: str) -> None:
        """Go on at one of two blocks, by whether an expression is true."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.condition(node.operand, no, yes)
        elif isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            for operand in node.values[:-1]:
                following = self.code.label()
                self.condition(operand, *((following, no) if is_and else (yes, following)))
                self.code.begin(following)
            self.condition(node.values[-1], yes, no)
        else:
            value = self.value(node)
            try:
                self._branch(self.numbers.truth(value), yes, no)
            except TypeMismatch as error:
                self.source.refuse(node, str(error))

    def _branch(self, truth: Value, yes: str, no: str) -> None:
        if truth.constant is not None:
            self.code.jump(yes if truth.constant else no)
        else:
            self.code.branch(truth.ir, yes, no)

    # ------------------------------------------------------------ variables

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value; if its type is too narrow, the rule is translated anew."""
        known = self.types.setdefault(name, value.type)
        joined = join(known, value.type)
        if joined is None:
            what = "a value" if name.startswith("#") else repr(name)
            self.refuse(f"{what} is {known} here and {value.type} there; use two names")
        if joined != known:
            self.types[name] = joined
            raise Retry
        if name not in self.variables:
            self.variables[name] = self.code.slots_of(joined)
        self.code.keep(self.numbers.convert(value, joined), self.variables[name])

    def variable(self, name: str) -> Value:
        """Return what a variable holds."""
        if name not in self.variables:  # it was given a value only where nobody comes
            return self.code.kept(self.types[name], self.code.slots_of(self.types[name]))
        return self.code.kept(self.types[name], self.variables[name])

    # ------------------------------------------------------------ calls

    def _call(self, node: ast.Call) -> Value:
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise TypeMismatch("a call in a rule takes its arguments by position")
        called = self._meaning(node.func)
        if called in TABLES:
            return self._scratch(called is np.zeros, node.args)
        arguments = [self.value(each) for each in node.args]
        if is_rule(called):
            return self._call_rule(called, arguments)
        name = ast.unparse(node.func)
        try:
            return self._builtin(called, arguments)
        except (KeyError, IndexError, TypeError, ValueError):
            raise TypeMismatch(
                f"{name}(…) cannot be compiled; rules call rules, len, min, max, abs, divmod, int, "
                "float, bool, np.int64, np.uint64, np.empty, np.zeros, math.exp, math.log, math.sqrt"
            ) from None

    def _builtin(self, called: Any, arguments: list[Value]) -> Value:
        """Translate a call of one of the few functions that are no rules."""
        if called is len:
            return self._length(*arguments)
        if called in (min, max) and len(arguments) > 1:
            return self.numbers.extreme(called.__name__, arguments)
        if called is abs:
            return self.numbers.magnitude(*arguments)
        if called is divmod:
            left, right = arguments
            return together(
                [self.numbers.binary(of, left, right) for of in (ast.FloorDiv, ast.Mod)]
            )
        if called in CONVERSIONS:
            return self.numbers.convert(*arguments, CONVERSIONS[called])
        (value,) = arguments
        name = {function: name for name, function in MATHS.items()}[called]
        return self.numbers.maths(name, value)

    def _length(self, value: Value) -> Value:
        if isinstance(value.type, Tuple):
            return constant(len(value.type.members))
        if isinstance(value.type, Row):
            return lengths_of(value)[0]
        raise TypeMismatch(f"{value.type} has no length")

    def _scratch(self, is_zero: bool, arguments: list[ast.expr]) -> Value:
        """Translate `np.empty` and `np.zeros`."""
        shape, *of = arguments
        lengths = list(shape.elts) if isinstance(shape, ast.Tuple) else [shape]
        dtype = np.dtype(self._meaning(of[0]) if of else np.float64)
        return self.memory.fresh(dtype, [self.value(each) for each in lengths], is_zero)

    def _call_rule(self, rule: Any, arguments: list[Value]) -> Value:
        called = self.program.instance(self.source, self._node, rule, arguments)
        given = [
            f"{ir} {part}"
            for value, type_ in zip(arguments, called.parameters, strict=True)
            for ir, part in zip(type_.parts, self.numbers.convert(value, type_).parts, strict=True)
        ]
        call = f"call fastcc {called.returns} @{called.name}({', '.join(given)})"
        parts = called.parts
        if not parts:
            self.code.line(call)
            return NOTHING
        whole = self.code.value(call)
        if len(parts) > 1:
            found = [
                self.code.value(f"extractvalue {called.returns} {whole}, {place}")
                for place in range(len(parts))
            ]
        else:
            found = [whole]
        if called.may_raise:
            self._pass_on(found.pop())
        return Value(called.result, tuple(found))

    # ------------------------------------------------------------ exceptions

    def _raise_if(self, condition: str, exception: str, text: str) -> None:
        """Raise an exception where a condition holds."""
        wrong, right = self.code.label(), self.code.label()
        self.code.branch(condition, wrong, right)
        self.code.begin(wrong)
        self.raise_(exception, f"{text} in {self.source.place(self._node)}")
        self.code.begin(right)

    def raise_(self, exception: str, text: str) -> None:
        """Raise an exception: the rule returns its number, and so do all that called it."""
        self._leave(str(self.program.exception(exception, text)))

    def _pass_on(self, status: str) -> None:
        wrong, right = self.code.label(), self.code.label()
        is_raised = self.code.value(f"icmp ne i32 {status}, 0")
        self.code.branch(is_raised, wrong, right)
        self.code.begin(wrong)
        self._leave(status)
        self.code.begin(right)

    def _leave(self, status: str) -> None:
        if not self.may_raise:
            self.may_raise = True
            raise Retry
        self.leave_with(status)

    def leave_with(self, status: str) -> None:
        """Return from the rule, with a status instead of a result."""
        raise NotImplementedError


def _is_global(node: ast.expr, variables: dict[str, list[str]]) -> bool:
    """Whether an expression names something outside of the rule: a module, an enumeration."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in variables


class Retry(Exception):  # noqa: N818 - nothing is wrong
    """A type was assumed too narrow: the rule is translated again, with the wider one."""


NOTHING = Value(Tuple(()), ())  # what a rule without a result returns
