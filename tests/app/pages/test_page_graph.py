"""How a concept and its neighbours are drawn: none overlaps, the more related is nearer, the same again."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.pages.graph import (
    CLEAR,
    HEIGHT,
    INNERMOST,
    JOINED,
    LONGEST,
    RELATED,
    Graph,
    Node,
    around,
    box_size,
    graph,
    in_lines,
    joined,
    letters,
)

WIDTH, DEPTH = 700.0, 620.0


def random_scores(number: int, seed: int = 0) -> NDArray[np.float64]:
    """Scores of every two of ``number`` concepts, the neighbours' own in descending order."""
    draw = np.random.default_rng(seed).random((number, number))
    scores = (draw + draw.T) / 2
    scores[0, 1:] = scores[1:, 0] = -np.sort(-scores[0, 1:])
    return scores


def titles(number: int) -> list[str]:
    return [f"{'An article of a name ' * (place % 2)}{place}" for place in range(number)]


def apart(first: Node, second: Node) -> bool:
    across = abs(first.x - second.x) - (first.width + second.width) / 2
    return across > -0.3 or abs(first.y - second.y) - (first.height + second.height) / 2 > -0.3


def distances(drawn: Graph) -> list[float]:
    """How far the neighbours are from the middle."""
    return [float(np.hypot(node.x - drawn.nodes[0].x, node.y - drawn.nodes[0].y)) for node in drawn.nodes[1:]]


def check(drawn: Graph) -> None:
    """What holds of every drawing of at most twenty neighbours."""
    assert (drawn.nodes[0].x, drawn.nodes[0].y) == (drawn.width / 2, drawn.height / 2)
    for node in drawn.nodes:
        assert node.width / 2 - 0.1 <= node.x <= drawn.width - node.width / 2 + 0.1
        assert node.height / 2 - 0.1 <= node.y <= drawn.height - node.height / 2 + 0.1
    for first, second in combinations(drawn.nodes, 2):
        assert apart(first, second), (first, second)


@pytest.mark.parametrize("number", [1, 2, 3, 8, 21])
def test_boxes_stay_within_and_apart(number: int) -> None:
    for seed in range(5):
        check(graph(titles(number), random_scores(number, seed), WIDTH, DEPTH))


@pytest.mark.parametrize("number", [1, 2, 13])
def test_on_a_telephone_too(number: int) -> None:
    for seed in range(5):
        check(graph(titles(number), random_scores(number, seed), 340, 540))


def test_no_label_is_wider_than_a_telephone() -> None:
    """Titles of wide letters, one of them in the middle."""
    names = ["猫" * 24, *("WORLD OF WWW MMORPG " * 2 + str(place) for place in range(10)), "M" * 60]
    check(graph(names, random_scores(12), 340, 540))
    for name in names:
        assert max(map(letters, in_lines(name))) <= LONGEST


def test_a_drawing_is_higher_where_long_titles_need_it() -> None:
    names = [f"A concept with a rather long title {place}" for place in range(11)]
    for seed in range(5):
        drawn = graph(names, random_scores(11, seed), 340, 380)
        check(drawn)
        assert drawn.height > 380
        assert graph(titles(3), random_scores(3, seed), 340, 380).height == 380


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=12), st.integers(0, 9))
def test_whatever_the_titles_are(names: list[str], seed: int) -> None:
    check(graph(names, random_scores(len(names), seed), WIDTH, DEPTH))


def test_equal_scores_and_none_at_all() -> None:
    for score in (0.0, 0.7, 1.0):
        check(graph(titles(9), np.full((9, 9), score), WIDTH, DEPTH))


@pytest.mark.parametrize(("width", "height"), [(WIDTH, DEPTH), (340.0, 380.0)])
@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=60), st.floats(0, 1)), min_size=2, max_size=20),
    st.integers(0, 9),
)
def test_what_is_nearer_is_at_least_as_related(
    width: float, height: float, neighbours: list[tuple[str, float]], seed: int
) -> None:
    names, own = zip(*neighbours, strict=True)
    scores = random_scores(len(own) + 1, seed)
    scores[0, 1:] = scores[1:, 0] = own
    drawn = graph(["In the middle", *names], scores, width, height)
    check(drawn)
    for (near, more), (far, less) in permutations(zip(distances(drawn), own, strict=True), 2):
        # Places are rounded to tenths.
        assert more >= less or near > far - 0.2


def test_a_clear_difference_of_scores_is_seen() -> None:
    scores = random_scores(9)
    scores[0, 1:] = scores[1:, 0] = np.linspace(0.9, 0.1, 8)
    drawn = graph([str(place) for place in range(9)], scores, WIDTH, DEPTH)
    out = distances(drawn)
    assert all(near + 10 < far for near, far in pairwise(out))
    assert abs(drawn.reach - max(out)) < 0.2


def test_one_alone_is_drawn_as_the_most_related_that_it_is() -> None:
    for names, size in ((titles(2), (WIDTH, DEPTH)), (["a", "b"], (340.0, 380.0))):
        drawn = graph(names, np.full((2, 2), 0.9), *size)
        (out,) = distances(drawn)
        # On the innermost ring, where the most related of several stands too.
        assert abs(out - INNERMOST * drawn.reach) < 0.2
        assert drawn.reach == (size[1] - HEIGHT) / 2


