"""Random programs do the same interpreted, checked and compiled.

`BRELAN_LONG=1` tries a hundred times as many.
"""

from __future__ import annotations

import importlib.util
import math
import os
import textwrap

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brelan.compiler.library import Entry, Library, compile_rule, type_of

EXAMPLES = 150
ROUNDS = 100 if os.environ.get("BRELAN_LONG") else 1
MOST = 1 << 20  # of the ints that variables and wide places hold
SHORT = 30_000  # of the ints that narrow places hold
INT, REAL, BOOL, WORD = "int", "real", "bool", "word"
KINDS = (INT, INT, INT, REAL, BOOL, WORD)

HEAD = """
import enum
import math

import numpy as np

TABLE = np.array([[3, 1, 4, 1], [5, -9, 2, 6]], np.int16)
WORTH = np.array([0.5, -1.25, 3.0])
NUMBERS = (2, 7, -1, 8)
MOVES = np.zeros(3, np.dtype([("card", np.int16), ("worth", np.float64)])).view(np.recarray)
MOVES.card, MOVES.worth = (5, -6, 7), (0.5, 1.5, -2.5)


class Card(enum.IntEnum):
    GUARD = 1
    PRIEST = 2


def rule(function):
    function.__rule__ = True
    return function
"""
INNER = np.dtype((np.record, [("kind", np.int16), ("pair", np.int16, (2,)), ("worth", np.float64)]))
STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("bits", np.uint64),
                ("small", np.int16),
                ("wide", np.int64),
                ("amount", np.float64),
                ("flag", np.bool_),
                ("row", np.int16, (4,)),
                ("grid", np.int64, (2, 3)),
                ("reals", np.float64, (3,)),
                ("inner", INNER),
                ("inners", INNER, (2,)),
            ],
            align=True,
        ),
    )
)


class Rule:
    """What is known of a rule that others may call."""

    def __init__(self, name, kinds, takes_row, result):
        self.name, self.kinds, self.takes_row, self.result = name, kinds, takes_row, result


