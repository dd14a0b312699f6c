"""What a search puts first: what is meant by a word, before what only begins with its letters."""

from __future__ import annotations

import pytest

from app.scoring.concepts import Scorer
from app.scoring.search import search
from app.serving.encoder import EncoderPlace
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import open_scorer


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    opened = open_scorer(None, None)
    Serving(opened, TermSettings(encoder=EncoderPlace(None)))
    return opened


def found(scorer: Scorer, query: str) -> list[tuple[str, str]]:
    return [(one.title, one.match) for one in search(scorer, query, 5).concepts]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        # What a comparison takes the name for.
        ("film", ("Movie", "alias")),
        ("wolf", ("Gray wolf", "alias")),
        ("US", ("United States", "alias")),
        # What it would suggest, before Cowboy Bebop, Momentum, Cinematography and Latin.
        ("cow", ("Cattle", "near")),
        ("mom", ("Mother", "near")),
        ("cinema", ("Movie", "near")),
        ("LA", ("Los Angeles", "near")),
        ("la", ("Los Angeles", "near")),
        ("coke", ("Coca-Cola", "near")),
        # What is begun, is no word of texts, or has the word is found as ever.
        ("merc", ("Mercenary", "prefix")),
        ("star", ("Star", "prefix")),
        ("mars", ("Mars", "prefix")),
        ("harry", ("Harry S. Truman", "prefix")),
        ("airplane", ("Airplane!", "prefix")),
    ],
)
def test_the_first_hit_is_what_most_mean(scorer: Scorer, query: str, first: tuple[str, str]) -> None:
    assert found(scorer, query)[0] == first


def test_what_is_suggested_comes_behind_what_is_called_so(scorer: Scorer) -> None:
    titles = [title for title, _ in found(scorer, "doctor")]
    assert titles[:3] == ["Doctor (Doctor Who)", "Physician", "Doctorate"]


def test_nothing_is_found_twice(scorer: Scorer) -> None:
    for query in ("cow", "kids", "film", "marijuana", "NYC"):
        titles = [title for title, _ in found(scorer, query)]
        assert len(titles) == len(set(titles)) <= 5


def test_a_short_word_of_texts_is_no_error_of_another(scorer: Scorer) -> None:
    assert found(scorer, "nike") == [], "no Nice, nor Nigeria"
    assert found(scorer, "dgo")[0] == ("Dog", "near")
