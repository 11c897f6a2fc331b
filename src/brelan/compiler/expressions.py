"""Expressions of rules as machine code."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from brelan.compiler.arithmetic import MATHS, Arithmetic, lengths_of, members_of, together
from brelan.compiler.code import Code, constant
from brelan.compiler.memory import Memory, Place
from brelan.compiler.source import ALLOWED, CALLED, Source, is_rule, similar
from brelan.compiler.types import (
    BOOL,
    INT,
    LENT,
    NOTHING,
    ORDINARY,
    REAL,
    WORD,
    Record,
    Row,
    Scalar,
    Traits,
    Tuple,
    Type,
    TypeMismatch,
    Value,
    as_result,
    join,
)

if TYPE_CHECKING:
    from brelan.compiler.program import Program

CONVERSIONS: list[tuple[Any, Scalar]] = [
    (int, INT), (np.int64, INT), (float, REAL), (np.float64, REAL), (bool, BOOL), (np.uint64, WORD)
]  # fmt: skip


class Expressions:
    """Translates the expressions of one rule, with variables of the types found so far."""

    def __init__(self, source: Source, program: Program, types: dict[str, Type]) -> None:
        self.source, self.program = source, program
        self.types = types  # of the variables
        self.variables: dict[str, list[str]] = {}  # their memory, as far as they have a value
        self._is_given: dict[str, str] = {}  # slots that say whether a variable has a value
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` lead
        self.depth = 0  # of statements within statements
        self.code = Code()
        self.may_raise = program.is_checked
        check = self.raise_if if program.is_checked else None
        self.numbers = Arithmetic(self.code, check)
        self.memory = Memory(self.code, self.numbers, check)
        self._node: ast.AST = source.tree

    def refuse(self, message: str) -> NoReturn:
        """Refuse the rule, at the node that is translated."""
        self.source.refuse(self._node, message)

    # ------------------------------------------------------------ any expression

    def value(self, node: ast.expr) -> Value:
        """Translate an expression; return its value."""
        found = self.outcome(node)
        if not found.parts:
            self.source.refuse(node, f"{ast.unparse(node)[:60]!r} returns nothing")
        return found

    def outcome(self, node: ast.expr) -> Value:
        """Translate an expression; return its value, or NOTHING if a rule returns none."""
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
        return self._global(ast.unparse(node), node.value)

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.variables:
            if node.id in self._is_given:
                is_given = self.code.load("i1", self._is_given[node.id])
                is_missing = self.code.value(f"xor i1 {is_given}, true")
                self.raise_if(is_missing, "UnboundLocalError", f"{node.id!r} has no value")
            return self.variable(node.id)
        if self.source.is_variable(node.id):
            raise TypeMismatch(
                f"{node.id!r} is used before it has a value; give it one further up, "
                "outside of the loop if there is one"
            )
        return self._global(node.id, self.meaning(node))

    def meaning(self, node: ast.expr) -> Any:
        """Return what a name outside of the rule means; None: it is not known while compiling."""
        if isinstance(node, ast.Name) and not self.source.is_variable(node.id):
            return self.source.meaning(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.meaning(node.value)
            if isinstance(owner, ModuleType | enum.EnumType):
                return self._named(owner, node)
        return None

    def _named(self, owner: ModuleType | enum.EnumType, node: ast.Attribute) -> Any:
        """Return a member of an enumeration, or what stands in a module."""
        is_module = isinstance(owner, ModuleType)
        names = list(vars(owner)) if is_module else list(owner.__members__)
        if node.attr not in names and not (is_module and hasattr(owner, node.attr)):
            listed = similar(node.attr, names) if is_module else f"; there are: {', '.join(names)}"
            raise TypeMismatch(f"there is no {ast.unparse(node)!r}{listed}")
        found = getattr(owner, node.attr)
        if is_rule(found):
            raise TypeMismatch(
                f"{ast.unparse(node)!r} is called by its own name; "
                f"write: from {owner.__name__} import {node.attr}"
            )
        return found

    def _global(self, name: str, meaning: Any) -> Value:
        """Return a number, or a table of numbers or records, that is known while compiling."""
        if isinstance(meaning, bool | np.bool_):
            return constant(bool(meaning))
        if isinstance(meaning, int | np.integer) and -(2**63) <= meaning < 2**64:
            is_word = isinstance(meaning, np.uint64) or meaning >= 2**63
            return constant(int(meaning), WORD if is_word else INT)
        if isinstance(meaning, float | np.floating):
            return constant(float(meaning))
        if isinstance(meaning, np.ndarray) and meaning.ndim > 0:
            pointer = self.program.table(meaning)
            return Value(Row(meaning.dtype, meaning.shape, Traits.CONSTANT), (pointer,))
        if isinstance(meaning, tuple):
            return together([self._global(name, each) for each in meaning])
        what = "too large" if isinstance(meaning, int) else f"of type {type(meaning).__name__}"
        raise TypeMismatch(
            f"{name} is {what}; rules know numbers of 64 bits, tuples of them, members of "
            "enumerations, and numpy arrays"
        )

    def _attribute(self, node: ast.Attribute) -> Value | Place:
        meaning = self.meaning(node)
        if meaning is not None:
            return self._global(ast.unparse(node), meaning)
        return self.field(self.value(node.value), node.attr)

    def field(self, owner: Value, name: str) -> Value | Place:
        """Return a place of a record; a knob that is the same in all matches is a constant."""
        if not isinstance(owner.type, Record):
            hint = "; write len(…)" if isinstance(owner.type, Row) and name == "shape" else ""
            raise TypeMismatch(f"{owner.type} has no places, so no {name!r}{hint}")
        is_unread = name in self.program.unread.get(owner.type.dtype, ())
        found = self.memory.field(owner, name, Traits.UNREAD if is_unread else ORDINARY)
        knobs = self.program.knobs.get(owner.type.dtype, {})
        if name in knobs and isinstance(found, Place):
            return constant(knobs[name], found.type)
        return found

    def _subscript(self, node: ast.Subscript) -> Value | Place:
        return self.item(self.value(node.value), node.slice)

    def item(self, owner: Value, index: ast.expr) -> Value | Place:
        """Return an entry of a row or of a tuple."""
        indices = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        if any(isinstance(each, ast.Slice) for each in indices):
            raise TypeMismatch("a slice cannot be compiled; write a loop, or pass row and place")
        values = [self.numbers.index(self.value(each)) for each in indices]
        if isinstance(owner.type, Row):
            return self.memory.item(owner, values)
        if isinstance(owner.type, Tuple) and len(values) == 1:
            return self._member(members_of(owner), values[0])
        raise TypeMismatch(f"{owner.type} has no entries")

    def _member(self, members: list[Value], index: Value) -> Value:
        """Return a member of a tuple; one that is not known while compiling is selected."""
        self.memory.check_bounds(index, constant(len(members)))
        if index.constant is not None:
            return members[int(index.constant)]
        found = members[-1]
        for place, member in enumerate(members[:-1]):
            here, there = self.numbers.alike(member, found)
            is_it = self.numbers.compare(ast.Eq, index, constant(place))
            found = self.numbers.select(is_it, here, there)
        return found

    def _tuple(self, node: ast.Tuple) -> Value:
        return together([self.value(each) for each in node.elts])

    # ------------------------------------------------------------ operators

    def _binop(self, node: ast.BinOp) -> Value:
        return self.numbers.binary(type(node.op), self.value(node.left), self.value(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=0x8000000000000000)):
                return constant(-(2**63))  # which is too large without its sign
        return self.numbers.unary(type(node.op), self.value(node.operand))

    def _compare(self, node: ast.Compare) -> Value:
        """Compare, each operand once, and only as long as the comparisons hold."""
        left, right = self.value(node.left), self.value(node.comparators[0])
        found = self.numbers.compare(type(node.ops[0]), left, right)
        if len(node.ops) == 1:
            return found
        result, after = f"#{id(node)}", self.code.label()
        self.assign(result, found)
        for of, operand in zip(node.ops[1:], node.comparators[1:], strict=True):
            if not self._goes_on(found, after):
                break
            left, right = right, self.value(operand)
            found = self.numbers.compare(type(of), left, right)
            self.assign(result, found)
        self.code.begin(after)
        return self.variable(result)

    def _boolop(self, node: ast.BoolOp) -> Value:
        """Return the operand that decides, as Python does."""
        result, after = f"#{id(node)}", self.code.label()
        for operand in node.values:
            value = self.value(operand)
            self.assign(result, value)
            if operand is not node.values[-1]:
                truth = self.numbers.truth(value)
                is_or = isinstance(node.op, ast.Or)
                if not self._goes_on(self.numbers.unary(ast.Not, truth) if is_or else truth, after):
                    break
        self.code.begin(after)
        return self.variable(result)

    def _goes_on(self, truth: Value, otherwise: str) -> bool:
        """Go on here where something is true; return whether that can ever be."""
        following = self.code.label()
        self._branch(truth, following, otherwise)
        self.code.begin(following)
        return self.code.is_open

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
            for operand in node.values[:-1]:
                following = self.code.label()
                is_and = isinstance(node.op, ast.And)
                self.condition(operand, *((following, no) if is_and else (yes, following)))
                self.code.begin(following)
                if not self.code.is_open:
                    return
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
        joined = self._joined(name, value.type, "a value" if name.startswith("#") else repr(name))
        if name not in self.variables:
            self.variables[name] = self.code.slots_of(joined)
            if self.program.is_checked and self.depth > 1 and not name.startswith("#"):
                self._is_given[name] = self.code.slot("i1")
        self.code.keep(self.numbers.convert(value, joined), self.variables[name])
        if name in self._is_given:
            self.code.store("i1", "true", self._is_given[name])

    def _joined(self, name: str, type_: Type, what: str) -> Type:
        """Return the type of a variable that takes values of one more type."""
        known = self.types.setdefault(name, type_)
        joined = join(known, type_)
        if joined is None:
            hint = "begin with np.uint64(…)" if WORD in (known, type_) else "use two names"
            self.refuse(f"{what} is {known} here and {type_} there; {hint}")
        if joined != known:
            self.types[name] = joined
            raise Retry
        return joined

    def variable(self, name: str) -> Value:
        """Return what a variable holds."""
        return self.code.kept(self.types[name], self.variables[name])

    # ------------------------------------------------------------ calls

    def _call(self, node: ast.Call) -> Value:
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise TypeMismatch("a call in a rule takes its arguments by position")
        called = self.meaning(node.func)
        if called is np.empty or called is np.zeros:
            return self._scratch(node.args, is_zero=called is np.zeros)
        arguments = [self.value(each) for each in node.args]
        found = (
            self._call_rule(called, arguments)
            if is_rule(called)
            else self._builtin(called, arguments)
        )
        if found is None:
            raise TypeMismatch(f"{ast.unparse(node)[:60]!r} cannot be compiled: {CALLED}")
        return found

    def _builtin(self, called: Any, given: list[Value]) -> Value | None:
        """Translate a call of one of the few functions that are no rules; None: it is none."""
        if called is min or called is max:
            return self.numbers.extreme(called.__name__, given) if len(given) > 1 else None
        if called is divmod and len(given) == 2:
            return together([self.numbers.binary(of, *given) for of in (ast.FloorDiv, ast.Mod)])
        if len(given) != 1:
            return None
        if called is len:
            return self._length(given[0])
        if called is abs:
            return self.numbers.magnitude(given[0])
        for function, type_ in CONVERSIONS:
            if called is function:
                return self.numbers.convert(given[0], type_)
        for name, function in MATHS.items():
            if called is function:
                return self.numbers.maths(name, given[0])
        return None

    def _length(self, value: Value) -> Value:
        if isinstance(value.type, Tuple):
            return constant(len(value.type.members))
        if isinstance(value.type, Row):
            return lengths_of(value)[0]
        raise TypeMismatch(f"{value.type} has no length")

    def _scratch(self, arguments: list[ast.expr], *, is_zero: bool) -> Value:
        """Translate `np.empty` and `np.zeros`."""
        if not 1 <= len(arguments) <= 2:
            raise TypeMismatch(
                "np.empty and np.zeros take a length, or a tuple of them, and a type"
            )
        shape, *of = arguments
        lengths = self.value(shape)
        dtype = self.meaning(of[0]) if of else np.float64
        if not isinstance(dtype, type | np.dtype):
            raise TypeMismatch(f"{ast.unparse(of[0])!r} is no type of numbers, as np.int16 is one")
        return self.memory.fresh(
            np.dtype(dtype),
            members_of(lengths) if isinstance(lengths.type, Tuple) else [lengths],
            LENT if self.loops else Traits.SCRATCH,
            is_zero=is_zero,
        )

    def _call_rule(self, rule: Any, arguments: list[Value]) -> Value:
        called = self.program.instance(self.source, self._node, rule, arguments)
        pairs = zip(arguments, called.parameters, strict=True)
        given = [self.numbers.convert(value, type_) for value, type_ in pairs]
        found = self.code.call(called.name, given, called.parts)
        if called.may_raise:
            status = found.pop()
            self._leave_if(self.code.value(f"icmp ne i32 {status}, 0"), status)
        type_ = as_result(called.result, (value.type for value in arguments))
        return Value(type_, tuple(found)) if found else NOTHING

    # ------------------------------------------------------------ exceptions

    def raise_if(self, condition: str, exception: str, text: str) -> None:
        """Raise an exception where a condition holds; say where that is."""
        status = self.program.exception(exception, f"{text} in {self.source.place(self._node)}")
        self._leave_if(condition, str(status))

    def _leave_if(self, condition: str, status: str) -> None:
        wrong, right = self.code.label(), self.code.label()
        self.code.branch(condition, wrong, right)
        self.code.begin(wrong)
        self.leave(status)
        self.code.begin(right)

    def leave(self, status: str) -> None:
        """Return from the rule with the status of an exception, and so do all that called it."""
        if not self.may_raise:
            self.may_raise = True
            raise Retry
        self.leave_with(status)

    def leave_with(self, status: str) -> None:
        """Return from the rule, with a status instead of a result."""
        raise NotImplementedError


class Retry(Exception):  # noqa: N818 - nothing is wrong
    """A type was assumed too narrow: the rule is translated again, with the wider one."""
