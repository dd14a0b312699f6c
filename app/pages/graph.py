"""A concept among its most related ones, as a drawing: where each title stands, and which lines join them.

The concept is in the middle, and a neighbour the nearer to it the more the two are related. Neighbours that
are related to each other stand side by side. All is computed from scores alone, so a page draws the same
picture each time.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from measures.arrays import Floats

HEIGHT = 30.0
"""Of a title's box, in the drawing's units, which are pixels where it is shown at its full width."""

GAP = 7.0
"""Between two boxes, at least."""

LETTER, BOLD, PADDING = 7.6, 8.6, 26.0
"""The width of a letter, a little more than most have, of a bold one, and what a box has besides them."""

LONGEST = 24
"""Letters of a title that are shown; the list beside the drawing has the whole."""

INNERMOST = 0.42
"""How far out the most related neighbour is; the least related is at the edge, at 1."""

JOINED = 2
"""Each neighbour is joined to so many of those it is most related to."""

RELATED = 0.5
"""Two neighbours are joined if at least half of people would call them related."""

SWAPS = 6
"""How often every two neighbours are looked at, whether they should change places."""

ROUNDS = 400
"""In which boxes that overlap are pushed apart, at most."""


@dataclass(frozen=True, slots=True)
class Node:
    """A title: its place in the list (0 is the concept itself), the middle of its box, and its width."""

    number: int
    title: str
    shown: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A line between two nodes, and the score of the two."""

    first: Node
    second: Node
    score: float


@dataclass(frozen=True, slots=True)
class Graph:
    """The drawing: its size, its nodes, the concept first, and its edges, the weakest first."""

    width: float
    height: float
    nodes: list[Node]
    edges: list[DrawnEdge]


def graph(titles: Sequence[str], scores: Floats, width: float, height: float) -> Graph:
    """The drawing of ``titles``, the concept's own first.

    ``scores``: float64[n, n], those of every two, in the order of the titles; the diagonal is not read.
    """
    shown = [short(title) for title in titles]
    widths = np.array([box_width(text, LETTER if place else BOLD) for place, text in enumerate(shown)])
    places = spread(arranged(scores, widths, width, height), widths, width, height)
    nodes = [
        Node(number, title, text, round(x, 1), round(y, 1), round(box, 1))
        for number, (title, text, (x, y), box) in enumerate(
            zip(titles, shown, places.tolist(), widths.tolist(), strict=True)
        )
    ]
    edges = [
        DrawnEdge(nodes[first], nodes[second], float(scores[first, second]))
        for first, second in joined(scores)
    ]
    return Graph(width, height, nodes, sorted(edges, key=lambda edge: edge.score))


def arranged(scores: Floats, widths: Floats, width: float, height: float) -> Floats:
    """Where nodes would stand if their boxes had no size: float64[n, 2]."""
    middle = np.array([width / 2, height / 2])
    places = np.tile(middle, (len(scores), 1))
    if len(scores) == 1:
        return places
    own, order = scores[0, 1:], around(scores[1:, 1:])
    angles = np.empty(len(own))
    angles[order] = 2 * np.pi * (np.arange(len(own)) + 0.5) / len(own)
    span = np.ptp(own)
    out = INNERMOST + (1 - INNERMOST) * ((own.max() - own) / span if span else np.full(len(own), 0.5))
    reach = np.column_stack([middle[0] - widths[1:] / 2, np.full(len(own), middle[1] - HEIGHT / 2)])
    places[1:] += out[:, None] * reach * np.column_stack([np.cos(angles), np.sin(angles)])
    return places


def around(scores: Floats) -> NDArray[np.int64]:
    """The order of neighbours around the concept that has related ones side by side: int64[n].

    Two change places as long as that shortens the way around the circle from each to each, weighed by their
    scores, float64[n, n].
    """
    number = len(scores)
    steps = np.abs(np.subtract.outer(np.arange(number), np.arange(number)))
    steps = np.minimum(steps, number - steps)
    order = np.arange(number)
    least = float((steps * scores).sum())
    for _ in range(SWAPS):
        before = least
        for first, second in combinations(range(number), 2):
            tried = order.copy()
            tried[[first, second]] = tried[[second, first]]
            way = float((steps * scores[np.ix_(tried, tried)]).sum())
            if way < least - 1e-9:
                order, least = tried, way
        if least == before:
            break
    return order


def spread(places: Floats, widths: Floats, width: float, height: float) -> Floats:
    """``places`` with the boxes pushed apart that overlap, within the drawing; the first one stays."""
    places = places.copy()
    number = len(places)
    for _ in range(ROUNDS):
        moved = False
        for first in range(number):
            for second in range(first + 1, number):
                apart = places[second] - places[first]
                least = np.array([(widths[first] + widths[second]) / 2 + GAP, HEIGHT + GAP])
                lacking = least - np.abs(apart)
                if (lacking <= 0.01).any():
                    continue
                # Along the axis on which less is lacking; the concept in the middle does not give way.
                axis = int(lacking[1] <= lacking[0])
                push = np.zeros(2)
                push[axis] = lacking[axis] * (1.0 if apart[axis] >= 0 else -1.0)
                places[first] -= 0 if first == 0 else push / 2
                places[second] += push if first == 0 else push / 2
                moved = True
        for axis, half in ((0, widths / 2), (1, np.full(number, HEIGHT / 2))):
            places[:, axis] = np.clip(places[:, axis], half, np.maximum((width, height)[axis] - half, half))
        if not moved:
            break
    return places


def joined(scores: Floats) -> list[tuple[int, int]]:
    """The pairs that lines join: the concept with each, and each with those that it is most related to."""
    pairs = {(0, other) for other in range(1, len(scores))}
    for one in range(1, len(scores)):
        best = sorted(range(1, len(scores)), key=lambda other: (-scores[one, other], other))
        near = [other for other in best if other != one][:JOINED]
        pairs |= {(min(one, other), max(one, other)) for other in near if scores[one, other] >= RELATED}
    return sorted(pairs)


def short(title: str) -> str:
    """``title``, cut where it is too long for a box."""
    return title if len(title) <= LONGEST else f"{title[: LONGEST - 1].rstrip()}…"


def box_width(text: str, letter_width: float = LETTER) -> float:
    """How wide the box of ``text`` is; letters of East Asian scripts are twice as wide as others."""
    letters = sum(
        0 if unicodedata.combining(letter) else 1.9 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )
    return float(letter_width * letters + PADDING)
