"""The program in this process: as a user types it, without the time that a new process takes."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from brelan.cli import main


class Done(NamedTuple):
    """How the program has ended, and what it has written."""

    returncode: int
    stdout: str
    stderr: str


def run_here(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """Run the program."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    code = ended.value.code
    assert isinstance(code, int)
    return Done(code, *capsys.readouterr())
