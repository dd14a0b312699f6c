"""The annotated text, and which concepts stand together in it: counted again with sets and dicts."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, permutations
from math import log, sqrt
from pathlib import Path

import msgspec
import numpy as np
import pytest

from building.stage import Build
from building.stages.comentions import pieces
from snapshots.annotator import Annotator
from snapshots.arrays import map_array, map_csr
from snapshots.rows import most_frequent
from snapshots.settings import BuildSettings
from tests.wikis.mention_wiki import CONCEPT, LINKS, TEXTS, TITLES, build_mentions, rows

FREQUENT = 4


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    settings = BuildSettings(frequent_concepts=FREQUENT)
    return build_mentions(tmp_path_factory.mktemp("comentions"), settings)


@pytest.fixture(scope="module")
def paragraphs(build: Build) -> dict[tuple[int, int], set[int]]:
    """The concepts in each paragraph (article, paragraph), as the annotations stage found them."""
    present = [
        (row["article"], row["paragraph"], row["concept"]) for row in rows(build, "annotations", "presences")
    ]
    assert len(set(present)) == len(present)
    found = defaultdict(set)
    for article, paragraph, concept in present:
        found[article, paragraph].add(concept)
    return found


def test_every_paragraph_has_its_own_concept(paragraphs: dict[tuple[int, int], set[int]]) -> None:
    assert set(paragraphs) == {
        (CONCEPT[title], paragraph) for title, texts in TEXTS.items() for paragraph in range(len(texts))
    }
    assert all(article in present for (article, _), present in paragraphs.items())


def test_every_link_is_present_where_it_stands(paragraphs: dict[tuple[int, int], set[int]]) -> None:
    assert all(target in paragraphs[source, link["paragraph"]] for source, target, link in LINKS)


def test_the_annotator_fills_in_the_rest(build: Build, paragraphs: dict[tuple[int, int], set[int]]) -> None:
    annotator = Annotator.of_stages(build.folder("anchors"), build.folder("links"), build.settings)
    linked = Counter((source, link["paragraph"]) for source, _, link in LINKS)
    compared = 0
    for (article, paragraph), present in paragraphs.items():
        if not linked[article, paragraph]:
            text = TEXTS[TITLES[article]][paragraph]
            assert present == {article} | {a.concept for a in annotator.annotate(text, [article])}
            compared += len(present) - 1
    assert compared >= 3
    iron = paragraphs[CONCEPT["Iron"], 0]  # "A [[metal]] that mercury leaves alone."
    assert iron == {CONCEPT["Iron"], CONCEPT["Metal"], CONCEPT["Mercury (element)"]}


def test_counts(build: Build, paragraphs: dict[tuple[int, int], set[int]]) -> None:
    folder = build.folder("comentions")
    assert msgspec.json.decode((folder / "counts.json").read_bytes()) == {"paragraphs": len(paragraphs)}
    counts = map_array(folder / "concept_counts.npy")
    assert counts.dtype == np.int64
    expected = Counter(concept for present in paragraphs.values() for concept in present)
    assert dict(enumerate(counts.tolist())) == {concept: expected[concept] for concept in range(len(TITLES))}


def test_comentions_count_paragraphs_both_ways(
    build: Build, paragraphs: dict[tuple[int, int], set[int]]
) -> None:
    table = map_csr(build.folder("comentions"), "comentions")
    assert table.values is not None
    assert table.values.dtype == np.int32
    assert (table.rows, table.columns) == (len(TITLES), len(TITLES))
    found = {
        (row, int(column)): value
        for row in range(table.rows)
        for column, value in zip(table.row(row), table.row_values(row), strict=True)
    }
    assert found == Counter(pair for present in paragraphs.values() for pair in permutations(present, 2))
    for row in range(table.rows):
        assert (np.diff(table.row(row)) > 0).all()


def test_contexts_weigh_the_most_frequent_concepts(
    build: Build, paragraphs: dict[tuple[int, int], set[int]]
) -> None:
    counts = Counter(concept for present in paragraphs.values() for concept in present)
    frequent = sorted(counts, key=lambda concept: (-counts[concept], concept))[:FREQUENT]
    both = Counter(frozenset(pair) for present in paragraphs.values() for pair in combinations(present, 2))
    table = map_csr(build.folder("comentions"), "contexts")
    assert table.values is not None
    assert table.values.dtype == np.float32
    for concept in range(len(TITLES)):
        vector = {}
        for context in frequent:
            together = counts[concept] if context == concept else both[frozenset((concept, context))]
            if together * len(paragraphs) > counts[concept] * counts[context]:
                vector[context] = log(together * len(paragraphs) / (counts[concept] * counts[context]))
        length = sqrt(sum(weight**2 for weight in vector.values()))
        found = dict(zip(table.row(concept).tolist(), table.row_values(concept), strict=True))
        assert found == pytest.approx({context: weight / length for context, weight in vector.items()})


def test_equally_frequent_concepts_are_taken_in_order() -> None:
    counts = np.array([2, 5, 2, 0, 2, 7])
    assert most_frequent(counts, 4).tolist() == [True, True, True, False, False, True]
    assert most_frequent(counts, 100).tolist() == [True, True, True, False, True, True]


def test_pieces_cover_every_row_once() -> None:
    sizes = [0, 3, 25, 4, 4, 4, 0, 0, 10, 1, 0]
    tasks = list(pieces(np.concatenate([[0], np.cumsum(sizes)]), 10))
    covered = [row for task in tasks for row in range(*next(iter(task.batches())).to_pylist()[0].values())]
    assert covered == list(range(len(sizes)))
    assert [task.size for task in tasks] != [len(sizes)]
    assert sorted(task.key for task in tasks) == [task.key for task in tasks]


def test_the_same_pages_give_the_same_tables(build: Build, tmp_path: Path) -> None:
    again = build_mentions(tmp_path, build.settings)
    for path in sorted(build.work.glob("*/*.npy")):
        assert path.read_bytes() == (again.work / path.parent.name / path.name).read_bytes(), path
