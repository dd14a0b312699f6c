"""The texts that an encoder learns from a larger one by: what a dump has to say, at all lengths."""

from __future__ import annotations

import pytest

from training.tuning import unjudged
from training.tuning.unjudged import articles_to_read, unjudged_texts

ARTICLES = {
    "Jazz": [
        "Jazz is a music genre.",
        "It began in New Orleans in the nineteenth century. It spread.",
        "A jazz band plays in a jazz club.",
    ],
    "Blue note": ["A blue note is sung lower.", "A jazz band bends a blue note at the end of a phrase."],
    "Empty": [],
}


@pytest.fixture(autouse=True)
def _little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unjudged, "FUNCTION_WORDS", 1)
    monkeypatch.setattr(unjudged, "RARE", 2)


def test_texts_of_all_lengths_are_taken_each_once() -> None:
    texts = unjudged_texts(ARTICLES, seed=1)
    assert len(texts) == len(set(texts))
    assert texts[:3] == ("Blue note", "Empty", "Jazz")
    assert any(text.startswith("Jazz is a music genre. It began") for text in texts), (
        "it begins with its title"
    )
    assert any(text.startswith("Blue note. A blue note is sung lower.") for text in texts)
    assert "It began in New Orleans in the nineteenth century." in texts
    assert "It spread." not in texts, "too short a sentence"
    assert "A blue note is sung lower." not in texts, "the first paragraph is shown as the beginning"
    assert {"jazz", "blue", "band", "jazz band", "blue note"} <= set(texts)
    assert "a" not in texts, "the most frequent word says nothing alone"
    assert "genre" not in texts, "written once"


def test_the_same_seed_gives_the_same_texts_in_any_order_of_articles() -> None:
    turned = dict(reversed(ARTICLES.items()))
    assert unjudged_texts(turned, seed=1) == unjudged_texts(ARTICLES, seed=1)


def test_of_a_large_dump_some_articles_are_drawn() -> None:
    titles = [f"{number:03}" for number in range(100)]
    drawn = articles_to_read(titles, seed=1, most=10)
    assert len(set(drawn)) == 10
    assert drawn == sorted(drawn)
    assert drawn == articles_to_read(titles, seed=1, most=10)
    assert articles_to_read(titles, seed=1, most=100) == titles
