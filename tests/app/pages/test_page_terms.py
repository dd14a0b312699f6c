"""The page of terms over what comes with wort, whose model reads terms by an encoder, too."""

from __future__ import annotations

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
