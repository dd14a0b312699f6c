"""``wort retrain`` on the toy wiki: judged, registered, and promoted only if it is better."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from features.catalogue import SIGNATURES
from models.files import loads
from models.protocol import TrainingSet
from models.registry.registry import Registry
from tests.support.databases import (
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.judged import bad_model, judgements, learnt, put_in_force, toy_wiki, write
from tests.support.promoted import identity_of
from tests.support.served import served_snapshot, toy_model
from tests.wikis.toy import TITLES
from training.benchmarks.read import read_benchmark
from training.errors import BadRow, NotABenchmark, TooFewPairs
from training.evaluation.evaluate import notes_on

__all__ = ["database_fixture", "postgres_database_fixture", "postgres_fixture", "sqlite_fixture"]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_wiki(tmp_path_factory.mktemp("retrain") / "snapshot")


@pytest.fixture
def pairs(snapshot: Path, tmp_path: Path) -> Path:
    return write(tmp_path / "mine.csv", judgements(snapshot))


def wort(database: str, *arguments: object) -> Result:
    command = ["retrain", "--database", database, "--gate-pairs", "50", "--resamples", "10", *arguments]
    result = CliRunner().invoke(command_line(["retrain"]), [str(part) for part in command])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def told(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@contextmanager
def registry_at(url: str, snapshot: Path, folder: Path) -> Iterator[Registry]:
    """A registry with a bad model in force."""
    with Registry.open(url) as registry:
        put_in_force(registry, snapshot, folder)
        yield registry


@pytest.fixture
def on_both(database: str, snapshot: Path, tmp_path: Path) -> Iterator[Registry]:
    """The registry, in SQLite and in PostgreSQL."""
    with registry_at(database, snapshot, tmp_path) as registry:
        yield registry


@pytest.fixture
def registry(sqlite: str, snapshot: Path, tmp_path: Path) -> Iterator[Registry]:
    """The registry, in SQLite."""
    with registry_at(sqlite, snapshot, tmp_path) as registry:
        yield registry


@pytest.mark.slow
def test_a_better_model_is_promoted_and_a_twin_of_it_is_not(
    on_both: Registry, database: str, snapshot: Path, pairs: Path
) -> None:
    registry = on_both
    first = told(wort(database, "--pairs", pairs, "--json", "--note", "the first", "--who", "ann"))
    assert (first["outcome"], first["model"], first["release"]) == ("promoted", "retrained@1", 2)
    release = registry.in_force()
    assert release is not None
    assert (release.model, release.location) == ("retrained@1", str(snapshot.resolve()))
    assert release.reason == first["message"]
    assert "is better than toy@1: Pearson" in release.reason
    version = registry.version("retrained@1")
    assert (version.who, version.note, version.dataset.name, version.dataset.pairs) == (
        "ann",
        "the first",
        "mine.csv",
        66,
    )
    assert loads(registry.artifact("retrained@1"), SIGNATURES).metrics["pearson"] == (
        pytest.approx(first["comparisons"][0]["candidate"]["pearson"])
    )
    report = json.loads(registry.report("retrained@1") or b"")
    assert len(report["learnt"]) == report["validation"]["pairs"] == 66
    assert report["cross_validation"]["kind"] == "topics"
    assert report["against"]["predictions"] == "as it is"
    assert "is better than toy@1" in (registry.report_html("retrained@1") or "")
    # The same again: held out, the model in force predicts as its twin does, and nothing is gained.
    again = wort(database, "--pairs", pairs, "--json")
    assert again.exit_code == 1
    second = told(again)
    assert (second["outcome"], second["model"], second["release"]) == ("refused", "retrained@2", None)
    compared, learnt_before = second["comparisons"]
    assert (compared["part"], learnt_before["part"]) == ("own", "learnt")
    assert compared["candidate"]["pearson"] == pytest.approx(compared["in_force"]["pearson"], abs=1e-9)
    assert json.loads(registry.report("retrained@2") or b"")["against"]["refits"] == 6
    assert registry.latest_number() == 2
    runs = registry.runs()
    assert [(run.outcome, run.model) for run in runs] == [
        ("refused", "retrained@2"),
        ("promoted", "retrained@1"),
    ]
    assert registry.version("retrained@1").run == runs[-1].id


def test_the_gate_can_be_gone_past_with_a_reason(registry: Registry, sqlite: str, pairs: Path) -> None:
    strict = ("--gate-margin", "1.9")
    assert wort(sqlite, "--pairs", pairs, *strict).exit_code == 1
    result = wort(sqlite, "--pairs", pairs, *strict, "--promote", "--reason", "a new scale", "--json")
    assert result.exit_code == 0
    release = registry.in_force()
    assert release is not None
    assert release.reason.startswith(
        "a new scale (Promoted as asked. The gate said: retrained does not take the place of toy@1"
    )
    assert told(result)["gate"]["passed"] is False


def test_it_can_be_registered_only(registry: Registry, sqlite: str, pairs: Path) -> None:
    result = wort(sqlite, "--pairs", pairs, "--register-only", "--json")
    assert (result.exit_code, told(result)["outcome"]) == (0, "registered")
    assert told(result)["registry"] == registry.address
    assert registry.latest_number() == 1
    assert registry.runs()[0].outcome == "registered"


def test_what_contradicts_itself_is_wrong_use(sqlite: str, pairs: Path) -> None:
    for options in (
        ("--promote",),
        ("--reason", "so"),
        ("--promote", "--reason", "so", "--register-only"),
        ("--low", "1", "--high", "0"),
        ("--low=-inf",),
        ("--high", "inf"),
        ("--low", "nan"),
        ("--json", "--report", "-"),
    ):
        assert wort(sqlite, "--pairs", pairs, *options).exit_code == 2
    assert Registry.peek(sqlite) is None


def test_data_that_cannot_be_used_is_recorded_as_a_failure(
    registry: Registry, sqlite: str, pairs: Path
) -> None:
    rows = pairs.read_text().splitlines()
    for content, error in (
        (rows[:30], TooFewPairs),
        ([*rows[:60], "Cat,Dog,much,topic 0"], BadRow),
        ([rows[0], *(row.replace("0.", "7.") for row in rows[1:])], BadRow),
        (["left,right", "Cat,Dog"], NotABenchmark),
    ):
        pairs.write_text("\n".join(content) + "\n")
        with pytest.raises(error) as raised:
            wort(sqlite, "--pairs", pairs)
        run = registry.runs()[0]
        assert run.outcome == "failed"
        assert str(raised.value) in run.message
    assert [version.ref for version in registry.versions()] == ["toy@1"]


def test_findings_are_told_and_listed(registry: Registry, sqlite: str, pairs: Path, tmp_path: Path) -> None:
    rows = (
        pairs.read_text() + "Unicorn,Cat,0.5,topic 0\nDog,Felis catus,1,topic 9\nCat,Felis catus,1,topic 0\n"
    )
    pairs.write_text(rows + "Noun,Dog,3,topic 0\n")
    report, page = tmp_path / "report.json", tmp_path / "report.html"
    result = wort(sqlite, "--pairs", pairs, "--report", report, "--html", page)
    assert "1 conflicting:" in page.read_text()
    found = {entry["name"]: entry for entry in json.loads(report.read_text())["validation"]["findings"]}
    assert {name: entry["count"] for name, entry in found.items()} == {
        "out-of-range": 1,
        "unresolved": 1,
        "identical": 1,
        "conflicting": 1,
        "several-topics": 1,
    }
    assert found["conflicting"]["entries"][0]["rows"] == ["mine.csv:2", "mine.csv:69"]
    assert found["conflicting"]["entries"][0]["how"] == "other titles"
    for name in found:
        assert f"1 {name}:" in result.stdout
    assert result.stdout.endswith(f"\nThe registry is {registry.address}.\n")


def test_pairs_without_topics_are_held_out_in_groups(
    registry: Registry, sqlite: str, snapshot: Path, tmp_path: Path
) -> None:
    bare = write(tmp_path / "bare.csv", judgements(snapshot), topics=False)
    report = tmp_path / "report.json"
    wort(sqlite, "--pairs", bare, "--report", report)
    made = json.loads(report.read_text())
    assert made["cross_validation"]["kind"] == "hubs"
    assert made["cross_validation"]["shared"] > 0
    assert made["topics"] == 0
    model = loads(registry.artifact("retrained@1"), SIGNATURES)
    assert (model.trained_on.topics, model.trained_on.fitted) == (0, 66)


def test_own_judgements_stand_beside_a_base_set(
    registry: Registry, sqlite: str, snapshot: Path, tmp_path: Path
) -> None:
    rows = judgements(snapshot)
    own = write(tmp_path / "own.csv", rows[:20])
    write(tmp_path / "base.csv", rows[10:])
    declared = tmp_path / "base.toml"
    declared.write_text('name = "base"\nfiles = ["base.csv"]\ntopic = "topic"\n')
    result = wort(sqlite, "--pairs", own, "--with-benchmark", declared, "--json")
    found = told(result)
    assert (found["pairs"], found["findings"]) == (66, {"repeated": 10})
    assert {entry["part"]: entry["pairs"] for entry in found["comparisons"]} == {
        "own": 20,
        # What a user judged too is compared by the base set's own score besides.
        "base": 56,
        "learnt": 66,
    }
    assert found["outcome"] == "refused"
    assert "20 pairs were compared, and the gate takes 50" in found["message"]
    assert registry.version("retrained").dataset.name == "own.csv + base"


def in_force_instead(registry: Registry, snapshot: Path, folder: Path, report: bytes | None) -> None:
    """The toy's own model, which is a good one, in force; its ``report`` says what it learnt from."""
    identity = identity_of(snapshot)
    version = registry.register(
        toy_model(folder / "good.json", identity).read_bytes(),
        name="good",
        snapshot=identity,
        report=report,
        dataset=TrainingSet("made up", "00", 0),
        who="a test",
    )
    registry.promote(version.ref, snapshot_id=identity, location=str(snapshot), reason="good", who="a test")


