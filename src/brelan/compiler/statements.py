"""Statements of rules as machine code: the whole of one rule."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from brelan.compiler.arithmetic import lengths_of, members_of
from brelan.compiler.code import KEPT_ROLLED, UNROLLED, WRITTEN_OUT, constant, declared, together_as
from brelan.compiler.expressions import Expressions, Retry
from brelan.compiler.memory import Place
from brelan.compiler.source import ALLOWED
from brelan.compiler.types import (
    BOOL,
    INT,
    NOTHING,
    Row,
    Scalar,
    Traits,
    Tuple,
    Type,
    TypeMismatch,
    Value,
    traits_of,
)

RESULT = "#result"


class Translation(Expressions):
    """Translates one rule for arguments of given types."""

    def begin(self, parameters: Iterable[Type]) -> list[str]:
        """Give the parameters their values; return how they are declared."""
        pairs = zip(self.source.parameters, parameters, strict=True)
        given = [
            (name, Value(type_, tuple(self.code.name() for _ in type_.parts)))
            for name, type_ in pairs
        ]
        for name, value in given:
            self.assign(name, value)
        return declared(value for _, value in given)

    def body(self) -> None:
        """Translate all statements of the rule."""
        self._left_as: set[tuple[str, ...]] = set()  # what it returned beside exceptions
        self.statements(self.source.tree.body)
        if self.code.is_open:
            if self.types.get(RESULT, NOTHING.type) != NOTHING.type:
                self._node = self.source.tree
                self.refuse("it may end without a result, and returns one elsewhere")
            self._finish(NOTHING)
        if self._left_as - {self._result_parts()}:
            raise Retry  # it left by an exception before it was known what it returns

    def statements(self, nodes: Iterable[ast.stmt]) -> None:
        """Translate statements in their order, up to where nobody comes any more."""
        self.depth += 1
        for node in nodes:
            if self.code.is_open:
                self._statement(node)
        self.depth -= 1

    def _statement(self, node: ast.stmt) -> None:
        self._node = node
        translate: Callable[[ast.stmt], None] | None
        translate = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if translate is None:
            words = ast.unparse(node).splitlines()[0][:60]
            self.refuse(f"{words!r} cannot be compiled: {ALLOWED}")
        try:
            translate(node)
        except TypeMismatch as error:
            self.source.refuse(node, str(error))

    # ------------------------------------------------------------ plain statements

    def _on_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.outcome(node.value)
        elif not isinstance(node.value, ast.Constant):  # a docstring
            raise TypeMismatch(f"{ast.unparse(node)[:60]!r} does nothing")

    def _on_pass(self, node: ast.Pass) -> None:
        pass

    def _on_assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self._set(target, value, node.value)

    def _on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            raise TypeMismatch("a variable is declared by giving it a value")
        self._set(node.target, self.value(node.value), node.value)

    def _on_augassign(self, node: ast.AugAssign) -> None:
        place = self._place(node.target)
        before = self.memory.read(place) if isinstance(place, Place) else self.value(_read(node))
        after = self.numbers.binary(type(node.op), before, self.value(node.value))
        if isinstance(place, Place):
            self.memory.write(place, after)
        else:
            self._set(node.target, after)

    def _set(self, target: ast.expr, value: Value, made: ast.expr | None = None) -> None:
        """Give a variable, a place, or several of them a value, which `made` has made."""
        if isinstance(target, ast.Tuple):
            members = self._unpacked(value)
            if len(members) != len(target.elts):
                raise TypeMismatch(f"{len(target.elts)} names for {len(members)} values")
            makers = made.elts if isinstance(made, ast.Tuple) else [None] * len(members)
            for each, member, maker in zip(target.elts, members, makers, strict=True):
                self._set(each, member, maker)
        elif isinstance(target, ast.Name):
            if traits_of(value.type) & Traits.PASSING and not self._is_new(made):
                raise TypeMismatch(
                    "scratch memory made in a loop has one name only, for the next turn makes it "
                    "anew; make it before the loop"
                )
            self.assign(target.id, value)
        else:
            place = self._place(target)
            if place is None:
                raise TypeMismatch(f"{ast.unparse(target)!r} cannot be given a value")
            self.memory.write(place, value)

    def _is_new(self, node: ast.expr | None) -> bool:
        """Whether an expression makes scratch memory."""
        return isinstance(node, ast.Call) and self.meaning(node.func) in (np.empty, np.zeros)

    def _unpacked(self, value: Value) -> list[Value]:
        if isinstance(value.type, Tuple):
            return members_of(value)
        raise TypeMismatch(f"{value.type} cannot be taken apart; name its entries")

    def _place(self, target: ast.expr) -> Place | None:
        """Return where a number lies that is to be written; None: it is a variable."""
        if isinstance(target, ast.Attribute):
            place = self.field(self.value(target.value), target.attr)
            if isinstance(place, Value) and place.constant is not None:
                raise TypeMismatch(f"the knob {target.attr!r} cannot be turned during a match")
        elif isinstance(target, ast.Subscript):
            place = self.item(self.value(target.value), target.slice)
        else:
            return None
        if not isinstance(place, Place):
            words = ast.unparse(target)
            raise TypeMismatch(f"{words!r} is {place.type}; write its numbers one by one")
        return place

    def _on_return(self, node: ast.Return) -> None:
        match node.value:
            case None | ast.Constant(value=None):
                value = NOTHING
            case expression:
                value = self.outcome(expression)
        if traits_of(value.type) & Traits.SCRATCH:
            raise TypeMismatch("scratch memory is gone when a rule returns; let the caller make it")
        self._finish(self.numbers.convert(value, self._joined(RESULT, value.type, "the result")))

    def _finish(self, value: Value) -> None:
        """Return a value; then a status, if the rule may raise."""
        self._return(value.parts, "0")

    def leave_with(self, status: str) -> None:
        """Return from the rule, with a status instead of a result."""
        self._left_as.add(self._result_parts())
        self._return(["poison"] * len(self._result_parts()), status)

    def _result_parts(self) -> tuple[str, ...]:
        return self.types.get(RESULT, NOTHING.type).parts

    def _return(self, values: Sequence[str], status: str) -> None:
        self.code.give_back()
        parts = self._result_parts()
        if self.may_raise:
            values, parts = [*values, status], (*parts, "i32")
        whole = self.code.packed(values, parts) if parts else ""
        self.code.end(f"ret {together_as(parts)} {whole}")

    def _on_raise(self, node: ast.Raise) -> None:
        match node.exc:
            case ast.Call(func=ast.Name(id="ValueError"), args=[ast.Constant(value=str(text))]):
                self.leave(str(self.program.exception("ValueError", text)))
            case _:
                raise TypeMismatch("a rule raises ValueError with a text")

    # ------------------------------------------------------------ branches

    def _on_if(self, node: ast.If) -> None:
        then, otherwise, after = (self.code.label() for _ in range(3))
        self.condition(node.test, then, otherwise)
        for label, nodes in ((then, node.body), (otherwise, node.orelse)):
            self.code.begin(label)
            self.statements(nodes)
            self.code.jump(after)
        self.code.begin(after)

    def _on_match(self, node: ast.Match) -> None:
        subject, after = self.value(node.subject), self.code.label()
        if subject.type is not INT:
            raise TypeMismatch(f"match is of an int, not of {subject.type}")
        self._match(subject, node.cases, after)
        self.code.begin(after)

    def _match(self, subject: Value, cases: list[ast.match_case], after: str) -> None:
        """Switch to one of the cases; those after one with a condition come after that."""
        guards = [place for place, case in enumerate(cases) if case.guard is not None]
        count = guards[0] + 1 if guards else len(cases)
        labels = [self.code.label() for _ in range(count)]
        rest = default = self.code.label() if guards else after
        numbers: dict[int, str] = {}
        for case, label in zip(cases[:count], labels, strict=True):
            listed = self._case(case.pattern)
            if listed is None:
                default = label
            for number in listed or ():
                numbers.setdefault(number, label)
        if subject.constant is not None:
            self.code.jump(numbers.get(int(subject.constant), default))
        else:
            self.code.switch(subject.ir, numbers.items(), default)
        for case, label in zip(cases[:count], labels, strict=True):
            self.code.begin(label)
            if case.guard is not None and self.code.is_open:
                body = self.code.label()
                self.condition(case.guard, body, rest)
                self.code.begin(body)
            self.statements(case.body)
            self.code.jump(after)
        if guards:
            self.code.begin(rest)
            self._match(subject, cases[count:], after)

    def _case(self, pattern: ast.pattern) -> list[int] | None:
        """Return the numbers that a pattern stands for; None: all others."""
        match pattern:
            case ast.MatchValue(value=expression):
                value = self.value(expression)
                if value.type is INT and value.constant is not None:
                    return [int(value.constant)]
            case ast.MatchOr(patterns=patterns):
                found = [self._case(each) for each in patterns]
                if None in found:
                    return None
                return [number for numbers in found for number in numbers or ()]
            case ast.MatchAs(pattern=None, name=None):
                return None
        raise TypeMismatch("a case is a constant number, several with |, or _")

    # ------------------------------------------------------------ loops

    def _on_while(self, node: ast.While) -> None:
        if node.orelse:
            raise TypeMismatch("a loop has no else")
        head, body, following, after = (self.code.label() for _ in range(4))
        self.code.begin(head)
        self.condition(node.test, body, after)
        self.code.begin(body)
        self.loops.append((following, after))
        self.statements(node.body)
        self.loops.pop()
        self.code.begin(following)
        self.code.jump(head, f", !llvm.loop {KEPT_ROLLED}")
        self.code.begin(after)

    def _on_break(self, node: ast.Break) -> None:
        self.code.jump(self.loops[-1][1])

    def _on_continue(self, node: ast.Continue) -> None:
        self.code.jump(self.loops[-1][0])

    def _on_for(self, node: ast.For) -> None:
        if node.orelse:
            raise TypeMismatch("a loop has no else")
        iterated = node.iter
        if isinstance(iterated, ast.Call) and self.meaning(iterated.func) is range:
            first, last, step = self._range(iterated)
            self._count(first, last, step, lambda number: self._turn(node, number))
            return
        row = self.value(iterated)
        if isinstance(row.type, Tuple):
            self._over_tuple(node, row)
        elif isinstance(row.type, Row):

            def entry(number: Value) -> None:
                found = self.memory.item(row, [number])
                self._turn(node, self.memory.read(found) if isinstance(found, Place) else found)

            self._count(constant(0), lengths_of(row)[0], constant(1), entry)
        else:
            raise TypeMismatch(f"a loop goes over range(…), a row or a tuple, not {row.type}")

    def _turn(self, node: ast.For, value: Value) -> None:
        self._set(node.target, value)
        self.statements(node.body)

    def _range(self, node: ast.Call) -> tuple[Value, Value, Value]:
        """Return where a range begins and ends, and its step."""
        bounds = [self.numbers.index(self.value(each)) for each in node.args]
        if not 1 <= len(bounds) <= 3 or node.keywords:
            raise TypeMismatch("range takes one to three numbers")
        if len(bounds) == 1:
            bounds.insert(0, constant(0))
        step = bounds[2] if len(bounds) == 3 else constant(1)
        if step.constant == 0:
            raise TypeMismatch("the step of a range is not 0")
        if step.constant is None and self.program.is_checked:
            is_zero = self.numbers.compare(ast.Eq, step, constant(0))
            self.raise_if(is_zero.ir, "ValueError", "the step of a range is 0")
        return bounds[0], bounds[1], step

    def _count(self, first: Value, last: Value, step: Value, turn: Callable[[Value], None]) -> None:
        """Count from one number towards another; let something be done at each."""
        head, body, following, after = (self.code.label() for _ in range(4))
        counter = self.code.slot("i64")
        self.code.store("i64", first.ir, counter)
        self.code.begin(head)
        number = Value(INT, (self.code.load("i64", counter),))
        goes_on = self._is_before(number, last, step)
        self.code.branch(goes_on.ir, body, after)
        self.code.begin(body)
        self.loops.append((following, after))
        turn(number)
        self.loops.pop()
        self.code.begin(following)
        self.code.store("i64", self._next(self.code.load("i64", counter), step), counter)
        self.code.jump(head, self._hint(first, last, step))
        self.code.begin(after)

    def _next(self, number: str, step: Value) -> str:
        """Return the number after one that is not the last; one beyond the ints is the last."""
        if step.constant in (-1, 1):
            return self.code.value(f"add nsw i64 {number}, {step.ir}")
        return self.code.value(f"call i64 @llvm.sadd.sat.i64(i64 {number}, i64 {step.ir})")

    def _is_before(self, number: Value, last: Value, step: Value) -> Value:
        """Return whether a number has not come to the end of a range."""
        rises = self.numbers.compare(ast.Gt, step, constant(0))
        if rises.constant is not None:
            return self.numbers.compare(ast.Lt if rises.constant else ast.Gt, number, last)
        below, above = (self.numbers.compare(of, number, last).ir for of in (ast.Lt, ast.Gt))
        return Value(BOOL, (self.code.value(f"select i1 {rises.ir}, i1 {below}, i1 {above}"),))

    def _hint(self, first: Value, last: Value, step: Value) -> str:
        """Say how LLVM is to treat a loop: written out if short, as it stands if of any length."""
        bounds = [value.constant for value in (first, last, step) if value.constant is not None]
        if len(bounds) < 3:
            return f", !llvm.loop {KEPT_ROLLED}"
        turns = len(range(*map(int, bounds)))
        is_short = 1 < turns <= UNROLLED and not self.program.is_checked
        return f", !llvm.loop {WRITTEN_OUT}" if is_short else ""

    def _over_tuple(self, node: ast.For, row: Value) -> None:
        """Let the body be done for each member, written out once for all."""
        members = members_of(row)
        types = {member.type for member in members}
        if len(types) != 1 or not isinstance(members[0].type, Scalar):
            raise TypeMismatch("a loop goes over a tuple of numbers of one type")
        type_ = members[0].type
        table = self.code.slot(type_.ir, max(len(members), 2))

        def at(place: str) -> str:
            return self.code.value(f"getelementptr inbounds {type_.ir}, ptr {table}, i64 {place}")

        def entry(number: Value) -> None:
            self._turn(node, Value(type_, (self.code.load(type_.ir, at(number.ir)),)))

        for place, member in enumerate(members):
            self.code.store(type_.ir, member.ir, at(str(place)))
        self._count(constant(0), constant(len(members)), constant(1), entry)


def _read(node: ast.AugAssign) -> ast.expr:
    assert isinstance(node.target, ast.Name)
    return ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
