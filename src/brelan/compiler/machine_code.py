"""LLVM: from the text of a program to machine code of this processor, and into this process."""

from __future__ import annotations

import functools
import threading
from typing import Any

import llvmlite
from llvmlite import binding as llvm

from brelan.compiler.code import UNREAD

SPEED = 2  # as -O2
INLINED = 225  # the size of a rule up to which it becomes a part of those that call it

_lock = threading.Lock()  # LLVM's own state is one for all


def _new_machine() -> Any:
    """Return LLVM's description of this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=SPEED,
        reloc="pic",
        jit=True,
    )


_machine = functools.cache(_new_machine)


@functools.cache
def platform() -> str:
    """Return all that machine code depends on besides the program."""
    features = llvm.get_host_cpu_features().flatten()
    triple = llvm.get_default_triple()
    return " ".join([llvmlite.__version__, triple, llvm.get_host_cpu_name(), features])


def compile_object(text: str) -> bytes:
    """Return the machine code of a program, as the bytes of an object file.

    It is empty if the program, optimised, still depends on a place that was said to be unread.
    """
    with _lock:
        machine = _machine()
        layout = f'target datalayout = "{machine.target_data}"\n'
        module = llvm.parse_assembly(layout + text)
        module.triple = machine.triple
        options = llvm.PipelineTuningOptions(speed_level=SPEED)
        options.inlining_threshold = INLINED
        options.loop_vectorization = options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        if UNREAD in str(module):
            return b""
        code: bytes = machine.emit_object(module)
        return code


class Loaded:
    """Machine code in this process, as long as this object lives."""

    def __init__(self, code: bytes) -> None:
        with _lock:
            module = llvm.parse_assembly("")
            module.triple = _machine().triple
            self._engine = llvm.create_mcjit_compiler(module, _new_machine())  # which it takes away
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()

    def address(self, symbol: str) -> int:
        """Return where a function begins."""
        with _lock:
            found: int = self._engine.get_function_address(symbol)
        return found
