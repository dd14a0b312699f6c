"""How often names of concepts are links that no article links: short names, singulars, several words."""

from __future__ import annotations

import pytest

from snapshots.annotator import Annotator
from snapshots.annotator.names.short_names import is_short_for
from tests.support.annotated import starter_annotator, titles_in


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


@pytest.mark.parametrize(
    ("name", "title", "is_short"),
    [
        ("diabetes", "Diabetes mellitus", True),
        ("gaza", "Gaza Strip", True),
        ("huntsville", "Huntsville, Alabama", True),
        ("nsa", "National Security Agency", True),
        ("rfc", "Request for Comments", True),
        ("ai", "Artificial intelligence", False),  # too short in small letters
        ("nm", "Nautical mile", False),
        ("band", "Kiss (band)", False),  # what tells it from others is no name of it
        ("present", "Gift", False),
        ("ses", "Slender-snouted", False),
    ],
)
def test_a_word_of_a_title_or_its_initials_are_short_for_it(name: str, title: str, is_short: bool) -> None:
    assert is_short_for(name, title) is is_short


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        ("He was a spy of the CIA in Berlin.", "CIA", "Central Intelligence Agency"),
        ("The doctor treats cancer and diabetes.", "diabetes", "Diabetes mellitus"),
        ("The word entered English from Latin.", "English", "English language"),
    ],
)
def test_a_short_name_is_weighed_by_articles(starter: Annotator, text: str, words: str, title: str) -> None:
    assert titles_in(starter, text)[words] == title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("From 1963 to the present, the sound of the band was loud.", "present"),
        ("The prices fall in the whole economy.", "fall"),
        ("In 1793, George Shaw and Sir James Smith published Zoology of New Holland.", "Shaw"),
    ],
)
def test_other_words_are_weighed_by_sentences(starter: Annotator, text: str, words: str) -> None:
    assert words not in titles_in(starter, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The bass is strong, but the cable is too short.", "short"),
        ("The town and its industry saw rapid growth.", "rapid"),
        ("The storm did damage to the roofs of houses.", "damage"),
    ],
)
def test_a_common_word_is_no_singular_of_a_title(starter: Annotator, text: str, words: str) -> None:
    assert words not in titles_in(starter, text)


def test_but_one_that_is_no_commoner_is(starter: Annotator) -> None:
    assert titles_in(starter, "The doctor gave her an antibiotic.")["antibiotic"] == "Antibiotics"
    assert titles_in(starter, "He wore a short and her shorts.")["shorts"] == "Shorts"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Namibia and Botswana border on it to the south.", "the south"),
        ("The Academy Award for it went to the film.", "The Academy"),
        ("Armenians and Georgians make up a third of the population.", "make up"),
        ("It was not considered a crime in Germany.", "not considered"),
        ("His first book was a novel on a war.", "first book"),
    ],
)
def test_common_words_side_by_side_are_seldom_a_name(starter: Annotator, text: str, words: str) -> None:
    assert words not in titles_in(starter, text)


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        ("Ships sailed from Cuba to the Bahamas.", "the Bahamas", "The Bahamas"),
        ("Turks came to Asia Minor from Persia.", "Asia Minor", "Anatolia"),
        ("Many soldiers died in the First World War in France.", "First World War", "World War I"),
        ("The Academy Award for it went to the film.", "Academy Award", "Academy Award"),
    ],
)
def test_but_names_of_several_words_are_found(starter: Annotator, text: str, words: str, title: str) -> None:
    assert titles_in(starter, text)[words] == title
