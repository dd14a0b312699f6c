"""Names in capitals that are read as words: what they may abbreviate is told of."""

from __future__ import annotations

import pytest

from app.assistant.results import pair
from app.cli.compare import compare
from app.scoring.concepts import Scorer
from app.serving.starter import open_scorer


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("ISIS", "Islamic State of Iraq and the Levant"),  # but for the last letter
        ("PET", "Positron emission tomography"),  # of whose article it is the heaviest word
        ("MAD", "Mutual assured destruction"),
        ("ICE", "Internal combustion engine"),  # much linked
    ],
)
def test_what_capitals_may_abbreviate(scorer: Scorer, asked: str, first: str) -> None:
    (result,) = scorer.score([(asked, "Cat")])
    assert scorer.pairs.namesakes(result.resolved.left)[0] == first


@pytest.mark.parametrize("asked", ["Isis", "isis", "CAT", "DOG", "NASA", "WHO", "USA", "LASER", "2015", 1])
def test_other_names_abbreviate_nothing(scorer: Scorer, asked: str | int) -> None:
    (result,) = scorer.score([(asked, "Physics")])
    side = result.resolved.left
    assert side.title is None or scorer.pairs.abbreviated(asked, side.title) == []


def test_assistants_are_told(scorer: Scorer) -> None:
    (result,) = scorer.score([("PET", "Physics")])
    notes = pair(result, scorer).notes
    assert "There is Positron emission tomography, too." in notes
    assert any(note.endswith("PET' is Pet.") or note.endswith("PET\u201d is Pet.") for note in notes)


@pytest.mark.parametrize(("terms", "verb"), [(False, "is"), (True, "is taken for")])
def test_so_is_who_asks_the_command(capsys: pytest.CaptureFixture[str], terms: bool, verb: str) -> None:
    compare("ISIS", "terrorism", json=False, terms=terms)
    said = capsys.readouterr().out
    assert f"'ISIS' {verb} Isis.\nThere is Islamic State of Iraq and the Levant" in said


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("TB", "Tuberculosis"),  # two letters of one word, by which its article calls it the most
        ("UFO", "Unidentified flying object"),  # to which few link, but nothing else is called so
        ("LA", "Los Angeles"),
        ("SF", "San Francisco"),  # and not a game to which hardly any do
    ],
)
def test_what_its_article_calls_so_is_suggested_first(scorer: Scorer, asked: str, first: str) -> None:
    assert scorer.pairs.one(asked).suggestions[0] == first


@pytest.mark.parametrize("asked", ["OPEC", "HQ", "THC"])
def test_what_articles_call_otherwise_is_not(scorer: Scorer, asked: str) -> None:
    assert scorer.pairs.one(asked).suggestions == ()
