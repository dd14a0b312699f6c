"""What is said of arguments and options that a command cannot take: sentences, in the terms of the help."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import command_line, message
from app.cli.exit_codes import BAD_INPUT, exit_code


def _said(*args: str) -> str:
    """What stands in the frame of the error."""
    ended = CliRunner(env={"COLUMNS": "250"}).invoke(command_line(), args)
    assert ended.exit_code == 2, ended.output
    (framed,) = [line for line in ended.output.splitlines() if line.startswith("│")]
    return framed.strip("│ ")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("related Cat --top x", "--top: 'x' is not a whole number."),
        ("related Cat --top 0", "--top: 0 is too small; 1 is the least."),
        ("related Cat --top 101", "--top: 101 is too large; 100 is the most."),
        ("retrain --pairs a.csv --gate-p 7", "--gate-p: 7 is too large; 1 is the most."),
        ("retrain --pairs a.csv --low x", "--low: 'x' is not a number."),
        ("serve --port 99999", "--port: 99999 is too large; 65535 is the most."),
        ("score a.csv --format xls", "--format: 'xls' is not one of 'csv', 'tsv', 'jsonl', 'parquet'."),
        ("score a.csv --context a", "--context: a context is for free terms; add --terms."),
        ("score a.csv --output", "A value has to follow --output."),
        ("score a.csv --quiet=1", "--quiet takes no value."),
        ("score a.csv --outptu b", "There is no option --outptu. Is --output or --output-format meant?"),
        ("models show", "REF is missing: a model: NAME for its newest version, NAME@3 for the third."),
        (
            "dataset agree a.csv",
            "--kind is missing: related or not; a number on a scale; best and worst of a few. "
            "Give one of binary, graded, best-worst.",
        ),
        ("train -o a.json", "--snapshot is missing: the snapshot to learn on."),
        (
            "related New York",
            "This is more than is asked for: York. Put quotes around what has blanks in it.",
        ),
        ("sing", "There is no command 'sing'."),
        ("it's", 'There is no command "it\'s".'),
        ("scor a.csv", "There is no command 'scor'. Is score meant?"),
        ("models lst", "There is no command 'lst'. Is list meant?"),
    ],
)
def test_a_fault_is_told_of_in_a_sentence(args: str, said: str) -> None:
    assert _said(*args.split()) == said


def test_a_file_that_may_not_be_read_is_no_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pairs.csv"
    file.touch()

    def refused(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    # Root may read anything.
    monkeypatch.setattr(os, "access", lambda place, _: Path(place) != file)
    monkeypatch.setattr(Path, "open", refused)
    ended = CliRunner().invoke(
        command_line(["dataset"]), ["dataset", "select", "tuples", str(file), "-o", str(tmp_path / "out.csv")]
    )
    assert isinstance(ended.exception, PermissionError), ended.output
    assert exit_code(ended.exception) == BAD_INPUT
    assert message(ended.exception) == f"{file}: Permission denied"


@pytest.mark.parametrize(
    ("variable", "given", "args", "said"),
    [
        ("WORT_PORT", "x", "serve", "WORT_PORT: 'x' is not a whole number."),
        ("WORT_SNAPSHOT", "nowhere", "related Cat", "WORT_SNAPSHOT: there is no folder nowhere."),
        ("WORT_RATE_LIMIT", "lots", "serve --port 0", "WORT_RATE_LIMIT: write it as 50/second;2000/minute."),
        (
            "WORT_LOG_LEVEL",
            "loud",
            "models list",
            "WORT_LOG_LEVEL: 'loud' is not 'debug', 'info', 'warning' or 'error'.",
        ),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, given: str, args: str, said: str
) -> None:
    monkeypatch.setenv(variable, given)
    assert _said(*args.split()) == said


def test_a_setting_of_an_excerpt_is_one_of_those_there_are(tmp_path: Path) -> None:
    said = _said("excerpt", "snapshot", "-o", str(tmp_path / "made"), "--set", "esa=200")
    assert said.startswith("--set: 'esa' is no setting and its number. Write one of these with =")
    assert "words cannot be 'many'" in _said(
        "excerpt", "a", "-o", str(tmp_path / "made"), "--set", "words=many"
    )


WESTERN = (
    "Windows-1252, or Latin-1, which is a part of it. Save it as UTF-8, or convert it: iconv -f WINDOWS-1252 "
    "-t UTF-8"
)


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (None, "There is no file FILE. A file of titles has one a line."),
        ("folder", "FILE is a folder. Name a file. A file of titles has one a line."),
        (b"Caf\xe9\n", "FILE: byte 0xe9 at 4 is not UTF-8. ADVICE"),
        ("refused", "FILE: Permission denied"),
    ],
)
def test_titles_that_cannot_be_read_are_input_and_no_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str | bytes | None, said: str
) -> None:
    file = tmp_path / "titles.txt"
    if there == "folder":
        file.mkdir()
    elif there is not None:
        file.write_bytes(there if isinstance(there, bytes) else b"")

    def refused(path: Path, *_: object, **__: object) -> bytes:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    if there == "refused":  # root may read anything
        monkeypatch.setattr(Path, "read_bytes", refused)
    args = ["excerpt", "none", "-o", str(tmp_path / "made"), "--titles", str(file)]
    ended = CliRunner().invoke(command_line(["excerpt"]), args)
    assert isinstance(ended.exception, Exception), ended.output
    assert exit_code(ended.exception) == BAD_INPUT
    advice = f"It is probably {WESTERN} {file} > {file.with_name('titles-utf8.txt')}"
    assert message(ended.exception) == said.replace("FILE", str(file)).replace("ADVICE", advice)


def test_a_command_without_arguments_shows_its_help() -> None:
    ended = CliRunner().invoke(command_line(), ["models"])
    assert "Usage:" in ended.output
    assert "Error" not in ended.output
