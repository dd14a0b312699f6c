"""Mentions within longer ones that are given up, and texts that are a name and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from snapshots.annotator import Annotator
from snapshots.annotator.within import without_longer
from tests.support.annotated import starter_annotator, titles_in

TEXT = "The economy of the West Indies and of Cuba"
SPOTS = {
    "economy of the West Indies": (4, 30),
    "economy": (4, 11),
    "West Indies": (19, 30),
    "West": (19, 23),
    "Indies and of Cuba": (24, 42),
    "Cuba": (38, 42),
}


def left(given_up: str, *unwanted: str, start: int = 0) -> set[str]:
    """The spots that are left once one is given up, in a paragraph that stands so far into a text."""
    number = 1
    spots = np.array([(number, start + first, start + end, 7) for first, end in SPOTS.values()], np.int32)
    wanted = np.array([name not in unwanted for name in SPOTS])
    span = np.array([(number, *(start + place for place in SPOTS[given_up]))], np.int32)
    paragraphs = [(0, "Before."), (start, TEXT)]
    kept = without_longer(spots, wanted, span, paragraphs, frozenset(["the", "of", "and"]).__contains__)
    return {name for name, stays in zip(SPOTS, kept, strict=True) if stays}


def test_what_stop_words_part_from_the_rest_is_tried_within() -> None:
    # "West" is a word of "West Indies", and "Indies and of Cuba" is no part of what is given up.
    assert left("economy of the West Indies") == set(SPOTS) - {"economy of the West Indies", "West"}
    assert left("economy of the West Indies", start=90) == left("economy of the West Indies")
    assert left("Indies and of Cuba") == set(SPOTS) - {"Indies and of Cuba"}


def test_a_mention_stays_that_has_none_within_it() -> None:
    assert left("Cuba") == set(SPOTS)
    assert left("West Indies") == set(SPOTS)
    # What is hardly ever a link is none.
    assert left("Indies and of Cuba", "Cuba") == set(SPOTS)
    assert left("economy of the West Indies", "economy", "West Indies") == set(SPOTS)


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        ("Angela Merkel was chancellor of Germany.", "Germany", "Germany"),
        ("The economy of the United States is large.", "United States", "United States"),
        ("The federal government of the United States passed a law.", "United States", "United States"),
        ("A law.\n\nThe economy of the United States is large.", "United States", "United States"),
    ],
)
def test_a_name_is_found_within_a_longer_one(starter: Annotator, text: str, words: str, title: str) -> None:
    assert titles_in(starter, text)[words] == title


def test_no_word_of_a_name_is_tried(starter: Annotator) -> None:
    assert {"Pearl", "Harbor"}.isdisjoint(titles_in(starter, "The attack on Pearl Harbor began at dawn."))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Red Cross is sending tents, rice and drinking water.", "Red"),
        ("The Red Sox beat the Yankees in Boston.", "Red"),
        ("The Giants play in the World Series in October.", "World"),
        ("Paris Saint-Germain beat Manchester United.", "Paris"),
        ("The Higgs boson was found at CERN.", "Higgs"),
        ("A gas obeys Bose–Einstein statistics.", "Einstein"),
    ],
)
def test_words_of_names_that_are_no_titles(starter: Annotator, text: str, words: str) -> None:
    assert words not in titles_in(starter, text)


@pytest.mark.parametrize("title", ["Politics of the United States", "Attack on Pearl Harbor", "Water", "Go"])
@pytest.mark.parametrize("around", ["{}", " “{}”. "])
def test_a_text_that_is_a_name_means_it(starter: Annotator, title: str, around: str) -> None:
    assert titles_in(starter, around.format(title)) == {title: title}


@pytest.mark.parametrize("text", ["it", "The", "…", "", "may"])
def test_a_stop_word_alone_means_nothing(starter: Annotator, text: str) -> None:
    assert titles_in(starter, text) == {}
