"""``wort evaluate`` on benchmarks, and ``wort train --terms``: on the toy wiki, and on real data."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from threading import Lock

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.errors import UnusableModel
from app.serving.encoder import EncoderPlace
from app.serving.starter import snapshot_path
from encoders.card import TunedOn, write_card
from encoders.left_out import COLUMNS, pair_digest, topic_digest
from features.catalogue import OF_WORT
from features.terms.catalogue import TERM_FEATURE_NAMES, TERM_SIGNATURES
from models.files import load
from models.protocol import TextsEncoder
from models.shipped import path as shipped
from snapshots.snapshot import Snapshot
from tests.support.encoders import write_encoder
from tests.support.served import toy_files
from tests.wikis.toy import TITLES
from training.benchmarks.declared import named
from training.benchmarks.judgements import Benchmark
from training.benchmarks.read import read_any
from training.errors import BenchmarkError, MissingEncoder, NotABenchmark
from training.evaluation.sources import asked_for, every
from training.left_out import keys_of

DECLARATION = """
name = "{name}"
files = ["{name}.tsv"]
kind = "{kind}"
language = "{language}"
low = 0.0
high = 10.0
topic = "{topic}"
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A snapshot and a model of it."""
    return toy_files(tmp_path_factory.mktemp("board"))


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, in which declarations are beside their files."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("WORT_DATA_DIR", str(folder))
    return folder


def declare(
    folder: Path, name: str, kind: str = "concepts", topics: int = 0, language: str = "en", seed: int = 7
) -> Path:
    """A benchmark of forty pairs of the toy's titles and one of an unknown title, and what declares it."""
    draw = random.Random(seed)
    rows = ["left\tright\tscore" + ("\ttopic" if topics else "")]
    for number in range(40):
        pair = [*draw.sample(TITLES, 2), f"{10 * draw.random():.1f}"]
        rows.append("\t".join(pair + ([f"topic {number % topics}"] if topics else [])))
    rows.append("Cat\tUnicorn\t5.0" + ("\ttopic 0" if topics else ""))
    (folder / f"{name}.tsv").write_text("\n".join(rows) + "\n")
    path = folder / f"{name}.toml"
    topic = "topic" if topics else ""
    path.write_text(DECLARATION.format(name=name, kind=kind, language=language, topic=topic))
    return path


