"""What the starter finds in everyday sentences: names in the plural, verbs, stars, and whom surnames mean."""

from __future__ import annotations

import pytest

from snapshots.annotator import Annotator
from tests.support.annotated import starter_annotator, titles_in


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Tigers lost to the Yankees in Detroit.", "Tigers"),
        ("He loves Heroes by David Bowie.", "Heroes"),
        ("He read a book by Queens in the library.", "Queens"),
        ("We go on with the song.", "go"),
        ("Trains to Canada will cross the river as it leaves the town.", "leaves"),
        ("They fly to Paris from Berlin.", "fly"),
        ("The first airplane to cross the Atlantic Ocean was built in Canada.", "cross"),
        ("Madonna is a pop star whose songs topped the charts.", "star"),
        ("Justice Kennedy wrote the opinion for the court.", "Kennedy"),
        ("Side effects of the drug are nausea and headache.", "Side effects"),
    ],
)
def test_what_is_not_meant(starter: Annotator, text: str, words: str) -> None:
    assert words not in titles_in(starter, text)


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        ("Many people use Windows at home.", "Windows", "Microsoft Windows"),
        ("The windows of the house were made of glass.", "windows", "Window"),
        ("The tiger and the lion hunt in India, and tigers swim.", "tigers", "Tiger"),
        ("She plays go and chess.", "go", "Go"),
        ("A star is a ball of hot gas in a galaxy.", "star", "Star"),
        ("The Obama administration announced new rules.", "Obama", "Barack Obama"),
        ("President Kennedy was shot in Dallas.", "Kennedy", "John F. Kennedy"),
    ],
)
def test_what_is_meant(starter: Annotator, text: str, words: str, title: str) -> None:
    assert titles_in(starter, text)[words] == title