def test_a_model_that_ruins_what_was_learnt_before_is_refused(
    registry: Registry, sqlite: str, snapshot: Path, tmp_path: Path
) -> None:
    rows = judgements(snapshot)
    in_force_instead(registry, snapshot, tmp_path, msgspec.json.encode({"learnt": learnt(rows)}))
    turned = [(left, right, round(1 - score, 3), topic) for left, right, score, topic in rows[:52]]
    own = write(tmp_path / "turned.csv", turned)
    # With weights of either sign: one without any below 0 can be turned round by no judgements.
    found = told(wort(sqlite, "--pairs", own, "--design", "unconstrained", "--json"))
    assert found["outcome"] == "refused"
    # By how much better it is on the user's own pairs it would pass.
    assert [check["name"] for check in found["gate"]["checks"] if not check["passed"]] == [
        "contradiction",
        "chance",
        "learnt",
    ]
    assert [(entry["part"], entry["pairs"]) for entry in found["comparisons"]] == [
        ("own", 52),
        ("learnt", 66),
    ]
    before, after = (found["comparisons"][1][which]["pearson"] for which in ("in_force", "candidate"))
    assert after < 0 < before


def test_where_it_is_not_known_what_would_be_lost_a_base_set_is_asked_for(
    registry: Registry, sqlite: str, snapshot: Path, tmp_path: Path
) -> None:
    rows = judgements(snapshot)
    identity = identity_of(snapshot)
    version = registry.register(
        # By chance on the first half of the judgements, and better on the other.
        bad_model(tmp_path, identity, {"J-IN-OUT": 0.5, "W2V": -0.1}),
        name="unknown",
        snapshot=identity,
        report=None,
        dataset=TrainingSet("made up", "00", 0),
        who="a test",
    )
    registry.promote(version.ref, snapshot_id=identity, location=str(snapshot), reason="so", who="a test")
    own = write(tmp_path / "own.csv", rows[:52])
    alone = told(wort(sqlite, "--pairs", own, "--json"))
    assert [check["name"] for check in alone["gate"]["checks"] if not check["passed"]] == ["elsewhere"]
    assert "the rows that unknown@1 learnt from are not known, and no base set" in alone["message"]
    write(tmp_path / "base.csv", rows[33:])
    declared = tmp_path / "base.toml"
    declared.write_text('name = "base"\nfiles = ["base.csv"]\ntopic = "topic"\n')
    own = write(tmp_path / "own.csv", rows[:33])
    joined = told(wort(sqlite, "--pairs", own, "--with-benchmark", declared, "--gate-pairs", "30", "--json"))
    assert joined["outcome"] == "promoted"
    model = loads(registry.artifact(joined["model"]), SIGNATURES)
    files = [own, tmp_path / "base.csv"]
    digests = [hashlib.blake2b(file.read_bytes(), digest_size=32).hexdigest() for file in files]
    assert list(model.trained_on.parts) == digests
    for file in files:
        seen = read_benchmark(file, "train")
        assert "this very file" in notes_on(model, snapshot.name, seen, "train")[-1]