def wort(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(command_line(["train", "evaluate"]), [str(part) for part in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def evaluated(toy: tuple[Path, Path], *more: str | Path) -> Result:
    return wort("evaluate", "--snapshot", toy[0], "--model", toy[1], "--resamples", "10", "--quiet", *more)


def test_several_benchmarks_make_one_leaderboard(toy: tuple[Path, Path], data: Path, tmp_path: Path) -> None:
    first, second = declare(data, "pets", topics=4), declare(data, "words", kind="terms", seed=8)
    file = tmp_path / "board.json"
    result = evaluated(toy, "--benchmark", first, "--benchmark", second, "--report", file)
    assert result.exit_code == 0
    assert "40 of 41" in result.stdout
    assert "best single" in result.stdout
    board = json.loads(file.read_text())
    assert [(row["benchmark"], row["kind"], row["topics"]) for row in board["rows"]] == [
        ("pets", "concepts", 4),
        ("words", "terms", 0),
    ]
    for row in board["rows"]:
        assert (row["covered"]["pairs"], row["all_pairs"]["pairs"]) == (40, 41)
        assert row["unresolved"] == [{"title": "Unicorn", "reason": "unknown", "pairs": 1}]
        roles = [entry["role"] for entry in row["covered"]["entries"]]
        assert roles == ["concept model", "best feature", "Milne-Witten", "random"]
    assert max(map(len, result.stdout.splitlines()[:20])) <= 100


def test_standard_output_takes_the_json(toy: tuple[Path, Path], data: Path) -> None:
    files = [declare(data, name) for name in ("one", "other")]
    result = evaluated(toy, "--benchmark", files[0], "--benchmark", files[1], "--report", "-")
    assert len(json.loads(result.stdout)["rows"]) == 2
    assert "concept" in result.stderr


def test_one_benchmark_is_reported_in_full(toy: tuple[Path, Path], data: Path, tmp_path: Path) -> None:
    file, page = tmp_path / "report.json", tmp_path / "report.html"
    result = evaluated(
        toy, "--benchmark", declare(data, "pets", topics=4), "--full", "--report", file, "--html", page
    )
    assert result.exit_code == 0
    report = json.loads(file.read_text())
    assert (report["benchmark"], report["of"], report["pairs"]) == ("pets", "concepts", 40)
    assert report["row"]["covered"]["pairs"] == 40
    assert [row["feature"] for row in report["ablation"]] == ["all", *OF_WORT]
    assert {row["learner"] for row in report["learners"]} >= {"linear", "ridge", "nearest neighbours"}
    assert "PMI2" in {measure["name"] for measure in report["rejected"]}
    assert sum(decile["pairs"] for decile in report["deciles"]) == 40
    tested = {(each["first"], each["second"]) for each in report["differences"] if each["kind"] == "pearson"}
    assert any("random" in pair and "toy" in pair for pair in tested)
    names = {name for pair in tested for name in pair}
    every = [each for each in report["all_differences"] if each["kind"] == "spearman"]
    assert len({frozenset((each["first"], each["second"])) for each in every}) == len(every)
    assert len(every) > len(tested)
    assert names <= {name for each in every for name in (each["first"], each["second"])}
    assert "Spearman of every two measures" in page.read_text()
    assert f"Tests of every two measures, {len(report['all_differences'])}" in result.stdout
    for part in ("Learners", "By in-links", "what it adds", "tried and left out", "Differences"):
        assert part in result.stdout
    assert page.read_text().lower().startswith("<!doctype html>")


def test_without_topics_nothing_is_fitted_anew(toy: tuple[Path, Path], data: Path) -> None:
    result = evaluated(toy, "--benchmark", declare(data, "pets"), "--ablation", "--report", "-")
    report = json.loads(result.stdout)
    assert report["ablation"] == []
    assert any("leaving one topic out" in note for note in report["notes"])


def test_what_is_not_there_has_no_column_and_no_frame(toy: tuple[Path, Path], data: Path) -> None:
    shown = evaluated(toy, "--benchmark", declare(data, "pets")).stdout
    of_topics = evaluated(toy, "--benchmark", declare(data, "topical", topics=4)).stdout
    for said, by_topic in ((shown, False), (of_topics, True)):
        assert (re.search(r"\btopic +.*\btopic *$", said, re.MULTILINE) is not None) == by_topic
        assert (", 4 topics" in said) == by_topic
    assert "0 topics" not in shown
    assert "Pairs with a concept on both sides" in shown
    path = declare(data, "strange", language="de")
    lines = (data / "strange.tsv").read_text().splitlines()
    unknown = [f"Nowhere {number}\tUnicorn\t0.{number}" for number in range(9)]
    (data / "strange.tsv").write_text("\n".join([lines[0], *unknown, *lines[1:4]]) + "\n")
    result = evaluated(toy, "--benchmark", path, "--report", "-")
    told = " ".join(result.stderr.split())
    assert "Pairs with a concept on both sides" not in told
    assert "Too few pairs with a concept on both sides to judge by: strange (3)." in told
    assert told.count("Too few") == 1
    assert "strange is in de, and the snapshot in en" in told


def test_a_page_of_several(toy: tuple[Path, Path], data: Path) -> None:
    files = [declare(data, name) for name in ("one", "other")]
    result = evaluated(toy, "--benchmark", files[0], "--benchmark", files[1], "--html", "-")
    assert result.stdout.lower().startswith("<!doctype html>")
    assert "one" in result.stdout
    assert "other" in result.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "either --pairs FILE or --benchmark NAME"),
        (["--pairs", "x.csv", "--benchmark", "men"], "either --pairs FILE or --benchmark NAME"),
        (["--benchmark", "men", "--left", "one"], "name columns of --pairs"),
    ],
)
def test_wrong_use(toy: tuple[Path, Path], options: list[str], said: str) -> None:
    result = evaluated(toy, *options)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", "").split())


def test_floors_are_of_one_benchmark(toy: tuple[Path, Path], data: Path) -> None:
    files = [declare(data, name) for name in ("one", "other")]
    result = evaluated(toy, "--benchmark", files[0], "--benchmark", files[1], "--min-pearson", "0.5")
    assert result.exit_code == 2
    below = evaluated(toy, "--benchmark", files[0], "--min-pearson", "0.99")
    assert below.exit_code == 1


def test_an_unknown_name_is_told_what_is_near(toy: tuple[Path, Path]) -> None:
    with pytest.raises(NotABenchmark, match="wordsim353"):
        evaluated(toy, "--benchmark", "wordsim-353")
    with pytest.raises(NotABenchmark, match="`wort benchmarks` lists all"):
        named("zzz")


def test_nothing_found_is_an_error(toy: tuple[Path, Path]) -> None:
    with pytest.raises(NotABenchmark, match="no benchmark's file was found under") as told:
        evaluated(toy, "--benchmark", "all")
    assert "`wort benchmarks` says where to get each" in str(told.value)
    assert len(str(told.value)) < 300


def test_a_file_that_is_not_there_is_told(toy: tuple[Path, Path], data: Path) -> None:
    with pytest.raises(BenchmarkError, match="was not found under"):
        evaluated(toy, "--benchmark", "men")
    path = declare(data, "pets")
    (data / "pets.tsv").unlink()
    with pytest.raises(BenchmarkError, match="pets"):
        evaluated(toy, "--benchmark", path)


