"""BiRD's experiment: terms, vectors against dense algebra, the products' signs, and the whole of it."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from app.serving.starter import snapshot_path
from measures import positive_pmi
from measures.arrays import Floats
from papers.bird.bigrams import bigram_pairs
from papers.bird.composition import COMPOSITIONS
from papers.bird.experiment import covered_by_all, evaluate, predicted
from papers.bird.plot import alpha_sweep
from papers.bird.report import experiment, run_bird
from papers.bird.signs import sign_ranges
from papers.bird.vectors import (
    Associations,
    WordVectors,
    associations,
    counts_of,
    factorised,
    word2vec,
    word_ids,
)
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark, Judgement
from training.errors import TooFewPairs
from training.statistics.correlation import pearson

# Terms


def judged(*pairs: tuple[str, str, float]) -> Benchmark:
    judgements = tuple(
        Judgement(left, right, score, None, line) for line, (left, right, score) in enumerate(pairs)
    )
    return Benchmark("toy.txt", "00ff", judgements, kind="terms")


def test_terms_become_places_of_words() -> None:
    pairs = bigram_pairs(
        judged(
            ("Traffic light", "light traffic", 0.4),
            ("traffic light", "of the city", 0.1),
            ("city", "light", 0.5),
            ("red light", "red light", 1.0),
        )
    )
    assert pairs.words == ("traffic", "light", "city", "red")
    assert pairs.left.tolist() == [[0, 1], [2, 2], [3, 1]]
    assert pairs.right.tolist() == [[1, 0], [1, 1], [3, 1]]
    assert pairs.bigram_left.tolist() == [True, False, True]
    assert pairs.bigram_right.tolist() == [True, False, True]
    assert pairs.scores.tolist() == [0.4, 0.5, 1.0]
    assert pairs.rows.tolist() == [0, 2, 3]
    assert pairs.transposed.tolist() == [True, False, False]
    kept = pairs.among(np.array([True, True, True, False]))
    assert kept.rows.tolist() == [0, 2]
    assert kept.words == pairs.words


# Vectors


@pytest.fixture(scope="module")
def starter() -> Snapshot:
    return Snapshot.open(snapshot_path())


def test_associations_by_looking_each_pair_up(starter: Snapshot) -> None:
    rare = word_ids(starter, ["piano", "no such word"])
    found = associations(starter, rare, contexts=40)
    assert found.words.tolist() == sorted({*range(40), int(rare[0])})
    pairs, counts = starter.csr("word_pairs"), starter.array("word_counts")
    dense = found.matrix.toarray()
    for row, word in enumerate(found.words.tolist()):
        for column, other in enumerate(found.words.tolist()):
            small, large = min(word, other), max(word, other)
            together = dict(zip(pairs.row(small).tolist(), pairs.row_values(small), strict=True)).get(
                large, 0
            )
            expected = positive_pmi(together, counts[small], counts[large], starter.sentences)
            assert dense[row, column] == pytest.approx(float(expected), rel=1e-6)
    assert (dense > 0).sum() > 100
    assert not dense.diagonal().any()
    table = counts_of(found, rare)
    assert table.known.tolist() == [True, False]
    np.testing.assert_array_equal(table.of(np.array([0, 1])), [dense[-1], np.zeros(41)])


def symmetric(size: int, seed: int) -> Associations:
    from scipy import sparse

    upper = np.triu(np.random.default_rng(seed).random((size, size)), 1).astype(np.float32)
    upper[upper < 0.4] = 0
    upper[size // 2] = upper[:, size // 2] = 0  # a word that stands with no other
    return Associations(np.arange(size) * 3, sparse.csr_array(upper + upper.T))


def test_the_factors_are_those_of_the_singular_value_decomposition() -> None:
    found = symmetric(60, seed=3)
    ids = np.array([30, -1, 90, 57, 0])
    by_lanczos = factorised(found, ids, dimensions=12)
    u, sigma, _ = np.linalg.svd(found.matrix.toarray())
    u = u * np.sign(u[np.abs(u).argmax(axis=0), np.arange(60)])
    dense = (u[:, :12] * sigma[:12] ** 0.5)[[10, 0, 30, 19, 0]]
    dense[[1, 2]] = 0  # the unknown word, and the one without company
    assert by_lanczos.dimensions == 12
    assert by_lanczos.known.tolist() == [True, False, False, True, True]
    vectors = by_lanczos.of(np.arange(5))
    np.testing.assert_allclose(vectors, dense, atol=1e-3)
    np.testing.assert_array_equal(factorised(found, ids, dimensions=12).rows, by_lanczos.rows)


def test_no_more_dimensions_than_there_are() -> None:
    counted_calls: list[int] = []
    found = factorised(
        symmetric(8, 1), np.array([0]), progress=lambda done, total: counted_calls.append(done)
    )
    assert found.dimensions == 7


# The experiment


def toy_pairs() -> Benchmark:
    return judged(
        ("red light", "light red", 0.9),
        ("red light", "light", 0.8),
        ("red wine", "light", 0.2),
        ("wine", "light wine", 0.6),
        ("wine unheard", "light wine", 0.6),
        ("red wine", "light wine", 0.5),
    )


def toy_vectors(name: str = "toy") -> WordVectors:
    rows = np.array([[1.0, 0.2, 0.1], [0.1, 1.0, 0.3], [0.2, 0.1, 1.0], [0.0, 0.0, 0.0]])
    return WordVectors(name, rows)


def test_the_experiment_by_hand() -> None:
    pairs, space = bigram_pairs(toy_pairs()), toy_vectors()
    covered = covered_by_all(pairs, (space,))
    assert covered.rows.tolist() == [0, 1, 2, 3, 5]
    red, light, wine, _ = space.rows

    def cosine(u: Floats, v: Floats) -> float:
        return float(u @ v / math.sqrt((u @ u) * (v @ v)))

    expected = [1, cosine(red + light, light), cosine(red + wine, light), cosine(wine, light + wine)]
    expected.append(cosine(red + wine, light + wine))
    added = predicted(covered, space, COMPOSITIONS["addition"])
    np.testing.assert_allclose(added, expected, atol=1e-12)

    results = evaluate(6, covered, (space,), beside={"constant": np.ones(5), "gold": covered.scores})
    assert (results.read, results.pairs, results.transposed) == (6, 5, 1)
    assert results.of("toy", "addition").pearson == pytest.approx(np.corrcoef(added, covered.scores)[0, 1])
    (sweep,) = results.sweeps
    assert sweep.pearson[0] == pytest.approx(results.of("toy", "head only").pearson)
    assert sweep.pearson[5] == pytest.approx(results.of("toy", "addition").pearson)
    assert sweep.pearson[10] == pytest.approx(results.of("toy", "modifier only").pearson)
    assert [one.pearson for one in results.beside] == [None, pytest.approx(1.0)]
    assert [found.first for _, found in results.differences] == ["addition", "modifier only"]


def test_addition_gives_every_transposed_pair_1() -> None:
    benchmark = judged(
        ("red light", "light red", 0.9), ("light wine", "wine light", 0.2), ("wine", "red", 0.1)
    )
    results = evaluate(3, bigram_pairs(benchmark), (toy_vectors(),))
    added, head = results.of("toy", "addition"), results.of("toy", "head only")
    assert added.transposed is None
    assert added.transposed_mean == pytest.approx(1.0)
    assert head.transposed is not None
    assert head.transposed_mean is not None and head.transposed_mean < 0.9


def test_what_products_owe_to_signs() -> None:
    pairs = covered_by_all(bigram_pairs(toy_pairs()), (toy_vectors(),))
    ranges = sign_ranges(pairs, toy_vectors(), draws=40)
    # Three dimensions have eight choices of signs, each of which forty draws take.
    for found in ranges:
        every = [
            pearson(
                predicted(pairs, WordVectors("toy", toy_vectors().rows * signs), COMPOSITIONS[found.method]),
                pairs.scores,
            )
            for signs in itertools.product((-1.0, 1.0), repeat=3)
        ]
        assert found.low == pytest.approx(min(every))
        assert found.high == pytest.approx(max(every))
        assert found.high - found.low > 0.01
    assert len(ranges) == 2


def test_too_few_pairs_are_said_to_be() -> None:
    pairs = bigram_pairs(judged(("red light", "light", 0.9), ("unheard", "light", 0.9)))
    space = WordVectors("toy", np.array([[1.0], [1.0], [0.0]]))
    with pytest.raises(TooFewPairs, match="1 of 2 pairs have vectors for all their words"):
        covered_by_all(pairs, (space,))


def test_long_vectors_are_composed_in_blocks() -> None:
    covered = covered_by_all(bigram_pairs(toy_pairs()), (toy_vectors(),))
    at_once = predicted(covered, toy_vectors(), COMPOSITIONS["dilation"])
    in_blocks = predicted(covered, toy_vectors(), COMPOSITIONS["dilation"], 6)
    np.testing.assert_allclose(in_blocks, at_once, atol=1e-15)


class Silent:
    """Steps that are counted and not shown."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    def begin(self, label: str, unit: str = "") -> None:
        self.begun.append(label)

    def advance_to(self, done: int, total: int | None) -> None:
        assert total is None or done <= total


