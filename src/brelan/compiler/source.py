"""The source of rules: their syntax trees, what their names mean, and how they are refused."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

from brelan.errors import Refused

ALLOWED = (
    "rules are made of numbers, records and rows of them, if, for, while, match, return, raise "
    "ValueError with a text, and calls of rules"
)
FUNCTIONS = ("range", "len", "min", "max", "abs", "divmod", "int", "float", "bool")


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
        self.file = Path(function.__code__.co_filename)
        self.line = function.__code__.co_firstlineno
        found = _functions(self.file).get(self.line)
        if found is None:
            self.refuse(None, "a rule must stand at the top level of its file, not in a closure")
        self.tree = found
        arguments = found.args
        odd = (arguments.vararg, arguments.kwarg, arguments.kwonlyargs, arguments.defaults)
        if any(odd):
            self.refuse(found, "a rule takes its arguments by position, without defaults")
        self.parameters = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]

    def meaning(self, name: str) -> Any:
        """Return what a name of the rule's module means, hooks as the game implements them."""
        if name in self.function.__globals__:
            value = self.function.__globals__[name]
            try:
                return self._hooks.get(value, value)
            except TypeError:  # not hashable, so no hook
                return value
        return getattr(builtins, name) if name in FUNCTIONS else None

    def refuse(self, node: ast.AST | None, message: str) -> NoReturn:
        """Raise CannotCompile, at a node of the rule."""
        raise CannotCompile(f"{self.place(node)}: {message}")

    def place(self, node: ast.AST | None) -> str:
        """Return where a node stands: rule, file and line."""
        line = getattr(node, "lineno", self.line)
        return f"{self.function.__name__} ({self.file.name}, line {line})"


@functools.cache
def _functions(file: Path) -> dict[int, ast.FunctionDef]:
    """Return the functions of a file by their first lines, decorators included."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {
        min([node.lineno, *(each.lineno for each in node.decorator_list)]): node for node in found
    }
