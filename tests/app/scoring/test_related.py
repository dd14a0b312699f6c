"""Related concepts: against scoring every concept, on the toy, on the starter snapshot, on a larger one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring import candidates
from app.scoring.concepts import Scorer
from app.scoring.related import NoSuchCategory, related
from app.serving.starter import open_scorer, snapshot_path
from benchmarks.related import drawn, truth
from snapshots.csr import CSR
from snapshots.scaled import ScaledVectors
from tests.support.served import served_snapshot, toy_model, toy_scorer
from tests.wikis.toy import CATEGORIES, TITLES
from wort.schemas.concepts import RelatedConcepts


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("related"))


@pytest.fixture(scope="module")
def starter() -> Scorer:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    return open_scorer(None, None, strict=True)


def shown(found: RelatedConcepts) -> list[tuple[int, float]]:
    return [(one.page_id or 0, one.score) for one in found.related]


def titled(found: RelatedConcepts) -> list[str]:
    return [one.title for one in found.related]


def by_pairs(scorer: Scorer, concept: int) -> list[tuple[int, float]]:
    """Every other concept by its score as a pair, the highest first, then by page id."""
    page_ids = scorer.snapshot.array("page_ids").tolist()
    others = [page_id for page_id in page_ids if page_id != page_ids[concept]]
    results = scorer.score([(other, page_ids[concept]) for other in others])
    scored = [(other, result.score or 0.0) for other, result in zip(others, results, strict=True)]
    return sorted(scored, key=lambda one: (-one[1], one[0]))


@pytest.mark.parametrize("concept", range(len(TITLES)))
def test_the_whole_list_of_a_small_wiki(toy: Scorer, concept: int) -> None:
    found = related(toy, concept, 100)
    assert shown(found) == by_pairs(toy, concept)
    assert found.candidates == len(TITLES) - 1
    assert found.concept.title == TITLES[concept]
    assert [one.title for one in found.related] == [
        toy.resolver.resolve(page_id).title for page_id, _ in shown(found)
    ]


@given(st.integers(0, len(TITLES) - 1), st.integers(1, 100), st.floats(0, 1))
def test_a_shorter_list_is_the_beginning_of_the_longer(
    toy: Scorer, concept: int, k: int, least: float
) -> None:
    every = shown(related(toy, concept, 100))
    assert shown(related(toy, concept, k, least)) == [one for one in every if one[1] >= least][:k]


def test_the_least_score_is_included(toy: Scorer) -> None:
    every = shown(related(toy, 0, 100))
    assert shown(related(toy, 0, 100, every[3][1]))[-1][1] == every[3][1]


@pytest.mark.parametrize("concept", range(len(TITLES)))
def test_a_category_has_its_members_and_no_other(toy: Scorer, concept: int) -> None:
    page_ids = toy.snapshot.array("page_ids")
    for category in {category for found in CATEGORIES.values() for category in found}:
        members = {title for title, of in CATEGORIES.items() if category in of} - {TITLES[concept]}
        found = related(toy, concept, 100, category=category)
        assert {one.title for one in found.related} == members
        expected = [
            one for one in by_pairs(toy, concept) if TITLES[np.searchsorted(page_ids, one[0])] in members
        ]
        assert shown(found) == expected
        assert found == related(toy, concept, 100, category=f"category:{category.replace(' ', '_')}")


@pytest.mark.parametrize("title", ["", "Nothing", "Talk:x", "[[x]]", "\x00", "\U0010ffff", "A", "zzz"])
def test_a_category_that_there_is_not(toy: Scorer, title: str) -> None:
    with pytest.raises(NoSuchCategory, match=r"^No category here has the title .*\.$"):
        related(toy, 0, category=title)


def test_of_a_large_category_the_candidates_and_the_most_linked_are_scored(starter: Scorer) -> None:
    table = starter.snapshot.csr("categories")
    largest = int(np.bincount(table.indices).argmax())
    title = starter.snapshot.strings("category_titles")[largest]
    members = candidates.members(starter.snapshot, largest)
    assert members.tolist() == [row for row in range(table.rows) if largest in table.row(row).tolist()]
    concept = int(members[0])
    whole = related(starter, concept, 100, category=title)
    assert whole.candidates == len(members) - 1 > 20
    found = candidates.candidates(starter.snapshot, concept, starter.model.reads)
    likely = int(np.isin(found, members).sum())
    some = related(starter, concept, 100, category=title, most_members=likely + 5)
    assert some.candidates == likely + 5 < whole.candidates
    titles = starter.snapshot.concept_titles
    assert set(titled(some)) <= {titles[member] for member in members.tolist()}
    assert some.related[:3] == whole.related[:3]


def test_equal_scores_come_by_page_id(tmp_path: Path) -> None:
    snapshot = served_snapshot(tmp_path / "snapshot")
    flat = msgspec.json.decode(toy_model(tmp_path / "model.json", "x").read_bytes())
    for term in flat["terms"]:
        term["weight"] = 0.0
    (tmp_path / "flat.json").write_bytes(msgspec.json.encode(flat))
    found = shown(related(Scorer.open(snapshot, tmp_path / "flat.json"), 3, 100))
    assert found == sorted(found)
    assert len({score for _, score in found}) == 1


@pytest.mark.parametrize("sample", ["random", "popular"])
def test_the_starter_snapshot_shows_nearly_the_true_ten(starter: Scorer, sample: str) -> None:
    concepts = drawn(starter, 25, 15)[sample]
    found = [related(starter, int(concept), 10) for concept in concepts]
    titles = starter.snapshot.concept_titles
    shares = [
        [titles[best] in titled(of) for best in truth(starter, int(concept)).best[:10].tolist()]
        for concept, of in zip(concepts, found, strict=True)
    ]
    assert np.mean(shares) >= 0.95
    assert max(of.candidates for of in found) < 1000


def test_models_that_compare_vectors_have_the_nearest_among_the_candidates(starter: Scorer) -> None:
    """By an oracle in floating point; and models that do not keep to the candidates that they had."""
    snapshot, reads = starter.snapshot, ("ESA", "ENC-LEAD")
    vectors = snapshot.scaled("title_vectors").floats()
    for concept in range(5, snapshot.concepts, 700):
        dots = vectors @ vectors[concept]
        nearest = candidates.alike_in_title(snapshot, concept)
        assert len(set(nearest.tolist())) == candidates.NAMED_ALIKE
        assert dots[nearest].min() >= np.sort(dots)[-candidates.NAMED_ALIKE] - 1e-9
        without, found = (candidates.candidates(snapshot, concept, read) for read in (("ESA",), reads))
        assert set(found.tolist()) == set(without.tolist()).union(nearest.tolist()) - {concept}


def test_where_there_are_no_vectors_none_are_near(starter: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    concepts = starter.snapshot.concepts
    assert candidates.alike_in_title(starter.snapshot, 0, compared=concepts - 1).tolist() == []
    assert len(candidates.alike_in_title(starter.snapshot, 0, compared=concepts)) == candidates.NAMED_ALIKE
    monkeypatch.setitem(starter.snapshot._opened, "title_vectors", ScaledVectors.zeros(concepts))
    assert candidates.alike_in_title(starter.snapshot, 0).tolist() == []


def test_each_score_is_that_of_the_pair(starter: Scorer) -> None:
    """To the last bit, whichever side the concept is on."""
    for concept in range(5, starter.snapshot.concepts, 700):
        found = related(starter, concept, 100)
        for pairs in (
            [(one.title, found.concept.title) for one in found.related],
            [(found.concept.title, one.title) for one in found.related],
        ):
            results = starter.score(pairs)
            assert [one.score for one in found.related] == [result.score for result in results]
            assert [one.percentiles for one in found.related] == [result.percentiles for result in results]


def test_every_concept_is_found_by_itself_only_elsewhere(starter: Scorer) -> None:
    for concept in range(0, starter.snapshot.concepts, 250):
        found = related(starter, concept, 100)
        assert starter.snapshot.concept_titles[concept] not in titled(found)
        assert len(set(titled(found))) == len(found.related)
        scores = [one.score for one in found.related]
        assert scores == sorted(scores, reverse=True)


def test_a_concept_without_text_has_those_that_it_is_linked_with(
    starter: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = starter.snapshot
    rows = snapshot.concepts
    for name in ("esa", "comentions"):
        monkeypatch.setitem(snapshot._opened, name, CSR.empty(rows, rows, np.dtype(np.float32)))
    links = snapshot.csr("out_links").row(7)
    found = candidates.candidates(snapshot, 7)
    assert set(links[links < rows][: candidates.LINKED].tolist()) <= set(found.tolist())
    assert len(found) <= 2 * candidates.LINKED


def test_the_longest_row_of_a_hub_is_cut(starter: Scorer) -> None:
    """Of more concepts than are compared, those of the most paragraphs."""
    table = starter.snapshot.csr("comentions")
    hub = int(table.sizes(np.arange(table.rows)).argmax())
    found = candidates.comentioned(starter.snapshot, hub, most=50, hub=50)
    columns, counts = table.row(hub), table.row_values(hub)
    inside = columns < starter.snapshot.concepts
    least = np.sort(counts[inside])[-50]
    assert len(found) == 50
    assert all(counts[np.searchsorted(columns, found)] >= least)