def test_related_neighbours_stand_side_by_side() -> None:
    groups = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2])
    order = around(np.where(groups[:, None] == groups, 0.9, 0.1))
    changes = sum(groups[order[place]] != groups[order[place - 1]] for place in range(9))
    assert changes == 3
    assert sorted(order) == list(range(9))


def test_what_is_related_to_each_other_stands_near_each_other() -> None:
    groups = np.arange(12) % 3
    scores = np.full((13, 13), 0.8)
    scores[1:, 1:] = np.where(groups[:, None] == groups, 0.9, 0.1)
    drawn = graph([str(place) for place in range(13)], scores, WIDTH, DEPTH)
    ways: dict[bool, list[float]] = {True: [], False: []}
    for (first, one), (second, other) in combinations(zip(groups, drawn.nodes[1:], strict=True), 2):
        ways[first == second].append(float(np.hypot(one.x - other.x, one.y - other.y)))
    assert np.mean(ways[True]) < 0.7 * np.mean(ways[False])


def test_the_same_scores_draw_the_same_picture() -> None:
    scores = random_scores(12)
    assert graph(titles(12), scores, WIDTH, DEPTH) == graph(titles(12), scores.copy(), WIDTH, DEPTH)


def test_lines_join_the_concept_with_all_and_neighbours_with_their_nearest() -> None:
    scores = random_scores(10, 3)
    pairs = joined(scores)
    assert [pair for pair in pairs if pair[0] == 0] == [(0, other) for other in range(1, 10)]
    for first, second in pairs[9:]:
        assert scores[first, second] >= RELATED
        nearest = [np.sort(np.delete(scores[one, 1:], one - 1))[-JOINED:].min() for one in (first, second)]
        assert scores[first, second] >= min(nearest)
    assert joined(np.zeros((4, 4))) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize(("width", "height"), [(WIDTH, DEPTH), (340.0, 380.0)])
def test_no_line_between_neighbours_passes_for_one_to_the_concept(width: float, height: float) -> None:
    along = np.linspace(0, 1, 200)[:, None]
    for seed in range(5):
        # All are joined to all but a few, across the middle as well.
        drawn = graph(titles(12), 0.5 + random_scores(12, seed) / 2, width, height)
        middle = np.array([drawn.nodes[0].x, drawn.nodes[0].y])
        for edge in drawn.edges:
            assert (edge.bend is None) == (edge.first.number == 0)
            if edge.bend is not None:
                one, bend, other = np.array(
                    [(edge.first.x, edge.first.y), edge.bend, (edge.second.x, edge.second.y)]
                )
                drawn_line = (1 - along) ** 2 * one + 2 * (1 - along) * along * bend + along**2 * other
                ends = min(np.hypot(*(one - middle)), np.hypot(*(other - middle)))
                assert np.hypot(*(drawn_line - middle).T).min() > 0.95 * CLEAR * ends
        # Those to the concept are drawn over the others.
        bent = [edge.bend is not None for edge in drawn.edges]
        assert bent == sorted(bent, reverse=True)


def test_long_titles_have_two_lines_and_wide_letters_have_room() -> None:
    assert in_lines("x" * LONGEST) == ("x" * LONGEST,)
    assert in_lines("A title that is longer than a box") == ("A title that is", "longer than a box")
    assert in_lines("x" * 40) == ("x" * LONGEST, "x" * (40 - LONGEST))
    assert box_size(["日本語"]) > box_size(["abcd"])
    assert letters("e\u0301") == letters("e")
    (node,) = graph(["A title that is longer than a box"], np.zeros((1, 1)), WIDTH, DEPTH).nodes
    assert node.height > HEIGHT
    (above, _), (below, _) = node.written
    assert node.y - node.height / 2 < above < below < node.y + node.height / 2


@given(st.lists(st.sampled_from(["in", "of the", "Communications", "x" * 30]), min_size=1, max_size=9))
def test_a_title_is_whole_where_two_lines_have_room(words: list[str]) -> None:
    title = " ".join(words)
    lines = in_lines(title)
    assert len(lines) <= 2
    assert max(map(letters, lines)) <= LONGEST
    head, tail = lines[0], lines[-1].removeprefix("… ")
    assert title.startswith(head)
    assert title.endswith(tail)
    if not lines[-1].startswith("…"):
        assert "".join(lines).replace(" ", "") == title.replace(" ", "")


def test_what_begins_alike_does_not_look_alike() -> None:
    alike = [
        f"Telecommunications in {place}"
        for place in ("Chile", "China", "the Cook Islands", "the Philippines")
    ]
    alike += [f"Foreign relations of the {people}" for people in ("Czech Republic", "Republic of Ireland")]
    alike += [
        f"List of political parties {which}" for which in ("by region", "in the United States of America")
    ]
    assert len({in_lines(title) for title in alike}) == len(alike)
