"""Machine code is kept between runs, by all that it depends on, and by nothing else."""

from __future__ import annotations

import gc
import importlib.util
import itertools
import os
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

from brelan.compiler import machine_code
from brelan.compiler.library import Library
from brelan.errors import Refused

CARDS = """
LIMIT = 3
"""
TEXT = '''
"""Some rules."""
import enum

import numpy as np

import CARDS

BONUS = 7
TABLE = np.array([1, 2, 3], np.int16)
PAIR = (4, np.array([5, 6]))
MOVES = np.array([(1, 2)], np.dtype([("card", np.int16), ("worth", np.int64)], align=True))


def rule(function):
    function.__rule__ = True
    return function


class Card(enum.IntEnum):
    GUARD = 1
    PRIEST = 2


def score(state, a):
    raise TypeError("a hook")


@rule
def helper(a):
    """Help."""
    return a * 2


@rule
def unused(a):
    return a * 3


@rule
def entry(state, a):
    """Return a number."""
    # of no meaning
    if state[0] > 100:
        raise ValueError("too much")
    total = helper(a) + BONUS + TABLE[1] + Card.PRIEST + PAIR[1][0] + MOVES[0].worth
    return total + CARDS.LIMIT + score(state, 10)


@rule
def score_here(state, a):
    return state[0] + a


@rule
def score_there(state, a):
    return state[0] - a
'''
STATE = np.dtype([("players", np.int16), ("seat", np.int16)], align=True)
_count = itertools.count()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path / "machine-code"))
    return tmp_path / "machine-code" / "test"


@pytest.fixture
def compiled(monkeypatch):
    """Return a list that has an entry for each time something is compiled."""
    calls, compile_object = [], machine_code.compile_object
    monkeypatch.setattr(
        machine_code, "compile_object", lambda text: calls.append(1) or compile_object(text)
    )
    return calls


def loaded(folder, text=TEXT, cards=CARDS):
    """Return the rules of a text: a module that is loaded anew each time, under one name."""
    where = folder / f"version_{next(_count)}"
    where.mkdir()

    def load(name, content):
        (where / f"{name}.py").write_text(content, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, where / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        return module, spec.loader

    other, loader = load("made_cards", cards)
    loader.exec_module(other)
    module, loader = load("made_rules", text.replace("import CARDS\n", ""))
    module.CARDS = other
    loader.exec_module(module)
    return module


def run(module, *, mode="compiled", a=5, hook="score_here", knobs=None):
    hooks = {module.score: getattr(module, hook)}
    return Library("test", mode, hooks, knobs)(module.entry)(np.array([1]), a)


@pytest.mark.parametrize("mode", ["compiled", "checked"])
def test_a_second_library_loads_what_the_first_has_compiled(tmp_path, folder, compiled, mode):
    module = loaded(tmp_path)
    expected = 10 + 7 + 2 + 2 + 5 + 2 + 3 + 11
    assert [run(module, mode=mode) for _ in range(3)] == [expected] * 3
    assert run(loaded(tmp_path), mode=mode) == expected
    assert len(compiled) == 1
    assert len(list(folder.iterdir())) == 1


def test_another_process_loads_what_the_first_has_compiled(tmp_path, folder):
    loaded(tmp_path)
    where = next(tmp_path.glob("version_*"))
    (where / "made_rules.py").write_text(TEXT.replace("import CARDS", "import made_cards as CARDS"))
    script = """
import numpy as np, made_rules as made
from brelan.compiler.library import Library
run = Library("test", "checked", {made.score: made.score_here})(made.entry)
row = np.array([1])
row.flags.writeable = False
print(run(row, 5))
"""
    for seed in ("1", "2"):
        settings = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(where)}
        done = subprocess.run([sys.executable, "-c", script], env=settings, capture_output=True)
        assert done.stdout.split() == [b"42"], done.stderr
    assert len(list(folder.iterdir())) == 1


UNLIKE = {
    "a rule": ("return a * 2", "return a * 4"),
    "a constant": ("BONUS = 7", "BONUS = 8"),
    "a type of constant": ("BONUS = 7", "BONUS = np.uint64(7) * 1.0"),
    "a table": ("np.array([1, 2, 3], np.int16)", "np.array([1, 3, 3], np.int16)"),
    "a table's type": ("np.array([1, 2, 3], np.int16)", "np.array([1, 2, 3], np.int8)"),
    "a table in a tuple": ("PAIR = (4, np.array([5, 6]))", "PAIR = (4, np.array([4, 6]))"),
    "an enumeration": ("PRIEST = 2", "PRIEST = 4"),
    "a table of records": ("(1, 2)", "(1, 3)"),
    "an exception": ("too much", "far too much"),
    "a rule of the same content": ("total = helper(a)", "total = unused(a)"),
    "what a hook means": ("return state[0] + a", "return state[0] + a + a"),
}
ALIKE = {
    "a comment": ("# of no meaning", "# of some meaning,\n    # in two lines"),
    "a docstring": ("Return a number.", "Return another number.\n\n    A larger one.\n    "),
    "a docstring of a helper": ("Help.", "Helps."),
    "another rule": ("return a * 3", "return a * 5"),
    "what the hook does not mean": ("return state[0] - a", "return state[0] - 2 * a"),
    "a line": ('"""Some rules."""', '"""Some rules."""\n\n\n'),
}


