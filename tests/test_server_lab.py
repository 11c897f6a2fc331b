"""The lab of a server: studies in processes of their own, within limits, shared by their ids."""

from __future__ import annotations

import importlib.util
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import brelan
from brelan.kit.new import TEMPLATE
from brelan.lab import bench_study
from brelan.lab.bench_client import House
from brelan.server.lab import studies
from brelan.server.lab.folder import ASKED, Folder
from server_fixture import Client, Server, running

GAME = {"game": "template-game"}
WAIT = 60.0
REPORTED = "default-src 'none'; style-src 'unsafe-inline'"


@pytest.fixture(scope="module", autouse=True)
def _shelf() -> Iterator[None]:
    """The template game is one of the server's games, in the processes of studies too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRELAN_GAMES", str(TEMPLATE))
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("lab"), lab_studies=2) as made:
        yield made


def begin(client: Client, **more: Any) -> str:
    answer = client.post("/api/lab/studies", GAME | more)
    assert answer.status == 201, answer.json
    study: str = answer.json["study"]
    return study


def look(client: Client, study: str, kind: str = "studies") -> Any:
    return client.get(f"/api/lab/{kind}/{study}").json


def wait_for(
    client: Client, study: str, reached: Callable[[Any], bool], kind: str = "studies"
) -> Any:
    latest = time.monotonic() + WAIT
    while not reached(found := look(client, study, kind)):
        assert time.monotonic() < latest, found
        time.sleep(0.1)
    return found


def has_figures(info: Any) -> bool:
    return bool(info["look"]["matches"])


def has_ended(info: Any) -> bool:
    return bool(info["status"] != "running")


def process_of(study: str) -> int:
    """Return the process that runs a study."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if study.encode() in path.read_bytes():
                return int(path.parent.name)
        except OSError:
            continue
    raise AssertionError("no process runs it")


def test_figures_settle_and_the_report_is_shared(server: Server) -> None:
    ana, ben = Client(server), Client(server)
    assert ana.get("/api/lab").json["is_open"]
    study = begin(ana, level="honest")
    early = wait_for(ana, study, has_figures)
    assert early["mine"]
    assert (early["game"], early["players"], early["level"]) == ("template-game", 2, "honest")
    seat = early["look"]["seats"][0]
    assert 0 <= seat["low"] <= seat["mean"] <= seat["high"] <= 1
    later = wait_for(ana, study, lambda info: has_ended(info) or info["look"]["number"] > 3)
    narrower = later["look"]["seats"][0]
    assert narrower["high"] - narrower["low"] < seat["high"] - seat["low"]

    refused = ben.post(f"/api/lab/studies/{study}/stop", {})
    assert (refused.status, refused.code) == (403, "not_your_study")
    assert not look(ben, study)["mine"]
    ana.post(f"/api/lab/studies/{study}/stop", {})
    ended = wait_for(ana, study, has_ended)
    assert ended["status"] in ("stopped", "settled")
    told = ben.get(f"/api/lab/studies/{study}/told/fr").json
    assert told["sentences"]
    report = ben.get(f"/lab/{study}/en")
    assert report.status == 200
    assert report.headers["Content-Security-Policy"].startswith(REPORTED)
    assert len(report.headers.get_all("Content-Security-Policy") or []) == 1
    assert b"<script" not in report.content
    assert ben.get(f"/lab/{study}").headers["Location"] == f"/#lab={study}"


