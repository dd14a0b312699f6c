"""The rejected measures against slow oracles on sets and dicts, and by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

import measures
from building.stages import tfidf, words
from papers.word.rejected import article_similarity, not_measured, rejected_measures
from papers.word.second_order import pmi_vectors, second_order_pmi
from papers.word.second_order_concepts import normalised_second_order_pmi
from snapshots.arrays import map_csr
from snapshots.snapshot import Snapshot
from tests.conftest import ROOT
from tests.oracles.features import cosine, frequencies, normalised, title_relatedness, word_pmi
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_corpus import STOP, SmallCorpus, run_stages_over
from tests.wikis.small_wiki import SmallWiki, write_snapshot
from tests.wikis.toy import TITLES, toy_snapshot

Vector = Mapping[str, float]


def all_pairs(wiki: SmallWiki) -> tuple[np.ndarray, np.ndarray]:
    rows = range(len(wiki.titles))
    left, right = np.array(list(product(rows, rows)), np.int64).reshape(-1, 2).T
    return np.ascontiguousarray(left), np.ascontiguousarray(right)


# Second-order PMI


def vector(wiki: SmallWiki, word: str) -> Vector:
    """The positive PMI of a word with every other."""
    if word not in wiki.words:
        return {}
    found = {other: word_pmi(wiki, word, other) for other in wiki.words if other != word}
    return {other: pmi for other, pmi in found.items() if pmi > 0}


def judge_second_order(wiki: SmallWiki, folder: Path, *, compact: bool = False) -> None:
    left, right = all_pairs(wiki)
    found = second_order_pmi(write_snapshot(wiki, folder, compact=compact), left, right)
    vectors = {word: vector(wiki, word) for title in wiki.title_words for word in title}

    def related(x: str, y: str) -> float:
        return cosine(vectors[x], vectors[y])

    expected = [
        title_relatedness(wiki, a, b, related) for a, b in zip(left.tolist(), right.tolist(), strict=True)
    ]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_second_order_pmi_of_random_wikis(seed: int, tmp_path: Path) -> None:
    judge_second_order(random_wiki(seed), tmp_path / "wiki")


def test_second_order_pmi_of_a_wiki_kept_as_small_integers(tmp_path: Path) -> None:
    judge_second_order(random_wiki(4), tmp_path / "wiki", compact=True)


def test_second_order_pmi_of_a_wiki_without_words(tmp_path: Path) -> None:
    judge_second_order(random_wiki(2, words=0), tmp_path / "wordless")


def test_words_that_never_meet_may_meet_the_same(tmp_path: Path) -> None:
    """Tea and coffee, each beside a cup, and never beside each other."""
    wiki = replace(
        random_wiki(0, concepts=3, words=0),
        words=("tea", "coffee", "cup", "sea"),
        sentences=tuple(
            frozenset(sentence.split()) for sentence in ("tea cup", "coffee cup", "sea", "sea", "sea")
        ),
        title_words=tuple(frozenset([word]) for word in ("tea", "coffee", "sea")),
        vectors={},
    )
    snapshot = write_snapshot(wiki, tmp_path / "wiki")
    assert word_pmi(wiki, "tea", "coffee") == 0.0
    found = second_order_pmi(snapshot, np.array([0, 0, 0, 2]), np.array([1, 0, 2, 2]))
    assert found.tolist() == [pytest.approx(1.0), 1.0, 0.0, 0.0]


def test_vectors_are_symmetric_unit_and_without_the_word_itself(tmp_path: Path) -> None:
    wiki = random_wiki(5, words=30)
    snapshot = write_snapshot(wiki, tmp_path / "wiki")
    chosen = np.array([0, 3, 4, 17, 29])
    table = pmi_vectors(snapshot, chosen)
    for row, word in enumerate(chosen.tolist()):
        expected = vector(wiki, f"w{word}")
        length = math.sqrt(sum(pmi * pmi for pmi in expected.values()))
        found = dict(zip(table.row(row).tolist(), table.row_values(row).tolist(), strict=True))
        assert found == {int(other[1:]): pytest.approx(pmi / length) for other, pmi in expected.items()}
        assert (np.diff(table.row(row)) > 0).all()


# Second-order PMI of concepts, normalised


@pytest.mark.parametrize(
    ("seed", "frequent", "kept"), [(seed, 10_000, 200) for seed in range(6)] + [(7, 5, 3)]
)
def test_normalised_second_order_pmi_of_random_wikis(
    seed: int, frequent: int, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = random_wiki(seed)
    rows = range(len(wiki.titles))
    paragraphs = tuple(paragraph & frozenset(rows) for paragraph in wiki.paragraphs)
    wiki = replace(wiki, universe=len(rows), links=frozenset(), esa=({},) * 20, contexts=({},) * 20)
    wiki = replace(wiki, paragraphs=paragraphs)
    snapshot = write_snapshot(wiki, tmp_path / "wiki")
    monkeypatch.setitem(snapshot.manifest.settings, "frequent_concepts", frequent)
    monkeypatch.setitem(snapshot.manifest.settings, "contexts", kept)
    counts = {row: sum(row in paragraph for paragraph in paragraphs) for row in rows}
    among = [row for row in sorted(rows, key=lambda row: (-counts[row], row))[:frequent] if counts[row]]

    def context(concept: int) -> Vector:
        weights = {other: normalised(*frequencies(paragraphs, concept, other)) for other in among}
        heaviest = sorted(weights, key=lambda other: (-weights[other], other))[:kept]
        return {str(other): weights[other] for other in heaviest if weights[other] > 0}

    left, right = all_pairs(wiki)
    found = normalised_second_order_pmi(snapshot, left, right)
    expected = [cosine(context(a), context(b)) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert len(set(np.round(found, 6))) > 5


# Jensen-Shannon


def distribution(wiki: SmallWiki, concept: int) -> Vector:
    """The shares of an article's words, from its tf-idf weights by the definition of these."""
    frequency = {word: sum(word in row for row in wiki.tfidf) for word in wiki.words}
    idf = {word: math.log(len(wiki.titles) / df) for word, df in frequency.items() if df}
    counts = {word: weight / idf[word] for word, weight in wiki.tfidf[concept].items()}
    return {word: count / sum(counts.values()) for word, count in counts.items()}


