"""Senses held against what articles begin with, and against a slow version of the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from measures import milne_witten
from snapshots.annotator.leads import AROUND, NEAREST, PRIOR, Fits, Leads, SenseShares, no_cosines
from snapshots.csr import CSR
from snapshots.scaled import ScaledVectors
from snapshots.snapshot import Snapshot
from wort import open as open_wort

PLANET, LANGUAGE, SUN, VENUS, CODE, BARE = range(6)
VECTORS = np.array([[9, 1], [1, 9], [8, 0], [9, 2], [0, 8], [0, 0]], np.int8)


def leads(vectors: NDArray[np.int8] = VECTORS) -> Leads:
    rows = len(vectors)
    links = CSR(np.arange(rows + 1), np.zeros(rows, np.int32), None, rows)
    scales = np.array([row.any() for row in vectors], np.float32)
    snapshot = SimpleNamespace(
        scaled=lambda _: ScaledVectors(vectors, scales), csr=lambda _: links, universe=rows + 1
    )
    return Leads(cast(Snapshot, snapshot))


def senses(*of: tuple[int, float]) -> SenseShares:
    return SenseShares(np.array([each for each, _ in of], np.int64), np.array([share for _, share in of]))


MERCURY = senses((PLANET, 0.3), (LANGUAGE, 0.6))
SURE = {SUN: senses((SUN, 1.0)), VENUS: senses((VENUS, 1.0)), CODE: senses((CODE, 1.0)), 9: MERCURY}


def senses_at(known: dict[int, SenseShares], *mentions: int) -> Callable[[int], SenseShares]:
    """Those of some mentions, by their places."""
    return lambda place: known[mentions[place]]


def test_the_sense_is_that_of_what_stands_around() -> None:
    again = leads()
    (found,) = again.second_look([0, 0, 0], [LANGUAGE, SUN, VENUS], senses_at(SURE, 9, SUN, VENUS), [])
    assert (found.place, found.concept, found.share) == (0, PLANET, 0.3)
    # All are linked from the same article alone.
    related = float(milne_witten(1, 1, 1, len(VECTORS) + 1))
    assert again.coherence(PLANET, found.around) == pytest.approx(related)
    (found,) = again.second_look([0, 0], [LANGUAGE, CODE], senses_at(SURE, 9, CODE), [])
    assert (found.concept, found.share, found.around) == (LANGUAGE, 0.6, [CODE])


def test_the_words_around_speak_with_the_leads_and_where_there_are_none() -> None:
    def of_code(place: int, concepts: NDArray[np.int64]) -> NDArray[np.float64]:
        assert place == 0
        return np.where(concepts == LANGUAGE, 0.9, -0.2)

    again = leads()
    (found,) = again.second_look([0], [PLANET], senses_at(SURE, 9), [], of_code)
    assert (found.concept, found.fit, found.around) == (LANGUAGE, 0.9, [])
    (found,) = again.second_look([0, 0], [PLANET, SUN], senses_at(SURE, 9, SUN), [], of_code)
    assert found.concept == LANGUAGE  # the sun is nearer to the planet, but less than its words are farther
    assert again.second_look([0], [PLANET], senses_at(SURE, 9), [], no_cosines) == []


def test_a_rare_sense_that_all_around_fits_has_a_greater_share() -> None:
    again = leads()

    def share(fit: float) -> float:
        (found,) = again.second_look(
            [0, 0],
            [LANGUAGE, SUN],
            senses_at(SURE, 9, SUN),
            [],
            lambda _, several: np.full(len(several), fit),
        )
        assert found.concept == PLANET
        assert found.chance > 0.99
        return found.likely_share

    assert share(-0.5) == share(0) == 0.3
    assert 0.3 < share(0.5) < share(0.9) < 0.99


def test_a_context_is_around_everything_and_other_paragraphs_are_not() -> None:
    again = leads()
    assert again.second_look([0, 1], [LANGUAGE, SUN], senses_at(SURE, 9, SUN), []) == []
    (found,) = again.second_look([0], [LANGUAGE], senses_at(SURE, 9), [SUN])
    assert found.concept == PLANET


def test_what_has_no_lead_is_left_as_it_was() -> None:
    unknown = senses((PLANET, 0.3), (BARE, 0.6), (77, 0.1))
    assert leads().second_look([0, 0], [BARE, SUN], senses_at({**SURE, 9: unknown}, 9, SUN), []) == []
    assert leads().second_look([], [], senses_at(SURE), []) == []


def test_a_sense_that_is_not_meant_gives_way() -> None:
    left = {**SURE, 9: senses((PLANET, 0.3), (VENUS, 0.1))}  # without the language, which was chosen
    (found,) = leads().second_look([0, 0], [LANGUAGE, SUN], senses_at(left, 9, SUN), [])
    assert found.concept == PLANET
    (found,) = leads().second_look([0], [LANGUAGE], senses_at(left, 9), [])  # with nothing around
    assert (found.concept, found.share, leads().coherence(PLANET, found.around)) == (PLANET, 0.3, 0.0)
    assert leads().second_look([0], [LANGUAGE], lambda _: senses(), []) == []


def slowly(
    vectors: NDArray[np.int8],
    paragraphs: list[int],
    mentions: list[int],
    concepts: list[int],
    of: dict[int, SenseShares],
    fits: Fits,
) -> dict[int, int]:
    """The same by loops: the concept of each place that is looked at, where it is sure."""

    def cosine(one: int, other: int) -> float:
        left, right = vectors[one].astype(float), vectors[other].astype(float)
        return float(left @ right) / (math.hypot(*left) * math.hypot(*right))

    found = {}
    for place, mention in enumerate(mentions):
        around = {
            concepts[other]
            for other in range(len(concepts))
            if abs(other - place) <= AROUND and paragraphs[other] == paragraphs[place]
        } - {concepts[place]}
        if len(of[mention].concepts) < 2 or concepts[place] not in of[mention].concepts:
            continue
        said = [
            (np.mean(sorted(cosine(each, other) for other in around)[-NEAREST:]) if around else 0.0)
            + fits(place, np.array([each]))[0]
            + PRIOR * math.log(share)
            for each, share in zip(of[mention].concepts.tolist(), of[mention].shares.tolist(), strict=True)
        ]
        if max(said) - sorted(said)[-2] > 1e-9:
            found[place] = int(of[mention].concepts[int(np.argmax(said))])
    return found


@given(st.data())
def test_it_chooses_as_loops_do(data: Any) -> None:
    number = data.draw(st.integers(2, 9))
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    vectors = rng.integers(1, 100, (number, 3)).astype(np.int8)
    count = data.draw(st.integers(1, 30))
    of = {}
    for mention in range(4):
        several = np.sort(rng.permutation(number)[: rng.integers(1, number + 1)])
        of[mention] = SenseShares(several, rng.uniform(0.02, 1, len(several)))
    mentions = rng.integers(0, 4, count).tolist()
    concepts = [int(rng.choice(of[mention].concepts)) for mention in mentions]
    paragraphs = np.sort(rng.integers(0, 3, count)).tolist()
    cosines = rng.uniform(-1, 1, (count, number))

    def fits(place: int, several: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(cosines[place, several], np.float64)

    again = leads(vectors)
    found = again.second_look(paragraphs, concepts, senses_at(of, *mentions), [], fits)
    slow = slowly(vectors, paragraphs, mentions, concepts, of, fits)
    assert slow.items() <= {one.place: one.concept for one in found}.items()
    assert all(0 <= again.coherence(one.concept, one.around) <= 1 for one in found)
    assert all(0 < one.chance <= 1 for one in found)


def test_in_texts() -> None:
    with open_wort() as own:

        def meant(text: str, mention: str) -> list[str]:
            return [one.title for one in own.annotate(text).annotations if one.mention == mention]

        assert meant("Darwin explained evolution by natural selection.", "Darwin") == ["Charles Darwin"]
        assert meant("Mercury is the planet nearest to the Sun, before Venus.", "Mercury") == [
            "Mercury (planet)"
        ]
        for text in (
            "The program is written in Python or in another programming language.",
            "Python is a popular language for programming.",
            "I write all my scripts in Python.",
        ):
            assert meant(text, "Python") == ["Python (programming language)"]
        assert meant("A python is a snake, and eats rats whole.", "python") == ["Python"]


def test_a_snapshot_that_no_encoder_wrote_has_none() -> None:
    without = SimpleNamespace(has=lambda name: name != "lead_vectors")
    assert Leads.of_snapshot(cast(Snapshot, without)) is None
