"""A concept among its most related ones, as a drawing: where each title stands, and which lines join them.

The concept is in the middle, and no neighbour stands nearer to it than one that is more related to it.
Neighbours that are related to each other stand side by side, as far as there is room; lines between them
bend around the middle, where they would be taken for lines to the concept. All is computed from
scores and titles alone, so a page draws the same picture each time.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

from measures.arrays import Floats

HEIGHT = 30.0
"""Of the box of a title in one line, in the drawing's units, which are pixels where it is shown at its full
width."""

LINE = 17.0
"""From one line of a title to the next."""

GAP = 7.0
"""Between two boxes, at least."""

LETTER, BOLD, PADDING = 7.6, 8.6, 26.0
"""The width of a letter, a little more than most have, of a bold one, and what a box has besides them."""

LONGEST = 24
"""Letters of a line of a title, of two at most; the list beside the drawing has the whole of any."""

INNERMOST = 0.42
"""How far out the most related neighbour is; the least related is at the edge, at 1."""

JOINED = 2
"""Each neighbour is joined to so many of those it is most related to."""

RELATED = 0.5
"""Two neighbours are joined if at least half of people would call them related."""

BENT = 0.12
"""How far the middle of a line between two neighbours is from the straight one, in its length, at least."""

CLEAR = 0.6
"""How near to the middle such a line comes at most, in the distance of the nearer of its two ends."""

_ALONG = np.linspace(0, 1, 33)[:, None]
"""Where along a bent line it is looked at how near to the middle it comes."""

_WIDEST = frozenset("MWmw@%×—…")
"""Letters that are half as wide again as most."""

SWAPS = 6
"""How often every two neighbours are looked at, whether they should change places."""

ANGLES = 2 * np.pi * np.arange(240) / 240
"""Where around the middle a box may stand; straight above and below are among them."""

TURNS = 12
"""Ways in which the circle of neighbours is turned, of which the one is drawn that needs the least room."""

STEP = 3.0
"""By which a box stands further out where there is no room for it."""


@dataclass(frozen=True, slots=True)
class Node:
    """A title: its place in the list (0 is the concept itself), its lines, the middle and size of its box."""

    number: int
    title: str
    lines: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float

    @property
    def written(self) -> list[tuple[float, str]]:
        """The lines, each with where it stands."""
        first = self.y + 5 - LINE / 2 * (len(self.lines) - 1)
        return [(round(first + LINE * place, 1), line) for place, line in enumerate(self.lines)]


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A line between two nodes, and the score of the two.

    ``bend``: the point that a line between two neighbours is drawn towards, as a quadratic Bézier curve;
    None of a straight line to the concept itself.
    """

    first: Node
    second: Node
    score: float
    bend: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """The drawing: its size, its nodes, the concept first, and its edges, those to the concept last.

    Of those and of the others the weakest comes first, and is drawn behind. ``reach``: how far from the
    middle the least related are, and the outermost ring.
    """

    width: float
    height: float
    reach: float
    nodes: list[Node]
    edges: list[DrawnEdge]


def graph(titles: Sequence[str], scores: Floats, width: float, height: float) -> Graph:
    """The drawing of ``titles``, the concept's own first.

    ``scores``: float64[n, n], those of every two, in the order of the titles; the diagonal is not read.
    ``height``: it is higher where the boxes of long titles need that.
    """
    lines = [in_lines(title) for title in titles]
    sizes = np.array([box_size(text, LETTER if place else BOLD) for place, text in enumerate(lines)])
    middle = np.array([width, height]) / 2
    apart = placed(scores, sizes, width, height)
    # What found no room within is above or below: the drawing grows on both sides, around its middle.
    grown = max(0.0, float(np.ceil((np.abs(apart[:, 1]) + sizes[:, 1] / 2).max() - height / 2)))
    places = middle + apart + [0, grown]
    nodes = [
        Node(number, title, text, *(round(part, 1) for part in (*place, *size)))
        for number, (title, text, place, size) in enumerate(
            zip(titles, lines, places.tolist(), sizes.tolist(), strict=True)
        )
    ]
    edges = [
        DrawnEdge(nodes[first], nodes[second], float(scores[first, second]), bend(nodes, first, second))
        for first, second in joined(scores)
    ]
    drawn = sorted(edges, key=lambda edge: (edge.bend is None, edge.score))
    # One neighbour alone is no outermost one: the rings are those of a drawing that has one at the edge.
    reach = max(edge_of(height), float(np.hypot(*apart.T).max()))
    return Graph(width, height + 2 * grown, reach, nodes, drawn)


def bend(nodes: Sequence[Node], first: int, second: int) -> tuple[float, float] | None:
    """What the line between two nodes is drawn towards, to keep clear of the middle; None of a spoke.

    It bends away from the middle, also where it would go by, so that no straight line is between neighbours.
    """
    if first == 0:
        return None
    middle, one, other = (np.array([nodes[place].x, nodes[place].y]) for place in (0, first, second))
    one, other = one - middle, other - middle
    along = other - one
    length = float(np.hypot(*along))
    outwards = np.array([-along[1], along[0]]) / length
    if one @ outwards < 0:
        outwards = -outwards
    clear = CLEAR * min(float(np.hypot(*one)), float(np.hypot(*other)))
    # The curve goes half as far as the point that it is drawn towards.
    for further in count():
        towards = (one + other) / 2 + outwards * (2 * BENT * length + STEP * further)
        if np.hypot(*curve(one, towards, other).T).min() >= clear:
            break
    x, y = (middle + towards).round(1).tolist()
    return x, y