def test_two_sides_are_compared_and_the_page_is_shared(server: Server) -> None:
    ana, ben = Client(server), Client(server)
    wanted = GAME | {"a": {"level": "novice"}, "b": {"level": "novice", "knobs": {"bet": 2}}}
    begun = ana.post("/api/lab/comparisons", wanted)
    assert begun.status == 201, begun.json
    study = begun.json["study"]
    path = f"/api/lab/comparisons/{study}"
    early = wait_for(ana, study, lambda info: info["look"]["changes"], "comparisons")
    assert (early["a"]["turned"], early["b"]["turned"]) == ({}, {"bet": 2})
    assert early["mine"]
    refused = ben.post(f"{path}/stop", {})
    assert (refused.status, refused.code) == (403, "not_your_study")
    assert ana.post(f"/api/lab/studies/{study}/stop", {}).code == "no_such_study"
    assert not (studies.home_of(server.settings) / study / "stop").exists()
    later = wait_for(
        ana, study, lambda info: has_ended(info) or info["look"]["number"] > 3, "comparisons"
    )
    one, other = (next(c for c in i["look"]["changes"] if c["share"]) for i in (early, later))
    widths = [each["difference"]["high"] - each["difference"]["low"] for each in (one, other)]
    assert widths[1] < widths[0]
    ana.post(f"{path}/stop", {})
    ended = wait_for(ana, study, has_ended, "comparisons")
    assert ended["status"] in ("stopped", "settled")
    (spread,) = (each for each in ended["look"]["changes"] if each["key"] == "spread")
    assert spread["sure"]
    assert spread["difference"]["low"] > 0
    told = ben.get(f"{path}/told/fr").json
    assert any("**" in sentence for sentence in told["sentences"])
    assert told["names"].keys() >= {"spread", "seat:0", "order:1"}
    page = ben.get(f"/lab/{study}/en")
    assert page.status == 200
    assert b"brelan lab compare template-game" in page.content
    assert ben.get(f"/lab/{study}").headers["Location"] == f"/#compare={study}"
    assert ben.get(f"/api/lab/studies/{study}").code == "no_such_study"


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"game": "gone"}, 404, "no_such_game"),
        ({"b": {"knobs": {"bet": 9}}}, 422, "bad_variant"),
        ({"b": {"level": "nobody"}}, 422, "bad_bot"),
        ({"players": 9}, 422, "bad_variant"),
        ({"b": {"bet": 2}}, 400, "bad_request"),
        ({"b": None}, 400, "bad_request"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    server: Server, wanted: dict[str, Any], status: int, code: str
) -> None:
    before = sorted(studies.home_of(server.settings).glob("*"))
    answer = Client(server).post("/api/lab/comparisons", GAME | {"a": {}, "b": {}} | wanted)
    assert (answer.status, answer.code) == (status, code)
    assert sorted(studies.home_of(server.settings).glob("*")) == before


def test_a_study_is_found_again_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ana = Client(server)
        study = begin(ana)
        before = wait_for(ana, study, has_figures)
    with running(tmp_path) as server:
        found = look(Client(server), study)
        assert found["status"] == "shut_down"
        assert found["look"]["matches"] >= before["look"]["matches"]
        assert Client(server).get(f"/lab/{study}/fr").status == 200


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are not listed")
def test_a_killed_process_is_told_and_harms_nobody(server: Server) -> None:
    ana = Client(server)
    study = begin(ana)
    known = wait_for(ana, study, has_figures)
    os.kill(process_of(study), signal.SIGKILL)
    ended = wait_for(ana, study, has_ended)
    assert ended["status"] == "killed"
    assert ended["look"]["matches"] >= known["look"]["matches"]
    assert ana.get(f"/lab/{study}/en").status == 200
    assert ana.get("/healthz").status == 200


def test_as_many_run_as_may_and_a_guest_has_one(tmp_path: Path) -> None:
    with running(tmp_path, lab_studies=1) as server:
        ana, ben = Client(server), Client(server)
        first = begin(ana)
        busy = ben.post("/api/lab/studies", GAME)
        assert (busy.status, busy.code) == (503, "lab_busy")
        second = begin(ana)  # hers ends for it
        assert look(ana, first)["status"] in ("stopped", "settled")
        os.utime(studies.home_of(server.settings) / second / ASKED, (0, 0))  # nobody looks
        folder = Folder(studies.home_of(server.settings) / second)
        latest = time.monotonic() + WAIT
        while folder.status == "running" and time.monotonic() < latest:
            time.sleep(0.1)
        assert folder.status in ("abandoned", "settled")
        assert not (folder.path / "tables").exists()


