"""A high score of a thing and its namesake is doubted, and that of things that are related is not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from weakref import WeakKeyDictionary

import numpy as np
import pytest
from numpy.typing import NDArray

from app.assistant.results import neighbours
from app.scoring.concepts import Scorer
from app.scoring.in_words import merely_called_so
from app.scoring.mere_names import MANY, WIDE, mere_names, merely_named, share_category, wide_categories
from app.scoring.related import related
from app.serving.starter import open_scorer
from snapshots.csr import CSR
from tests.app.cli.test_cli import wort


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.mark.parametrize(
    ("left", "right", "word"),
    [
        ("Moon", "Keith Moon", "moon"),
        ("Freddie Mercury", "Mercury (planet)", "mercury"),
        ("Bird", "Larry Bird", "bird"),
        ("Soap", "SOAP (protocol)", "soap"),
        ("Christmas Island", "Christmas", "christmas"),
        ("Sun", "Sun Microsystems", "sun"),
        # What stands in the other number is the same word.
        ("Bear", "Chicago Bears", "bear"),
        ("Horses (album)", "Horse", "horse"),
        ("Window", "Microsoft Windows", "window"),
        ("Dog", "Hot dog", "dog"),
        ("Cat", "Nyan Cat", "cat"),
        # A kind of something else, and a kind of one thing that is called so.
        ("House", "House music", "house"),
        ("Class (set theory)", "Upper class", "class"),
        # A little of what the articles share may be other words.
        ("Python (programming language)", "Monty Python", "python"),
        ("Apple Inc.", "Apple Corps", "apple"),
        # Nor are people alike for being some of the many whom a wiki calls people.
        ("Michael Jordan", "Louis Jordan", "jordan"),
        ("Neil Armstrong", "Lance Armstrong", "armstrong"),
    ],
)
def test_namesakes_are_doubted(scorer: Scorer, left: str, right: str, word: str) -> None:
    (result,) = scorer.score([(left, right)])
    assert mere_names(scorer, result) == [word]


@pytest.mark.parametrize(
    ("left", "right", "do"),
    [
        ("Michael Jordan", "Louis Jordan", False),  # People alone
        ("Horse", "Zebra", True),  # Mammals
        ("Horse", "Physics", False),
    ],
)
def test_a_category_with_much_of_the_wiki_is_not_shared(
    scorer: Scorer, left: str, right: str, do: bool
) -> None:
    article = scorer.resolver.article
    assert share_category(scorer.snapshot, article(left), article(right)) is do


def test_categories_are_counted_once_whoever_asks(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """And told wide as they are where each is counted by itself."""
    table = scorer.snapshot.csr("categories")
    counted: list[CSR] = []
    slow = np.array([np.count_nonzero(table.indices == category) for category in range(table.columns)])
    count = CSR.column_sizes

    def counting(table: CSR) -> NDArray[np.int64]:
        counted.append(table)
        return count(table)

    monkeypatch.setattr("app.scoring.mere_names._WIDE_CATEGORIES", WeakKeyDictionary())
    monkeypatch.setattr(CSR, "column_sizes", counting)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(wide_categories, [scorer.snapshot] * 32))
    assert len(counted) == 1
    assert all(wide is found[0] for wide in found)
    assert np.array_equal(found[0], slow >= max(WIDE * scorer.snapshot.concepts, MANY))
    assert 0 < found[0].sum() < table.columns


def test_titles_that_differ_by_a_qualifier_are_doubted_whatever_the_encoder_says(scorer: Scorer) -> None:
    (result,) = scorer.score([("Bear", "Bear (gay slang)")], features=True)
    assert result.features is not None and result.features["ENC-LEAD"] > 0.8
    assert mere_names(scorer, result) == ["bear"]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Cancer", "Lung cancer"),
        ("Boxing", "Ancient Greek boxing"),
        ("Telephone", "Telephone company"),
        ("Economics", "Classical economics"),
        ("World War I", "World War II"),
        # No other word in common, but articles that begin alike.
        ("Introduced species", "Endangered species"),
        ("Dog", "Guide dog"),
        ("Tea", "Green tea"),
        # A kind of a thing, by its title, beside which the same is mentioned.
        ("Stomach cancer", "Cancer"),
        ("Music", "House music"),
        ("Machine", "Slot machine"),
        # No word in common, and one thing: neither leaves anything to doubt.
        ("Atheism", "Religion"),
        ("Moon", "Moon"),
        ("Moon", "No such concept"),
        # Nobody takes these for related, whatever their words.
        ("International English", "International law"),
    ],
)
def test_no_others_are(scorer: Scorer, left: str, right: str) -> None:
    (result,) = scorer.score([(left, right)])
    assert mere_names(scorer, result) == []


def test_each_of_those_most_related_is_doubted_as_its_pair_is(scorer: Scorer) -> None:
    apple = scorer.resolver.article("Apple Inc.")
    nearest = related(scorer, apple, 50).related
    doubted = merely_named(scorer, "Apple Inc.", nearest)
    assert dict(zip([one.title for one in nearest], doubted, strict=True))["Big Apple"]
    assert 0 < sum(doubted) < 10
    pairs = scorer.score([("Apple Inc.", one.title) for one in nearest])
    assert doubted == [bool(mere_names(scorer, pair)) for pair in pairs]


def test_it_is_said_of_one_word_and_of_several() -> None:
    end = (
        ", and hardly any other telling word is in both articles. Where two merely share a name, scores are "
    )
    assert merely_called_so(["moon"]) == f"Both titles have the word 'moon'{end}too high."
    said = merely_called_so(["iron", "man"], "“{}”".format)
    assert said == f"Both titles have the words “iron” and “man”{end}too high."
    assert merely_called_so([]) is None


def test_assistants_are_told_of_neighbours_that_may_be_mere_namesakes(scorer: Scorer) -> None:
    horse = scorer.resolver.article("Horse")
    side = scorer.pairs.side("Horse", scorer.pairs.one("Horse"))
    said = neighbours(related(scorer, horse, 50), side, scorer)
    assert {one.title: one.doubted for one in said.related}["Crazy Horse"]
    assert "0.87* Crazy Horse" in said.text.splitlines()
    assert said.notes[-1] in said.text and said.notes[-1].startswith("* Its title has a word of Horse")


def test_the_command_marks_them(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def lines(*asked: str) -> list[str]:
        assert wort(monkeypatch, ("related", *asked, "--text")) == 0
        return capfd.readouterr().out.splitlines()

    said = lines("Horse", "--top", "50")
    assert "  0.87* Crazy Horse" in said
    assert any(line.endswith("  Equestrianism") for line in said)
    assert said[-2].startswith("* Its title has a word of Horse, and hardly any other telling word is in ")
    assert "*" not in "".join(lines("Physics"))