def test_rows_marked_test_are_counted_and_never_read(
    registry: Registry, sqlite: str, pairs: Path, tmp_path: Path
) -> None:
    head, *rows = pairs.read_text().splitlines()
    marked = [f"{row},{'Test' if number < 6 else 'Train'}" for number, row in enumerate(rows)]
    pairs.write_text("\n".join([f"{head},Train/Test", *marked]) + "\n")
    report = tmp_path / "report.json"
    result = wort(sqlite, "--pairs", pairs, "--report", report)
    assert "6 rows are marked Test and were not read." in result.stdout
    made = json.loads(report.read_text())
    assert (made["split"], made["pairs"]) == ("train", 60)
    assert made["coverage"]["other_split"] == made["validation"]["other_split"] == 6
    assert made["validation"]["rows"] == 60


def test_pairs_are_drawn_by_topic_though_one_has_none(
    registry: Registry, sqlite: str, pairs: Path, tmp_path: Path
) -> None:
    lines = pairs.read_text().splitlines()
    lines[1] = lines[1].rpartition(",")[0] + ","
    pairs.write_text("\n".join(lines) + "\n")
    report = tmp_path / "report.json"
    wort(sqlite, "--pairs", pairs, "--report", report)
    made = json.loads(report.read_text())
    assert (made["topics"], made["resampling"]["unit"]) == (0, "groups of pairs")
    # Six topics, and the pair that has none.
    assert made["comparisons"][0]["groups"] == 7