def test_a_study_ends_with_its_time_or_its_room(tmp_path: Path) -> None:
    for setting, status in ({"lab_seconds": 1}, "time"), ({"lab_megabytes": 0}, "disk"):
        (tmp_path / status).mkdir()
        with running(tmp_path / status, **setting) as server:
            ana = Client(server)
            assert wait_for(ana, begin(ana), has_ended)["status"] == status


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"game": "gone"}, 404, "no_such_game"),
        ({"knobs": {"no_knob": 1}}, 422, "bad_variant"),
        ({"knobs": {"players": 9}}, 422, "bad_variant"),
        ({"preset": "none"}, 422, "bad_variant"),
        ({"level": "nobody"}, 422, "bad_bot"),
        ({"level": "./program"}, 422, "bad_bot"),
        ({"levels": ["club"]}, 400, "bad_request"),
    ],
)
def test_what_cannot_be_studied_is_refused(
    server: Server, wanted: dict[str, Any], status: int, code: str
) -> None:
    before = sorted(studies.home_of(server.settings).glob("*"))
    answer = Client(server).post("/api/lab/studies", GAME | wanted)
    assert (answer.status, answer.code) == (status, code)
    assert sorted(studies.home_of(server.settings).glob("*")) == before


@pytest.mark.parametrize("study", ["gone", "..", "%2e%2e", "A" * 16, "A" * 400])
def test_what_is_not_there_is_not_found(server: Server, study: str) -> None:
    client = Client(server)
    for path in (f"/api/lab/studies/{study}", f"/lab/{study}/en", f"/lab/{study}"):
        assert client.get(path).status == 404


def test_too_many_within_an_hour_are_refused(tmp_path: Path) -> None:
    with running(tmp_path, lab_studies_per_hour=2) as server:
        ana = Client(server)
        ana.post("/api/me", {"name": "Ana"})
        codes = [ana.post("/api/lab/studies", GAME | {"level": "gone"}).code for _ in range(3)]
        assert codes == ["bad_bot", "bad_bot", "too_many_studies"]


def test_a_house_without_the_lab_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path, lab_studies=0) as server:
        assert Client(server).get("/api/lab").json["why"] == "closed"
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "polars" else found(name)
    )
    with running(tmp_path) as server:
        client = Client(server)
        assert client.get("/api/lab").json["why"] == "not_installed"
        answer = client.post("/api/lab/studies", GAME)
        assert (answer.status, answer.code) == (503, "no_lab")
        assert answer.json["args"] == {"why": "not_installed"}


def test_the_bench_measures_moves_without_and_beside_a_study(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_study, "TABLES", 2)
    measured: Any = SimpleNamespace(port=server.port, cpu=time.process_time)
    house, game = House(server.port), brelan.game("template-game")
    rounds = bench_study._rounds(measured, house, game, None, 20, 1, lambda done, total: None)
    without, beside = rounds
    house.close()
    assert (without.what, beside.what) == (bench_study.WITHOUT, bench_study.BESIDE)
    assert without.matches == 0 < beside.matches
    for each in (without, beside):
        assert len(each.waits) == 20
        assert 0 < each.wait(50) <= each.wait(99)


def test_only_the_latest_studies_are_kept(tmp_path: Path) -> None:
    with running(tmp_path, lab_kept=2) as server:
        home = studies.home_of(server.settings)
        for age, name in enumerate("ABC"):
            (home / (name * 16)).mkdir(parents=True)
            os.utime(home / (name * 16), (100 + age, 100 + age))
        made = begin(Client(server))
        assert {path.name for path in home.iterdir()} == {"C" * 16, made}
