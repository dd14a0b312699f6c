"""``wort models`` on the toy wiki, on both databases."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.cli.exit_codes import BAD_INPUT, ENVIRONMENT, FINDINGS, exit_code
from app.errors import BrokenRelease, ForeignModel, OutputExists
from app.retraining.dead_runs import SILENT
from app.scoring.concepts import Scorer
from app.scoring.model_kinds import load_term_model
from models.errors import ModelError
from models.registry.errors import (
    BadEntry,
    DamagedExport,
    NotARegistry,
    RegistryError,
    RegistryUnavailable,
    StalePromotion,
    UnknownModel,
    UnknownRelease,
)
from models.registry.registry import Registry
from snapshots.errors import DamagedSnapshot, NotASnapshot
from tests.conftest import ROOT
from tests.support import manifests
from tests.support.databases import (  # noqa: F401
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.registered import silence
from tests.support.served import toy_files


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A snapshot and a model of it."""
    return toy_files(tmp_path_factory.mktemp("models"))


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, database: str) -> None:
    """The registry that the commands find, and who runs them."""
    monkeypatch.setenv("WORT_DATABASE", database)
    monkeypatch.setenv("WORT_USER", "tester")


def wort(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(command_line(["models"]), ["models", *(str(part) for part in arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def told(*arguments: str | Path) -> Any:
    """What a command prints as JSON."""
    result = wort(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def altered(model: Path, path: Path, **more: Any) -> Path:
    """A copy of a model file with other content."""
    path.write_text(json.dumps(json.loads(model.read_text()) | more))
    return path


def test_a_model_is_added_promoted_and_rolled_back(toy: tuple[Path, Path], tmp_path: Path) -> None:
    snapshot, model = toy
    assert wort("add", model, "--note", "the first").stdout == "toy@1 is registered\n"
    better = altered(
        model, tmp_path / "better.json", intercept=0.2, metrics={"pearson": 0.75, "spearman": None}
    )
    assert wort("add", better, "--name", "toy", "--who", "ann").stdout == "toy@2 is registered\n"
    listed = wort("list").stdout
    assert "No release yet" in listed
    assert "0.750" in listed
    assert "the first" in listed
    promoted = wort("promote", "toy@1", "--snapshot", snapshot, "--reason", "a start")
    assert promoted.stdout == "release 1 is in force: toy@1\n"
    assert promoted.stderr == ""
    relative = snapshot / ".." / "snapshot"
    made = told("promote", "toy", "--snapshot", relative, "--reason", "better", "--expected", "1", "--verify")
    assert (made["number"], made["model"], made["who"], made["reason"]) == (2, "toy@2", "tester", "better")
    assert made["location"] == str(snapshot.resolve())
    assert made["snapshot_id"] == json.loads((snapshot / "manifest.json").read_text())["id"]
    assert "In force: toy@2, release 2" in wort("list").stdout
    assert [entry["in_force"] for entry in told("list")] == [False, True]
    assert wort("rollback", "--reason", "worse").stdout == "release 3 is in force: toy@1, as in release 1\n"
    log = told("list", "--releases")
    assert [(entry["number"], entry["model"], entry["restores"]) for entry in log] == [
        (1, "toy@1", None),
        (2, "toy@2", None),
        (3, "toy@1", 1),
    ]
    shown = wort("list", "toy", "--releases").stdout
    assert "worse (as in release 1)" in shown
    # The folder stands unbroken on a line of its own.
    assert f"Releases 1 to 3: {made['snapshot_id']} in {snapshot.resolve()}" in shown.splitlines()
    assert told("rollback", "--to", "2", "--reason", "better after all")["model"] == "toy@2"


def test_a_model_is_shown_and_written(toy: tuple[Path, Path], tmp_path: Path) -> None:
    snapshot, model = toy
    facts = json.loads(model.read_text())
    report = {"snapshot": facts["snapshot"], "checksum": facts["trained_on"]["checksum"], "pairs": 3}
    (tmp_path / "report.json").write_text(json.dumps(report))
    (tmp_path / "report.html").write_text("<p>café")
    wort("add", model, "--report", tmp_path / "report.json", "--html", tmp_path / "report.html")
    wort("promote", "toy", "--snapshot", snapshot, "--reason", "a start")
    shown = wort("show", "toy").stdout
    for part in (
        "toy@1",
        "made up",
        "by tester",
        facts["snapshot"],
        "JSON, page",
        "INLINK-PMI",
        "intercept",
        "a start",
    ):
        assert part in shown
    found = told("show", "toy@1")
    assert found["dataset"]["name"] == "made up"
    assert [release["number"] for release in found["releases"]] == [1]
    targets = {name: tmp_path / f"out.{name}" for name in ("model", "report", "html")}
    options = [part for name, path in targets.items() for part in (f"--save-{name}", path)]
    wort("show", "toy", *options)
    assert targets["model"].read_bytes() == model.read_bytes()
    assert json.loads(targets["report"].read_text()) == report
    assert targets["html"].read_text() == "<p>café"
    with pytest.raises(OutputExists):
        wort("show", "toy", *options)
    wort("add", model)
    with pytest.raises(UnknownModel, match="without the report"):
        wort("show", "toy@2", "--save-report", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_two_models_are_compared(toy: tuple[Path, Path], tmp_path: Path) -> None:
    _, model = toy
    facts = json.loads(model.read_text())
    wort("add", model)
    assert "different" not in wort("compare", "toy", "toy@1").stdout
    terms = [*facts["terms"][1:], {"feature": "ESA", "transform": "sqrt", "weight": 0.5}]
    trained_on = facts["trained_on"] | {"checksum": "11", "name": "other.csv"}
    other = {"terms": terms, "metrics": {"pearson": 0.5}, "trained_on": trained_on, "snapshot": "elsewhere"}
    wort("add", altered(model, tmp_path / "other.json", **other))
    compared = told("compare", "toy@1", "toy@2")
    weights = {row["name"]: (row["first"], row["second"]) for row in compared["weights"]}
    first = facts["terms"][0]
    assert weights[first["feature"]] == (first["weight"], None)
    assert weights["sqrt(ESA)"] == (None, 0.5)
    assert weights["intercept"] == (0.1, 0.1)
    assert compared["metrics"] == [{"name": "pearson", "first": None, "second": 0.5}]
    shown = wort("compare", "toy@1", "toy@2").stdout
    for part in ("other.csv", "elsewhere", "sqrt(ESA)", "different data", "different snapshots"):
        assert part in shown


def test_a_snapshot_that_is_not_the_models_is_refused_unless_forced(
    toy: tuple[Path, Path], tmp_path: Path
) -> None:
    snapshot, model = toy
    wort("add", altered(model, tmp_path / "foreign.json", snapshot="elsewhere"))
    promote = ("promote", "toy", "--snapshot", snapshot, "--reason", "r")
    with pytest.raises(ForeignModel, match=r"trained on snapshot elsewhere .* --force"):
        wort(*promote)
    with pytest.raises(NotASnapshot):
        wort("promote", "toy", "--snapshot", tmp_path, "--reason", "r")
    assert told("list", "--releases") == []
    forced = wort(*promote, "--force")
    assert "elsewhere" in forced.stderr
    assert forced.stdout == "release 1 is in force: toy@1\n"


def test_a_damaged_snapshot_is_not_promoted(toy: tuple[Path, Path], tmp_path: Path) -> None:
    snapshot, model = toy
    copy = tmp_path / "copy"
    shutil.copytree(snapshot, copy)
    largest = max(copy.glob("*.npy"), key=lambda path: path.stat().st_size)
    content = bytearray(largest.read_bytes())
    content[-1] ^= 1
    largest.write_bytes(content)
    wort("add", model)
    with pytest.raises(DamagedSnapshot, match=largest.name):
        wort("promote", "toy", "--snapshot", copy, "--reason", "r")
    largest.write_bytes(content[:-1])
    with pytest.raises(DamagedSnapshot, match=largest.name):
        wort("promote", "toy", "--snapshot", copy, "--reason", "r", "--no-verify")
    assert told("list", "--releases") == []
    largest.write_bytes(content)
    assert wort("promote", "toy", "--snapshot", copy, "--reason", "r", "--no-verify").exit_code == 0


def test_a_rollback_looks_at_what_it_goes_back_to(toy: tuple[Path, Path], tmp_path: Path) -> None:
    snapshot, model = toy
    copy, aside = tmp_path / "copy", tmp_path / "aside"
    shutil.copytree(snapshot, copy)
    wort("add", model)
    wort("promote", "toy", "--snapshot", copy, "--reason", "the first")
    wort("promote", "toy", "--snapshot", snapshot, "--reason", "the same elsewhere")
    largest = max(copy.glob("*.npy"), key=lambda path: path.stat().st_size)
    content = largest.read_bytes()
    largest.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(BrokenRelease, match=f"release 1 .*{largest.name} was altered.* --force"):
        wort("rollback", "--reason", "r")
    largest.write_bytes(content)
    copy.rename(aside)
    with pytest.raises(BrokenRelease, match=r"release 1 \(toy@1\) cannot be served"):
        wort("rollback", "--reason", "r", "--no-verify")
    shutil.copytree(aside, copy)
    manifests.rewrite(copy, id="another-" + manifests.read(copy)["id"].rpartition("-")[2])
    with pytest.raises(BrokenRelease, match="holds the snapshot another-"):
        wort("rollback", "--to", "1", "--reason", "r")
    assert len(told("list", "--releases")) == 2
    forced = wort("rollback", "--reason", "r", "--force")
    assert "holds the snapshot another-" in forced.stderr
    assert forced.stdout == "release 3 is in force: toy@1, as in release 1\n"


def test_a_model_of_terms_is_not_promoted(toy: tuple[Path, Path]) -> None:
    snapshot, model = toy
    wort("add", ROOT / "models" / "shipped" / "terms-starter.json", "--name", "terms")
    with pytest.raises(
        ModelError, match="terms@1 is a model of free terms, and a release holds a model of co"
    ):
        wort("promote", "terms", "--snapshot", snapshot, "--reason", "r", "--force")
    with pytest.raises(ModelError, match="is a model of free terms, and a model of concepts is asked for"):
        Scorer.open(snapshot, ROOT / "models" / "shipped" / "terms-starter.json")
    with pytest.raises(ModelError, match="is a model of concepts, and a model of free terms is asked for"):
        load_term_model(model)


def test_an_empty_registry_says_how_to_fill_it(database: str) -> None:
    with Registry.open(database) as registry:
        where = f"The registry is {registry.address}.\n"
    assert wort("list").stdout == (
        "No model yet: `wort models add` registers a file, and `wort retrain` makes one and registers it.\n"
        + where
    )
    assert wort("list", "--releases").stdout.endswith(where)
    assert told("list") == []
    assert wort("list", "--releases").stdout.startswith("No release yet")
    assert wort("runs").stdout == "No retraining yet: `wort retrain` begins one.\n"


def test_runs_are_listed_and_dead_ones_ended(database: str) -> None:
    with Registry.open(database) as registry:
        ended = registry.begin_run(who="ann", parameters={}, pid=None)
        registry.finish_run(ended.id, outcome="refused", message="not better")
        alive = registry.begin_run(who="bob", parameters={}, pid=os.getpid())
        registry.update_run(alive.id, step="comparing", done=3, total=4)
        dead = registry.begin_run(who="eve", parameters={}, pid=None)
        # Above the largest number that Linux gives a process.
        registry.update_run(dead.id, step="reading", pid=2**22 + 1)
        for run in (alive, dead):
            silence(registry, run.id, SILENT + 60)
    shown = wort("runs").stdout
    assert "comparing, 3 of 4" in shown
    assert [(run["id"], run["state"], run["who"]) for run in told("runs")] == [
        (dead.id, "failed", "eve"),
        (alive.id, "running", "bob"),
        (ended.id, "refused", "ann"),
    ]
    assert "not better" in shown
    assert [run["id"] for run in told("runs", "--limit", "1")] == [dead.id]


def test_files_that_are_no_models_or_other_reports_are_not_added(
    toy: tuple[Path, Path], tmp_path: Path
) -> None:
    _, model = toy
    facts = json.loads(model.read_text())
    broken = tmp_path / "broken.json"
    for content in ("", "{}", model.read_text()[:-50], json.dumps(facts | {"features": ["PMI1@1"]})):
        broken.write_text(content)
        with pytest.raises(ModelError, match=r"broken\.json"):
            wort("add", broken)
    report = tmp_path / "report.json"
    good = {"snapshot": facts["snapshot"], "checksum": facts["trained_on"]["checksum"]}
    wrongs: list[object] = [[], good | {"snapshot": "elsewhere"}, good | {"checksum": "22"}]
    for wrong in wrongs:
        report.write_text(json.dumps(wrong))
        with pytest.raises(BadEntry, match=r"report\.json"):
            wort("add", model, "--report", report)
    with pytest.raises(BadEntry):
        wort("add", model, "--name", "a@b")
    with pytest.raises(FileNotFoundError):
        wort("add", tmp_path / "absent.json")
    assert told("list") == []


def test_a_registry_is_backed_up_and_restored(toy: tuple[Path, Path], tmp_path: Path) -> None:
    snapshot, model = toy
    wort("add", model)
    wort("promote", "toy", "--snapshot", snapshot, "--reason", "a start")
    backup = tmp_path / "backup.jsonl"
    assert wort("export", backup).stdout == f"{backup}: 2 records\n"
    with pytest.raises(OutputExists):
        wort("export", backup)
    wort("export", backup, "--force")
    other = ("--database", f"sqlite:///{tmp_path / 'restored' / 'wort.sqlite'}")
    assert wort("import", backup, *other).stdout == f"{backup}: 2 records are new here\n"
    assert wort("import", backup, *other).stdout == f"{backup}: 0 records are new here\n"
    assert told("list", *other) == told("list")
    assert told("list", "--releases", *other) == told("list", "--releases")
    backup.write_bytes(backup.read_bytes()[:-1])
    with pytest.raises(DamagedExport):
        wort("import", backup, *other)


def test_looking_makes_no_registry(tmp_path: Path) -> None:
    for command in (
        ["list"],
        ["show", "toy"],
        ["compare", "a", "b"],
        ["rollback", "--reason", "r"],
        ["export", "x"],
    ):
        with pytest.raises(NotARegistry, match="wort models add"):
            wort(*command)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_done_is_told(toy: tuple[Path, Path]) -> None:
    snapshot, model = toy
    wort("add", model)
    for command in (["show", "tay"], ["compare", "toy", "tay"], ["list", "tay"]):
        with pytest.raises(UnknownModel, match="Did you mean toy"):
            wort(*command)
    with pytest.raises(UnknownRelease):
        wort("rollback", "--reason", "r")
    promote = ("promote", "toy", "--snapshot", snapshot)
    assert wort(*promote).exit_code == 2
    with pytest.raises(BadEntry, match="reason is empty"):
        wort(*promote, "--reason", " ")
    with pytest.raises(StalePromotion):
        wort(*promote, "--reason", "r", "--expected", "3")
    assert wort("rollback", "--to", "-1", "--reason", "r").exit_code == 2


def test_names_are_shown_as_they_are(toy: tuple[Path, Path]) -> None:
    _, model = toy
    wort("add", model, "--name", "[bold]x[/bold]", "--note", "[red]")
    assert "[bold]x[/bold]@1" in wort("list").stdout
    assert "[red]" in wort("show", "[bold]x[/bold]").stdout


def test_who_it_was_is_found_out(
    toy: tuple[Path, Path], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, model = toy
    monkeypatch.delenv("WORT_USER")
    monkeypatch.setenv("LOGNAME", "ann")
    wort("add", model)
    with Registry.open(database) as registry:
        assert registry.version("toy").who.startswith("ann@")


def test_exit_codes() -> None:
    assert exit_code(RegistryUnavailable()) == ENVIRONMENT
    assert exit_code(StalePromotion()) == FINDINGS
    for kind in RegistryError.__subclasses__():
        if kind not in (RegistryUnavailable, StalePromotion):
            assert exit_code(kind()) == BAD_INPUT
