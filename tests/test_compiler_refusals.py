"""What rules cannot do is refused in one line: which rule, file and line, and what is allowed."""

from __future__ import annotations

import importlib.util
import itertools
import textwrap

import numpy as np
import pytest

from brelan.compiler.library import Library
from brelan.compiler.source import CannotCompile

HEAD = """
import enum
import math
import sys
from pathlib import Path

import numpy as np

PATH = Path("x")
LIMIT = 5
LARGE = 2**70
NAMES = ("Guard", "Priest")
TABLE = np.array([1, 2, 3])
COMPLEX = np.zeros(3, complex)
SWAPPED = np.zeros(3, ">i2")
NOTHING = None
KIND = np.dtype([("card", np.int16)])
MOVES = np.zeros(3, KIND)


def rule(function):
    function.__rule__ = True
    return function


class Card(enum.IntEnum):
    GUARD = 1
    PRIEST = 2


def plain(a):
    return a


@rule
def helper(state, a):
    return a


@rule
def silent(state):
    state.small = 1


@rule
def word():
    return np.uint64(1)


@rule
def round_and_round(a):
    return round_and_round(a)


@rule
def there(a):
    return back(a)


@rule
def back(a):
    return there(a)


@rule
def set_first(row):
    row[0] = 1


@rule
def same(row):
    return row


@rule
def with_default(state, a=3):
    return a


@rule
def with_rest(*all):
    return 0


def made():
    @rule
    def inner(state, a):
        return a

    return inner


INNER = made()


@rule
def refused(state, a):
"""
STATE = np.dtype(
    [("small", np.int16), ("card", np.int16), ("row", np.int16, (4,)), ("bits", np.uint64)],
    align=True,
)
CASES = {
    # names
    "return state.smal": "there is no place 'smal'; there are: small, card, row, bits",
    "state.smal = 3": "there is no place 'smal'; there are: small, card, row, bits",
    "return Card.GARD": "there is no 'Card.GARD'; there are: GUARD, PRIEST",
    "return LIMITT": "there is no 'LIMITT'; did you mean LIMIT?",
    "return helpr(state, a)": "there is no 'helpr'; did you mean helper or there?",
    "return math.sqroot(a)": "there is no 'math.sqroot'; did you mean sqrt or isqrt?",
    "return print(a)": "'print' is not for rules: rules call rules, range, len",
    "return x\nx = 3": "'x' is used before it has a value",
    "for turn in range(3):\n    if turn:\n        a = x\n    x = turn": "outside of the loop",
    "if a:\n    LIMIT = 3\nreturn PATH.name": "PATH is of type",
    "return PATH": "rules know numbers of 64 bits, tuples of them, members of enumerations, and",
    "return NAMES[0]": "NAMES is of type str; rules know numbers",
    "return LARGE": "LARGE is too large; rules know numbers of 64 bits",
    "return NOTHING": "NOTHING is of type NoneType; rules know numbers",
    "return len(Card)": "Card is of type EnumType; rules know numbers",
    "return TABLE.shape": "a row has no places, so no 'shape'; write len",
    "return COMPLEX[a]": "rules read numbers and records, not complex128",
    "return SWAPPED[a]": "rules read numbers and records, not >i2",
    # what there is no statement or expression for
    "return state.row[1:]": "a slice cannot be compiled; write a loop, or pass row and place",
    "return {1: 2}": "'{1: 2}' cannot be compiled: rules are made of numbers, records and rows",
    "return [a]": "cannot be compiled: rules are made of",
    "return [n for n in range(a)]": "cannot be compiled: rules are made of",
    "return sum(n for n in range(a))": "'sum' is not for rules",
    "return 'Guard'": "'Guard' is of type str; rules know numbers",
    "return f'{a}'": "cannot be compiled: rules are made of",
    "return (lambda n: n)(a)": "cannot be compiled: rules call rules",
    "return 1j": "1j is of type complex; rules know numbers",
    "return 2**64 - 1": "no number of 64 bits",
    "return 18446744073709551616": "rules know numbers of 64 bits",
    "try:\n    a = 1\nexcept ValueError:\n    pass": "'try:' cannot be compiled: rules are made",
    "with a:\n    pass": "'with a:' cannot be compiled",
    "import math": "'import math' cannot be compiled",
    "global LIMIT\nLIMIT = 3": "'global LIMIT' cannot be compiled",
    "assert a": "'assert a' cannot be compiled",
    "del a": "'del a' cannot be compiled",
    "a = yield": "cannot be compiled",
    "a + 1": "'a + 1' does nothing",
    "a: int": "a variable is declared by giving it a value",
    "return (b := a)": "cannot be compiled",
    "while a:\n    a -= 1\nelse:\n    a = 1": "a loop has no else",
    "for n in range(a):\n    pass\nelse:\n    a = 1": "a loop has no else",
    "return a is None": "rules know numbers|rules compare by",
    "return a in (1, 2)": "rules compare by ==, !=, <, <=, > and >=",
    "return a @ a": "the operator MatMult is not one of rules",
    "raise KeyError('x')": "a rule raises ValueError with a text",
    "raise ValueError": "a rule raises ValueError with a text",
    "raise ValueError(f'{a}')": "a rule raises ValueError with a text",
    # calls
    "return helper(state)": "helper(state, a) is given 1 values",
    "return helper(state, a, a)": "helper(state, a) is given 3 values",
    "return helper(state, a=a)": "a call in a rule takes its arguments by position",
    "return helper(*(state, a))": "a call in a rule takes its arguments by position",
    "return with_default(state)": "a rule takes its arguments by position, without defaults",
    "return with_rest(a)": "a rule takes its arguments by position, without defaults",
    "return plain(a)": "'plain(a)' cannot be compiled: rules call rules, range, len",
    "return state.row.sum()": "'state.row.sum()' cannot be compiled: rules call rules",
    "return np.sum(state.row)": "'np.sum(state.row)' cannot be compiled: rules call rules",
    "return max(state.row)": "'max(state.row)' cannot be compiled: rules call rules",
    "return abs(a, a)": "'abs(a, a)' cannot be compiled",
    "return a(3)": "'a(3)' cannot be compiled",
    "return TABLE(3)": "'TABLE(3)' cannot be compiled",
    "return round_and_round(a)": "round_and_round calls itself; write the stack out as a row",
    "return there(a)": "there calls itself",
    "return INNER(state, a)": "a rule must stand at the top level of its file, not in a function",
    "return sys.modules[__name__].helper(state, a)": "cannot be compiled|has no entries",
    "b = silent(state)": "'silent(state)' returns nothing",
    "return silent(state) + 1": "'silent(state)' returns nothing",
    "helper(state, silent(state))": "'silent(state)' returns nothing",
    # types
    "return word() + a": "a word meets an int; convert one by np.uint64",
    "return a < word()": "a word meets an int; convert one by np.uint64",
    "return word() ^ -1": "-1 is no word; a word is 0 or more",
    "return np.uint64(2.5)": "a real is no word",
    "state.bits = -1": "-1 is no word",
    "bits = 0\nbits ^= word()": "a word meets an int",
    "bits = 0\nbits = word()": "'bits' is an int here and a word there; begin with np.uint64",
    "if a:\n    return word()\nreturn 5": "the result is a word here and an int there",
    "b = state\nb = 3": "'b' is a record here and an int there; use two names",
    "if a:\n    return 1, 2\nreturn 1, 2, 3": "is a tuple of 2 here and a tuple of 3",
    "if a:\n    return 1": "it may end without a result, and returns one elsewhere",
    "if a:\n    return\nreturn 1": "the result is nothing here and an int there",
    "return state + 1": "a record is no number",
    "return state.row * 2": "a row is no number",
    "return -state.row": "a row is no number",
    "return int(state.row)": "a row is no number",
    "return state.row == state.row": "a row is no number",
    "return 1 if state.row else 2": "a row is neither true nor false; ask for its length",
    "while (a, a):\n    a = 1": "a tuple of 2 is neither true nor false",
    "return (a > 1) + (a > 2)": "two bools are no numbers to reckon with; convert them by int",
    "return -(a > 1)": "a bool is no number to reckon with; write not, or int",
    "return ~(a > 1)": "a bool is no number to reckon with; write not, or int",
    "return a ** 2": "a power is of a real, or of two constants",
    "return 1.5 & 3 * a": "a real has no bits; convert it by int",
    "return ~(0.5 * a)": "a real has no bits; convert it by int",
    "return a << 64": "a shift by 64; it may be by 0 to 63",
    "return 1 << -1": "a shift by -1; it may be by 0 to 63",
    "return math.log(0)": "math.log(0): math domain error",
    "return 10.0 ** 400": "Numerical result out of range|result too large",
    "match a > 1:\n    case 1:\n        return 1": "match is of an int, not of a bool",
    "match a:\n    case b:\n        return b": "a case is a constant number, several with |, or _",
    "match a:\n    case [1, 2]:\n        return 2": "a case is a constant number",
    # rows and records
    "return state.row[4]": "index 4 is out of range; it may be 0 to 3",
    "return state.row[-1]": "index -1 is out of range; it may be 0 to 3",
    "return (1, 2)[2]": "index 2 is out of range; it may be 0 to 1",
    "return state.row[a > 1]": "a bool where an int is due; convert it by int",
    "return state.row[0.5 * a]": "a real where an int is due; convert it by int",
    "return range(0.5)": "'range(0.5)' cannot be compiled",
    "for n in range(0.5 * a):\n    pass": "a real where an int is due",
    "for n in range():\n    pass": "range takes one to three numbers",
    "for n in range(0, 5, 0):\n    pass": "the step of a range is not 0",
    "for n in a:\n    pass": "a loop goes over range(…), a row or a tuple, not an int",
    "for n in (1, 0.5):\n    pass": "a loop goes over a tuple of numbers of one type",
    "for n in ():\n    pass": "returns nothing|a tuple of numbers",
    "return state.row[1, 2]": "a row has not 2 dimensions",
    "return state[1]": "a record has no entries",
    "return a.small": "an int has no places, so no 'small'",
    "return len(a)": "an int has no length",
    "state.row = 3": "'state.row' is a row; write its numbers one by one",
    "state.small = state.row": "a row is no number",
    "state.small = (1, 2)": "a tuple of 2 is no number",
    "b, c = state.row": "a row cannot be taken apart; name its entries",
    "b, c = 1, 2, 3": "2 names for 3 values",
    "TABLE[0] = 1": "constant tables and read-only arrays cannot be written",
    "set_first(TABLE)": "constant tables and read-only arrays cannot be written",
    "same(TABLE)[0] = 1": "constant tables and read-only arrays cannot be written",
    "row = state.row\nif a:\n    row = TABLE\nrow[0] = 1": "constant tables|is a row here",
    "MOVES[1].card = 1": "constant tables and read-only arrays cannot be written",
    "same(MOVES[1]).card = 1": "constant tables and read-only arrays cannot be written",
    "for move in MOVES:\n    move.card += 1": "constant tables and read-only arrays cannot be",
    # scratch memory
    "b = np.zeros(3, KIND)\nreturn b[1]": "scratch memory is gone when a rule returns",
    "b = np.zeros(3, KIND)\nfor c in b:\n    return 1, c": "scratch memory is gone when",
    "for n in range(a):\n    b = np.zeros(3, KIND)\n    c = b[n]": "made in a loop has one name",
    "return np.zeros(3)": "scratch memory is gone when a rule returns; let the caller make it",
    "b = np.zeros(3)\nreturn 1, b": "scratch memory is gone when a rule returns",
    "b = np.zeros(3)\nreturn same(b)": "scratch memory is gone when a rule returns",
    "b = np.zeros(3)\nreturn same((b, 1))": "scratch memory is gone when a rule returns",
    "for n in range(a):\n    b = np.zeros(3)\n    c = b": "made in a loop has one name only",
    "for n in range(a):\n    c = same(np.zeros(3))": "made in a loop has one name only",
    "for n in range(a):\n    b = np.zeros(3)\n    c, d = b, 1": "made in a loop has one name only",
    "b = np.zeros()": "np.empty and np.zeros take a length",
    "b = np.zeros(3, int, 'C')": "np.empty and np.zeros take a length",
    "b = np.zeros(3, dtype=int)": "a call in a rule takes its arguments by position",
    "b = np.zeros(3, a)": "'a' is no type of numbers",
    "b = np.zeros(3, LIMIT)": "'LIMIT' is no type of numbers",
    "b = np.zeros(3, complex)": "'complex' is not for rules",
    "b = np.zeros(3, np.complex64)": "rules read numbers and records, not complex64",
    "b = np.zeros(-3)": "a row cannot have -3 entries",
    "b = np.zeros(0.5)": "a real where an int is due",
}
_count = itertools.count()


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path / "machine-code"))


