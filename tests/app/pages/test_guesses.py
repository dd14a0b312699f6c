"""A name that may well mean something else is told to be guessed, with what to choose instead."""

from __future__ import annotations

import httpx
import pytest

from app.pages.guesses import LIKELY, OFFERED, Guess, guess
from tests.support.browser import text_of
from wort.schemas.sides import Alternative, Side

CAT, CAR = "Jaguar (animal)", "Jaguar (car)"


@pytest.fixture(scope="module")
def address(jaguars: str) -> str:
    return jaguars


def side(prior: float | None, others: int = 1) -> Side:
    alternatives = tuple(Alternative(f"Other {number}", None, 0.1) for number in range(others))
    return Side("name", "ok", "Title", None, "alias", prior, alternatives)


def test_what_has_little_of_a_name_is_a_guess() -> None:
    assert guess(side(LIKELY - 0.01)) == Guess("name", "Title", 79, ("Other 0",))
    assert guess(side(LIKELY)) is None
    assert guess(side(None)) is None
    assert guess(side(0.3, others=0)) is None
    assert len((guess(side(0.3, others=OFFERED + 3)) or Guess("", "", 0, ())).others) == OFFERED


def test_a_term_that_is_guessed_has_its_other_senses_to_choose(address: str) -> None:
    page = text_of(address, "/terms", left="jaguar", right="Leopard")
    told = f"A guess: “ jaguar ” is taken for {CAT} . By itself, it means this in about 50 % of cases."
    assert told in page.text
    links = [attributes.get("href") for tag, attributes in page.tags if tag == "a"]
    assert "terms?right=Leopard&left=Jaguar%20%28car%29" in links
    chosen = text_of(address, "/terms", left=CAR, right="Leopard")
    assert "A guess" not in chosen.text
    settled = text_of(address, "/terms", left="jaguar", right="Leopard", context="a forest").text
    assert "A guess" not in settled
    within = text_of(
        address, "/terms", left="jaguar", right="Leopard", context="the engine in the forest"
    ).text
    assert "Within this context, it means this in about 51 % of cases" in within


def test_a_name_that_is_sure_is_no_guess(address: str) -> None:
    assert "A guess" not in httpx.get(f"{address}/terms?left=Leopard&right=Engine").text
    assert "A guess" not in httpx.get(f"{address}/?left=Leopard&right=Engine").text