def entropy(p: Vector) -> float:
    return -sum(x * math.log2(x) for x in p.values() if x > 0)


def similarity(p: Vector, q: Vector) -> float:
    """By entropies: the divergence is the entropy of the mean less the mean of the entropies."""
    if not p or not q:
        return 0.0
    mean = {word: (p.get(word, 0) + q.get(word, 0)) / 2 for word in {*p, *q}}
    return 1 - (entropy(mean) - (entropy(p) + entropy(q)) / 2)


def whole(seed: int) -> SmallWiki:
    """A wiki that is no excerpt, with tf-idf weights as a build makes them: of no word that is everywhere."""
    wiki = random_wiki(seed)
    return replace(
        wiki, universe=len(wiki.titles), links=frozenset(), paragraphs=(), contexts=({},) * 20, esa=({},) * 20
    )


@pytest.mark.parametrize("seed", range(8))
def test_article_similarity_of_random_wikis(seed: int, tmp_path: Path) -> None:
    wiki = whole(seed)
    left, right = all_pairs(wiki)
    found = article_similarity(write_snapshot(wiki, tmp_path / "wiki"), left, right)
    distributions = [distribution(wiki, row) for row in range(len(wiki.titles))]
    expected = [
        similarity(distributions[a], distributions[b])
        for a, b in zip(left.tolist(), right.tolist(), strict=True)
    ]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_counts_come_back_out_of_the_weights_of_a_build(tmp_path: Path) -> None:
    """From texts to tf-idf by the stages of a build, and back to the shares of the words in the texts."""
    corpus = SmallCorpus(seed=2)
    build = run_stages_over(corpus, tmp_path, words.STAGE, tfidf.STAGE)
    table = map_csr(build.folder("tfidf"), "tfidf")
    articles = len(corpus.articles)
    built: Any = SimpleNamespace(id="built", concepts=articles, universe=articles, csr=lambda _: table)

    def shares(concept: int) -> Vector:
        """Straight from the text: its words but stop words, letters, and those of one article or of all."""
        counts = Counter(word for sentence in corpus.articles[concept] for word in sentence)
        kept = {
            word: count
            for word, count in counts.items()
            if 1 < corpus.document_frequencies.get(word, 0) < articles and len(word) > 1 and word not in STOP
        }
        return {word: count / sum(kept.values()) for word, count in kept.items()}

    left, right = (
        np.ascontiguousarray(side) for side in np.array(list(product(range(articles), repeat=2))).T
    )
    found = article_similarity(built, left, right)
    expected = [similarity(shares(a), shares(b)) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert len(set(np.round(found, 6))) > 100


def test_blocks_change_nothing(tmp_path: Path) -> None:
    wiki = whole(3)
    snapshot, (left, right) = write_snapshot(wiki, tmp_path / "wiki"), all_pairs(wiki)
    at_once = article_similarity(snapshot, left, right)
    np.testing.assert_array_equal(article_similarity(snapshot, left, right, 7), at_once)


def test_of_an_excerpt_the_frequencies_cannot_be_told(tmp_path: Path) -> None:
    snapshot = write_snapshot(random_wiki(3), tmp_path / "excerpt")
    nothing = np.zeros(0, np.int64)
    with pytest.raises(ValueError, match="is an excerpt"):
        article_similarity(snapshot, nothing, nothing)
    assert set(rejected_measures(snapshot, nothing, nothing)) == {"PMI2"}
    with pytest.raises(ValueError, match="is an excerpt"):
        normalised_second_order_pmi(snapshot, nothing, nothing)
    assert f"NPMI2_C and JSD are not measured: {snapshot.id} is an excerpt" in (not_measured(snapshot) or "")
    assert not_measured(write_snapshot(whole(3), tmp_path / "whole")) is None


SHARES = st.floats(0, 1, allow_subnormal=False)
"""SciPy's halves of the smallest numbers are 0, and its divergence of them infinite."""


@given(st.lists(st.tuples(SHARES, SHARES), min_size=2, max_size=8))
def test_the_divergence_is_scipys(pairs: list[tuple[float, float]]) -> None:
    p, q = np.array(pairs).T + 1e-3 * np.eye(2, len(pairs))
    p, q = p / p.sum(), q / q.sum()
    divergence = measures.jensen_shannon(p, q).sum()
    assert divergence == pytest.approx(jensenshannon(p, q) ** 2, abs=1e-9)
    assert measures.divergence_to_similarity(divergence) == pytest.approx(
        1 - jensenshannon(p, q, 2) ** 2, abs=1e-9
    )


# Both


def test_both_are_symmetric_in_range_and_one_for_the_same(tmp_path: Path) -> None:
    wiki = whole(6)
    left, right = all_pairs(wiki)
    snapshot = write_snapshot(wiki, tmp_path / "wiki")
    there, back = rejected_measures(snapshot, left, right), rejected_measures(snapshot, right, left)
    assert list(there) == ["PMI2", "NPMI2_C", "JSD"]
    for name, values in there.items():
        np.testing.assert_allclose(values, back[name], atol=1e-15)
        assert ((values >= 0) & (values <= 1)).all()
    same = (left == right) & np.array([bool(wiki.tfidf[a]) for a in left])
    assert there["JSD"][same] == pytest.approx(1.0)
    assert 0.05 < there["JSD"].mean() < 0.95


def test_no_pairs(tmp_path: Path) -> None:
    nothing = np.zeros(0, np.int64)
    found = rejected_measures(write_snapshot(whole(1), tmp_path / "wiki"), nothing, nothing)
    assert {name: values.shape for name, values in found.items()} == dict.fromkeys(
        ("PMI2", "NPMI2_C", "JSD"), (0,)
    )


def test_the_toy_wiki_can_be_measured(tmp_path: Path) -> None:
    rows = np.arange(len(TITLES))
    found = rejected_measures(toy_snapshot(tmp_path / "toy"), rows, rows[::-1].copy())
    assert found["PMI2"].shape == rows.shape


def test_the_starter_snapshot_can_be_measured() -> None:
    snapshot = Snapshot.open(ROOT / "snapshots" / "starter")
    rows = np.arange(200)
    found = rejected_measures(snapshot, rows, rows[::-1].copy())
    assert list(found) == ["PMI2"]
    assert ((found["PMI2"] >= 0) & (found["PMI2"] <= 1)).all()
    assert found["PMI2"].max() > 0.1
