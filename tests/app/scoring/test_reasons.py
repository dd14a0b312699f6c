"""The evidence behind a pair against sets and dicts, and against the evidence of the features."""

from __future__ import annotations

from itertools import product
from math import log, sqrt
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import measures
from app.scoring.reasons import SHOWN, pair_evidence
from features.catalogue import (
    CATEGORIES,
    ESA,
    FEATURE_NAMES,
    IN_LINKS,
    OUT_LINKS,
    PARAGRAPHS,
    TFIDF,
)
from features.extract import extract
from features.gathering import Evidence
from features.kinds import Kind, Parts
from snapshots.snapshot import Snapshot
from tests.oracles.features import word_cosine, word_pmi
from tests.support.excerpts import starter_excerpt
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import SmallWiki, write_snapshot
from tests.wikis.toy import TITLES, TOY, concept, toy_snapshot
from wort.schemas.evidence import PairEvidence, SharedLinks

ALL = 10_000


def page_id(row: int) -> int:
    return 100 + 7 * row


def neighbours(wiki: SmallWiki, shared: set[int], degree: dict[int, int], most: int) -> list[Any]:
    """The shared neighbours that have titles, the least linked first, then by page id."""
    named = sorted((row for row in shared if row < len(wiki.titles)), key=lambda row: (degree[row], row))
    return [(wiki.titles[row], page_id(row), 1 / log(max(degree[row], 2))) for row in named[:most]]


def shares(left: dict[Any, float], right: dict[Any, float]) -> dict[Any, float]:
    """What part of the cosine of two vectors each coordinate makes up."""
    products = {key: left[key] * right[key] for key in left if key in right}
    return {key: value / sum(products.values()) for key, value in products.items()}


def cosine(left: dict[Any, float], right: dict[Any, float]) -> float:
    if not left or not right:
        return 0.0
    dot = sum(left[key] * right[key] for key in left if key in right)
    return dot / sqrt(sum(x * x for x in left.values()) * sum(x * x for x in right.values()))


def judge_links(found: SharedLinks, wiki: SmallWiki, sets: tuple[set[int], set[int]], degree: Any) -> None:
    left, right = sets
    shared = left & right
    assert (found.both, found.left, found.right) == (len(shared), len(left), len(right))
    assert found.unnamed == sum(row >= len(wiki.titles) for row in shared)
    expected = neighbours(wiki, shared, {row: degree(row) for row in shared}, ALL)
    assert [(one.title, one.page_id) for one in found.strongest] == [entry[:2] for entry in expected]
    assert [one.specificity for one in found.strongest] == pytest.approx([entry[2] for entry in expected])


def judge(wiki: SmallWiki, found: PairEvidence, a: int, b: int, rounding: float) -> None:
    """Compare all evidence of a pair with what sets and dicts say."""
    assert (found.links.left_to_right, found.links.right_to_left) == (
        (a, b) in wiki.links,
        (b, a) in wiki.links,
    )
    judge_links(found.in_links, wiki, (wiki.into(a), wiki.into(b)), lambda row: len(wiki.out(row)))
    judge_links(found.out_links, wiki, (wiki.out(a), wiki.out(b)), lambda row: len(wiki.into(row)))
    of_a, of_b = wiki.categories[a], wiki.categories[b]
    assert found.categories.titles == sorted(of_a & of_b)
    assert (found.categories.both, found.categories.left, found.categories.right) == (
        len(of_a & of_b),
        len(of_a),
        len(of_b),
    )
    with_a, with_b = ({i for i, units in enumerate(wiki.paragraphs) if x in units} for x in (a, b))
    counts = found.comentions
    assert (counts.both, counts.left, counts.right) == (len(with_a & with_b), len(with_a), len(with_b))

    esa = shares(wiki.esa[a], wiki.esa[b])
    assert found.esa.cosine == pytest.approx(cosine(wiki.esa[a], wiki.esa[b]), abs=rounding)
    beyond = {row: share for row, share in esa.items() if row >= len(wiki.titles)}
    assert (found.esa.both, found.esa.unnamed) == (len(esa), len(beyond))
    assert found.esa.unnamed_share == pytest.approx(sum(beyond.values()), abs=rounding)
    assert {(one.title, one.page_id): one.share for one in found.esa.strongest} == pytest.approx(
        {(wiki.titles[row], page_id(row)): esa[row] for row in esa.keys() - beyond.keys()}, abs=rounding
    )
    tfidf = shares(wiki.tfidf[a], wiki.tfidf[b])
    assert found.tfidf.cosine == pytest.approx(cosine(wiki.tfidf[a], wiki.tfidf[b]), abs=rounding)
    assert found.tfidf.both == len(tfidf)
    assert {one.word: one.share for one in found.tfidf.strongest} == pytest.approx(tfidf, abs=rounding)
    for listed in (found.esa.strongest, found.tfidf.strongest):
        heaviest = [one.share for one in listed]
        assert heaviest == sorted(heaviest, reverse=True)

    bound = {
        frozenset((x, y)): (word_pmi(wiki, x, y), word_cosine(wiki, x, y))
        for x, y in product(wiki.title_words[a], wiki.title_words[b])
    }
    expected = {words: strength for words, strength in bound.items() if max(strength) > rounding}
    shown = {frozenset((one.left, one.right)): (one.pmi, one.cosine) for one in found.words}
    for words in expected.keys() | shown.keys():
        assert shown.get(words, (0.0, 0.0)) == pytest.approx(bound[words], abs=rounding)
    for one in found.words:
        assert one.left in wiki.title_words[a]
        assert one.right in wiki.title_words[b]
    assert found.words == sorted(found.words, key=lambda one: (-one.pmi, -one.cosine))


