"""What is suggested for words with a capital and for other forms of words, and told beside a chosen sense."""

from __future__ import annotations

import pytest

from app.assistant.results import notes
from app.scoring.concepts import Scorer
from app.scoring.in_words import also_called_so
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


@pytest.mark.parametrize("asked", ["king", "lorry", "cop", "pilot", "athlete", "anger"])
def test_a_word_with_a_capital_is_offered_what_it_is_without(scorer: Scorer, asked: str) -> None:
    small = scorer.pairs.one(asked).suggestions
    assert scorer.pairs.one(asked.capitalize()).suggestions == small
    assert small or asked == "anger"


@pytest.mark.parametrize("asked", ["Mercury", "Delta", "Phoenix", "Jordan", "Volkswagen", "Rihanna"])
def test_a_name_with_a_capital_is_offered_no_more_than_what_surely_says_the_same(
    scorer: Scorer, asked: str
) -> None:
    # As words in small letters: a fulminate, rockets, a minivan, and Shakira.
    suggestions = scorer.pairs.one(asked).suggestions
    assert set(suggestions).isdisjoint(["Mercury(II) fulminate", "Delta IV", "Minivan", "Shakira"])


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        # No word of the name's meaning, but one article that writes both forms.
        ("Radioactivity", "Radioactive decay"),
        ("radioactivity", "Radioactive decay"),
        ("imperialist", "Imperialism"),
        ("Veterinarian", "Veterinary medicine"),
        # Both forms are used alike.
        ("footballer", "Football team"),
    ],
)
def test_what_has_another_form_of_the_word_is_suggested(scorer: Scorer, asked: str, meant: str) -> None:
    found = scorer.pairs.one(asked)
    assert meant in found.suggestions
    assert meant in [one.title for one in search(scorer, asked, 10).concepts]


@pytest.mark.parametrize(
    "asked",
    [
        # Names that begin as others do, and what has too few letters in common.
        *("Alexandrov", "Johannesson", "Leicestershire", "childbirth"),
    ],
)
def test_what_only_begins_alike_is_not(scorer: Scorer, asked: str) -> None:
    suggestions = scorer.pairs.one(asked).suggestions
    assert not any(title.casefold().startswith(asked.casefold()[:8]) for title in suggestions)


@pytest.mark.parametrize(
    ("asked", "beside", "meant"),
    [("King", "Chess", "Monarch")],
)
def test_beside_a_sense_that_was_chosen_is_told_what_says_the_same(
    scorer: Scorer, asked: str, beside: str, meant: str
) -> None:
    (result,) = scorer.score([(asked, beside)], ambiguous="resolve")
    side = result.resolved.left
    assert side.matched == "sense"
    assert scorer.pairs.namesakes(side) == [meant]
    assert also_called_so([meant]) in notes(side, scorer.pairs)
    (washington,) = scorer.score([("Washington", "United States")], ambiguous="resolve")
    assert scorer.pairs.namesakes(washington.resolved.left) == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("football", ["American football"]),
        ("Football", ["American football"]),
        ("carrier", ["Aircraft carrier"]),
        # What is known less is not told of, nor what is not called so by an article.
        ("phone", []),
        ("soccer", []),
        ("Cats", []),
        ("Calculus", []),
    ],
)
def test_a_better_known_kind_is_told_of(scorer: Scorer, asked: str, told: list[str]) -> None:
    (result,) = scorer.score([(asked, "Philosophy")])
    side = result.resolved.left
    assert scorer.pairs.namesakes(side) == told
    assert told == [] or also_called_so(told) in notes(side, scorer.pairs)
