"""WORD's protocol from a dump to pairs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
from typer.testing import CliRunner

from app.cli import command_line
from datasets.selection.dump_texts import DumpTexts
from datasets.selection.errors import UnusableInput
from datasets.selection.word import WordSettings, known_articles, select
from snapshots.snapshot import Snapshot
from training.progress import NoProgress
from wiki.dump import Dump

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

UNSEEN = NoProgress()


@pytest.fixture(scope="module")
def dump(data_dir: Path) -> Path:
    return data_dir / "wiki" / "enwiki-2016-first-206-pages.xml.bz2"


@pytest.fixture(scope="module")
def snapshot(dump: Path, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("word") / "snapshot"
    built = ["build", str(dump), "-o", str(folder), "--quiet", "--encoder", "none", "--without", "word2vec"]
    assert CliRunner().invoke(command_line(["build"]), built).exit_code == 0
    return Snapshot.open(folder)


@pytest.mark.parametrize("background", ["articles", "snapshot"])
def test_a_dump_and_its_snapshot(
    dump: Path, snapshot: Snapshot, background: Literal["articles", "snapshot"]
) -> None:
    documents = list(DumpTexts(Dump.open(dump)).every(UNSEEN))
    articles, unknown = known_articles(snapshot, documents, listed=False)
    assert (len(articles), unknown) == (98, [])
    selection = select(snapshot, articles, WordSettings(background=background), 1, UNSEEN, {})
    rows = selection.pairs.rows
    by_topic = Counter((row[1], row[4]) for row in rows)
    sizes = Counter(row[0] for row in selection.tables["lexicons"].rows)
    for topic, size in sizes.items():
        assert by_topic[topic, "article"] == min(40, size)
        assert by_topic[topic, "lexicon"] == min(120, size * (size - 1) // 2)
    assert all(row[3] == row[1] for row in rows if row[4] == "article")
    assert all(row[1] not in row[2:4] for row in rows if row[4] == "lexicon")
    with pytest.raises(UnusableInput, match="background=snapshot"):
        select(snapshot, articles[:1], WordSettings(background="articles"), 1, UNSEEN, {})
