"""Redirects as the text of a page states them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki.redirects import REDIRECT_WORDS, redirect_target


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("#REDIRECT [[Atheism]]", "Atheism"),
        ("#redirect [[Atheism]]", "Atheism"),
        ("#Redirect[[Atheism]] {{R from CamelCase}}", "Atheism"),
        ("\n #REDIRECT: [[ Early_history#Greece|x]]\n", "Early_history#Greece"),
        ("#REDIRECT : [[:Category:Foo]]", ":Category:Foo"),
        ("#WEITERLEITUNG [[Atheismus]]", "Atheismus"),
        ("#REDIRECTION [[Athéisme]]", "Athéisme"),
        ("#перенаправление [[Атеизм]]", "Атеизм"),
        ("#PĀRADRESĀCIJA [[Ateisms]]", "Ateisms"),
        ("#YÖNLENDİRME [[Ateizm]]", "Ateizm"),
        ("#重定向 [[無神論]]", "無神論"),
        ("＃転送 [[無神論]]", "無神論"),
        ("#REDIRECT Atheism", None),
        ("#REDIRECT [[]]", None),
        ("#REDIRECT [[ ]]", None),
        ("#REDIRECT see [[Atheism]]", None),
        ("See #REDIRECT [[Atheism]]", None),
        ("#A list item with a [[link]]", None),
        ("#list [[link]]", None),
        ("# [[link]]", None),
        ("REDIRECT [[Atheism]]", None),
        ("", None),
    ],
)
def test_redirect_targets(text: str, target: str | None) -> None:
    assert redirect_target(text) == target


@pytest.mark.parametrize("word", REDIRECT_WORDS)
def test_every_known_word_redirects_in_either_case(word: str) -> None:
    assert redirect_target(f"#{word} [[A]]") == "A"
    assert redirect_target(f"#{word.upper()} [[A]]") == "A"


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    target = redirect_target("#REDIRECT" + text)
    assert target is None or target in text
