"""Statements of rules as machine code: the whole of one rule."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from brelan.compiler.arithmetic import TypeMismatch, lengths_of, members_of
from brelan.compiler.code import KEPT_ROLLED, UNROLLED, WRITTEN_OUT, constant
from brelan.compiler.expressions import NOTHING, Expressions, Retry
from brelan.compiler.memory import Place
from brelan.compiler.source import ALLOWED
from brelan.compiler.types import BOOL, INT, Record, Row, Scalar, Tuple, Type, Value, join

RESULT = "#result"


class Translation(Expressions):
    """Translates one rule for arguments of given types."""

    def begin(self, parameters: Iterable[Type]) -> list[str]:
        """Give the parameters their values; return how they are declared."""
        declared = []
        for name, type_ in zip(self.source.parameters, parameters, strict=True):
            parts = [self.code.name() for _ in type_.parts]
            declared += [f"{ir} {part}" for ir, part in zip(type_.parts, parts, strict=True)]
            self.assign(name, Value(type_, tuple(parts)))
        return declared

    def body(self) -> None:
        """Translate all statements of the rule."""
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` lead
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
        for node in nodes:
            if not self.code.is_open:
                return
            self._node = node
            translate: Callable[[Any], None] | None
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
            self.value(node.value)
        elif not isinstance(node.value, ast.Constant):  # a docstring
            raise TypeMismatch(f"{ast.unparse(node)[:60]!r} does nothing")

    def _on_pass(self, node: ast.Pass) -> None:
        pass

    def _on_assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self._set(target, value)

    def _on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            raise TypeMismatch("a variable is declared by giving it a value")
        self._set(node.target, self.value(node.value))

    def _on_augassign(self, node: ast.AugAssign) -> None:
        place = self._place(node.target)
        before = self.memory.read(place) if isinstance(place, Place) else self.value(_read(node))
        after = self.numbers.binary(type(node.op), before, self.value(node.value))
        if isinstance(place, Place):
            self.memory.write(place, after)
        else:
            self._set(node.target, after)

    def _set(self, target: ast.expr, value: Value) -> None:
        """Give a variable, a place, or several of them a value."""
        if value.type == NOTHING.type:
            raise TypeMismatch("this rule returns nothing")
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        elif isinstance(target, ast.Tuple):
            members = self._unpacked(value)
            if len(members) != len(target.elts):
                raise TypeMismatch(f"{len(target.elts)} names for {len(members)} values")
            for each, member in zip(target.elts, members, strict=True):
                self._set(each, member)
        else:
            place = self._place(target)
            if place is None:
                raise TypeMismatch(f"{ast.unparse(target)!r} cannot be given a value")
            self.memory.write(place, value)

    def _unpacked(self, value: Value) -> list[Value]:
        if isinstance(value.type, Tuple):
            return members_of(value)
        raise TypeMismatch(f"{value.type} cannot be taken apart; name its entries")

    def _place(self, target: ast.expr) -> Place | None:
        """Return where a number lies that is to be written; None: it is a variable."""
        if isinstance(target, ast.Attribute):
            owner = self.value(target.value)
            if isinstance(owner.type, Record) and target.attr in self.program.knobs.get(
                owner.type.dtype, {}
            ):
                raise TypeMismatch(f"the knob {target.attr!r} cannot be turned during a match")
            place = self.field(owner, target.attr)
        elif isinstance(target, ast.Subscript):
            place = self.item(self.value(target.value), target.slice)
        else:
            return None
        if not isinstance(place, Place):
            raise TypeMismatch(
                f"{ast.unparse(target)!r} is {place.type}; write its entries one by one"
            )
        return place

    def _on_return(self, node: ast.Return) -> None:
        if node.value is None or (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
            value = NOTHING
        else:
            value = self.value(node.value)
        if isinstance(value.type, Row) and value.type.origin == "scratch":
            raise TypeMismatch("scratch memory is gone when a rule returns; let the caller make it")
        known = self.types.setdefault(RESULT, value.type)
        joined = join(known, value.type)
        if joined is None:
            raise TypeMismatch(f"it returns {known} here and {value.type} there")
        if joined != known:
            self.types[RESULT] = joined
            raise Retry
        self._finish(self.numbers.convert(value, joined))

    def _finish(self, value: Value) -> None:
        """Return a value; then a status, if the rule may raise."""
        self._return([*zip(value.type.parts, value.parts, strict=True)], "0")

    def leave_with(self, status: str) -> None:
        """Return from the rule, with a status instead of a result."""
        parts = self._result_parts()
        self._left_as.add(parts)
        self._return([(ir, "poison") for ir in parts], status)

    def _result_parts(self) -> tuple[str, ...]:
        return self.types.get(RESULT, NOTHING.type).parts

    def _return(self, parts: list[tuple[str, str]], status: str) -> None:
        for slot in self.code.borrowed:
            self.code.line(f"call void @free(ptr {self.code.load('ptr', slot)})")
        if self.may_raise:
            parts = [*parts, ("i32", status)]
        if len(parts) < 2:
            self.code.end(" ".join(["ret", *(parts[0] if parts else ("void",))]))
            return
        whole, type_ = "poison", returned(ir for ir, _ in parts)
        for place, (ir, part) in enumerate(parts):
            whole = self.code.value(f"insertvalue {type_} {whole}, {ir} {part}, {place}")
        self.code.end(f"ret {type_} {whole}")

    def _on_raise(self, node: ast.Raise) -> None:
        match node.exc:
            case ast.Call(func=ast.Name(id="ValueError"), args=[ast.Constant(value=str(text))]):
                self.raise_("ValueError", text)
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
            if case.guard is not None:
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
                return [number for numbers in found for number in numbers or ()]
            case ast.MatchAs(pattern=None, name=None):
                return None
        raise TypeMismatch("a case is a constant number, several with |, or _")

    # ------------------------------------------------------------ loops

    def _on_while(self, node: ast.While) -> None:
        if node.orelse:
            raise TypeMismatch("a loop has no else")
        head, body, after = (self.code.label() for _ in range(3))
        self.code.begin(head)
        self.condition(node.test, body, after)
        self.code.begin(body)
        self._loops.append((head, after))
        self.statements(node.body)
        self._loops.pop()
        self.code.jump(head, f", !llvm.loop {KEPT_ROLLED}")
        self.code.begin(after)

    def _on_break(self, node: ast.Break) -> None:
        self.code.jump(self._loops[-1][1])

    def _on_continue(self, node: ast.Continue) -> None:
        self.code.jump(self._loops[-1][0])

    def _on_for(self, node: ast.For) -> None:
        if node.orelse:
            raise TypeMismatch("a loop has no else")
        iterated = node.iter
        if isinstance(iterated, ast.Call) and self._meaning(iterated.func) is range:
            first, last, step = self._range(iterated)
            self._count(first, last, step, lambda number: self._turn(node, number))
            return
        row = self.value(iterated)
        if isinstance(row.type, Tuple):
            self._over_tuple(node, row)
        elif isinstance(row.type, Row):
            kept = self.code.slots_of(row.type)
            self.code.keep(row, kept)

            def entry(number: Value) -> None:
                found = self.memory.item(self.code.kept(row.type, kept), [number])
                self._turn(node, self.memory.read(found) if isinstance(found, Place) else found)

            self._count(constant(0), lengths_of(row)[0], constant(1), entry)
        else:
            raise TypeMismatch(f"a loop goes over range(…), a row or a tuple, not {row.type}")

    def _turn(self, node: ast.For, value: Value) -> None:
        self._set(node.target, value)
        self.statements(node.body)

    def _range(self, node: ast.Call) -> tuple[Value, Value, Value]:
        """Return where a range begins and ends, and its step."""
        bounds = [self.numbers.convert(self.value(each), INT) for each in node.args]
        if not 1 <= len(bounds) <= 3:
            raise TypeMismatch("range takes one to three numbers")
        if len(bounds) == 1:
            bounds.insert(0, constant(0))
        step = bounds[2] if len(bounds) == 3 else constant(1)
        if step.constant == 0:
            raise TypeMismatch("the step of a range is not 0")
        if step.constant is None and self.program.is_checked:
            is_zero = self.numbers.compare(ast.Eq, step, constant(0))
            self._raise_if(is_zero.ir, "ValueError", "the step of a range is 0")
        return bounds[0], bounds[1], step

    def _count(self, first: Value, last: Value, step: Value, turn: Callable[[Value], None]) -> None:
        """Count from one number towards another; let something be done at each."""
        head, body, following, after = (self.code.label() for _ in range(4))
        counter = self.code.slot("i64")
        self.code.store("i64", first.ir, counter)
        self.code.begin(head)
        number = Value(INT, (self.code.load("i64", counter),))
        goes_on = self._goes_on(number, last, step)
        self.code.branch(goes_on.ir, body, after)
        self.code.begin(body)
        self._loops.append((following, after))
        turn(number)
        self._loops.pop()
        self.code.begin(following)
        now = self.code.load("i64", counter)
        self.code.store("i64", self.code.value(f"add nsw i64 {now}, {step.ir}"), counter)
        self.code.jump(head, self._hint(first, last, step))
        self.code.begin(after)

    def _goes_on(self, number: Value, last: Value, step: Value) -> Value:
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
        return f", !llvm.loop {WRITTEN_OUT}" if turns <= UNROLLED else ""

    def _over_tuple(self, node: ast.For, row: Value) -> None:
        """Let the body be done for each member, written out once for all."""
        members = members_of(row)
        kinds = {member.type for member in members}
        if len(kinds) > 1 or not isinstance(members[0].type, Scalar):
            raise TypeMismatch("a loop goes over a tuple of numbers of one type")
        type_ = members[0].type
        table = self.code.slot(type_.ir, max(len(members), 2))
        at = [
            self.code.value(f"getelementptr inbounds {type_.ir}, ptr {table}, i64 {place}")
            for place in range(len(members))
        ]
        for member, pointer in zip(members, at, strict=True):
            self.code.store(type_.ir, member.ir, pointer)

        def entry(number: Value) -> None:
            place = f"getelementptr inbounds {type_.ir}, ptr {table}, i64 {number.ir}"
            self._turn(node, Value(type_, (self.code.load(type_.ir, self.code.value(place)),)))

        self._count(constant(0), constant(len(members)), constant(1), entry)


def returned(parts: Iterable[str]) -> str:
    """Return the LLVM type of several parts together."""
    found = list(parts)
    if not found:
        return "void"
    return found[0] if len(found) == 1 else "{ " + ", ".join(found) + " }"


def _read(node: ast.AugAssign) -> ast.expr:
    assert isinstance(node.target, ast.Name)
    return ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