def loaded(folder, text):
    file = folder / f"made_{next(_count)}.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def message(function, *arguments, mode="compiled"):
    with pytest.raises(CannotCompile) as refused:
        Library("test", mode, {})(function)(*arguments)
    return str(refused.value)


@pytest.mark.parametrize("body", CASES)
def test_a_refusal_says_where_it_is_and_what_is_allowed(body, tmp_path):
    module = loaded(tmp_path, HEAD + textwrap.indent(body, "    ") + "\n")
    found = message(module.refused, np.zeros(1, STATE)[0], 3)
    assert any(each in found for each in CASES[body].split("|")), found
    assert "\n" not in found
    where, _, _ = found.partition(": ")
    rule, _, rest = where.partition(" (")
    assert hasattr(module, rule) or rule == "inner"
    file, _, line = rest.rstrip(")").partition(", line ")
    assert file == f"{module.__name__}.py"
    assert 1 <= int(line) <= HEAD.count("\n") + body.count("\n") + 2


def test_the_line_is_that_of_the_mistake(tmp_path):
    module = loaded(
        tmp_path, HEAD + "    b = 1\n    if a:\n        b += state.smal\n    return b\n"
    )
    line = HEAD.count("\n") + 3
    found = message(module.refused, np.zeros(1, STATE)[0], 3)
    assert found.startswith(
        f"refused ({module.__name__}.py, line {line}): there is no place 'smal'"
    )


