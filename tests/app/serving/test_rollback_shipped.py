"""Before the first release, what ships with wort is in force: a rollback leads back to it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.cli.registry.snapshots import what_ships
from app.errors import BrokenRelease
from app.serving.follower import Follower
from app.serving.starter import model_path, open_scorer, snapshot_path
from app.settings import Settings
from models.registry.errors import StalePromotion, UnknownRelease
from models.registry.records import Shipped
from models.registry.registry import Registry
from tests.support.databases import (  # noqa: F401
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.promoted import ToyRegistry
from tests.support.registered import DATASET, model_file, promote, register
from training.retraining.promotion import Starter, open_champion

SHIPPED = Shipped(
    model=model_file(0.76), name="starter", snapshot_id="s0", location="/package/starter", dataset=DATASET
)
PAIR = [("Cat", "Dog"), ("Europe", "Asia")]


def wort(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(command_line(["models"]), ["models", *(str(part) for part in arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_first_promotion_is_undone(database: str) -> None:
    with Registry.open(database) as registry:
        register(registry)
        promote(registry, "word")
        assert registry.earlier() is None
        back = registry.rollback(reason="worse", who="ann", shipped=SHIPPED, expected=1)
        assert (back.number, back.model, back.shipped, back.restores) == (2, "starter@1", True, None)
        assert (back.snapshot_id, back.location) == ("s0", "/package/starter")
        assert registry.in_force() == registry.releases()[-1] == back
        assert registry.artifact("starter@1") == SHIPPED.model
        for to in (None, 0, 2):
            with pytest.raises(UnknownRelease, match="in force already"):
                registry.rollback(reason="r", who="w", shipped=SHIPPED, to=to)
        again = promote(registry, "word")
        assert not again.shipped
        # The same file is not registered twice, and what was rolled back is not gone to again.
        assert registry.rollback(reason="r", who="w", shipped=SHIPPED).model == "starter@1"
        assert registry.rollback(reason="r", who="w", shipped=SHIPPED, to=1).restores == 1
        newer = msgspec.structs.replace(SHIPPED, model=model_file(0.8))
        assert registry.rollback(reason="r", who="w", shipped=newer, to=0).model == "starter@2"


def test_it_is_refused_where_another_release_came_in_between(database: str) -> None:
    with Registry.open(database) as registry:
        register(registry)
        promote(registry, "word")
        with pytest.raises(StalePromotion, match="release 1 is in force"):
            registry.rollback(reason="r", who="w", shipped=SHIPPED, expected=4)
        assert [version.name for version in registry.versions()] == ["word"]
        with pytest.raises(UnknownRelease, match="nothing to go back to"):
            registry.rollback(reason="r", who="w")


@given(steps=st.lists(st.one_of(st.just("back"), st.sampled_from("abc")), min_size=5, max_size=20))
@settings(max_examples=10)
def test_rolling_back_undoes_promotions_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    """Judged by a stack at whose bottom is what ships."""
    with Registry.open(f"sqlite:///{tmp_path_factory.mktemp('log') / 'registry.sqlite'}") as registry:
        for name in "abc":
            register(registry, name)
        stack = ["starter"]
        for step in steps:
            if step != "back":
                promote(registry, step)
                stack += [step] if stack[-1:] != [step] else []
            elif len(stack) > 1:
                stack.pop()
                registry.rollback(reason="r", who="w", shipped=SHIPPED)
            else:
                with pytest.raises(UnknownRelease):
                    registry.rollback(reason="r", who="w", shipped=SHIPPED)
            found = registry.in_force()
            assert ("starter" if found is None else found.model.partition("@")[0]) == stack[-1]


def test_it_goes_through_an_export(database: str, tmp_path: Path) -> None:
    with Registry.open(database) as registry:
        register(registry)
        promote(registry, "word")
        registry.export(tmp_path / "before.jsonl")
        registry.rollback(reason="worse", who="ann", shipped=SHIPPED)
        registry.export(tmp_path / "after.jsonl")
        made = registry.releases()
    # An older wort reads an export as long as it holds nothing that is new to it.
    assert '"shipped"' not in (tmp_path / "before.jsonl").read_text()
    with Registry.open(f"sqlite:///{tmp_path / 'other.sqlite'}") as other:
        other.import_(tmp_path / "after.jsonl")
        assert other.releases() == made
        assert other.import_(tmp_path / "after.jsonl") == 0


def test_the_command_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str) -> None:
    monkeypatch.setenv("WORT_DATABASE", database)
    toy_registry = ToyRegistry(tmp_path, database)
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("one"), 0.2))
    toy_registry.registry.close()
    done = wort("rollback", "--reason", "worse on our tags")
    assert done.exit_code == 0
    assert done.stdout == "release 2 is in force: wort-plus-starter@1, what ships with wort\n"
    listed = wort("list").stdout
    assert "wort-plus-starter@1" in listed
    assert "In force: wort-plus-starter@1, what ships with wort, release 2 of" in listed
    assert "(what ships with wort)" in wort("list", "--releases").stdout
    assert json.loads(wort("list", "--releases", "--json").stdout)[-1]["shipped"] is True
    assert wort("rollback", "--to", "1", "--reason", "r").stdout.endswith("toy@1, as in release 1\n")
    assert wort("rollback", "--to", "0", "--reason", "r").exit_code == 0


def test_a_running_server_goes_back_to_what_ships(tmp_path: Path) -> None:
    toy_registry = ToyRegistry(tmp_path)
    candidate = toy_registry.candidate(toy_registry.snapshot("one"), 0.2)
    toy_registry.promote(candidate)
    served = Follower(Settings(database=toy_registry.url))
    assert served.current.scorer.snapshot.id == candidate.snapshot
    toy_registry.registry.rollback(reason="worse", who="ann", shipped=what_ships())
    served.look()
    starter = open_scorer(None, None)
    assert served.describe().refused is None
    assert served.current.scorer.snapshot.id == starter.snapshot.id
    assert [one.score for one in served.current.scorer.score(PAIR)] == [
        one.score for one in starter.score(PAIR)
    ]
    assert served.current.scorer.model_info.release == 2


def test_what_ships_is_that_of_the_wort_that_serves(tmp_path: Path) -> None:
    """Another version ships other files, at another place: a server that is upgraded starts."""
    toy_registry = ToyRegistry(tmp_path)
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("one"), 0.2))
    elsewhere = msgspec.structs.replace(
        what_ships(), snapshot_id="enwiki-of-before", location=str(tmp_path / "gone")
    )
    toy_registry.registry.rollback(reason="worse", who="ann", shipped=elsewhere)
    served = Follower(Settings(database=toy_registry.url))
    assert served.current.scorer.model_info.release == 2
    assert served.current.scorer.snapshot.folder == snapshot_path()
    release = toy_registry.registry.in_force()
    starter = Starter("the starter's model", model_path(), snapshot_path())
    assert open_champion(toy_registry.registry, release, starter).snapshot.folder == snapshot_path()


def test_what_ships_is_looked_at_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy_registry = ToyRegistry(tmp_path)
    monkeypatch.setenv("WORT_DATABASE", toy_registry.url)
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("one"), 0.2))
    damaged = tmp_path / "starter"
    shutil.copytree(toy_registry.snapshot("one"), damaged)
    (damaged / "concepts.marisa").unlink(missing_ok=True)
    next(damaged.glob("*.npy")).unlink()
    monkeypatch.setattr("app.cli.registry.snapshots.snapshot_path", lambda: damaged)
    with pytest.raises(BrokenRelease, match="what ships cannot be served"):
        wort("rollback", "--reason", "worse")
    assert toy_registry.registry.latest_number() == 1
