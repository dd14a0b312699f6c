"""On the starter: no page of meanings is offered, and texts do not mean what only a parenthesis names so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import wort
from app.scoring.annotating import senses_of
from app.scoring.related import related
from app.scoring.search import search
from app.serving.starter import open_scorer, snapshot_path
from snapshots.naming.alias_use import lists_meanings
from wort.in_process import Wort


@pytest.fixture(scope="module", autouse=True)
def has_starter() -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")


@pytest.fixture(scope="module")
def answers() -> Iterator[Wort]:
    with wort.open() as opened:
        yield opened


@pytest.mark.parametrize("title", ["Cleopatra VII", "New England", "Sigmund Freud", "Badger"])
def test_no_page_of_meanings_is_related(title: str) -> None:
    scorer = open_scorer(None, None)
    found = related(scorer, scorer.resolver.article(title), 20)
    assert len(found.related) == 20
    assert not any(lists_meanings(one.title) for one in found.related)


@pytest.mark.parametrize(("mention", "offered"), [("economy", "Economy"), ("Freud", "Sigmund Freud")])
def test_no_page_of_meanings_is_offered_for_a_mention(mention: str, offered: str) -> None:
    titles = [one.title for one in senses_of(open_scorer(None, None), mention)]
    assert offered in titles
    assert not any(map(lists_meanings, titles))


def test_no_page_of_meanings_is_found_unless_it_is_asked_for() -> None:
    scorer = open_scorer(None, None)
    for query in ("freud", "cleopatra", "manhattan", "land"):
        assert not any(lists_meanings(one.title) for one in search(scorer, query, 10).concepts)
    assert any(lists_meanings(one.title) for one in search(scorer, "manhattan (disambiguation)", 5).concepts)


def found(answers: Wort, text: str) -> list[tuple[str, str]]:
    return [(one.mention, one.title) for one in answers.annotate(text).annotations]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("He lost the game.", [("game", "Game")]),
        ("They went home with friends.", []),
        ("Apple Inc. is in California.", [("Apple Inc.", "Apple Inc."), ("California", "California")]),
        ("The doctor gave me aspirin.", [("aspirin", "Aspirin")]),
        ("Tbilisi is the capital of Georgia.", [("Tbilisi", "Tbilisi"), ("Georgia", "Georgia (country)")]),
    ],
)
def test_neither_the_end_of_a_sentence_nor_any_doctor_is_a_name(
    answers: Wort, text: str, mentions: list[tuple[str, str]]
) -> None:
    assert found(answers, text) == mentions