def test_a_rule_of_another_file_is_refused_there(tmp_path, monkeypatch):
    other = loaded(tmp_path, HEAD + "    return a.x\n")
    module = loaded(tmp_path, HEAD + "    return other(state, a)\n")
    module.other = other.refused
    assert f"refused ({other.__name__}.py, line" in message(
        module.refused, np.zeros(1, STATE)[0], 3
    )


def test_a_rule_is_called_by_its_own_name(tmp_path):
    module = loaded(tmp_path, HEAD + "    return cards.helper(state, a) + cards.LIMIT\n")
    module.cards = module
    found = message(module.refused, np.zeros(1, STATE)[0], 3)
    assert f"write: from {module.__name__} import helper" in found


def test_python_is_given_numbers_only(tmp_path):
    module = loaded(tmp_path, HEAD + "    return state\n")
    found = message(module.refused, np.zeros(1, STATE)[0], 3)
    assert "returns a record; Python can be given numbers only" in found


def test_a_rule_of_no_file_is_refused(tmp_path):
    names: dict = {}
    exec(HEAD + "    return 1\n", names)  # noqa: S102
    assert "must stand in a file" in message(names["refused"], 1, 2)


def test_a_file_that_has_changed_meanwhile_is_refused(tmp_path):
    for text in (
        HEAD + "    return 2\n",
        "\n" + HEAD + "    return 1\n",
        HEAD + "    return 1 +\n",
    ):
        module = loaded(tmp_path, HEAD + "    return 1\n")
        (tmp_path / f"{module.__name__}.py").write_text(text, encoding="utf-8")
        assert "its file has changed since it was loaded" in message(module.refused, 1, 2)
    commented = (HEAD + "    return 1\n").replace("    return 1", "    return 1  # one")
    module = loaded(tmp_path, HEAD + "    return 1\n")
    (tmp_path / f"{module.__name__}.py").write_text(commented, encoding="utf-8")
    assert Library("test", "compiled", {})(module.refused)(1, 2) == 1


def test_names_beyond_ascii(tmp_path):
    text = HEAD + "    return schätze(a)\n\n\n@rule\ndef schätze(größe):\n    return größe + 1\n"
    module = loaded(tmp_path, text)
    assert Library("test", "compiled", {})(module.refused)(1, 2) == 3