class Writer:
    """Writes the rules of one program; `draw` decides."""

    def __init__(self, draw):
        self._draw = draw
        self.rules: list[Rule] = []
        self.variables: dict[str, str] = {}
        self.rows: dict[str, tuple[str, int]] = {}  # name: how long it is, the most it may hold
        self.records: list[str] = []
        self.loops, self.fresh = 0, 0
        self.result = INT

    def below(self, count):
        return self._draw(st.integers(0, count - 1))

    def pick(self, options):
        options = list(options)
        return options[self.below(len(options))]

    def chance(self, parts):
        return self.below(parts) == parts - 1

    def name(self, kind):
        self.fresh += 1
        return f"{kind[0]}{self.fresh}"

    def named(self, kind):
        """Return the variables of a kind."""
        return [name for name, of in self.variables.items() if of == kind]

    # ------------------------------------------------------------ ints: a text, and a bound

    def int_(self, depth, most=MOST):
        """Return an int that is not beyond a bound."""
        text, bound = self._int(depth)
        return text if bound <= most else f"({text}) % {min(most, 1009)}"

    def _int(self, depth):
        if depth <= 0:
            return self._small_int()
        options = [
            self._sum, self._sum, self._product, self._division, self._bits, self._shift,
            self._extreme, self._choice, self._decided, self._converted, self._called_int,
            self._small_int, self._small_int,
        ]  # fmt: skip
        return self.pick(options)(depth - 1)

    def _small_int(self, depth=0):
        names = self.named(INT)
        which = self.below(8)
        if which < 4 and names:
            return self.pick(names), MOST
        if which == 4:
            number = self.below(25) - 7
            return (str(number) if number >= 0 else f"({number})"), 20
        if which == 5:
            return self.pick(["Card.PRIEST", "len(NUMBERS)", "len(state.row)"]), 10
        text, bound = self._int_place()
        return f"int({text})", bound

    def _int_place(self):
        """Return a place of an int, and its bound."""
        places = [
            ("state.small", SHORT), ("state.wide", MOST), ("state.inner.kind", SHORT),
            (f"state.row[{self.index(4)}]", SHORT),
            (f"state.grid[{self.index(2)}, {self.index(3)}]", MOST),
            (f"state.grid[{self.index(2)}][{self.index(3)}]", MOST),
            (f"state.inners[{self.index(2)}].kind", SHORT),
            (f"state.inners[{self.index(2)}].pair[{self.index(2)}]", SHORT),
            *((f"{record}.kind", SHORT) for record in self.records),
            *((f"{name}[{self.index(of[0])}]", of[1]) for name, of in self.rows.items()),
        ]  # fmt: skip
        return self.pick(places)

    def _int_constant_place(self):
        at = self.index(2)
        return self.pick([f"TABLE[{at}, {at}]", f"TABLE[{at}][3]", f"MOVES[{at}].card"])

    def index(self, length):
        """Return an index into a row of a length, seldom one beyond its end."""
        which = self.below(12)
        if which < 7 and isinstance(length, int):
            return str(self.below(length))
        number = self.pick(self.named(INT) or ["int(state.wide)"])
        if which == 11 and isinstance(length, int):
            return f"abs({number}) % {length + 1}"
        return f"{number} % {length}"

    def _sum(self, depth):
        one, bound = self._int(depth)
        other, another = self._int(depth)
        if bound + another > 1 << 50:
            return f"{one} % 1009 - {other} % 997", 2000
        return f"({one} {self.pick('+-')} {other})", bound + another

    def _product(self, depth):
        one, other = self.int_(depth), self.int_(depth)
        return f"(({one}) * ({other}))", MOST * MOST

    def _division(self, depth):
        one, bound = self._int(depth)
        number = self.below(17) - 8
        other = f"({number})" if number else f"({self.int_(depth)})"
        if self.chance(2):
            return f"(({one}) // {other})", bound + 1
        return f"(({one}) % {other})", MOST

    def _bits(self, depth):
        one, other = self.int_(depth), self.int_(depth)
        return f"(({one}) {self.pick('&|^')} ({other}))", 2 * MOST

    def _shift(self, depth):
        by = self.pick(["0", "1", "3", "7", f"(({self.int_(depth)}) % 7)"])
        if self.chance(8):
            by = f"((int(state.wide) + {self.int_(depth)}) % 5 - 1)"
        return f"(({self.int_(depth)}) {self.pick(['<<', '>>'])} {by})", MOST << 7

    def _extreme(self, depth):
        bounded = [self._int(depth) for _ in range(2 + self.below(2))]
        listed = ", ".join(text for text, _ in bounded)
        name, bound = self.pick(["min", "max"]), max(bound for _, bound in bounded)
        if self.chance(3):
            return f"{self.pick(['abs(', '-(', '~(', '+('])}{bounded[0][0]})", bound + 1
        return f"{name}({listed})", bound

    def _choice(self, depth):
        one, bound = self._int(depth)
        other, another = self._int(depth)
        return f"({one} if {self.bool_(depth)} else {other})", max(bound, another)

    def _decided(self, depth):
        one, bound = self._int(depth)
        other, another = self._int(depth)
        return f"(({one}) {self.pick(['and', 'or'])} ({other}))", max(bound, another)

    def _converted(self, depth):
        which = self.below(4)
        if which == 0:
            return f"int({self.bool_(depth)})", 1
        if which == 1:
            return f"int(max(-1e6, min(1e6, {self.real(depth)})))", MOST
        if which == 2:
            return f"int({self.word(depth)} % np.uint64(1009))", 1009
        return f"int({self._int_constant_place()})", 10

    def _called_int(self, depth):
        called = self.call(depth, INT)
        return (called, MOST) if called else self._sum(depth)

    # ------------------------------------------------------------ other kinds

    def real(self, depth):
        which = self.below(12) if depth > 0 else self.below(4)
        names = self.named(REAL)
        if which < 2 and names:
            return self.pick(names)
        if which < 3:
            tables = ["float(WORTH[1])", "float(MOVES[2].worth)"]
            return self.pick(["0.5", "2.0", "-1.25", "1e3", "0.1", *tables])
        if which < 4:
            return f"float({self._real_place()})"
        one, other = self.real(depth - 1), self.real(depth - 1)
        if which == 4:
            return f"(({self.int_(depth - 1)}) * {one})"
        if which == 5:
            return f"({one} {self.pick(['/', '//', '%'])} {other})"
        if which == 6:
            return f"{self.pick(['min', 'max'])}({one}, {other}, {self.int_(depth - 1)})"
        if which == 7:
            return f"({one} if {self.bool_(depth - 1)} else {other})"
        if which == 8:
            return f"(({self.int_(depth - 1)}) / ({self.int_(depth - 1)}))"
        if which == 9:
            root = f"math.sqrt(abs({one}))"
            return self.pick([root, f"math.exp(min({one}, 3.0))", f"(-{one})", f"abs({other})"])
        if which == 10 and (called := self.call(depth - 1, REAL)):
            return called
        return f"({one} {self.pick('+-*')} {other})"

    def _real_place(self):
        places = ["state.amount", f"state.reals[{self.index(3)}]"]
        places += [f"state.inners[{self.index(2)}].worth"]
        return self.pick(places + [f"{record}.worth" for record in self.records])

    def bool_(self, depth):
        which = self.below(10) if depth > 0 else self.below(4)
        names = self.named(BOOL)
        if which < 2 and names:
            return self.pick(names)
        if which == 2:
            return "bool(state.flag)"
        kinds = [self.int_, self.int_, self.real, self.word]
        of = self.pick(kinds)
        compared = ["<", "<=", ">", ">=", "==", "!="]
        one, other = f"({of(depth - 1)})", f"({of(depth - 1)})"
        if which == 4:
            return f"({one} {self.pick(compared)} {other} {self.pick(compared)} ({of(depth - 1)}))"
        if which == 5:
            return f"(not {self.bool_(depth - 1)})"
        if which == 6:
            joined = self.pick(["and", "or", "&", "|", "^", "=="])
            return f"({self.bool_(depth - 1)} {joined} {self.bool_(depth - 1)})"
        if which == 7:
            return f"bool({of(depth - 1)})"
        if which == 8 and (called := self.call(depth - 1, BOOL)):
            return called
        return f"({one} {self.pick(compared)} {other})"

    def word(self, depth):
        which = self.below(8) if depth > 0 else self.below(3)
        names = self.named(WORD)
        if which < 1 and names:
            return self.pick(names)
        if which < 2:
            return "state.bits"
        if which < 3:
            return f"np.uint64({self.pick(['5', '0x9E3779B97F4A7C15', 'abs(state.wide)'])})"
        one, other = self.word(depth - 1), self.word(depth - 1)
        if which == 3:
            return f"({one} >> np.uint64({self.below(64)}))"
        if which == 4:
            return f"({one} {self.pick(['//', '%'])} ({other} | np.uint64(1)))"
        if which == 5:
            return f"({one} << ({other} & np.uint64(63)))"
        if which == 6 and (called := self.call(depth - 1, WORD)):
            return called
        return f"({one} {self.pick('+-*&|^')} {other})"

    def of(self, kind, depth):
        return {INT: self.int_, REAL: self.real, BOOL: self.bool_, WORD: self.word}[kind](depth)

    def call(self, depth, result):
        """Return a call of an earlier rule that returns a kind; "": there is none."""
        found = [each for each in self.rules if each.result == result]
        if not found or depth < 0:
            return ""
        called = self.pick(found)
        rows = ["state.row", f"state.grid[{self.index(2)}]", *self.rows]
        given = [self.pick(rows)] if called.takes_row else []
        given += [self.of(kind, depth - 1) for kind in called.kinds]
        return f"{called.name}({', '.join(['state', *given])})"

    # ------------------------------------------------------------ statements

    def block(self, depth, count):
        lines = []
        variables, rows, records = dict(self.variables), dict(self.rows), list(self.records)
        for _ in range(1 + self.below(count)):
            lines += self.statement(depth)
        self.variables, self.rows, self.records = variables, rows, records
        return textwrap.indent("\n".join(lines), "    ")

    def statement(self, depth):
        simple = [self._assign, self._assign, self._augment, self._store, self._store]
        simple += [self._several, self._scratch, self._alias, self._statement_call, self._leave]
        nested = [self._if, self._for, self._for, self._while, self._match, self._over]
        return self.pick(simple + nested if depth > 0 else simple)(depth)

    def _assign(self, depth):
        kind = self.pick(KINDS)
        names = self.named(kind)
        if names and not self.chance(3):
            return [f"{self.pick(names)} = {self.of(kind, 3)}"]
        name, value = self.name(kind), self.of(kind, 3)
        self.variables[name] = kind
        return [f"{name} = {value}"]

    def _augment(self, depth):
        names = self.named(INT) + self.named(REAL)
        if not names:
            return ["pass"]
        name = self.pick(names)
        if self.variables[name] == REAL:
            return [f"{name} {self.pick('+-*')}= {self.of(self.pick([INT, REAL]), 2)}"]
        changed = f"{name} {self.pick('+-&|^*')}= {self.int_(2)}"
        return [changed, f"{name} %= {self.pick([7, 1009])}"]

    def _store(self, depth):
        which = self.below(6)
        if which == 0:
            return [f"{self._real_place()} = {self.of(self.pick([REAL, INT]), 3)}"]
        if which == 1:
            return [f"state.flag = {self.bool_(3)}"]
        if which == 2:
            return [f"state.bits {self.pick(['', '^', '+'])}= {self.word(3)}"]
        place, most = self._int_place()
        if which == 3:
            return [f"{place} ^= {self.int_(2, 63)}"] if "[" not in place else ["pass"]
        return [f"{place} = {self.int_(3, most)}"]

    def _several(self, depth):
        which, one, other = self.below(3), *(self._int_place() for _ in range(2))
        if which == 0 and one[1] == other[1]:
            return [f"{one[0]}, {other[0]} = int({other[0]}), int({one[0]})"]
        names = self.named(INT)
        if which == 1 and len(names) > 1:
            divisor = self.pick(["7", "-3", f"({self.int_(1)})"])
            return [f"{names[0]}, {names[-1]} = divmod({self.int_(2)}, {divisor})"]
        name, value = self.name(INT), self.int_(2)
        lines = [f"{name}, {one[0]} = {value}, {self.int_(2, one[1])}"]
        self.variables[name] = INT
        return lines

    def _scratch(self, depth):
        name, length = self.name("Row"), 2 + self.below(4)
        how = str(length) if self.chance(2) else f"{length} + {self.int_(1)} % 3"
        self.rows[name] = (length, MOST)
        return [f"{name} = np.zeros({how}, np.int64)"]

    def _alias(self, depth):
        if self.chance(3):
            name = self.name("Inner")
            self.records.append(name)
            return [f"{name} = {self.pick(['state.inner', f'state.inners[{self.index(2)}]'])}"]
        name = self.name("Row")
        places = [("state.row", 4, SHORT), (f"state.grid[{self.index(2)}]", 3, MOST)]
        value, length, most = self.pick(places)
        self.rows[name] = (length, most)
        return [f"{name} = {value}"]

    def _statement_call(self, depth):
        return [self.call(2, self.pick([None, None, INT])) or "pass"]

    def _leave(self, depth):
        which = self.below(12)
        if which == 0 and self.loops:
            return [f"if {self.bool_(1)}:", "    break"]
        if which == 1 and self.loops:
            return [f"if {self.bool_(1)}:", "    continue"]
        if which == 2:
            return [f"if {self.bool_(1)}:", f"    {self._return()}"]
        if which == 3:
            return [f"if {self.int_(2)} == 3:", f'    raise ValueError("no {self.below(3)}")']
        return self._store(depth)

    def _return(self):
        return f"return {self.of(self.result, 2)}" if self.result else "return"

    def _if(self, depth):
        lines = [f"if {self.bool_(3)}:", self.block(depth - 1, 3)]
        if self.chance(2):
            lines += [f"elif {self.bool_(2)}:", self.block(depth - 1, 2)]
        return lines + (["else:", self.block(depth - 1, 3)] if self.chance(2) else [])

    def _loop(self, head, depth, name="", kind=INT):
        if name:
            self.variables[name] = kind
        self.loops += 1
        body = self.block(depth - 1, 3)
        self.loops -= 1
        if name:
            del self.variables[name]
        return [head, body]

    def _for(self, depth):
        name = self.name(INT)
        ranges = [
            str(self.below(7)), f"{self.int_(1)} % 6", f"{self.below(4)}, {self.below(9)}",
            f"{self.below(9)}, -1, -{1 + self.below(3)}", f"0, {self.int_(1)} % 9, 2",
            f"-3, {self.below(5)}, {1 + self.below(3)}", "20",
            f"{self.int_(1)} % 5, {self.int_(1)} % 5, {self.int_(1)} % 3 or 1",
        ]  # fmt: skip
        return self._loop(f"for {name} in range({self.pick(ranges)}):", depth, name)

    def _over(self, depth):
        which, name = self.below(4), self.name(INT)
        if which == 0:
            listed = ", ".join(self.int_(1) for _ in range(1 + self.below(3)))
            return self._loop(f"for {name} in ({listed},):", depth, name)
        if which == 1:
            return self._loop(f"for {name} in NUMBERS:", depth, name)
        self.records.append(record := self.name("Inner"))
        lines = self._loop(f"for {record} in state.inners:", depth)
        self.records.remove(record)
        return lines

    def _while(self, depth):
        name = self.name("count")
        head, body = self._loop(f"while {name} < 5 and ({self.bool_(2)}):", depth)
        return [f"{name} = 0", head, f"    {name} += 1", body]

    def _match(self, depth):
        lines = [f"match ({self.int_(2)}) % 5:"]
        for case in self.pick([("0", "1 | 2", "4"), ("Card.GUARD", "-1 | Card.PRIEST"), ("3",)]):
            guard = f" if {self.bool_(2)}" if self.chance(3) else ""
            body = self.block(depth - 1, 2)
            lines += [f"    case {case}{guard}:", textwrap.indent(body, "    ")]
        if self.chance(2):
            lines += ["    case _:", textwrap.indent(self.block(depth - 1, 2), "    ")]
        return lines

    # ------------------------------------------------------------ rules

    def rule(self, name, kinds, takes_row, result):
        """Return the text of a rule."""
        own = {f"{kind[0]}{place}": kind for place, kind in enumerate(kinds)}
        self.variables = dict(own)
        self.rows = {"row": ("len(row)", SHORT)} if takes_row else {}
        self.records, self.loops, self.result = [], 0, result
        number = self.name(REAL)
        first = f"    {number} = {self.pick(['0', '1.5'])}"  # an int at first, perhaps
        self.variables[number] = REAL
        body = self.block(2, 5)
        end = f"    {self._return()}"
        self.rules.append(Rule(name, kinds, takes_row, result))
        parameters = ["state", *(["row"] if takes_row else []), *own]
        head = f"@rule\ndef {name}({', '.join(parameters)}):"
        return "\n".join(["\n", head, first, body, end, ""])


