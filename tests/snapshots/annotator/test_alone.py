"""Mentions that stand by themselves in a text."""

from __future__ import annotations

import numpy as np
import pytest

from app.serving.starter import snapshot_path
from snapshots.annotator import Annotator
from snapshots.annotator.alone import NEAR
from snapshots.annotator.doubting.doubts import COSINE, UNKNOWN, DoubtedSense
from snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return Snapshot.open(snapshot_path())


@pytest.fixture(scope="module")
def starter(snapshot: Snapshot) -> Annotator:
    return Annotator.of_snapshot(snapshot)


def titles_in(starter: Annotator, snapshot: Snapshot, text: str, *context: str) -> dict[str, str]:
    titles = list(snapshot.concept_titles.many(range(snapshot.concepts)))
    found = starter.annotate(text, [titles.index(title) for title in context])
    return {text[one.start : one.end]: titles[one.concept] for one in found}


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        ("She has diabetes.", "diabetes", "Diabetes mellitus"),  # stop words alone around it
        ("They sang a song.", "song", "Song"),
    ],
)
def test_what_stands_by_itself_needs_no_other_to_vote_for_it(
    starter: Annotator, snapshot: Snapshot, text: str, words: str, title: str
) -> None:
    assert titles_in(starter, snapshot, text) == {words: title}
    annotation = starter.annotate(text)[-1]
    assert annotation.coherence == 0
    assert annotation.rho == annotation.link_probability


@pytest.mark.parametrize("text", ["He is a film star.", "Wood and Stone win the doubles."])
def test_but_words_that_do_not_fit_speak_against_it(
    starter: Annotator, snapshot: Snapshot, text: str
) -> None:
    assert titles_in(starter, snapshot, text) == {}
    unpruned = starter.keeping(0.0).annotate(text)
    assert [one.rho for one in unpruned] == [one.link_probability / 2 for one in unpruned]


def test_of_several_paragraphs_each_mention_stands_by_itself_in_its_own(starter: Annotator) -> None:
    first, second = "They sang a song.", "She has diabetes."
    both = starter.annotate_paragraphs([(0, first), (len(first) + 2, second)])
    alone = [starter.annotate(text)[0].rho for text in (first, second)]
    assert [one.rho for one in both] == alone
    assert [one.start for one in both] == [12, len(first) + 2 + 8]


def test_a_context_votes(starter: Annotator, snapshot: Snapshot) -> None:
    assert titles_in(starter, snapshot, "They sang a song.", "Zinc") == {}


def test_cosines_are_those_of_the_evidence(starter: Annotator) -> None:
    doubts = starter.doubts
    assert doubts is not None
    texts = ["They sang a song of the sea.", "She has diabetes."]
    found = [starter.keeping(0.0).annotate(text) for text in texts]
    chosen = [
        DoubtedSense(number, one.start, one.end, one.concept, 0.5, 1.0, 0.0)
        for number, each in enumerate(found)
        for one in each
    ]
    cosines = doubts.cosines(texts, chosen)
    assert cosines.tolist() == doubts.evidence(texts, chosen, []).values[:, COSINE].tolist()
    assert cosines[-1] == UNKNOWN >= NEAR
    beyond = chosen[0]._replace(concept=10**6)  # of a concept that an excerpt has no words of
    assert np.array_equal(doubts.cosines(texts, [beyond]), [UNKNOWN])