# Terms


def test_a_model_of_terms_is_trained_and_judged(toy: tuple[Path, Path], data: Path, tmp_path: Path) -> None:
    model, report = tmp_path / "terms.json", tmp_path / "report.json"
    words = declare(data, "words", kind="terms")
    files = ("--snapshot", toy[0], "--benchmark", words, "-o", model, "--report", report)
    result = wort("train", "--terms", "--design", "tr9856", "--resamples", "10", "--quiet", *files)
    assert result.exit_code == 0
    fitted = load(model, TERM_SIGNATURES)
    assert fitted.trained_on.name == "words"
    written = json.loads(report.read_text())
    assert (written["of"], written["predictions"]) == ("terms", "ten-fold")
    assert [measure["name"] for measure in written["measures"]] == [*TERM_FEATURE_NAMES, "terms"]
    pearson = written["measures"][-1]["pearson"]["pooled"]["value"]
    assert pearson == pytest.approx(fitted.metrics["pearson_ten_folds"])
    assert "ten shuffled folds" in result.stdout
    assert "Warning: this is too little to learn from" in result.stdout

    judged = evaluated(toy, "--benchmark", words, "--term-model", model, "--report", "-")
    found = json.loads(judged.stdout)
    assert (found["model"], found["of"], found["pairs"]) == ("terms", "terms", 41)
    assert [entry["role"] for entry in found["row"]["all_pairs"]["entries"]][:2] == [
        "concept model",
        "term model",
    ]
    assert found["row"]["seen"] == ["terms"]

    concepts = declare(data, "pets")
    board = evaluated(
        toy, "--benchmark", concepts, "--benchmark", words, "--term-model", model, "--report", "-"
    )
    roles = [
        [entry["role"] for entry in row["covered"]["entries"]][:2] for row in json.loads(board.stdout)["rows"]
    ]
    assert roles == [["concept model", "term model"]] * 2


def test_terms_of_topics_are_left_out_by_topic(toy: tuple[Path, Path], data: Path, tmp_path: Path) -> None:
    words = declare(data, "words", kind="terms", topics=5)
    files = ("--snapshot", toy[0], "--benchmark", words, "-o", tmp_path / "terms.json", "--report", "-")
    report = json.loads(wort("train", "--terms", "--resamples", "10", "--quiet", *files).stdout)
    assert (report["predictions"], report["topics"]) == ("out-of-fold", 5)
    assert len(report["folds"]) == 5


def test_what_cannot_be_trained_on_is_told(toy: tuple[Path, Path], data: Path, tmp_path: Path) -> None:
    output = tmp_path / "model.json"
    files = ("--snapshot", toy[0], "--benchmark", declare(data, "words", kind="terms"), "-o", output)
    with pytest.raises(NotABenchmark, match="With --terms"):
        wort("train", *files)
    result = wort("train", "--terms", "--design", "plain", *files)
    assert result.exit_code == 2
    assert wort("train", "--snapshot", toy[0], "--benchmark", "all", "-o", output).exit_code == 2
    assert not output.exists()


# Real data


def test_all_that_is_found_in_the_language(data_dir: Path) -> None:
    sources, left_out = asked_for(["all", "men"], data_dir, "en", "all")
    names = [source.name for source in sources]
    assert len(set(names)) == len(names)
    assert {"wikisim", "men", "tr9856", "lp50"} <= set(names)
    reasons = {entry.benchmark: entry.reason for entry in left_out}
    assert reasons["german-65"] == "its language is de, the snapshot's en"
    assert not set(names) & set(reasons)
    german, others = every(data_dir, "de", "all")
    assert {"german-65", "german-222", "german-350"} == {source.name for source in german}
    assert all(isinstance(source, Benchmark) for source in german)
    assert "men" in {entry.benchmark for entry in others}


def test_a_split_that_a_file_does_not_mark_leaves_it_out(data_dir: Path) -> None:
    sources, left_out = asked_for(["all"], data_dir, "en", "test")
    assert "men" not in {source.name for source in sources}
    assert "men" in {entry.benchmark for entry in left_out}


