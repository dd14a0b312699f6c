"""The benchmark of growing builds: that it measures what it builds, and its arithmetic."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.scale_build import (
    APART,
    LAST,
    WITHOUT_TEXT,
    Cost,
    Part,
    combined,
    dump_of,
    exponent,
    measured_build,
    tables_of,
)
from benchmarks.synthetic.pages import SyntheticWiki
from building.build import STAGES


def cost(articles: int, seconds: float, peak: int = 10**9) -> Cost:
    parts = [Part("pages", seconds, peak, 2 * peak), Part(APART, 1_000.0, 5 * peak, 5 * peak)]
    return Cost(articles, 2 * articles, 10**6, [*parts, Part(LAST, 1.0, 1, 1)], {"esa": articles * articles})


def test_the_exponent_is_that_of_a_power() -> None:
    assert exponent((10, 1_000), (4.0, 4.0 * 100**1.5)) == pytest.approx(1.5)
    assert exponent((10, 20), (0.0, 1.0)) is None
    assert exponent((10, 20), (None, 1.0)) is None


def test_word_vectors_are_no_part_of_the_sums() -> None:
    one = cost(1_000, 9.0)
    assert one.seconds == 10.0
    (row,) = tables_of([one])[0].rows
    shown = dict(zip(tables_of([one])[0].columns, row, strict=True))
    assert shown["build, s"] == 10.0
    assert shown["word2vec, s"] == 1_000.0
    assert shown["memory, GB"] == 1.0
    assert shown["hours a million articles"] == pytest.approx(10_000 / 3600)
    assert shown["pages/s"] == 200


def test_of_several_builds_the_median_seconds_count_and_the_largest_memory() -> None:
    found = combined([cost(1_000, 9.0, 5), cost(1_000, 2.0, 7), cost(1_000, 3.0, 6)])
    assert found == cost(1_000, 3.0, 7)
    assert combined([found]) == found
    assert "median of 3 builds" in tables_of([found], 3)[0].note
    assert "of one build" in tables_of([found])[0].note


def test_growth_is_told_by_stage_and_by_table() -> None:
    sizes, seconds, memory, tables = tables_of([cost(100, 1.0), cost(1_000, 10.0)], prefix="links-")
    assert [table.name for table in (sizes, seconds, memory, tables)] == [
        *("links-sizes", "links-seconds", "links-memory", "links-tables"),
    ]
    assert seconds.columns == ("", "100", "1,000", "exponent")
    assert seconds.rows[0][:3] == ("pages", 1.0, 10.0)
    assert seconds.rows[0][3] == pytest.approx(1.0)
    assert [row[:3] for row in tables.rows] == [("esa", 0.01, 1.0)]
    assert tables.rows[0][3] == pytest.approx(2.0)


def test_links_alone_are_built_and_measured(tmp_path: Path) -> None:
    dump = dump_of(SyntheticWiki(120, text=0.02), tmp_path, workers=1)
    built = dump.stat().st_mtime_ns
    assert dump_of(SyntheticWiki(120, text=0.02), tmp_path, workers=1).stat().st_mtime_ns == built
    found = measured_build(dump, 120, WITHOUT_TEXT, 10**9, workers=1)
    assert [part.name for part in found.parts] == [*WITHOUT_TEXT, LAST]
    assert all(part.seconds > 0 and 0 < part.peak <= part.mapped for part in found.parts)
    assert {"out_links", "in_links", "categories", "titles", "concepts"} <= set(found.tables)
    assert found.pages == 120 + 120 + 11 + 22
    assert set(WITHOUT_TEXT) < {stage.name for stage in STAGES}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [dump.name, dump.name.replace(".xml", "-index.txt")]
    )


@pytest.mark.slow
@pytest.mark.alone
def test_a_whole_build_is_measured(tmp_path: Path) -> None:
    dump = dump_of(SyntheticWiki(100, text=0.2), tmp_path, workers=1)
    stages = tuple(stage.name for stage in STAGES if stage.name != APART)
    found = measured_build(dump, 100, stages, 10**9, workers=1)
    assert [part.name for part in found.parts] == [*stages, LAST]
    assert {"esa", "tfidf", "word_pairs", "manifest", "parquet"} <= set(found.tables)
