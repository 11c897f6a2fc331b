"""Brelan on a machine that has only Python: sets everything up, then runs it or its tests.

python3 run.py            a server on this machine, and its page in the browser
python3 run.py test       all tests (--fast: those for every save; --long: a night of them)
python3 run.py ARGS…      the `brelan` program, for example: python3 run.py rules love-letter
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
OWN = HERE / ".uv"  # uv lives here where the machine has none
SET_UP = (HERE / ".venv", HERE / "src" / "brelan" / "static")
TEST = ["run", "--all-groups", "--all-extras", "pytest", "-n", "auto", "--dist", "worksteal"]


def uv() -> str:
    """Return uv: the machine's own, or one installed here, which takes a moment."""
    if found := shutil.which("uv"):
        return found
    folder = OWN / ("Scripts" if os.name == "nt" else "bin")
    program = folder / ("uv.exe" if os.name == "nt" else "uv")
    if not program.exists():
        venv.create(OWN, with_pip=True, clear=True)
        python = folder / ("python.exe" if os.name == "nt" else "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "uv>=0.9"], check=True)  # noqa: S603
    return str(program)


def main(arguments: list[str]) -> int:
    """Run the program, or the tests."""
    if sys.version_info < (3, 11):
        print("Brelan needs Python 3.11 or later", file=sys.stderr)  # noqa: T201
        return 2
    if arguments[:1] == ["test"]:
        command = [*TEST, *arguments[1:]]
    else:
        command = ["run", "--quiet", "--extra", "lab", "brelan", *arguments]
    if not all(folder.exists() for folder in SET_UP):
        print("Setting up Brelan …", file=sys.stderr, flush=True)  # noqa: T201
    environment = {**os.environ, "UV_PYTHON": os.environ.get("UV_PYTHON", sys.executable)}
    environment.pop("VIRTUAL_ENV", None)
    return subprocess.run(  # noqa: S603
        [uv(), command[0], "--project", str(HERE), *command[1:]],
        check=False,
        cwd=HERE if arguments[:1] == ["test"] else None,
        env=environment,
    ).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