@pytest.mark.parametrize("what", UNLIKE)
def test_an_edit_that_matters_compiles_anew(tmp_path, folder, compiled, what):
    before = run(loaded(tmp_path))
    text = TEXT.replace(*UNLIKE[what])
    assert text != TEXT
    after = run(loaded(tmp_path, text))
    assert len(compiled) == 2
    assert (after == before) == (what in ("a type of constant", "a table's type", "an exception"))


@pytest.mark.parametrize("what", ALIKE)
def test_an_edit_that_does_not_matter_compiles_nothing(tmp_path, folder, compiled, what):
    before = run(loaded(tmp_path))
    text = TEXT.replace(*ALIKE[what])
    assert text != TEXT
    assert run(loaded(tmp_path, text)) == before
    assert len(compiled) == 1


def test_a_constant_of_another_module_matters(tmp_path, folder, compiled):
    assert run(loaded(tmp_path, cards="LIMIT = 4")) == run(loaded(tmp_path)) + 1
    assert len(compiled) == 2


def test_hooks_modes_and_types_matter(tmp_path, folder, compiled):
    module = loaded(tmp_path)
    assert run(module) == run(module, hook="score_there") + 20 == run(module, mode="checked")
    assert run(module, a=5.0) == run(module)
    assert len(compiled) == 4


def test_lines_matter_to_errors_when_checked(tmp_path, folder, compiled):
    run(loaded(tmp_path), mode="checked")
    run(loaded(tmp_path, TEXT.replace("# of no meaning", "#\n    #")), mode="checked")
    assert len(compiled) == 2


def test_knobs_matter(tmp_path, folder, compiled):
    module = loaded(tmp_path, TEXT + "\n\n@rule\ndef count(state):\n    return state.players\n")
    state = np.zeros(1, np.dtype((np.record, STATE)))[0]
    found = [
        Library("test", "compiled", {}, knobs)(module.count)(state)
        for knobs in (None, {STATE: {"players": 3}}, {STATE: {"players": 4}}, {STATE: {"seat": 4}})
        for _ in range(2)
    ]
    assert found == [0, 0, 3, 3, 4, 4, 0, 0]
    assert len(compiled) == 4


def damages(content):
    yield b""
    yield content[:-1]
    yield content[: len(content) // 2]
    for place in (0, 10, 40, 60, len(content) // 2, len(content) - 1):
        yield content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def test_a_damaged_file_is_compiled_again(tmp_path, folder, compiled):
    module = loaded(tmp_path)
    expected = run(module)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for times, damaged in enumerate(damages(whole), start=2):
        file.write_bytes(damaged)
        assert run(module) == expected
        assert len(compiled) == times
        assert file.read_bytes() == whole
    file.unlink()
    file.mkdir()
    with pytest.raises(Refused, match="cannot keep machine code"):
        run(module)


def test_a_folder_that_cannot_be_written_gives_one_clear_line(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path / "file"))
    with pytest.raises(Refused) as refused:
        run(loaded(tmp_path))
    assert "\n" not in str(refused.value)
    assert "let BRELAN_CACHE name a folder that can be written" in str(refused.value)


def test_code_that_nobody_uses_is_removed_and_folders_are_left_alone(tmp_path, folder):
    module = loaded(tmp_path)
    run(module)
    (file,) = folder.iterdir()
    (folder / "other").mkdir()
    month_ago = time.time() - 31 * 24 * 3600
    for old in (file, folder / "other"):
        os.utime(old, (month_ago, month_ago))
    run(module, hook="score_there")
    assert not file.exists()
    assert (folder / "other").exists()
    assert len(list(folder.iterdir())) == 2  # no parts of files are left


def test_code_that_is_used_stays(tmp_path, folder):
    module = loaded(tmp_path)
    run(module)
    (file,) = folder.iterdir()
    month_ago = time.time() - 31 * 24 * 3600
    os.utime(file, (month_ago, month_ago))
    run(module)
    run(module, hook="score_there")
    assert file.exists()


LONG = """

@rule
def mixed(row, seed):
    total = seed
    for turn in range(20000):
        total = (total * 31 + row[turn % 5]) % 1000003
        row[turn % 5] = total % 7
    if seed < 0:
        raise ValueError("negative")
    return total, 0.5 * total, total > 500000
"""


def test_entries_are_called_from_several_threads_at_once(tmp_path, folder):
    module = loaded(tmp_path, TEXT + LONG)
    libraries = [Library("test", "compiled", {}) for _ in range(2)]
    expected = [module.mixed([0] * 5, seed) for seed in range(8)]
    wrong, begin = [], threading.Barrier(8)

    def work(seed):
        begin.wait()
        for _ in range(30):
            found = libraries[seed % 2](module.mixed)(np.zeros(5, np.int64), seed)
            if found != expected[seed]:
                wrong.append((seed, found))
            try:
                libraries[seed % 2](module.mixed)(np.zeros(5, np.int64), -1)
                wrong.append(seed)
            except ValueError as error:
                assert str(error) == "negative"

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(list(folder.iterdir())) == 1


def test_code_outlives_its_library(tmp_path, folder):
    module = loaded(tmp_path)
    library = Library("test", "compiled", {module.score: module.score_here})
    kept, gone = library(module.entry), weakref.ref(library)
    expected = kept(np.array([1]), 5)
    entry = next(iter(kept._entries.values()))
    del library, kept
    gc.collect()
    assert gone() is None
    for _ in range(50):  # which would come to lie where freed code lay
        run(loaded(tmp_path))
    assert entry(np.array([1]), 5) == expected
