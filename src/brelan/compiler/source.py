"""The source of rules: their syntax trees, what their names mean, and how they are refused."""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NoReturn

from brelan.compiler.types import TypeMismatch
from brelan.errors import Refused

ALLOWED = (
    "rules are made of numbers, records and rows of them, if, for, while, match, return, raise "
    "ValueError with a text, and calls of rules"
)
CALLED = (
    "rules call rules, range, len, min, max, abs, divmod, int, float, bool, np.int64, np.float64, "
    "np.uint64, np.empty, np.zeros, math.exp, math.log and math.sqrt"
)
PARSING = threading.Lock()  # Python 3.11 counts how deep a tree is for all threads together
BUILTINS = (range, len, min, max, abs, divmod, int, float, bool)


class CannotCompile(Refused):
    """A rule that cannot be compiled; the message names it, its file and line, and what can be."""


def is_rule(value: object) -> bool:
    """Whether something is a rule."""
    return callable(value) and hasattr(value, "__rule__")


class Source:
    """One rule: its syntax tree, and what the names in it mean."""

    def __init__(
        self, function: FunctionType, hooks: Mapping[Callable[..., Any], Callable[..., Any]]
    ) -> None:
        self.function, self._hooks = function, hooks
        self._file = Path(function.__code__.co_filename)
        self._line = function.__code__.co_firstlineno
        self.tree = self._found()
        of = self.tree.args
        if of.vararg or of.kwarg or of.kwonlyargs or of.defaults:
            self.refuse(self.tree, "a rule takes its arguments by position, without defaults")
        self.parameters = [each.arg for each in (*of.posonlyargs, *of.args)]

    def _found(self) -> ast.FunctionDef:
        try:
            stat = self._file.stat()
            trees, codes = _functions(self._file, stat.st_mtime_ns, stat.st_size)
        except OSError:
            self.refuse(None, "a rule must stand in a file")
        except SyntaxError:
            self.refuse(None, "its file has changed since it was loaded; start again")
        if self.function.__closure__ or "<locals>" in self.function.__qualname__:
            self.refuse(None, "a rule must stand at the top level of its file, not in a function")
        if self._line not in trees or not _is_same(codes[self._line], self.function.__code__):
            self.refuse(None, "its file has changed since it was loaded; start again")
        return trees[self._line]

    def is_variable(self, name: str) -> bool:
        """Whether a name is one of the rule's own."""
        return name in self.function.__code__.co_varnames

    def meaning(self, name: str) -> Any:
        """Return what a name of the rule's module means, hooks as the game implements them."""
        if name in self.function.__globals__:
            value = self.function.__globals__[name]
            return self._hooks.get(value, value) if callable(value) else value
        for function in BUILTINS:
            if name == function.__name__:
                return function
        if hasattr(builtins, name):
            raise TypeMismatch(f"{name!r} is not for rules: {CALLED}")
        known = [*self.function.__globals__, *self.function.__code__.co_varnames]
        raise TypeMismatch(f"there is no {name!r}{similar(name, known)}")

    def refuse(self, node: ast.AST | None, message: str) -> NoReturn:
        """Raise CannotCompile, at a node of the rule."""
        raise CannotCompile(f"{self.place(node)}: {message}")

    def place(self, node: ast.AST | None) -> str:
        """Return where a node stands: rule, file and line."""
        line = getattr(node, "lineno", self._line)
        return f"{self.function.__name__} ({self._file.name}, line {line})"


def similar(name: str, known: Iterable[str]) -> str:
    """Return a hint at names that are written much like another one."""
    found = difflib.get_close_matches(name, known)
    return f"; did you mean {' or '.join(found)}?" if found else ""


@functools.lru_cache(maxsize=256)
def _functions(
    file: Path, time: int, size: int
) -> tuple[dict[int, ast.FunctionDef], dict[int, CodeType]]:
    """Return the functions of a file, and their code, by their first lines, decorators included."""
    with PARSING:
        tree = ast.parse(file.read_bytes())
        whole: CodeType = compile(tree, str(file), "exec", dont_inherit=True)
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    trees = {
        min([node.lineno, *(each.lineno for each in node.decorator_list)]): node for node in found
    }
    codes = {each.co_firstlineno: each for each in whole.co_consts if isinstance(each, CodeType)}
    return trees, codes


def _is_same(one: CodeType, other: CodeType) -> bool:
    """Whether two pieces of code do the same."""

    def content(code: CodeType) -> tuple[object, ...]:
        return code.co_code, code.co_consts, code.co_names, code.co_varnames

    return content(one) == content(other)