def test_from_a_snapshot_to_tables(starter: Snapshot) -> None:
    benchmark = judged(
        ("world war", "war world", 0.7),
        ("world war", "army", 0.6),
        ("music theory", "theory", 0.5),
        ("music theory", "army officer", 0.1),
        ("piano music", "music", 0.9),
        ("piano xyzzyx", "music", 0.9),
        ("city government", "government city", 0.4),
    )
    steps = Silent()

    def lengths(rows: list[Judgement]) -> dict[str, Floats]:
        return {"length": np.array([len(one.left) for one in rows], np.float64)}

    results, ranges = run_bird(benchmark, starter, steps, lengths, contexts=300)
    assert len(steps.begun) == 5
    assert (results.read, results.pairs, results.transposed) == (7, 6, 2)
    shown = experiment(results, ranges, benchmark, starter.id)
    table_4, ranks, signs, sweep, significance, transposed, beside = shown.tables
    assert [row[0] for row in table_4.rows] == list(COMPOSITIONS)
    assert table_4.columns[1:4] == ("word2vec", "PPMI", "SVD")
    assert [row[:2] for row in signs.rows] == [
        (vectors, method)
        for vectors in ("word2vec", "SVD")
        for method in ("multiplication", "tensor product")
    ]
    assert len(sweep.rows) == 11
    assert len(significance.rows) == 6
    assert transposed.rows[2][1] == pytest.approx(1.0)
    assert beside.rows[0][0] == "length"
    assert "6 of 7 pairs" in shown.markdown()
    assert ranks.columns == ("method", "word2vec", "PPMI", "SVD")

    drawing = alpha_sweep(results)
    root = etree.fromstring(drawing.encode())
    assert root.get("role") == "img"
    assert "word2vec is highest at α" in root.get("aria-label", "")
    assert "prefers-color-scheme: dark" in drawing
    assert not re.search(r"#0[1-6]0[1-6]0[1-6]", drawing)


@pytest.mark.slow
def test_bird_itself(starter: Snapshot, data_dir: Path) -> None:
    """The paper's order of methods, on few concepts and real judgements."""
    from training.benchmarks.declared import locate, named
    from training.benchmarks.read import read_declared

    declaration = named("bird")
    benchmark = read_declared(declaration, locate(declaration, data_dir))
    pairs = bigram_pairs(benchmark)
    assert int(pairs.transposed.sum()) == 410
    space = word2vec(starter, word_ids(starter, pairs.words))
    covered = covered_by_all(pairs, (space,))
    results = evaluate(len(benchmark.judgements), covered, (space,))

    def pearson(method: str) -> float:
        found = results.of("word2vec", method).pearson
        assert found is not None
        return found

    assert len(covered.scores) > 1000
    best = max(COMPOSITIONS, key=pearson)
    assert best == "addition"
    assert pearson("modifier only") > pearson("head only")
    addition_leads, _ = results.differences
    assert addition_leads[1].significant