@pytest.mark.slow
def test_the_starter_on_all_benchmarks(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORT_DATA_DIR", str(data_dir))
    options = ("--term-model", shipped("terms-starter"), "--resamples", "20", "--quiet", "--report", "-")
    result = wort("evaluate", "--benchmark", "all", *options)
    board = json.loads(result.stdout)
    assert board["snapshot"] == Snapshot.open(snapshot_path()).id
    rows = {row["benchmark"]: row for row in board["rows"]}
    word = rows["word-train"]["covered"]
    entries = {entry["role"]: entry for entry in word["entries"]}
    assert 4000 < word["pairs"] < 5000
    # These very pairs it was trained on, and so was the encoder.
    assert 0.8 < entries["concept model"]["pearson"]["value"] < 0.95
    assert abs(entries["random"]["pearson"]["value"]) < 0.1
    assert entries["concept model"]["pearson"]["value"] > entries["best feature"]["pearson"]["value"]
    # The model of terms judges what the model of concepts cannot.
    tr9856 = {entry["role"]: entry for entry in rows["tr9856"]["all_pairs"]["entries"]}
    assert tr9856["term model"]["spearman"]["value"] > tr9856["concept model"]["spearman"]["value"] + 0.3


def test_a_model_of_terms_that_compares_texts(
    toy: tuple[Path, Path], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is trained with an encoder, whose file it names; judged with it, and warned of another one."""
    words, model = declare(data, "words", kind="terms"), tmp_path / "texts.json"
    card = write_encoder(tmp_path / "own")
    other = write_encoder(tmp_path / "other", seed=2)
    plus = ("--snapshot", toy[0], "--benchmark", words, "-o", model, "--design", "plus", "--resamples", "10")
    with pytest.raises(MissingEncoder, match="--encoder, or another design"):
        wort("train", "--terms", "--quiet", *plus)
    result = wort("train", "--terms", "--quiet", *plus, "--encoder", tmp_path / "own")
    assert result.exit_code == 0
    fitted = load(model, TERM_SIGNATURES)
    assert fitted.encoder == TextsEncoder("toy", card.digest, "static")
    assert "TEXT" in fitted.reads

    judged = ("--benchmark", words, "--term-model", model, "--report", "-")
    with pytest.raises(UnusableModel, match="no encoder of texts"):
        monkeypatch.setattr("app.serving.encoder.EncoderPlace.__init__", _without_a_shipped_one)
        evaluated(toy, *judged)
    with monkeypatch.context() as patched:
        # An encoder by itself compares words as they are.
        patched.setattr("encoders.wordings.WORDINGS", {})
        found = json.loads(evaluated(toy, *judged, "--encoder", tmp_path / "own").stdout)
    measures = {measure["name"]: measure["pearson"]["pooled"]["value"] for measure in found["measures"]}
    entries = {entry["role"]: entry["pearson"]["value"] for entry in found["row"]["all_pairs"]["entries"]}
    assert measures["TEXT"] == pytest.approx(entries["encoder"], abs=1e-6), "the titles alone, both times"
    assert entries["term model"] == measures["texts"]
    assert not any("calibrated" in note for note in found["notes"])

    monkeypatch.setenv("WORT_ENCODER", str(tmp_path / "other"))
    warned = json.loads(evaluated(toy, *judged).stdout)
    assert any(f"compares texts by toy ({other.digest}, static)" in note for note in warned["notes"])
    board = json.loads(evaluated(toy, "--benchmark", declare(data, "pets"), *judged).stdout)
    assert any(other.digest in note for note in board["notes"])


def _without_a_shipped_one(self: EncoderPlace, folder: Path | None) -> None:
    self.folder, self._opened, self._opening = folder, None, Lock()


def test_cosines_that_the_encoder_learnt_from_are_left_out_of_terms_too(
    toy: tuple[Path, Path], data: Path, tmp_path: Path
) -> None:
    """The model learns from those of encoders that had not seen the topic: here they are people's scores."""
    declaration = declare(data, "topical", kind="terms", topics=4)
    judgements = read_any(named(str(declaration)), data / "topical.tsv")
    by_pair = dict(zip(keys_of(judgements.judgements), judgements.judgements, strict=True))
    lines = [",".join(COLUMNS)]
    for key, row in by_pair.items():
        fold = int(key[2].removeprefix("topic ")) % 2
        lines.append(f"{pair_digest(key)},{topic_digest(key[2])},{fold},{row.score / 10:.2f},,")
    card = write_encoder(tmp_path / "tuned", more={"left_out.csv": "\n".join([*lines, ""]).encode()})
    seen = TunedOn("topical", len(judgements.judgements), judgements.checksum)
    write_card(tmp_path / "tuned", replace(card, data=[seen]))
    options = ("--snapshot", toy[0], "--benchmark", declaration, "-o", tmp_path / "terms.json", "--quiet")
    result = wort(
        "train", "--terms", *options, "--design", "plus", "--encoder", tmp_path / "tuned", "--report", "-"
    )
    report = json.loads(result.stdout)
    assert report["predictions"] == "topic-folds"
    measures = {measure["name"]: measure["pearson"]["pooled"]["value"] for measure in report["measures"]}
    assert measures["TEXT"] > 0.99
    assert measures["terms"] > 0.9
