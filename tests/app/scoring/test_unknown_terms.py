"""What is said of terms of which nothing is known: a stop word is not said to stand in no text."""

from __future__ import annotations

import pytest

from app.scoring.concepts import Scorer
from app.scoring.unknown_terms import joining, lacking, only_joins, only_letters
from tests.support.served import toy_scorer
from wort.schemas.terms import TermSide


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("scorer"))


@pytest.mark.parametrize(
    ("words", "unknown", "joins"),
    [((), ("and",), True), (("the",), ("of",), True), ((), ("and", "zzyzzx"), False), ((), (), False)],
)
def test_a_term_joins_others_where_all_of_its_words_do(
    scorer: Scorer, words: tuple[str, ...], unknown: tuple[str, ...], joins: bool
) -> None:
    side = TermSide("a term", "unknown", words, unknown)
    assert only_joins(side, scorer.snapshot_info) is joins


def test_unknown_words_are_those_that_do_not_join_others(scorer: Scorer) -> None:
    words = ("of", "zzyzzx")
    assert lacking(words, scorer.snapshot_info) == ["zzyzzx"]
    assert joining(words, scorer.snapshot_info) == ["of"]


@pytest.mark.parametrize(
    ("asked", "words", "unknown", "letters"),
    [
        ("AC/DC", ("ac", "dc"), (), True),
        ("R&B", ("r", "b"), (), True),
        ("AC/XQ", ("ac",), ("xq",), False),  # the unknown letters are told of
        ("ox", ("ox",), (), False),
        ("Jazz", ("jazz",), (), False),
    ],
)
def test_a_name_of_which_letters_alone_are_known_is_told_of(
    asked: str, words: tuple[str, ...], unknown: tuple[str, ...], letters: bool
) -> None:
    assert only_letters(TermSide(asked, "ok", words, unknown)) is letters
