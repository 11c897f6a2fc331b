"""A fresh process up to the first decision of `club`: how many CPU-seconds that takes.

python -m brelan.lab.bench_child GAME

It prints one line of JSON: `total`, and the parts `import`, `front end` (rules to LLVM's text),
`LLVM` (text to machine code), `load` (machine code into the process) and `rest`. The total is all
that the processor has done for the process, the start of Python included.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

SEED = 1


def main(name: str) -> None:
    """Decide once, and print what that took."""
    import brelan
    import brelan.bots
    from brelan.compiler import library, machine_code

    spent = defaultdict(float, {"import": time.process_time()})
    for module, function, part in (
        (library, "compile_rule", "compile"),
        (machine_code, "compile_object", "LLVM"),
        (machine_code, "Loaded", "load"),
    ):
        setattr(module, function, timed(getattr(module, function), spent, part))
    game = brelan.game(name)
    match, bot = game.deal(seed=SEED), brelan.bot("club", game)
    while match.turn is not None:
        view = match.view(match.turn)
        move = bot.choose(view)
        if len(view.legal()) > 1:
            break
        match.play(move)
    total = time.process_time()
    spent["front end"] = spent.pop("compile", 0.0) - spent["LLVM"]
    parts = {part: spent[part] for part in ("import", "front end", "LLVM", "load")}
    rest = total - sum(parts.values())
    sys.stdout.write(json.dumps({"total": total, **parts, "rest": rest}) + "\n")


def timed(
    function: Callable[..., Any], spent: defaultdict[str, float], part: str
) -> Callable[..., Any]:
    """Return a function that adds what it takes to a part."""

    def run(*arguments: Any) -> Any:
        begun = time.process_time()
        result = function(*arguments)
        spent[part] += time.process_time() - begun
        return result

    return run


if __name__ == "__main__":
    main(sys.argv[1])