def curve(start: Floats, towards: Floats, end: Floats) -> Floats:
    """Points of the quadratic Bézier curve from ``start`` to ``end``: float64[n, 2]."""
    back = 1 - _ALONG
    return np.asarray(back**2 * start + 2 * back * _ALONG * towards + _ALONG**2 * end)


def edge_of(height: float) -> float:
    """How far from the middle the least related stands, if there is room: its box touches the edge."""
    return (height - HEIGHT) / 2


def placed(scores: Floats, sizes: Floats, width: float, height: float) -> Floats:
    """Where each box stands from the middle: float64[n, 2], as are the ``sizes`` of the boxes.

    None overlaps another one or the edge at either side, and none is nearer than one of a higher score.
    """
    number = len(scores) - 1
    if not number:
        return np.zeros((1, 2))
    order = around(scores[1:, 1:])
    wanted = np.empty(number)
    wanted[order] = 2 * np.pi * (np.arange(number) + 0.5) / number
    own = scores[0, 1:]
    span = np.ptp(own)
    # Where all are related alike, or there is but one, none is less related than the most related.
    far = INNERMOST + (1 - INNERMOST) * ((own.max() - own) / span if span else np.zeros(number))
    least = far * edge_of(height)
    turned = (outwards(own, least, wanted + 2 * np.pi * turn / TURNS, sizes, width) for turn in range(TURNS))
    return min(turned, key=lambda places: float(np.hypot(*places.T).sum()))


def outwards(own: Floats, least: Floats, wanted: Floats, sizes: Floats, width: float) -> Floats:
    """Boxes placed one by one, the most related first: each at the free angle that is nearest to ``wanted``.

    ``own``: the scores of the neighbours, and ``least``: how far from the middle each is at least. Where no
    angle is free, a box goes further out, and with it all that are less related.
    """
    places = np.zeros((len(sizes), 2))
    there, out = [0], 0.0
    directions = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    for one in np.argsort(-own, kind="stable"):
        out = max(out, float(least[one]))
        room = (sizes[there] + sizes[one + 1]) / 2 + GAP
        aside = max(0.0, (width - sizes[one + 1, 0]) / 2) + 1e-6
        turn = np.abs((ANGLES - wanted[one] + np.pi) % (2 * np.pi) - np.pi)
        for tried in count():
            tries = (out + STEP * tried) * directions
            free = (np.abs(tries[:, None] - places[there]) >= room).any(axis=2).all(axis=1)
            free &= np.abs(tries[:, 0]) <= aside
            if free.any():
                break
        out += STEP * tried
        places[one + 1] = tries[np.argmin(np.where(free, turn, np.inf))]
        there.append(one + 1)
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


def joined(scores: Floats) -> list[tuple[int, int]]:
    """The pairs that lines join: the concept with each, and each with those that it is most related to."""
    pairs = {(0, other) for other in range(1, len(scores))}
    for one in range(1, len(scores)):
        best = sorted(range(1, len(scores)), key=lambda other: (-scores[one, other], other))
        near = [other for other in best if other != one][:JOINED]
        pairs |= {(min(one, other), max(one, other)) for other in near if scores[one, other] >= RELATED}
    return sorted(pairs)


def in_lines(title: str) -> tuple[str, ...]:
    """``title`` in a line, or in two that are as even as its words let them be.

    Of what is too long for two, the middle is left out: many titles begin alike, and many end alike.

    >>> in_lines("Telecommunications in Chile"), in_lines("Universal Declaration of Human Rights")
    (('Telecommunications', 'in Chile'), ('Universal Declaration', 'of Human Rights'))
    >>> in_lines("Office of the United Nations High Commissioner for Human Rights")
    ('Office of the United', '… for Human Rights')
    """
    if letters(title) <= LONGEST:
        return (title,)
    spaces = [place for place, letter in enumerate(title) if letter == " "]
    in_two = [(title[:place], title[place:].strip()) for place in spaces]
    even = min(in_two, key=lambda lines: abs(letters(lines[0]) - letters(lines[1])), default=(title, ""))
    if max(map(letters, even)) <= LONGEST:
        return even
    fits = max(place for place in range(len(title)) if letters(title[:place]) <= LONGEST)
    begin = max((place for place in spaces if place <= fits), default=fits)
    rest = title[begin:].strip()
    if letters(rest) > LONGEST:
        fits = min(place for place in range(len(rest)) if letters(f"… {rest[place:]}") <= LONGEST)
        end = rest[fits:]
        rest = f"… {end.partition(' ')[2] or end}"
    return title[:begin], rest


def box_size(lines: Sequence[str], letter_width: float = LETTER) -> tuple[float, float]:
    """How wide and how high the box of some lines is."""
    return letter_width * max(map(letters, lines)) + PADDING, HEIGHT + LINE * (len(lines) - 1)


def letters(text: str) -> float:
    """How many letters wide ``text`` is.

    Those of East Asian scripts are twice as wide as others, and capitals, an m or a w wider than most.

    >>> letters("cat"), letters("Cat"), letters("WWW"), letters("猫")
    (3.0, 3.1, 4.5, 1.9)
    """
    return round(sum(map(_wide, text)), 6)


def _wide(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.9
    return 1.5 if letter in _WIDEST else 1.1 if letter.isupper() or letter.isdigit() else 1.0
