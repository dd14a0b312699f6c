"""A high score of a thing and its namesake is doubted, and that of things that are related is not."""

from __future__ import annotations

import pytest

from app.scoring.concepts import Scorer
from app.scoring.in_words import merely_called_so
from app.serving.starter import open_scorer

DOUBT = "share no telling word. Where two merely share a name, scores are too high."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.mark.parametrize(
    ("left", "right", "word"),
    [
        ("Moon", "Keith Moon", "'moon'"),
        ("Freddie Mercury", "Mercury (planet)", "'mercury'"),
        ("Bird", "Larry Bird", "'bird'"),
        ("Soap", "SOAP (protocol)", "'soap'"),
        ("Christmas Island", "Christmas", "'christmas'"),
        ("Sun", "Sun Microsystems", "'sun'"),
    ],
)
def test_namesakes_are_doubted(scorer: Scorer, left: str, right: str, word: str) -> None:
    (result,) = scorer.score([(left, right)], explain=True)
    said = merely_called_so(result)
    assert said is not None
    assert said.startswith(f"But for {word}, which both titles have, their articles ")
    assert said.endswith(DOUBT)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Cancer", "Lung cancer"),
        ("Boxing", "Ancient Greek boxing"),
        ("Telephone", "Telephone company"),
        ("Economics", "Classical economics"),
        ("World War I", "World War II"),
        # No word in common, and one thing: neither leaves anything to doubt.
        ("Atheism", "Religion"),
        ("Moon", "Moon"),
        # Nobody takes these for related, whatever their words.
        ("International English", "International law"),
    ],
)
def test_no_others_are(scorer: Scorer, left: str, right: str) -> None:
    (result,) = scorer.score([(left, right)], explain=True)
    assert merely_called_so(result) is None


def test_what_has_no_evidence_is_not_doubted(scorer: Scorer) -> None:
    (result,) = scorer.score([("Moon", "Keith Moon")])
    assert result.score is not None and result.score > 0.5
    assert merely_called_so(result) is None
