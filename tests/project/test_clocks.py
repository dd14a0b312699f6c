"""How long something took or may take is never told by a clock that can be set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.test_architecture import ROOT, SOURCES

DATES = {
    "app/annotation/owning.py": "links expire on a day",
    "app/cli/keys.py": "keys expire on a day",
    "app/retraining/process.py": "files of judgements have the dates that the file system gave them",
    "app/serving/keyring.py": "keys expire on a day",
    "models/registry/keys.py": "keys expire on a day",
    "models/storage/times.py": "says when something was registered, judged, reported or served",
    "building/writer.py": "says when a snapshot was made",
    "training/tuning/folder.py": "says when an encoder was tuned",
    "wiki/patience.py": "`Retry-After` may name a date",
    "wort/exchange.py": "`Retry-After` may name a date",
}
"""What asks for the date, and why it has to be the date."""

WALL = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}


def asked(path: Path) -> Iterator[str]:
    """The clocks that can be set which a module asks."""
    for node in ast.walk(ast.parse(path.read_text())):
        # Also where it is handed on, to be asked by another.
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value).rpartition(".")[2]
            if f"{owner}.{node.attr}" in WALL:
                yield f"{owner}.{node.attr}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_durations_are_told_by_a_clock_that_cannot_be_set(path: Path) -> None:
    assert bool(list(asked(path))) == (path.relative_to(ROOT).as_posix() in DATES)


def test_every_way_to_ask_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    for call in ("time.time()", "clock = time.time", "datetime.datetime.now(datetime.UTC)", "datetime.now()"):
        source.write_text(call)
        assert list(asked(source)), call
    source.write_text("time.monotonic() + loop.time()")
    assert not list(asked(source))
