"""What the annotator makes of sentences, on the starter: those that it once got wrong, and others."""

from __future__ import annotations

from typing import Any

import pytest

import wort
from benchmarks.senses import found, is_right, sentences


@pytest.fixture(scope="module")
def starter() -> Any:
    with wort.open() as answers:
        yield answers


@pytest.mark.parametrize("context", [False, True])
def test_sentences_in_which_a_word_has_a_rare_sense(starter: Any, context: bool) -> None:
    asked = sentences()
    right = {
        name: [is_right(each, found(starter, each, context)) for each in asked if each.set == name]
        for name in ("given", "apart", "kept")
    }
    assert all(right["given"])
    assert all(right["kept"])
    assert sum(right["apart"]) >= 8  # of 10; 3 before senses were doubted


def test_a_sentence_is_read_as_it_is_alone_among_sentences_about_something_else(starter: Any) -> None:
    asked = [each for each in sentences() if each.set == "given"]
    right = [
        is_right(each, found(starter, each, before=f"{other.text} ", behind=f" {other.text}"))
        for each in asked
        for other in asked
        if other is not each
    ]
    assert sum(right) >= 19  # of 20; 14 where words of other sentences counted as much


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Add the onion and the garlic to the pan.", ["Onion", "Garlic"]),
        ("The invasion of Iraq began in 2003.", ["Iraq"]),
        ("She saw The Beatles in Rome.", ["The Beatles", "Rome"]),
        ("In the final Serena Williams beat her sister Venus.", ["Venus"]),
        ("Paris Hilton came to Paris.", ["Paris"]),
        ("The iPod and the iPad came after the iPhone.", ["IPod", "IPad", "IPhone"]),
    ],
)
def test_words_that_are_parts_of_names_and_names_that_are_words(
    starter: Any, text: str, expected: list[str]
) -> None:
    assert [one.title for one in starter.annotate(text).annotations] == expected
