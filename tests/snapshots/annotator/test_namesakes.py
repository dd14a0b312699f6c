"""Namesakes of a sense, of a wiki that has a few Jordans."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from app.serving.starter import snapshot_path
from snapshots.annotator import Annotator
from snapshots.annotator.annotation import as_doubted
from snapshots.annotator.doubting.doubts import EVIDENCE
from snapshots.annotator.doubting.namesakes import PRIOR, KnownNamesakes, Namesakes
from snapshots.annotator.doubting.surroundings import TextSurroundings
from snapshots.csr import CSR
from snapshots.naming.names import Names
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable

LINKED = [
    ("Jordan", 400),
    ("Michael Jordan", 90),
    ("Jordan River", 30),
    ("Jordan (name)", 5),
    ("A Jordan pair", 9),
    ("Sailing on the Jordan", 8),
    ("Transport in Jordan", 7),
    ("Tour de Jordan", 6),
    ("Jordan national football team", 5),
    ("Jordan women's national under-21 team", 4),
]


class NamesOfJordan:
    """As the file of names has them; ``asked`` counts the look-ups."""

    asked = 0

    def most_linked_with(self, asked: list[str], limit: int) -> dict[str, list[int]]:
        self.asked += len(asked)
        return {word: list(range(len(LINKED)))[:limit] for word in asked if word == "jordan"}


def namesakes(names: NamesOfJordan) -> Namesakes:
    sizes = np.array([links for _, links in LINKED])
    links = CSR(np.concatenate([[0], np.cumsum(sizes)]), np.zeros(sizes.sum(), np.int32), None, 1000)
    around = SimpleNamespace(of_concepts=lambda concepts: np.eye(len(LINKED))[np.array(concepts, int)])
    return Namesakes(
        cast(Names, names),
        StringTable.of([title for title, _ in LINKED]),
        links,
        cast(TextSurroundings, around),
        "en",
        frozenset(["a", "in", "on", "the"]),
    )


def test_namesakes_begin_or_end_with_the_mention() -> None:
    names = NamesOfJordan()
    known = namesakes(names)
    found = known.of_words(["Jordan", "JORDAN", "Amman"])
    assert found["Jordan"].concepts.tolist() == found["JORDAN"].concepts.tolist() == [1, 2, 3]
    assert found["Amman"].concepts.tolist() == []
    assert known.of_words(["Amman", "Jordan"])["Jordan"] is found["Jordan"]
    assert names.asked == 2


def test_a_namesake_is_nearer_by_its_cosine_and_its_share() -> None:
    known = namesakes(NamesOfJordan())
    found = known.of_words(["Jordan"])["Jordan"]
    around = np.array([0.2, 0.9, 0.0, 0.3, *[0.0] * (len(LINKED) - 4)])
    expected = 0.9 + PRIOR * math.log(91 / (91 + 401)) - 0.2
    assert known.nearer(0, found, around, 0.2) == pytest.approx(expected)
    assert known.nearer(1, found, around, 0.9) == 0
    assert (
        known.nearer(
            0,
            KnownNamesakes(
                np.zeros(0, np.int64), np.zeros(0), np.zeros((0, len(LINKED))), np.zeros(0, np.bool_)
            ),
            around,
            0.2,
        )
        == 0
    )


def test_what_ends_with_a_stop_word_and_the_mention_is_no_namesake() -> None:
    known = namesakes(NamesOfJordan())
    assert {5, 6, 7}.isdisjoint(known.of_words(["Jordan"])["Jordan"].concepts.tolist())


def test_no_team_of_a_country_is_a_namesake_of_it() -> None:
    known = namesakes(NamesOfJordan())
    assert {8, 9}.isdisjoint(known.of_words(["Jordan"])["Jordan"].concepts.tolist())


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return Annotator.of_snapshot(Snapshot.open(snapshot_path()))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Argentina beat France on penalties.", {"Argentina", "France"}),
        ("Germany beat Brazil in the final.", {"Germany", "Brazil"}),
        # English months have capitals.
        ("Soldiers march through the city.", {"Soldier", "City"}),
        ("An august body of judges.", set()),
        ("She came in March and left in August.", {"March", "August"}),
    ],
)
def test_texts_of_the_starter(starter: Annotator, text: str, found: set[str]) -> None:
    titles = Snapshot.open(snapshot_path()).concept_titles
    assert {titles[one.concept] for one in starter.annotate(text)} == found


def test_behind_an_article_nobody_is_meant_whose_name_ends_so() -> None:
    known = namesakes(NamesOfJordan())
    found = known.of_words(["Jordan"])["Jordan"]
    assert found.begin.tolist() == [False, True, True]
    assert found.behind_article().concepts.tolist() == [2, 3]
    text = "He saw the Jordan, The Jordan and another Jordan."
    places = [place for place in range(len(text)) if text.startswith("Jordan", place)]
    assert [known.has_article(text, place, place + 6) for place in places] == [True, True, False]
    assert not known.has_article("Jordan", 0, 6)


def test_a_single_word_around_hardly_tells_of_namesakes(starter: Annotator) -> None:
    """The only one of "I flew to London" is nearer to the London Underground."""
    (london,) = starter.annotate("I flew to London.")
    assert starter.doubts is not None
    sense = as_doubted(london, 0, 0)
    alone = starter.doubts.evidence(["I flew to London."], [sense], []).values[0]
    more = starter.doubts.evidence(["I flew to London and flew and flew."], [sense], []).values[0]
    place = EVIDENCE.index("how much nearer a namesake is")
    assert 0 < alone[place] < more[place]
