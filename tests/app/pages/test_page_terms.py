"""The page of terms over what comes with wort, whose model reads terms by an encoder, too."""

from __future__ import annotations

import pytest

from app.cli.compare import compare
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.support.browser import text_of
from tests.support.served import serving


def test_a_term_that_is_judged_by_its_letters_is_named() -> None:
    with serving(create_app(Settings(), open_scorer(None, None))) as address:
        shown = text_of(address, "/terms", left="to be", right="or not").text
        letters = text_of(address, "/terms", left="AC/DC", right="rock").text
    assert "“ AC/DC ” is no name that is known here, and is read as letters: ac, dc." in letters
    assert "By themselves, “ or ”, “ not ” say nothing. “ or not ” is judged by its letters alone." in shown
    assert "It is judged" not in shown


def test_the_command_asks_for_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    compare("Albert Einstien", "Physics", json=False, terms=True)
    said = capsys.readouterr().out
    assert "words that are not known here: einstien.\nDid you mean Albert Einstein?\n" in said


def test_a_title_that_a_term_is_nearly_spelt_as_is_asked_for() -> None:
    with serving(create_app(Settings(), open_scorer(None, None))) as address:
        shown = text_of(address, "/terms", left="Physics", right="Albert Einstien")
        right = text_of(address, "/terms", left="Physics", right="Albert Einstein")
    assert "Unknown here: “ einstien ”. Did you mean Albert Einstein ?" in shown.text
    links = [attributes.get("href") for tag, attributes in shown.tags if tag == "a"]
    assert "terms?left=Physics&right=Albert%20Einstein" in links
    assert "Did you mean" not in right.text