@st.composite
def programs(draw):
    """Return the text of a module of rules, of which the last is called."""
    writer, text = Writer(draw), HEAD
    for number in range(writer.below(4)):
        kinds = [writer.pick(KINDS) for _ in range(writer.below(3))]
        result = writer.pick([None, INT, INT, REAL, BOOL, WORD])
        text += writer.rule(f"rule_{number}", kinds, writer.chance(2), result)
    text += writer.rule("entry", [INT, INT, REAL, BOOL, WORD], False, writer.pick(KINDS))
    return text


def loaded(folder, text):
    file = folder / "made_rules.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("made_rules", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def blank():
    state = np.zeros(1, STATE)[0]
    state.bits, state.small, state.wide, state.amount = 2**63 + 9, -7, 1000, 0.75
    state.row[:] = (3, -1, 4, 100)
    state.reals[:] = (0.5, -2.0, 1e6)
    return state


def plain(value):
    """Return a number as one that can be compared: -0.0 and nan as any other."""
    if isinstance(value, float | np.floating):
        return "nan" if math.isnan(value) else float(value) + 0.0
    return value if value is None else int(value)


def outcome(run, given):
    """Return what a rule does: its result or exception, and the bytes of the state."""
    state = blank()
    try:
        with np.errstate(all="ignore"):
            result = plain(run(state, *given))
    except (IndexError, ZeroDivisionError, ValueError, OverflowError) as error:
        result = type(error)
    for row in (state["amount"], state["reals"], state["inner"]["worth"], state["inners"]["worth"]):
        reals = np.asarray(row)
        if reals.ndim:
            reals[np.isnan(reals)] = np.nan
            reals += 0.0
    for owner, name in ((state, "amount"), (state["inner"], "worth")):
        owner[name] = np.nan if np.isnan(owner[name]) else owner[name] + 0.0
    return result, state.tobytes()


GIVEN = [
    (0, 0, 0.0, False, np.uint64(0)),
    (5, -3, 1.5, True, np.uint64(2**64 - 1)),
    (-17, 12345, -0.25, False, np.uint64(77)),
    (3, 2, 1e9, True, np.uint64(2**63)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("programs")


@pytest.mark.parametrize("turn", range(ROUNDS))
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=ROUNDS == 1,
    suppress_health_check=list(HealthCheck),
)
@given(text=programs())
def test_random_programs(folder, turn, text):
    module = loaded(folder, text)
    rule = module.entry
    interpreted = Library("fuzz", "interpreted", {})(rule)
    types = tuple(type_of(each) for each in (blank(), *GIVEN[0]))
    checked, compiled = (
        Entry(compile_rule(rule, types, Library("fuzz", mode, {})), types)
        for mode in ("checked", "compiled")
    )
    for row in GIVEN:
        expected = outcome(interpreted, row)
        assert outcome(checked, row) == expected, text
        if not isinstance(expected[0], type):  # else an index may lie anywhere
            assert outcome(compiled, row) == expected, text
