"""Snapshots that end whoever reads them, servers that start all the same, and what they say of files."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.errors import NoRelease
from app.service import create_app
from app.serving import trial
from app.serving.follower import Follower, source
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.serving.trial import Trials, fatal_signal
from app.settings import Settings
from snapshots.errors import DamagedSnapshot
from snapshots.snapshot import Snapshot
from tests.support.patience import until
from tests.support.promoted import Candidate, ToyRegistry
from tests.support.releases import first_fixture, second_fixture, served_release, toy_registry_fixture
from tests.support.served import served_snapshot, serving, toy_app, toy_scorer

__all__ = ["first_fixture", "second_fixture", "toy_registry_fixture"]


def test_what_ends_a_process_is_survived_and_named() -> None:
    def fails() -> None:
        raise ValueError

    assert fatal_signal(lambda: os.kill(os.getpid(), signal.SIGSEGV)) == "SIGSEGV"
    assert fatal_signal(lambda: os.kill(os.getpid(), signal.SIGBUS)) == "SIGBUS"
    # The machine's doing, or a person's.
    assert fatal_signal(lambda: os.kill(os.getpid(), signal.SIGKILL)) is None
    assert fatal_signal(fails) is None
    assert fatal_signal(lambda: None) is None


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The folders that end whoever uses them; those that are put there."""
    deadly: list[Path] = []

    def use(folder: Path) -> None:
        if folder in deadly:
            os.kill(os.getpid(), signal.SIGBUS)

    monkeypatch.setattr(trial, "_use", use)
    yield deadly


def test_a_release_that_ends_a_process_is_passed_over(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate, tried: list[Path], tmp_path: Path
) -> None:
    toy_registry.promote(second)
    tried.append(second.folder)
    trials = Trials(tmp_path / "verified")
    served = Follower(Settings(database=toy_registry.url), trials=trials)
    refused = served.describe().refused
    assert refused is not None
    assert (served_release(served), refused.release.number) == (1, 2)
    assert f"{second.folder} is damaged: a process that tried it was ended by SIGBUS" in refused.reason
    tried.append(first.folder)
    with pytest.raises(NoRelease, match="ended by SIGBUS"):
        Follower(Settings(database=toy_registry.url), trials=trials)


def test_what_is_told_to_be_served_is_tried_too(tried: list[Path], tmp_path: Path) -> None:
    folder = served_snapshot(tmp_path / "toy")
    tried.append(folder)
    with pytest.raises(DamagedSnapshot, match="ended by SIGBUS"):
        source(Settings(snapshot=folder), trials=Trials(tmp_path / "verified"))


def test_what_was_verified_is_not_tried_again_until_it_is_touched(tried: list[Path], tmp_path: Path) -> None:
    folder, trials = served_snapshot(tmp_path / "toy"), Trials(tmp_path / "verified")
    trials.remember(Snapshot.open(folder))
    tried.append(folder)
    trials.attempt(folder)
    os.utime(folder / "esa.values.npy")
    with pytest.raises(DamagedSnapshot):
        trials.attempt(folder)


def test_a_mark_that_cannot_be_left_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    trials = Trials(tmp_path / "file" / "verified")
    folder = served_snapshot(tmp_path / "toy")
    trials.remember(Snapshot.open(folder))
    trials.attempt(folder)


def test_a_server_says_that_its_files_are_sound_and_remembers(tmp_path: Path) -> None:
    trials = Trials(tmp_path / "verified")
    settings = Settings()
    served = Source(Serving(toy_scorer(tmp_path), TermSettings.of(settings)), trials=trials)
    assert served.describe().served.integrity == "unverified"
    with serving(create_app(settings, served)) as address:
        until(lambda: httpx.get(f"{address}/models").json()["served"]["integrity"] == "verified", 60)
        assert httpx.get(f"{address}/ready").status_code == 200
    assert len(list((tmp_path / "verified").iterdir())) == 1


def test_nothing_is_answered_from_a_damaged_snapshot(tmp_path: Path) -> None:
    app = toy_app(tmp_path)
    (file,) = tmp_path.rglob("snapshot/esa.values.npy")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    with serving(app, warm=False) as address:
        until(lambda: httpx.get(f"{address}/models").json()["served"]["integrity"] == "damaged", 60)
        served = httpx.get(f"{address}/models").json()["served"]
        assert "esa.values.npy was altered" in served["damage"]
        pair = {"pairs": [{"left": "Cat", "right": "Dog"}]}
        for answer in (
            httpx.post(f"{address}/v1/relatedness", json=pair),
            httpx.post(f"{address}/relatedness", json=pair, headers={"Accept": "application/x-ndjson"}),
            httpx.get(f"{address}/v1/concepts/search", params={"q": "ca"}),
        ):
            assert answer.status_code == 503
            assert answer.json()["type"] == "urn:wort:problem:damaged-snapshot"
            assert "esa.values.npy was altered" in answer.json()["detail"]
        assert httpx.get(f"{address}/explore", headers={"Accept": "text/html"}).status_code == 503
        assert httpx.get(f"{address}/ready").json() == {"status": "damaged"}
        assert httpx.get(f"{address}/health").status_code == 200
