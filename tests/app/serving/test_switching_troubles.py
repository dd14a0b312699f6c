"""What a server serves when something about a release is wrong, was wrong, or is wrong for a while."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import select, text
from structlog.testing import capture_logs

from app.service import create_app
from app.serving import follower as releases
from app.serving.follower import Follower
from app.serving.serving import Serving
from app.settings import Settings
from snapshots.errors import DamagedSnapshot
from snapshots.manifest import content_digest, read_manifest, write_manifest
from snapshots.naming.names import CONNECTIONS, FILE, NAMES, Names
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot, verify
from tests.app.serving.test_switching import gone
from tests.support.patience import until
from tests.support.promoted import OTHER, Candidate, ToyRegistry
from tests.support.releases import (
    Clock,
    clock_fixture,
    first_fixture,
    follower,
    scores,
    second_fixture,
    served_release,
    toy_registry_fixture,
)
from tests.support.served import served_snapshot, serving, toy_term_model

__all__ = ["clock_fixture", "first_fixture", "second_fixture", "toy_registry_fixture"]


def problem(served: Follower) -> str | None:
    following = served.describe().following
    assert following is not None
    return following.problem


def without_words(folder: Path) -> str:
    """Leave a snapshot's look-up of words out, as if it never had one; its new id."""
    manifest = read_manifest(folder)
    (folder / "words.marisa").unlink()
    files = {name: entry for name, entry in manifest.files.items() if name != "words.marisa"}
    other = msgspec.structs.replace(manifest, files=files)
    identity = manifest.id.rpartition("-")[0] + f"-{content_digest(other)}"
    write_manifest(folder, msgspec.structs.replace(other, id=identity))
    assert verify(folder) == []
    return identity


def test_a_release_without_terms_is_served_and_those_after_it_too(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate
) -> None:
    terms = toy_term_model(toy_registry.folder / "terms.json", first.snapshot)
    settings = Settings(database=toy_registry.url, follow_seconds=0.05, term_model=terms)
    served = Follower(settings)
    body = {"pairs": [{"left": "cat", "right": "dog"}]}
    with serving(create_app(settings, served)) as address, httpx.Client(base_url=address) as http:
        assert http.post("/terms/relatedness", json=body).status_code == 200
        toy_registry.promote(second, identity=without_words(second.folder))
        until(lambda: served_release(served) == 2)
        assert scores(served) == second.scores
        unknown = http.post("/relatedness", json={"pairs": [{"left": "Qwrtzy", "right": "Cat"}]})
        assert unknown.json()["results"][0]["status"] == "unknown"
        answer = http.post("/terms/relatedness", json=body)
        assert (answer.status_code, answer.json()["type"]) == (503, "urn:wort:problem:no-term-model")
        assert str(toy_registry.folder) not in answer.text
        toy_registry.promote(first)
        until(lambda: served_release(served) == 3)
        assert http.post("/terms/relatedness", json=body).status_code == 200


