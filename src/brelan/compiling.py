"""How numba compiles a rule: machine code is made of those that Python calls, and only of them.

By itself numba optimises every function and makes machine code of it, together with all that it
calls, so that what lies deep is made again for each rule above it. A rule that only other rules
call needs none of that: it is typed and lowered, and made within those that call it.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering


class RuleCompiler(CompilerBase):
    """The passes of numba, but for the last: a `pipeline_class` of `numba.njit`."""

    def define_pipelines(self) -> list[Any]:
        """Return the one way to compile a rule."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(RuleLowering, NativeLowering)
        passes.passes = [each for each in passes.passes if each[0] is not NativeLowering]
        passes.finalize()
        return [passes]


@register_pass(mutates_CFG=True, analysis_only=False)
class RuleLowering(NativeLowering):
    """From typed steps to those of LLVM, and on to machine code if Python calls the rule."""

    _name = "rule_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower the rule; one that has no door for Python is called by other rules only."""
        if state.flags.no_cpython_wrapper:
            return self._lower_inner(state)
        super().run_pass(state)
        for variable in state.library._final_module.global_variables:
            if environment := lookup_environment(variable.name):  # of a rule that is made within
                state.library.codegen.set_env(variable.name, environment)
        return True

    def _lower_inner(self, state: Any) -> bool:
        state.library = Unmade(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        super().run_pass(state)
        nothing: dict[None, None] = {}
        door = nothing.__getitem__  # stands for the rule; whoever called it would get an error
        state["cr"] = state["cr"]._replace(cfunc=door)
        state.targetctx.insert_user_function(door, state["cr"].fndesc, [state.library])
        return True


class Unmade(JITCodeLibrary):
    """What is linked into others, and not made into machine code by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to those it is linked into."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True
