"""Measures of the link graph against slow oracles: walks solved as linear equations, dense decompositions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.graph_evidence import cosines_of
from measures.arrays import Ints
from papers.graph.evidence import graph_measures
from papers.graph.latent import joined_with_text, latent_vectors, unit_rows
from papers.graph.rows import heaviest
from papers.graph.two_stage import DECAY, NEAREST, STEPS, two_stage
from papers.graph.walks import Graph, compared, page_rank, random_walks, transitions
from snapshots.naming.resolution import Resolution
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import SmallWiki, write_snapshot
from training.coverage import CoveredPairs
from training.errors import NotABenchmark

SEEDS = range(4)
RESTART = 0.15


def whole(seed: int) -> SmallWiki:
    """A random wiki that is no excerpt: what leads out of it is left out."""
    wiki = random_wiki(seed)
    rows = len(wiki.titles)

    def inside(vectors: tuple[dict[int, float], ...]) -> tuple[dict[int, float], ...]:
        return tuple({column: x for column, x in row.items() if column < rows} for row in vectors)

    return replace(
        wiki,
        universe=rows,
        links=frozenset(link for link in wiki.links if max(link) < rows),
        paragraphs=tuple(frozenset(c for c in unit if c < rows) for unit in wiki.paragraphs),
        contexts=inside(wiki.contexts),
        esa=inside(wiki.esa),
    )


def all_pairs(rows: int) -> tuple[Ints, Ints]:
    left, right = np.array(list(product(range(rows), repeat=2)), np.int64).T
    return np.ascontiguousarray(left), np.ascontiguousarray(right)


def followed(wiki: SmallWiki, graph: Graph) -> set[tuple[int, int]]:
    back = {(target, source) for source, target in wiki.links}
    links = set(wiki.links)
    return {"reciprocal": links & back, "either way": links | back, "out-links": links}[graph]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("graph", ["reciprocal", "either way", "out-links"])
def test_steps_are_those_of_the_links(seed: int, graph: Graph, tmp_path: Path) -> None:
    wiki = whole(seed)
    rows, links = len(wiki.titles), followed(wiki, graph)
    snapshot = write_snapshot(wiki, tmp_path / "wiki")
    into = [sum(target == row for _, target in links) for row in range(rows)]
    for weighted in (False, True):
        expected = np.zeros((rows, rows))
        for source, target in links:
            expected[source, target] = log((rows + 1) / into[target]) ** 2 if weighted else 1.0
        total = expected.sum(axis=1, keepdims=True)
        expected /= np.where(total > 0, total, 1.0)
        np.testing.assert_allclose(transitions(snapshot, graph, weighted).toarray(), expected, atol=1e-12)


def solved(steps: NDArray[np.float64], start: int) -> NDArray[np.float64]:
    """Where a walker is found, as the solution of p = restart · e + (1 − restart) · p P."""
    rows = len(steps)
    returning = steps.copy()
    returning[steps.sum(axis=1) == 0, start] = 1.0  # without a link it returns
    at_start = np.eye(rows)[start]
    return np.linalg.solve((np.eye(rows) - (1 - RESTART) * returning).T, RESTART * at_start)


@pytest.mark.parametrize("seed", SEEDS)
def test_walks_solve_their_equation(seed: int, tmp_path: Path) -> None:
    snapshot = write_snapshot(whole(seed), tmp_path / "wiki")
    steps = transitions(snapshot, "out-links")
    starts = np.arange(snapshot.concepts)
    found = random_walks(steps, starts, RESTART, threshold=1e-12).toarray()
    for start in starts.tolist():
        np.testing.assert_allclose(found[start], solved(steps.toarray(), start), atol=1e-9)
    near = random_walks(steps, starts, RESTART, threshold=1e-4)
    np.testing.assert_allclose(near.toarray(), found, atol=0.01)
    few = random_walks(steps, starts, RESTART, kept=2)
    assert np.diff(few.indptr).max() <= 2
    np.testing.assert_allclose(few.sum(axis=1), 1.0)


def test_walks_are_compared_by_their_probabilities() -> None:
    walks = sparse.csr_array([[0.5, 0.5, 0.0], [0.2, 0.6, 0.2]])
    ranks = np.array([0.25, 0.5, 0.25])
    found = compared(walks, ranks, np.array([0, 1]), (np.array([0]), np.array([1])))
    assert found["cosine"][0] == pytest.approx(0.4 / sqrt(0.5) / sqrt(0.44))
    assert found["Hellinger"][0] == pytest.approx(sqrt(0.1) + sqrt(0.3))
    assert found["mass"][0] == pytest.approx(0.5 * (0.5 + 0.2))
    assert found["PMI"][0] == 0.0  # (log 2, 0, 0) and (0, log 1.2, 0)


def test_ranks_are_where_a_walker_ends_up(tmp_path: Path) -> None:
    snapshot = write_snapshot(whole(1), tmp_path / "wiki")
    steps = transitions(snapshot, "out-links")
    anywhere = np.full(snapshot.concepts, 1 / snapshot.concepts)
    full = steps.toarray()
    full[full.sum(axis=1) == 0] = anywhere
    ranks = page_rank(steps, RESTART, times=200)
    np.testing.assert_allclose(ranks, (1 - RESTART) * ranks @ full + RESTART * anywhere, atol=1e-12)
    assert ranks.sum() == pytest.approx(1.0)


def test_latent_vectors_are_the_first_singular_vectors() -> None:
    random = np.random.default_rng(3)
    left, right = (np.linalg.qr(random.normal(size=(rows, 6))).Q for rows in (40, 25))
    table = left * (4.0, 3.0, 2.0, 1.0, 0.1, 0.05) @ right.T
    table[7] = 0.0
    values = np.linalg.svd(table)[0][:, :4]
    found = latent_vectors(sparse.csr_array(table), 4)
    expected = unit_rows(np.where(np.arange(40)[:, None] == 7, 0.0, values))
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-5)
    assert not found[7].any()
    assert np.array_equal(found, latent_vectors(sparse.csr_array(table), 4))
    assert latent_vectors(sparse.csr_array(np.eye(3)), 8).shape == (3, 3)
    assert latent_vectors(sparse.csr_array((4, 5)), 8).shape == (4, 0)


def test_a_vector_is_joined_with_those_of_the_text() -> None:
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], np.float32)
    esa = sparse.csr_array([[0.0, 0.5, 0.2], [0.0, 0.0, 0.0], [0.9, 0.0, 0.0]])
    found = joined_with_text(vectors, esa, kept=1)
    assert found[0].tolist() == pytest.approx([sqrt(0.5), sqrt(0.5)])
    assert found[1].tolist() == [0.0, 1.0]
    both = np.array([1.6, 0.8])
    assert found[2].tolist() == pytest.approx((both / np.linalg.norm(both)).tolist())


def met(vectors: NDArray[np.float32], esa: NDArray[np.float64], a: int, b: int) -> float:
    """CoSimRank of a pair over its own values, on lists."""
    nodes = {a, b}
    for one in (a, b):
        ranked = sorted(np.flatnonzero(esa[one]).tolist(), key=lambda column: (-esa[one, column], column))
        nodes |= set(ranked[:NEAREST])
    weight = {
        (x, y): max(0.0, float(vectors[x] @ vectors[y])) if x != y else 0.0
        for x, y in product(nodes, repeat=2)
    }
    total = {x: sum(weight[x, y] for y in nodes) or 1.0 for x in nodes}

    def walk(start: int) -> list[dict[int, float]]:
        at = {node: float(node == start) for node in nodes}
        walked = []
        for _ in range(STEPS):
            at = {y: sum(at[x] * weight[x, y] / total[x] for x in nodes) for y in nodes}
            walked.append(at)
        return walked

    def meeting(first: int, second: int) -> float:
        steps = enumerate(zip(walk(first), walk(second), strict=True), start=1)
        return sum(DECAY**step * sum(p[x] * q[x] for x in nodes) for step, (p, q) in steps)

    alone = sqrt(meeting(a, a) * meeting(b, b))
    return meeting(a, b) / alone if alone else 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_two_stages_walk_on_the_graph_of_a_pair(seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = unit_rows(random.normal(size=(9, 3)))
    esa = np.where(random.random((9, 9)) < 0.4, random.integers(1, 5, (9, 9)).astype(float), 0.0)
    left, right = all_pairs(9)
    found = two_stage(vectors, sparse.csr_array(esa), left, right)
    expected = [met(vectors, esa, a, b) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_of_equals_the_smaller_columns_are_kept() -> None:
    table = sparse.csr_array([[1.0, 3.0, 1.0, 1.0], [0.0, 0.0, 2.0, 0.0]])
    assert heaviest(table, 2).toarray().tolist() == [[1.0, 3.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_measure_is_symmetric_and_finite(seed: int, tmp_path: Path) -> None:
    wiki = whole(seed)
    snapshot, (left, right) = write_snapshot(wiki, tmp_path / "wiki"), all_pairs(len(wiki.titles))
    there, back = list(graph_measures(snapshot, left, right)), dict(graph_measures(snapshot, right, left))
    assert len(there) == len(back) > 20
    for name, values in there:
        assert values.shape == left.shape, name
        assert np.isfinite(values).all(), name
        assert values.min() >= -1.0, name
        np.testing.assert_allclose(values, back[name], atol=1e-9, err_msg=name)


def test_an_excerpt_is_refused(tmp_path: Path) -> None:
    snapshot = write_snapshot(random_wiki(3), tmp_path / "excerpt")
    nothing = np.zeros(0, np.int64)
    with pytest.raises(ValueError, match="is an excerpt"):
        next(graph_measures(snapshot, nothing, nothing))


# The encoder's cosines


class Known:
    """Resolves the titles of one pair."""

    def resolve_many(self, references: Sequence[str | int]) -> list[Resolution]:
        places = {"Cat": 3, "Dog": 8}
        return [Resolution("ok", places[str(reference)]) for reference in references]


def test_cosines_are_found_by_pair_and_topic(tmp_path: Path) -> None:
    path = tmp_path / "cosines.csv"
    pairs = CoveredPairs(np.array([3]), np.array([8]), np.array([0.5]), np.array([1]), ("Music", "Pets"))
    head = "left,right,topic,fold,title,cross,lead\n"
    path.write_text(f"{head}Cat,Dog,Music,0,0.1,0.1,0.1\nCat,Dog,Pets,0,0.5,-0.2,0.25\n")
    found = cosines_of(path, pairs, Known())
    assert found.tolist() == [[0.5, -0.2, 0.25, 0.25, 0.0, 0.0625]]
    path.write_text(f"{head}Cat,Dog,Music,0,0.1,0.1,0.1\n")
    with pytest.raises(NotABenchmark, match="no cosines of 1 pairs"):
        cosines_of(path, pairs, Known())
    path.write_text("left,right,topic,title\nCat,Dog,Pets,0.1\n")
    with pytest.raises(NotABenchmark, match="no column cross, lead"):
        cosines_of(path, pairs, Known())