def test_terms_are_open_before_their_release_is_served(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = follower(
        toy_registry, term_model=toy_term_model(toy_registry.folder / "terms.json", first.snapshot)
    )
    served.current.terms()
    present = []
    take_over = Serving.take_over

    def taken_over(new: Any, before: Any) -> None:
        take_over(new, before)
        present.append((served.current is before, new._terms is not None))

    monkeypatch.setattr(Serving, "take_over", taken_over)
    toy_registry.promote(second)
    served.look()
    assert present == [(True, True)]


def test_whatever_fails_releases_are_followed_on(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = follower(toy_registry, follow_seconds=0.02)

    def fails() -> None:
        raise RuntimeError("not foreseen")

    monkeypatch.setattr(served, "_clear", fails)
    served.start()
    until(lambda: problem(served) == "RuntimeError: not foreseen")
    monkeypatch.undo()
    toy_registry.promote(second)
    until(lambda: served_release(served) == 2)
    assert problem(served) is None
    served.stop()


@pytest.mark.parametrize("error", [OSError(errno.EMFILE, "Too many open files"), MemoryError("no memory")])
def test_what_may_pass_is_tried_again_ever_more_rarely(
    toy_registry: ToyRegistry,
    first: Candidate,
    second: Candidate,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    served = follower(toy_registry, clock)
    tried = []

    def fails(_: Snapshot) -> Any:
        tried.append(clock.now - 1000)
        raise error

    monkeypatch.setattr(Resolver, "open", fails)
    toy_registry.promote(second)
    with capture_logs() as logs:
        for _ in range(200):
            served.look()
            clock.now += 1
    assert tried == [0, 1, 3, 7, 15, 31, 63, 123, 183]
    assert [entry["event"] for entry in logs] == ["release put off"]
    assert str(error.args[-1]) in (problem(served) or "")
    assert served.describe().refused is None
    assert scores(served) == first.scores
    monkeypatch.undo()
    clock.now += 60
    served.look()
    assert (served_release(served), scores(served), problem(served)) == (2, second.scores, None)


def test_a_release_put_off_makes_way_for_the_next(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate, clock: Clock
) -> None:
    served = follower(toy_registry, clock)
    gone(toy_registry, second)
    served.look()
    toy_registry.promote(first)
    served.look()
    clock.now += 1000
    served.look()
    assert (served_release(served), problem(served)) == (3, None)


def test_a_folder_that_is_mounted_later_is_served_then(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate, clock: Clock
) -> None:
    away = second.folder.rename(toy_registry.folder / "away")
    running = follower(toy_registry, clock)
    toy_registry.promote(second)
    for begun in (running, None):
        # One that runs already, and one that is started while the folder is away.
        served = begun or follower(toy_registry, clock)
        served.look()
        refused = served.describe().refused
        assert refused is not None
        assert refused.release.number == 2
        assert "two is not a snapshot" in (problem(served) or "")
        assert scores(served) == first.scores
        shutil.copytree(away, second.folder)
        served.look()
        assert served_release(served) == 1
        clock.now += 1
        served.look()
        assert (served_release(served), scores(served)) == (2, second.scores)
        assert (served.describe().refused, problem(served)) == (None, None)
        shutil.rmtree(second.folder)


def replaced(folder: Path, other: Path) -> None:
    """Put another folder in the place of one."""
    folder.rename(folder.with_name(folder.name + "-aside"))
    shutil.copytree(other, folder)


def test_a_folder_that_was_replaced_is_not_mixed_with_what_is_open(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate
) -> None:
    terms = toy_term_model(toy_registry.folder / "terms.json", first.snapshot)
    settings = Settings(database=toy_registry.url, follow_seconds=0, term_model=terms)
    served = Follower(settings)
    replaced(first.folder, second.folder)
    with pytest.raises(DamagedSnapshot, match="replaced or changed after the snapshot was opened"):
        served.current.terms()
    with serving(create_app(settings, served)) as address:
        answer = httpx.post(f"{address}/terms/relatedness", json={"pairs": [{"left": "cat", "right": "dog"}]})
    assert answer.status_code == 503
    assert scores(served) == first.scores
    # Promoted, what is there now is opened anew.
    toy_registry.promote(replace(second, folder=first.folder))
    served.look()
    assert scores(served) == second.scores
    assert served.current.info.snapshot.id == second.snapshot


def test_the_same_snapshot_in_other_files_is_opened_anew(toy_registry: ToyRegistry, first: Candidate) -> None:
    served = follower(toy_registry)
    before = served.current.scorer.snapshot
    copied = shutil.copytree(first.folder, toy_registry.folder / "copied", copy_function=shutil.copy2)
    replaced(first.folder, copied)
    third = toy_registry.candidate(first.folder, 0.3)
    toy_registry.promote(third)
    served.look()
    assert served.current.scorer.snapshot is not before
    assert scores(served) == third.scores


def test_every_connection_to_names_is_of_one_file(tmp_path: Path) -> None:
    file = served_snapshot(tmp_path / "one") / FILE
    names = Names(file)
    other = tmp_path / "other.sqlite"
    shutil.copy(file, other)
    file.unlink()
    with closing(sqlite3.connect(other, isolation_level=None)) as changed:
        changed.execute("UPDATE names SET title = 'of another snapshot'")
    other.rename(file)
    with ExitStack() as stack:
        connections = [stack.enter_context(names._engine.connect()) for _ in range(CONNECTIONS)]
        for connection in connections:
            titles = connection.scalars(select(NAMES.c.title)).all()
            assert "Cat" in titles
            assert "of another snapshot" not in titles
        connections[0].invalidate()
    with ExitStack() as stack, pytest.raises(DamagedSnapshot, match="was replaced or changed"):
        for _ in range(CONNECTIONS):
            stack.enter_context(names._engine.connect()).execute(text("SELECT 1"))


def test_names_that_cannot_be_opened_now_are_not_damaged(tmp_path: Path) -> None:
    file = served_snapshot(tmp_path / "one") / FILE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, hard))
    try:
        with pytest.raises(OSError, match=r"concepts\.sqlite cannot be read now"):
            Names(file)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert Names(file).beginning_with("c", 1)


def test_another_registry_of_the_same_number_is_noticed(
    toy_registry: ToyRegistry, first: Candidate, tmp_path: Path
) -> None:
    served = follower(toy_registry)
    (tmp_path / "restored").mkdir()
    restored = ToyRegistry(tmp_path / "restored")
    other = restored.candidate(restored.snapshot("three", OTHER), 0.35)
    restored.promote(other)
    assert other.ref == first.ref
    assert restored.registry.latest_number() == toy_registry.registry.latest_number() == 1
    restored.registry.close()
    (tmp_path / "restored" / "wort.sqlite").rename(tmp_path / "wort.sqlite")
    served.look()
    assert scores(served) == other.scores
    assert served.current.info.snapshot.id == other.snapshot


def test_a_look_at_a_registry_without_news_opens_nothing(
    toy_registry: ToyRegistry, first: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = follower(toy_registry)
    monkeypatch.setattr(releases, "open_release", pytest.fail)
    served.look()
    assert problem(served) is None
