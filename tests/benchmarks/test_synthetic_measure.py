"""Measuring wikis: the figures of a few pages that can be counted by hand."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks.report import Cell
from benchmarks.synthetic.laws import PROBABILITIES, TOPS
from benchmarks.synthetic.measure import Measured, pages_of, quantile, top_shares
from tests.support.dumps import write_dump
from wiki.page import RawPage

FILES = {
    "Cat": "A [[dog]] is no cat. It is a [[Dog|hound]], [[pet]].\n\nTwo [[Mouse (animal)]] here."
    "<ref>{{cite}}</ref>\n[[Category:Animals]]",
    "Dog": "== Dogs ==\nSee [[Hound]] and [[Cat]].\n[[Category:Animals]]\n[[Category:Pets]]",
    "Hound": "#REDIRECT [[Dog]]",
    "Mouse_(animal)": "Small.",
    "Mouse": "See [[Mouse (animal)]]. {{disambig}}",
}


def archive(folder: Path) -> Path:
    path = folder / "xx-files.tar.xz"
    with tarfile.open(path, "w:xz") as files:
        for title, text in FILES.items():
            info = tarfile.TarInfo(f"pages/{title}.mw")
            info.size = len(text.encode())
            files.addfile(info, io.BytesIO(text.encode()))
    return path


def dump(folder: Path) -> Path:
    pages = [
        RawPage(i + 1, 0, title.replace("_", " "), "Dog" if title == "Hound" else None, text)
        for i, (title, text) in enumerate(FILES.items())
    ]
    return write_dump(folder / "xx.xml", pages)


@pytest.mark.parametrize("made", [archive, dump])
def test_what_a_few_pages_say(tmp_path: Path, made: Callable[[Path], Path]) -> None:
    siteinfo, pages = pages_of(made(tmp_path))
    measured = Measured(siteinfo)
    for page in pages:
        measured.add(page)
    tables = measured.tables("xx")
    rows: dict[Cell, tuple[Cell, ...]] = {row[0]: row[1:] for table in tables for row in table.rows}
    shares = {of: row[0] for of, row in rows.items()}
    assert shares["redirects an article"] == pytest.approx(1 / 3)
    assert shares["disambiguation pages an article"] == pytest.approx(1 / 3)
    assert shares["titles with a qualifier"] == pytest.approx(1 / 3)
    assert shares["different categories an article"] == pytest.approx(2 / 3)
    # Of the six links one is to a redirect and one, "pet", to no page.
    assert shares["links to redirects"] == pytest.approx(1 / 6)
    assert shares["links to no page"] == pytest.approx(1 / 6)
    assert shares["anchors: another case"] == pytest.approx(2 / 6)
    assert shares["anchors: other words"] == pytest.approx(1 / 6)
    words = 10 + 4 + 4 + 1
    assert shares["references a word"] == pytest.approx(1 / words)
    assert shares["sections a word"] == pytest.approx(1 / words)
    assert rows["words an article"][0] == 1
    assert rows["words an article"][-1] == 14
    assert rows["links from an article, resolved"][-1] == 2  # the hound is the dog, also to itself
    assert rows["links to an article"][-1] == 1
    assert rows["categories an article"][-1] == 2
    assert rows["articles a category"][-1] == 2


def test_quantiles_and_shares_of_the_largest() -> None:
    assert quantile(range(1001))[2:5] == [100, 250, 500]
    assert len(quantile([1.0])) == len(PROBABILITIES)
    shares = top_shares(np.array([1, 96, 3]), 1000)  # the other 997 parts have nothing
    assert shares[TOPS.index(0.001)] == 0.96
    assert shares[TOPS.index(0.003)] == 1.0
