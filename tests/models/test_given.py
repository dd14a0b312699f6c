"""What others hand in: files that never end, JSON that says two things, numbers that nobody trained."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from app.cli import command_line
from app.cli.exit_codes import BAD_INPUT, exit_code
from app.cli.registry.files import check_report
from app.scoring.model_kinds import load_term_model
from features.catalogue import SIGNATURES
from models import files
from models.errors import BadNumbers, ModelError, NotAModel
from models.given import LARGEST, UnusableFile, content_of, json_fault, refuse_repeated_keys
from models.protocol import LARGEST as LARGEST_NUMBER
from models.registry.errors import BadEntry, DamagedExport
from models.registry.registry import Registry
from tests.support.registered import register
from tests.support.served import toy_model
from training.benchmarks.declared import load
from training.benchmarks.read import read_benchmark
from training.errors import BadRow, NotABenchmark


def _pipe(folder: Path, name: str = "model.json") -> Path:
    os.mkfifo(folder / name)
    return folder / name


def _sparse(folder: Path, name: str = "model.json") -> Path:
    (folder / name).touch()
    os.truncate(folder / name, 1 << 40)
    return folder / name


def _endless(_folder: Path) -> Path:
    return Path("/dev/zero")


UNUSABLE = (_pipe, _sparse, _endless)


@pytest.mark.parametrize("made", UNUSABLE)
def test_a_model_file_that_is_none_or_never_ends_is_refused(
    tmp_path: Path, made: Callable[[Path], Path]
) -> None:
    path = made(tmp_path)
    with pytest.raises(NotAModel, match=str(path)):
        files.load(path, SIGNATURES)
    with pytest.raises(NotAModel, match=str(path)):
        load_term_model(path)
    with pytest.raises(UnusableFile) as refused:
        content_of(path)
    assert exit_code(refused.value) == BAD_INPUT


@pytest.mark.parametrize("made", UNUSABLE)
def test_commands_say_what_is_wrong_with_such_a_file(
    tmp_path: Path, made: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(made(tmp_path))
    monkeypatch.setenv("WORT_DATABASE", f"sqlite:///{tmp_path / 'registry.sqlite'}")
    model = str(toy_model(tmp_path / "toy.json", "s1"))
    for command in (
        ["models", "add", path],
        ["models", "add", model, "--report", path],
        ["models", "add", model, "--html", path],
        ["models", "import", path],
        ["score", model, "--format", "csv", "--model", path],
    ):
        ended = CliRunner().invoke(command_line([command[0]]), command)
        assert isinstance(ended.exception, Exception), command
        assert exit_code(ended.exception) == BAD_INPUT, (command, ended.exception)


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b" " * 100)
    assert len(content_of(tmp_path / "file", 100)) == 100
    with pytest.raises(UnusableFile, match="99 bytes"):
        content_of(tmp_path / "file", 99)
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        content_of(tmp_path)
    with pytest.raises(FileNotFoundError):
        content_of(tmp_path / "absent")
    assert LARGEST >= 1 << 20


def _altered(tmp_path: Path, **changed: Any) -> bytes:
    record = json.loads(toy_model(tmp_path / "model.json", "s1").read_bytes())
    return json.dumps({**record, **changed}).encode()


def test_numbers_that_no_trained_model_has_are_refused(tmp_path: Path) -> None:
    term = {"feature": "ESA", "transform": "identity"}
    fold = {"topic": "a", "pairs": 3, "pearson": 0.5, "spearman": None}
    trained_on = {"name": "n", "checksum": "0", "pairs": 3, "fitted": 3, "topics": 1}
    for changed in (
        {"terms": [{**term, "weight": 1e9}]},
        {"terms": [{**term, "weight": -2 * LARGEST_NUMBER}]},
        {"intercept": 1e9},
        {"metrics": {"pearson": 1e30}},
        {"cross_validation": [{**fold, "pearson": -1e9}]},
        {"cross_validation": [{**fold, "pairs": -1}]},
        {"trained_on": {**trained_on, "pairs": -1}},
        {"trained_on": {**trained_on, "topics": 2**60}},
        {"trained_on": {**trained_on, "fitted": None}},
        {"trained_on": {"name": "n", "checksum": "0", "pairs": 3, "fitted": 3}},
    ):
        with pytest.raises(BadNumbers):
            files.loads(_altered(tmp_path, **changed), SIGNATURES)
    for number in ("NaN", "Infinity", "1e999", "-1e400"):
        content = _altered(tmp_path, intercept="?").replace(b'"?"', number.encode())
        with pytest.raises(ModelError):
            files.loads(content, SIGNATURES)
    kept = files.loads(_altered(tmp_path, terms=[{**term, "weight": 99.0}]), SIGNATURES)
    assert kept.coefficients[0].weight == 99


@pytest.mark.parametrize(
    ("found", "put"),
    [
        (b'"intercept": 0.1', b'"intercept": 0.9, "intercept": 0.1'),
        (b'"weight":', b'"weight": 0.5, "weight":'),
        (b'"metrics": {}', b'"metrics": {"pearson": 0.9, "pearson": 0.1}'),
        (b'"snapshot":', b'"snapsh\\u006ft": "other", "snapshot":'),
    ],
)
def test_a_model_that_says_something_twice_is_refused(tmp_path: Path, found: bytes, put: bytes) -> None:
    content = _altered(tmp_path)
    assert found in content
    with pytest.raises(NotAModel, match="stands twice"):
        files.loads(content.replace(found, put, 1), SIGNATURES)
    told = pytest.raises(BadEntry, match="stands twice")
    with Registry.open(f"sqlite:///{tmp_path / 'registry.sqlite'}") as registry, told:
        register(registry, content=content.replace(found, put, 1))


def test_a_report_that_says_something_twice_is_refused(tmp_path: Path) -> None:
    model = files.load(toy_model(tmp_path / "model.json", "s1"), SIGNATURES)
    report = b'{"snapshot": "s1", "checksum": "00", "learnt": [{"a": 1}]}'
    check_report(report, model, "report.json")
    with pytest.raises(BadEntry, match="stands twice"):
        check_report(report.replace(b'{"a": 1}', b'{"a": 1, "a": 2}'), model, "report.json")


def test_an_export_that_says_something_twice_is_refused(tmp_path: Path) -> None:
    with Registry.open(f"sqlite:///{tmp_path / 'registry.sqlite'}") as registry:
        register(registry)
        registry.export(tmp_path / "export.jsonl")
    head, record, _ = (tmp_path / "export.jsonl").read_bytes().splitlines(keepends=True)
    twice = record.replace(b'"note":', b'"note":"other","note":', 1)
    assert twice != record
    digest = hashlib.blake2b(head + twice, digest_size=32).hexdigest()
    end = json.dumps({"record": "end", "records": 1, "checksum": digest}).encode() + b"\n"
    (tmp_path / "export.jsonl").write_bytes(head + twice + end)
    with Registry.open(f"sqlite:///{tmp_path / 'other.sqlite'}") as other:
        with pytest.raises(DamagedExport, match="stands twice"):
            other.import_(tmp_path / "export.jsonl")
        assert not other.versions()


@pytest.mark.parametrize(
    "text",
    [
        '{"left": "Cat", "left": "Dog", "right": "Mouse", "score": 1, "topic": "t"}',
        '{"left": "Cat", "right": "Mouse", "score": 0, "score": 1, "topic": "t"}',
    ],
)
def test_judgements_that_say_something_twice_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "pairs.jsonl").write_text(f"{text}\n")
    with pytest.raises(BadRow, match=r"line 1: .*stands twice"):
        read_benchmark(tmp_path / "pairs.jsonl", "train")


@pytest.mark.parametrize("made", [_pipe, _sparse])
def test_judgements_that_never_end_are_refused(tmp_path: Path, made: Callable[[Path, str], Path]) -> None:
    path = made(tmp_path, "pairs.csv")
    with pytest.raises(NotABenchmark, match="cannot be read as a file of pairs"):
        read_benchmark(path, "train", largest=1 << 20)
    with pytest.raises(NotABenchmark, match="cannot be read"):
        load(made(tmp_path, "declared.toml"))


@pytest.mark.parametrize("scale", ["low = nan", "high = inf", "low = -inf"])
def test_a_scale_without_an_end_is_refused(tmp_path: Path, scale: str) -> None:
    (tmp_path / "one.toml").write_text(f'name = "one"\nfiles = ["one.csv"]\n{scale}\n')
    with pytest.raises(NotABenchmark, match="are no range"):
        load(tmp_path / "one.toml")


def test_a_pair_that_says_something_twice_is_marked(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"left": "Cat", "right": "Dog"}\n{"left": "Cat", "right": "Dog", "right": "Europe"}\n')
    ended = CliRunner().invoke(
        command_line(["score"]), ["score", str(pairs), "-o", str(tmp_path / "o.jsonl")]
    )
    assert ended.exit_code == 0, ended.output
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert Counter(row["status"] for row in rows)["invalid"] == 1
    assert "stands twice" in rows[1]["error"]


@pytest.mark.parametrize(
    "content", ['{"a": 1, "b": {"c": 1}}', '[{"a": 1}, {"a": 1}]', "1", '{"a": {"a": 1}}']
)
def test_what_says_things_once_is_let_through(content: str) -> None:
    refuse_repeated_keys(content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (rb'["\ud83d"]', "surrogate pair"),
        (rb'["\ud83d"]   ', "surrogate pair"),
        (rb'["\ud83d", "Dog", "Cat"]', "surrogate pair"),
        (rb'["\ud83d\udc1', "truncated"),
        (rb'["\ud83', "truncated"),
        (rb'["\u0041', "truncated"),
        (b'["Dog"', "truncated"),
        (b"[", "truncated"),
    ],
)
def test_half_a_character_is_not_taken_for_a_missing_end(content: bytes, said: str) -> None:
    decoder = msgspec.json.Decoder(list[str])
    with pytest.raises(msgspec.DecodeError) as raised:
        decoder.decode(content)
    assert said in json_fault(raised.value, content, decoder)