def test_a_snapshot_that_covers_less_is_refused(
    registry: Registry, sqlite: str, pairs: Path, tmp_path: Path
) -> None:
    smaller = served_snapshot(tmp_path / "smaller", titles=("Kat", *TITLES[1:]), redirects={})
    result = wort(sqlite, "--pairs", pairs, "--snapshot", smaller, "--json")
    found = told(result)
    assert (found["outcome"], found["resolved"], found["comparisons"][0]["pairs"]) == ("refused", 55, 55)
    failed = [check for check in found["gate"]["checks"] if not check["passed"]]
    assert [check["name"] for check in failed] == ["coverage"]
    assert "55 judgements have both concepts, and 66 in the snapshot in force" in found["message"]
    assert registry.latest_number() == 1


def test_what_is_in_force_may_be_gone(
    registry: Registry, sqlite: str, snapshot: Path, pairs: Path, tmp_path: Path
) -> None:
    gone = served_snapshot(tmp_path / "gone")
    put_in_force(registry, gone, tmp_path)
    gone.rename(tmp_path / "elsewhere")
    refused = wort(sqlite, "--pairs", pairs, "--snapshot", snapshot, "--json")
    assert refused.exit_code == 1
    assert "what is in force cannot be opened" in told(refused)["message"]
    forced = wort(
        sqlite, "--pairs", pairs, "--snapshot", snapshot, "--promote", "--reason", "moved", "--json"
    )
    assert (forced.exit_code, told(forced)["release"]) == (0, 3)
