"""``wort train`` and ``wort evaluate`` on the toy wiki."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.errors import ForeignModel, OutputExists, OutputUnusable
from features.catalogue import FEATURE_NAMES, OF_WORT, SIGNATURES
from models.errors import ModelError
from models.files import load
from tests.support.served import toy_files
from tests.wikis.toy import TITLES
from training.errors import BadRow, NotABenchmark, TooFewPairs


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A snapshot and a model of it."""
    return toy_files(tmp_path_factory.mktemp("training"))


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Judgements of the toy wiki's concepts in three topics, and one title that it does not have."""
    draw = random.Random(7)
    rows = ["left,right,score,topic"]
    for number in range(45):
        left, right = draw.sample(TITLES, 2)
        rows.append(f"{left},{right},{draw.random():.2f},topic {number % 3}")
    rows.append("Cat,Unicorn,0.5,topic 0")
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def wort(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(command_line(["train", "evaluate"]), [str(part) for part in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def trained(toy: tuple[Path, Path], pairs: Path, *more: str | Path) -> Result:
    output = pairs.with_name("model.json")
    return wort("train", "--snapshot", toy[0], "--pairs", pairs, "-o", output, "--resamples", "10", *more)


def evaluated(toy: tuple[Path, Path], pairs: Path, *more: str | Path) -> Result:
    files = ("--snapshot", toy[0], "--model", toy[1], "--pairs", pairs)
    return wort("evaluate", *files, "--resamples", "10", *more)


def test_a_model_is_trained_and_reported(toy: tuple[Path, Path], pairs: Path, tmp_path: Path) -> None:
    files = ("--report", tmp_path / "report.json", "--html", tmp_path / "report.html")
    result = trained(toy, pairs, *files, "--quiet")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in FEATURE_NAMES)
    assert "45 of 46 pairs" in result.stdout
    assert "Unicorn (unknown, 1 pair)" in result.stdout
    assert "the paper" in result.stdout
    assert "45 pairs for 20 weights, which want 200" in result.stdout
    assert "3 topics, and 5 are the least" in result.stdout
    assert result.stderr.endswith("model.json: model model, learnt from too little to be relied on\n")
    model = load(tmp_path / "model.json", SIGNATURES)
    assert "<svg" in (tmp_path / "report.html").read_text()
    report = json.loads((tmp_path / "report.json").read_text())
    assert model.name == report["model"] == "model"
    assert model.snapshot == report["snapshot"]
    assert model.metrics["pearson"] == report["measures"][-1]["pearson"]["pooled"]["value"]
    assert [term.transform for term in model.coefficients].count("log1p20") == 3
    assert [fold.topic for fold in model.cross_validation] == sorted(f"topic {n}" for n in range(3))
    assert any("may come about by chance" in note for note in report["notes"])
    assert report["coverage"]["unresolved"] == [{"title": "Unicorn", "reason": "unknown", "pairs": 1}]


def test_plain_terms_are_the_features(toy: tuple[Path, Path], pairs: Path, tmp_path: Path) -> None:
    trained(toy, pairs, "--design", "plain", "--name", "paper")
    model = load(tmp_path / "model.json", SIGNATURES)
    assert model.name == "paper"
    assert [(term.feature, term.transform) for term in model.coefficients] == [
        (name, "identity") for name in OF_WORT
    ]


def test_training_is_repeatable_and_heeds_no_test_row(
    toy: tuple[Path, Path], pairs: Path, tmp_path: Path
) -> None:
    rows = pairs.read_text().splitlines()
    marked = [rows[0] + ",Train/Test", *(row + ",Train" for row in rows[1:])]
    models = []
    for poison in ([], ["Cat,Dog,poison,topic 0,Test", "Cat,Pet,-99,nowhere,Test"]):
        pairs.write_text("\n".join(marked[:5] + poison + marked[5:]) + "\n")
        result = trained(toy, pairs, "--force")
        models.append(load(tmp_path / "model.json", SIGNATURES))
        assert ("Left unread: 2 rows of the other split" in result.stdout) == bool(poison)
    first, second = models
    assert first.coefficients == second.coefficients
    assert first.intercept == second.intercept
    assert first.cross_validation == second.cross_validation


def test_a_model_is_judged_on_any_pairs(toy: tuple[Path, Path], pairs: Path, tmp_path: Path) -> None:
    table = pairs.read_text().replace("left,right,score,topic", "one,other,mean,subject")
    other = tmp_path / "other.tsv"
    other.write_text(table.replace(",", "\t"))
    columns = ("--left", "one", "--right", "other", "--score", "mean", "--topic", "subject")
    result = evaluated(toy, other, *columns, "--report", "-", "--quiet")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert report["predictions"] == "model"
    assert (report["topics"], report["pairs"]) == (3, 45)
    assert "the predictions of toy as it is" in result.stderr


def test_splits_are_judged_apart(toy: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "marked.csv"
    path.write_text(
        "left,right,score,Train/Test\nCat,Dog,1,Train\nCat,Music,0,Train\nCat,Pet,0,Test\n"
        "Piano,Music,1,Test\nDog,Noun,0,Test\n"
    )
    for split, judged in (("train", 2), ("test", 3), ("all", 5)):
        report = json.loads(evaluated(toy, path, "--split", split, "--report", "-").stdout)
        assert (report["pairs"], report["split"]) == (judged, split)


def test_a_floor_that_is_missed_is_told_by_the_exit_code(toy: tuple[Path, Path], pairs: Path) -> None:
    assert evaluated(toy, pairs, "--min-pearson", "-1").exit_code == 0
    result = evaluated(toy, pairs, "--min-pearson", "0.99", "--min-spearman", "0.99")
    assert result.exit_code == 1
    assert "Pearson correlation of toy" in result.stderr
    assert "Spearman correlation of toy" in result.stderr


def test_a_model_of_another_snapshot_is_told_or_refused(
    toy: tuple[Path, Path], pairs: Path, tmp_path: Path
) -> None:
    foreign = tmp_path / "foreign.json"
    content = json.loads(toy[1].read_text())
    foreign.write_text(json.dumps({**content, "snapshot": "elsewhere"}))
    assert "elsewhere" in evaluated((toy[0], foreign), pairs).stdout
    with pytest.raises(ForeignModel):
        evaluated((toy[0], foreign), pairs, "--strict")


def test_outputs_are_not_overwritten_unasked(toy: tuple[Path, Path], pairs: Path) -> None:
    trained(toy, pairs)
    with pytest.raises(OutputExists, match="--force"):
        trained(toy, pairs)
    with pytest.raises(OutputExists, match=r"model\.json"):
        evaluated(toy, pairs, "--report", pairs.with_name("model.json"))
    assert trained(toy, pairs, "--force").exit_code == 0


def test_one_file_does_not_hold_two_outputs(toy: tuple[Path, Path], pairs: Path, tmp_path: Path) -> None:
    for report in (tmp_path / "model.json", tmp_path / "." / "x" / ".." / "model.json"):
        (tmp_path / "x").mkdir(exist_ok=True)
        result = trained(toy, pairs, "--report", report, "--force")
        assert result.exit_code == 2
        assert "two outputs" in result.stderr
        assert not (tmp_path / "model.json").exists()


def test_a_missing_folder_is_told_at_once(toy: tuple[Path, Path], pairs: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputUnusable, match=r"where report\.json should go, does not exist"):
        trained(toy, pairs, "--report", tmp_path / "absent" / "report.json")


def test_names_are_shown_as_they_are(toy: tuple[Path, Path], pairs: Path) -> None:
    assert "[bold]x[/]" in trained(toy, pairs, "--name", "[bold]x[/]").stdout


def test_what_cannot_be_used_is_refused_before_anything_is_written(
    toy: tuple[Path, Path], pairs: Path, tmp_path: Path
) -> None:
    header = "left,right,score,topic\n"
    faults: list[tuple[str, type[Exception]]] = [
        (header + "Cat,Dog,0.5,a\nCat,Pet,2,b\n", BadRow),
        (header + "Cat,Dog,0.5,a\nCat,Pet,0.2,a\n", TooFewPairs),
        (header + "Unicorn,Griffin,0.5,a\nCat,Griffin,0.5,b\n", TooFewPairs),
        ("left,right,score\nCat,Dog,0.5\n", TooFewPairs),
        ("left,right\nCat,Dog\n", NotABenchmark),
    ]
    for content, error in faults:
        pairs.write_text(content)
        with pytest.raises(error):
            trained(toy, pairs)
        assert not (tmp_path / "model.json").exists()


def test_another_file_is_no_model(toy: tuple[Path, Path], pairs: Path, tmp_path: Path) -> None:
    shutil.copy(pairs, tmp_path / "no-model.json")
    with pytest.raises(ModelError, match=r"no-model\.json"):
        evaluated((toy[0], tmp_path / "no-model.json"), pairs)


def test_a_log_logistic_model_is_trained_with_intervals_and_a_threshold_is_chosen(
    toy: tuple[Path, Path], pairs: Path, tmp_path: Path
) -> None:
    done = trained(toy, pairs, "--design", "plus", "--related-at", "0.4", "--recall", "0.9", "--cost", "2")
    assert done.exit_code == 0
    for said in (
        "Calibration: ",
        "at least 40% of its judges",
        "recall 0.9",
        "cost 2 to 1",
        "prediction: 1",
    ):
        assert said in done.stdout
    model = load(tmp_path / "model.json", SIGNATURES)
    assert (model.type, model.unit) == ("log-logistic", "evidence")
    assert model.interval_bands
    judged = wort(
        "evaluate",
        "--snapshot",
        toy[0],
        "--model",
        tmp_path / "model.json",
        "--pairs",
        pairs,
        "--precision",
        "0.5",
    )
    assert judged.exit_code == 0
    assert "precision 0.5" in judged.stdout
    assert "which aim at 90%" in judged.stdout