def judge_all(wiki: SmallWiki, snapshot: Snapshot, rounding: float) -> None:
    rows = range(len(wiki.titles))
    for a, b in product(rows, rows):
        found = pair_evidence(snapshot, a, b, ALL)
        judge(wiki, found, a, b, rounding)
        judge_against_the_features(snapshot, found, a, b)
        assert mirrored(found) == mirrored(swapped(pair_evidence(snapshot, b, a, ALL)))
        judge_short_lists(found, pair_evidence(snapshot, a, b, 2))


def judge_against_the_features(snapshot: Snapshot, found: PairEvidence, a: int, b: int) -> None:
    """The numbers are those that the features are computed from, to the last bit."""
    kinds: tuple[Kind | Parts, ...] = (IN_LINKS, OUT_LINKS, CATEGORIES, PARAGRAPHS, ESA, TFIDF)
    evidence = Evidence(snapshot, np.array([a]), np.array([b]), kinds)
    all_counts: tuple[Any, ...] = (found.in_links, found.out_links, found.categories, found.comentions)
    for kind, counts in zip(kinds, all_counts, strict=False):
        assert [counts.both, counts.left, counts.right] == evidence[kind][:, 0].tolist()
    assert found.esa.cosine == float(measures.cosine(evidence[ESA])[0, 0])
    assert found.tfidf.cosine == float(measures.cosine(evidence[TFIDF])[0, 0])
    values = dict(zip(FEATURE_NAMES, extract(snapshot, [a], [b])[0].tolist(), strict=True))
    assert (values["ESA"], values["TFIDF-CS"]) == (found.esa.cosine, found.tfidf.cosine)
    assert values["DIRECT-LINK"] == (found.links.left_to_right and found.links.right_to_left)
    assert values["CATEGORY"] == (found.categories.both > 0)


def judge_short_lists(found: PairEvidence, short: PairEvidence) -> None:
    """Fewer entries are the first of many, and leave the rest as it is."""
    for part in ("in_links", "out_links", "esa", "tfidf"):
        whole = getattr(found, part)
        assert getattr(short, part) == msgspec.structs.replace(whole, strongest=whole.strongest[:2])
    assert short.words == found.words[:2]
    assert (short.links, short.categories, short.comentions) == (
        found.links,
        found.categories,
        found.comentions,
    )


def swapped(found: PairEvidence) -> PairEvidence:
    """The evidence with its left and right sides exchanged."""
    built = msgspec.to_builtins(found)
    links = built["links"]
    links["left_to_right"], links["right_to_left"] = links["right_to_left"], links["left_to_right"]
    for part in (built[name] for name in ("in_links", "out_links", "categories", "comentions")):
        part["left"], part["right"] = part["right"], part["left"]
    for pair in built["words"]:
        pair["left"], pair["right"] = pair["right"], pair["left"]
    return msgspec.convert(built, PairEvidence)


def mirrored(found: PairEvidence) -> dict[str, Any]:
    """The evidence, but for which of two words that both titles have stands on which side."""
    built: dict[str, Any] = msgspec.to_builtins(found)
    for pair in built["words"]:
        pair["left"], pair["right"] = sorted((pair["left"], pair["right"]))
    return built


