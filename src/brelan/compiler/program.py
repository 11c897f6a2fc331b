"""A program: the rules that an entry needs, for the types they are called with, as LLVM's text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from brelan.compiler.code import Code, declared, together_as
from brelan.compiler.expressions import Retry
from brelan.compiler.source import Source
from brelan.compiler.statements import RESULT, Translation
from brelan.compiler.types import NOTHING, Type, Value, as_parameter

DECLARATIONS = """
declare i64 @llvm.abs.i64(i64, i1)
declare double @llvm.fabs.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.copysign.f64(double, double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare double @llvm.exp.f64(double)
declare double @llvm.log.f64(double)
declare double @llvm.sqrt.f64(double)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare double @pow(double, double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)
declare i64 @unread() nounwind willreturn memory(none)

!1 = distinct !{!1, !3, !4}
!2 = distinct !{!2, !5}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = !{!"llvm.loop.vectorize.enable", i1 false}
!5 = !{!"llvm.loop.unroll.full"}
"""

Knobs = Mapping[np.dtype[Any], Mapping[str, int]]  # places of a record that never change
Unread = Mapping[np.dtype[Any], frozenset[str]]  # places of a record that nothing depends on


@dataclass
class Instance:
    """A rule for arguments of given types."""

    name: str
    parameters: tuple[Type, ...]
    result: Type = NOTHING.type
    may_raise: bool = False
    is_done: bool = False  # not yet: it is being translated

    @property
    def parts(self) -> list[str]:
        """The LLVM types that it returns: its result, then a status if it may raise."""
        return [*self.result.parts, *(["i32"] if self.may_raise else [])]


class Program:
    """Rules as LLVM's text, from one entry that C can call."""

    def __init__(
        self,
        hooks: Mapping[Callable[..., Any], Callable[..., Any]],
        knobs: Knobs | None = None,
        unread: Unread | None = None,
        *,
        is_checked: bool = False,
    ) -> None:
        self.hooks, self.is_checked = hooks, is_checked
        self.knobs, self.unread = knobs or {}, unread or {}
        self._statuses: dict[tuple[str, str], int] = {}
        self._instances: dict[tuple[Any, tuple[Type, ...]], Instance] = {}
        self._tables: dict[int, str] = {}
        self._kept: list[np.ndarray[Any, Any]] = []
        self._text: list[str] = []

    @property
    def exceptions(self) -> list[tuple[str, str]]:
        """What a status means, less one: the name of an exception, and its text."""
        return list(self._statuses)

    def text(self) -> str:
        """Return all of it as LLVM reads it."""
        return DECLARATIONS + "\n" + "\n".join(self._text)

    def instance(
        self, caller: Source, node: ast.AST, rule: Any, arguments: Sequence[Value]
    ) -> Instance:
        """Return a rule for the types of some arguments; translate it if that is not done yet."""
        parameters = tuple(as_parameter(value.type) for value in arguments)
        key = (rule, parameters)
        if key not in self._instances:
            source = Source(rule, self.hooks)
            if len(source.parameters) != len(parameters):
                names = ", ".join(source.parameters)
                caller.refuse(node, f"{rule.__name__}({names}) is given {len(parameters)} values")
            self._instances[key] = self._translate(key, source)
        found = self._instances[key]
        if not found.is_done:
            caller.refuse(node, f"{rule.__name__} calls itself; write the stack out as a row")
        return found

    def _translate(self, key: tuple[Any, tuple[Type, ...]], source: Source) -> Instance:
        function = source.function
        name = f"{function.__module__}.{function.__name__}.{len(self._instances)}"
        instance = Instance(f'"{name}"', key[1])
        self._instances[key] = instance
        types: dict[str, Type] = {}
        may_raise = self.is_checked
        while True:
            translation = Translation(source, self, types)
            translation.may_raise = may_raise
            try:
                parameters = translation.begin(key[1])
                translation.body()
                break
            except Retry:
                may_raise = translation.may_raise
        instance.result = types.get(RESULT, NOTHING.type)
        instance.may_raise = may_raise
        instance.is_done = True
        head = f"fastcc {together_as(instance.parts)} @{instance.name}({', '.join(parameters)})"
        whole = translation.code.text(f"define internal {head} mustprogress nounwind")
        self._text.append(whole)
        return instance

    def entry(self, rule: FunctionType, types: Sequence[Type], symbol: str) -> Instance:
        """Add a function that C can call: flat arguments, then where the result is to be written.

        It returns a status: 0, or one more than the place of what it raises in `exceptions`.
        """
        source, code = Source(rule, self.hooks), Code()
        arguments = [Value(type_, tuple(code.name() for _ in type_.parts)) for type_ in types]
        called = self.instance(source, source.tree, rule, arguments)
        parts = code.call(called.name, arguments, called.parts)
        status = parts.pop() if called.may_raise else "0"
        for place, (ir, part) in enumerate(zip(called.result.parts, parts, strict=True)):
            pointer = code.value(f"getelementptr i64, ptr %result, i64 {place}")
            if ir == "i1":
                code.store("i64", code.value(f"zext i1 {part} to i64"), pointer)
            else:
                code.store(ir, part, pointer)
        code.end(f"ret i32 {status}")
        head = f"define i32 @{symbol}({', '.join([*declared(arguments), 'ptr %result'])}) nounwind"
        self._text.append(code.text(head))
        return called

    def table(self, array: np.ndarray[Any, Any]) -> str:
        """Return where a constant table lies in the module."""
        if id(array) not in self._tables:
            self._kept.append(array)  # as long as it lives, no other one has its id
            name = f"@table{len(self._tables)}"
            content = "".join(f"\\{byte:02X}" for byte in np.ascontiguousarray(array).tobytes())
            size = len(content) // 3
            self._text.append(
                f'{name} = private unnamed_addr constant [{size} x i8] c"{content}", align 16\n'
            )
            self._tables[id(array)] = name
        return self._tables[id(array)]

    def exception(self, name: str, text: str) -> int:
        """Return the status that stands for an exception."""
        return self._statuses.setdefault((name, text), len(self._statuses) + 1)
