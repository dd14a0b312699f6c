"""What a server serves when releases come: the new one if it is sound, else what it served before."""

from __future__ import annotations

import csv
import math
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from app.cli import command_line
from app.errors import NoRelease
from app.scoring.percentiles import PercentileScale
from app.serving import checking
from app.serving.follower import Follower, source
from app.serving.starter import snapshot_path
from app.settings import Settings
from features.terms.extract import TermPair
from models.registry.layout import MODELS
from models.registry.registry import Registry
from snapshots.snapshot import verify
from tests.support.promoted import OTHER, PAIRS, Candidate, ToyRegistry, identity_of
from tests.support.releases import first_fixture, follower, scores, served_release, toy_registry_fixture
from tests.support.served import toy_files
from tests.wikis.toy import TOY

__all__ = ["first_fixture", "toy_registry_fixture"]


def test_files_are_scored_by_the_release_in_force(
    toy_registry: ToyRegistry, first: Candidate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORT_DATABASE", toy_registry.url)
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left,right\n" + "".join(f"{left},{right}\n" for left, right in PAIRS))
    result = CliRunner().invoke(command_line(), ["score", str(pairs), "--format", "csv"])
    assert result.exit_code == 0, result.output
    rows = csv.DictReader(result.stdout.splitlines())
    assert tuple(float(row["score"]) if row["score"] else None for row in rows) == first.scores


def test_a_new_release_has_its_percentiles_before_anybody_asks(
    toy_registry: ToyRegistry, first: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However slow the disk: at the start somebody waits for an answer, at a switch nobody need."""
    monkeypatch.setattr(PercentileScale, "begin", lambda *_: None)
    served = follower(toy_registry)
    assert served.current.scorer.percentiles._drawn is None
    toy_registry.promote(toy_registry.candidate(first.folder, 0.3))
    served.look()
    assert served_release(served) == 2
    assert served.current.scorer.percentiles._drawn is not None


def test_a_model_is_switched_and_its_snapshot_stays_open(toy_registry: ToyRegistry, first: Candidate) -> None:
    served = follower(toy_registry)
    assert (served_release(served), scores(served)) == (1, first.scores)
    snapshot = served.current.scorer.snapshot
    second = toy_registry.candidate(first.folder, 0.3)
    toy_registry.promote(second)
    assert scores(served) == first.scores
    served.look()
    assert (served_release(served), scores(served)) == (2, second.scores)
    assert served.current.scorer.snapshot is snapshot
    assert first.scores != second.scores
    toy_registry.rollback()
    served.look()
    assert (served_release(served), scores(served)) == (3, first.scores)
    assert served.current.scorer.model_info.version == first.ref


def test_a_snapshot_and_its_model_are_switched_together(toy_registry: ToyRegistry, first: Candidate) -> None:
    served = follower(toy_registry)
    second = toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.1)
    assert second.scores != first.scores
    toy_registry.promote(second)
    served.look()
    info = served.describe()
    assert (scores(served), info.served.snapshot.id) == (second.scores, second.snapshot)
    assert info.served.model.warning is None
    assert info.served.release is not None
    assert (info.served.release.model, info.served.release.reason) == (second.ref, "tried")
    assert info.refused is None


def test_a_registry_that_comes_later_is_followed(tmp_path: Path) -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    served = Follower(Settings(database=f"sqlite:///{tmp_path / 'wort.sqlite'}"))
    served.look()
    assert not (tmp_path / "wort.sqlite").exists()
    assert served_release(served) is None
    assert served.current.scorer.model.name == "wort-plus-starter"
    toy_registry = ToyRegistry(tmp_path)
    served.look()
    assert served_release(served) is None
    candidate = toy_registry.candidate(toy_registry.snapshot("one"), 0.1)
    toy_registry.promote(candidate)
    served.look()
    assert (served_release(served), scores(served)) == (1, candidate.scores)


def truncated(toy_registry: ToyRegistry, second: Candidate) -> None:
    file = second.folder / "esa.values.npy"
    file.write_bytes(file.read_bytes()[:-1])
    toy_registry.promote(second)


def altered(toy_registry: ToyRegistry, second: Candidate) -> None:
    file = second.folder / "esa.values.npy"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    toy_registry.promote(second)


def without_names(toy_registry: ToyRegistry, second: Candidate) -> None:
    (second.folder / "concepts.sqlite").unlink()
    toy_registry.promote(second)


def gone(toy_registry: ToyRegistry, second: Candidate) -> None:
    shutil.rmtree(second.folder)
    toy_registry.promote(second)


def with_another_manifest(toy_registry: ToyRegistry, second: Candidate) -> None:
    (second.folder / "manifest.json").write_text("{")
    toy_registry.promote(second)


def another_snapshot(toy_registry: ToyRegistry, second: Candidate) -> None:
    toy_registry.promote(second, folder=toy_registry.snapshot("one"))


def another_id(toy_registry: ToyRegistry, second: Candidate) -> None:
    toy_registry.promote(second, identity="enwiki-1")


def damaged_in_the_registry(toy_registry: ToyRegistry, second: Candidate) -> None:
    toy_registry.promote(second)
    with closing(sqlite3.connect(toy_registry.folder / "wort.sqlite")) as database:
        database.execute(f"UPDATE {MODELS.name} SET artifact = substr(artifact, 2) WHERE version = 2")
        database.commit()


def of_other_features(toy_registry: ToyRegistry, second: Candidate) -> None:
    content = toy_registry.registry.artifact(second.ref).replace(b'"ESA@1"', b'"ESA@99"')
    toy_registry.promote(replace(second, ref=toy_registry.register(content, second.snapshot)))


def without_numbers(toy_registry: ToyRegistry, second: Candidate) -> None:
    esa = tuple({**row, concept: math.nan} for concept, row in enumerate(TOY.esa))
    folder = toy_registry.snapshot("nan", replace(TOY, esa=esa))
    toy_registry.promote(second, folder=folder, identity=identity_of(folder))


BREAKS: dict[Callable[[ToyRegistry, Candidate], None], str] = {
    truncated: "esa.values.npy has .* bytes where",
    altered: "esa.values.npy was altered",
    without_names: "concepts.sqlite is missing",
    gone: "two",
    with_another_manifest: "manifest",
    another_snapshot: "was promoted as",
    another_id: "was promoted as enwiki-1",
    damaged_in_the_registry: "is not what was registered",
    of_other_features: "ESA@99",
    without_numbers: "its tables give no number for ESA",
}


@pytest.mark.parametrize("broken", BREAKS, ids=lambda broken: broken.__name__)
def test_a_broken_release_is_refused_and_the_old_one_stays(
    toy_registry: ToyRegistry, first: Candidate, broken: Callable[[ToyRegistry, Candidate], None]
) -> None:
    served = follower(toy_registry)
    broken(toy_registry, toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2))
    with capture_logs() as logs:
        for _ in range(3):
            served.look()
    assert [entry["event"] for entry in logs] == ["release refused"]
    assert (served_release(served), scores(served)) == (1, first.scores)
    refused = served.describe().refused
    assert refused is not None
    assert refused.release.number == 2
    assert re.search(BREAKS[broken], refused.reason)
    # What comes after it is served again, and what was refused is still to be seen.
    toy_registry.promote(first)
    served.look()
    assert (served_release(served), scores(served)) == (3, first.scores)
    assert served.describe().refused == refused


def test_a_snapshot_that_was_served_is_read_again_only_if_it_was_changed(
    toy_registry: ToyRegistry, first: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def verified(folder: Path) -> list[str]:
        read.append(folder)
        return verify(folder)

    monkeypatch.setattr(checking, "verify", verified)
    served = follower(toy_registry)
    served.check()
    second = toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2)
    for candidate in (second, first, second):
        toy_registry.promote(candidate)
        served.look()
        assert scores(served) == candidate.scores
    assert read == [first.folder, second.folder]
    toy_registry.promote(first)
    served.look()
    altered(toy_registry, second)
    served.look()
    assert read == [first.folder, second.folder, second.folder]
    assert scores(served) == first.scores
    refused = served.describe().refused
    assert refused is not None
    assert "altered" in refused.reason


def test_a_registry_that_is_away_changes_nothing(
    toy_registry: ToyRegistry, first: Candidate, tmp_path: Path
) -> None:
    served = follower(toy_registry)
    served.look()
    path = tmp_path / "wort.sqlite"

    def moved() -> Callable[[], object]:
        path.rename(tmp_path / "aside")
        return lambda: (tmp_path / "aside").replace(path)

    def something_else() -> Callable[[], object]:
        back = moved()
        path.write_text("no database " * 1000)
        return back

    def locked() -> Callable[[], object]:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        return connection.close

    for number, away in enumerate((moved, something_else, locked), start=2):
        back = away()
        with capture_logs() as logs:
            served.look()
            served.look()
            problem = served.describe().following
            assert problem is not None
            assert problem.problem
            assert scores(served)
            back()
            toy_registry.promote(first)
            served.look()
        assert [entry["event"] for entry in logs] == ["registry away", "registry back", "release served"]
        assert served_release(served) == number
        assert getattr(served.describe().following, "problem", "") is None


def test_a_server_that_is_started_again_serves_what_one_that_ran_on_does(
    toy_registry: ToyRegistry, first: Candidate
) -> None:
    second = toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2)
    gone(toy_registry, second)
    toy_registry.promote(second)
    served = follower(toy_registry)
    assert (served_release(served), scores(served)) == (1, first.scores)
    refused = served.describe().refused
    assert refused is not None
    assert refused.release.number == 3
    with capture_logs() as logs:
        served.look()
    assert logs == []


def test_a_server_of_which_no_release_can_be_served_does_not_start(
    toy_registry: ToyRegistry, first: Candidate
) -> None:
    gone(toy_registry, first)
    with pytest.raises(NoRelease, match=r"none of the 2 releases.*The one in force, 2: .*--snapshot"):
        follower(toy_registry)


def test_a_strict_server_refuses_a_foreign_model(toy_registry: ToyRegistry, first: Candidate) -> None:
    second = toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2)
    toy_registry.promote(replace(second, folder=first.folder, snapshot=first.snapshot))
    served = follower(toy_registry, strict=True)
    assert served_release(served) == 1
    assert follower(toy_registry).describe().served.model.warning is not None


def test_a_server_that_is_told_what_to_serve_follows_nothing(
    toy_registry: ToyRegistry, first: Candidate
) -> None:
    (toy_registry.folder / "files").mkdir()
    snapshot, model = toy_files(toy_registry.folder / "files")
    served = source(Settings(database=toy_registry.url, snapshot=snapshot, model=model))
    assert served.describe().following is None
    assert served_release(served) is None
    assert isinstance(source(Settings(database=toy_registry.url)), Follower)


def test_a_password_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    monkeypatch.setattr(Registry, "peek", lambda _: None)
    url = "postgresql://wort:geheim@127.0.0.1/wort?sslpassword=geheim"
    following = Follower(Settings(database=url)).describe().following
    assert following is not None
    assert "127.0.0.1" in following.registry
    assert "geheim" not in following.registry


def held(folder: Path) -> tuple[int, int]:
    """How many maps of files below ``folder`` this process has, and how many files it has open."""
    maps = Path("/proc/self/maps").read_text().splitlines()
    return sum(str(folder) in line for line in maps), sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.slow
def test_old_releases_leave_nothing_behind(toy_registry: ToyRegistry, first: Candidate) -> None:
    second = toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2)
    served = follower(toy_registry)
    seen = []
    for round_ in range(12):
        toy_registry.promote(second if round_ % 2 == 0 else first)
        served.look()
        assert scores(served) == (second if round_ % 2 == 0 else first).scores
        assert served.current.scorer.resolver.search("c")
        assert served.current.terms().score([TermPair("cat", "dog")])
        # What the old release had open is closed at the next look.
        served.look()
        seen.append(held(toy_registry.folder))
    assert seen[0][0] > 10
    assert seen[0][1] > 10
    assert len(set(seen)) == 1
