"""`brelan lab`: the designer's lab, a group of commands."""

from __future__ import annotations

from cyclopts import App

COMMANDS = {
    "report": "Say how balanced a variant is, and how sure that is: a page to read.",
    "compare": "Play two variants, or two bots, on the same deals, and say what changed.",
    "tune": "Search over knobs for variants that are better in several ways at once.",
    "scale": "Measure how much sooner a study is done by several workers.",
}

lab = App(name="lab", help="The designer's lab: change the rules, and see what that does.")
for _place, (_name, _help) in enumerate(COMMANDS.items()):  # imported when they are asked for
    lab.command(f"brelan.cli.lab_{_name}:{_name}", name=_name, help=_help, sort_key=_place)