@pytest.mark.parametrize("seed", range(6))
def test_random_wikis(seed: int, tmp_path: Path) -> None:
    wiki = random_wiki(seed, concepts=14)
    judge_all(wiki, write_snapshot(wiki, tmp_path / "wiki"), 1e-6)


def test_a_random_wiki_kept_as_small_integers_with_a_scale(tmp_path: Path) -> None:
    wiki = random_wiki(2, concepts=14)
    judge_all(wiki, write_snapshot(wiki, tmp_path / "wiki", compact=True), 2e-4)


def test_wikis_with_almost_nothing(tmp_path: Path) -> None:
    for name, wiki in {
        "one concept": random_wiki(2, concepts=1),
        "no words": random_wiki(2, words=0, concepts=6),
    }.items():
        judge_all(wiki, write_snapshot(wiki, tmp_path / name), 1e-6)


def test_the_toy_wiki(tmp_path: Path) -> None:
    judge_all(TOY, toy_snapshot(tmp_path / "toy"), 1e-6)


def test_cat_and_dog_by_eye(tmp_path: Path) -> None:
    found = pair_evidence(toy_snapshot(tmp_path / "toy"), concept("Cat"), concept("Dog"))
    assert msgspec.to_builtins(found) == {
        "links": {"left_to_right": True, "right_to_left": True},
        # Pet links to both, and to Noun.
        "in_links": {
            "both": 1,
            "left": 3,
            "right": 2,
            "unnamed": 0,
            "strongest": [{"title": "Pet", "page_id": 114, "specificity": pytest.approx(1 / log(3))}],
        },
        # Both link to Pet, which two articles link to, and to Noun, to which all ten do.
        "out_links": {
            "both": 2,
            "left": 4,
            "right": 3,
            "unnamed": 0,
            "strongest": [
                {"title": "Pet", "page_id": 114, "specificity": pytest.approx(1 / log(2))},
                {"title": "Noun", "page_id": 170, "specificity": pytest.approx(1 / log(10))},
            ],
        },
        "categories": {"both": 1, "left": 1, "right": 1, "titles": ["Domestic animals"]},
        # Cat is (4, 3)/5 on Cat and Pet, Dog (4, 3)/5 on Dog and Pet.
        "esa": {
            "cosine": pytest.approx(9 / 25),
            "both": 1,
            "unnamed": 0,
            "unnamed_share": 0.0,
            "strongest": [{"title": "Pet", "page_id": 114, "share": 1.0}],
        },
        "tfidf": {
            "cosine": pytest.approx(4 / 5),
            "both": 1,
            "strongest": [{"word": "dog", "share": 1.0}],
        },
        "comentions": {"both": 2, "left": 3, "right": 3},
        "words": [
            {"left": "cat", "right": "dog", "pmi": pytest.approx(log(4 / 3)), "cosine": pytest.approx(0.8)}
        ],
    }
    assert TITLES[10] == "Noun"


def test_an_excerpt_counts_what_it_cannot_name(tmp_path: Path) -> None:
    snapshot = starter_excerpt(tmp_path / "less", 3_000)
    random = np.random.default_rng(5)
    unnamed = bound = 0
    cut = snapshot.manifest.settings["excerpt"]
    assert cut["minimum_word_pairs"] > 1
    for a, b in random.integers(0, snapshot.concepts, (200, 2)).tolist():
        found = pair_evidence(snapshot, a, b)
        judge_against_the_features(snapshot, found, a, b)
        for links in (found.in_links, found.out_links):
            assert len(links.strongest) == min(SHOWN, links.both - links.unnamed)
            unnamed += links.unnamed
        every = pair_evidence(snapshot, a, b, ALL)
        total = sum(one.share for one in every.esa.strongest) + every.esa.unnamed_share
        assert total == pytest.approx(1.0 if every.esa.both else 0.0)
        assert sum(one.share for one in every.tfidf.strongest) == pytest.approx(
            1.0 if every.tfidf.both else 0.0
        )
        assert (found.esa.kept, found.tfidf.kept) == (cut["esa_concepts"], cut["tfidf_words"])
        for pair in found.words:
            assert pair.fewest == (1 if pair.pmi > 0 else cut["minimum_word_pairs"])
            bound += pair.pmi > 0
    assert unnamed > 100
    assert bound
