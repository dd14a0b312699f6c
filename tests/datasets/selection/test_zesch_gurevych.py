"""Zesch & Gurevych's protocol: weights, filters, shares, senses."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.selection.errors import TooFewTerms
from datasets.selection.lexicons import PartOfSpeech
from datasets.selection.selection import Selection, generator
from datasets.selection.texts import Document
from datasets.selection.wordnet import WordNet
from datasets.selection.zesch_gurevych import (
    SHARES,
    TextWordPair,
    Word,
    ZeschGurevychSettings,
    candidate_pairs,
    chosen_pairs,
    is_wanted,
    ltc_weights,
    quotas,
    select,
)
from tests.datasets.selection.lexical import Synset, WordListTagger, write_wordnet
from training.progress import NoProgress

PARTS: dict[str, PartOfSpeech] = {
    **dict.fromkeys(("bank", "river", "brother", "nato", "ox", "georg"), "n"),
    **dict.fromkeys(("lend", "flow"), "v"),
    **dict.fromkeys(("deep", "rich"), "a"),
}
SYNSETS = [
    Synset("n", ["bank", "depository"], "money is kept there", [("@", "institution")]),
    Synset("n", ["shore", "bank"], "the side of a river"),
    Synset("n", ["institution"], ""),
    Synset("n", ["river"], "a large stream"),
    *(Synset("v", [f"flow {number}", "flow"], "") for number in range(4)),
]


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 20)), min_size=1, max_size=8))
def test_weights_are_the_printed_formula(words: list[tuple[int, int]]) -> None:
    tf, df = np.array(words, np.int64).T
    raw = [(1 + log(count)) * log(20 / having) for count, having in words]
    length = sqrt(sum(weight * weight for weight in raw)) or 1
    assert np.allclose(ltc_weights(tf, 20, df), [weight / length for weight in raw])


def test_pairs_are_of_the_heaviest_words_of_a_document() -> None:
    nouns = {letter: Word(letter, "n") for letter in "abcd"}
    counted = [
        ("one", Counter({nouns["a"]: 9, nouns["b"]: 5, nouns["c"]: 1})),
        ("two", Counter({nouns["c"]: 3, nouns["d"]: 2})),
    ]
    pairs = list(candidate_pairs(counted, 2))
    assert [(pair.left.lemma, pair.right.lemma, pair.document) for pair in pairs] == [
        ("a", "b", "one"),
        ("c", "d", "two"),
    ]


@pytest.mark.parametrize(
    ("lemma", "wanted"),
    [("river", True), ("ox", False), ("o-x-en", True), ("NATO", False), ("Nato", True), ("The", False)],
)
def test_words_that_no_pair_has(lemma: str, wanted: bool) -> None:
    assert is_wanted(Word(lemma, "n"), {"the"}, 3) == wanted


@given(st.integers(0, 500))
def test_shares_of_combinations(pairs: int) -> None:
    found = quotas(pairs)
    assert sum(found.values()) == pairs
    for combination, share in SHARES.items():
        assert abs(found[combination] - share * pairs) < 1


@given(st.integers(0, 100))
def test_what_is_drawn_has_the_shares(seed: int) -> None:
    words = [Word(f"{part}{number}", part) for part in ("n", "v", "a") for number in range(30)]
    pool = list(candidate_pairs([("all", Counter(words)), ("other", Counter([Word("x", "n")]))], 90))
    chosen = chosen_pairs(pool, ZeschGurevychSettings(), generator(seed, "test"))
    assert Counter(pair.combination for pair in chosen) == quotas(100)
    assert len({(pair.left, pair.right) for pair in chosen}) == 100


def test_too_small_a_pool_gives_what_it_has() -> None:
    pair = TextWordPair(Word("lend", "v"), Word("rich", "a"), "one")
    assert chosen_pairs([pair] * 2, ZeschGurevychSettings(word_pairs=20), generator(1, "x")) == [pair]


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    return WordNet(write_wordnet(tmp_path / "wordnet", SYNSETS))


def selected(wordnet: WordNet, settings: ZeschGurevychSettings) -> Selection:
    documents = [
        Document("Money", ("Rich brother bank. NATO bank ox. The bank lend river. Georg flow.",)),
        Document("Nothing", ("Nothing at all.",)),
    ]
    tagger = WordListTagger(PARTS)
    return select(documents, tagger, wordnet, {"rich"}, settings, 1, NoProgress(), {})


def test_words_are_expanded_to_senses_with_glosses(wordnet: WordNet) -> None:
    selection = selected(wordnet, ZeschGurevychSettings(word_pairs=1000))
    rows = [dict(zip(selection.pairs.columns, row, strict=True)) for row in selection.pairs.rows]
    banks = [row for row in rows if (row["left"], row["right"]) == ("bank", "river")]
    assert [row["left_gloss"] for row in banks] == ["bank, depository, institution", "bank, shore"]
    assert len({row["word_pair"] for row in banks}) == 1
    words = {row[side] for row in rows for side in ("left", "right")}
    assert words == {"bank", "river", "brother", "Georg", "lend"}, "flow has four senses"
    assert {row["left_gloss"] for row in rows if row["left"] == "Georg"} == {""}
    assert selection.counts["wanted"] == quotas(1000)


def test_other_settings(wordnet: WordNet) -> None:
    settings = ZeschGurevychSettings(word_pairs=1000, unknown_words="left out", glosses="lexicon")
    selection = selected(wordnet, settings)
    assert {row[1:3] for row in selection.pairs.rows} == {("bank", "river")}
    assert [row[5] for row in selection.pairs.rows] == ["money is kept there", "the side of a river"]
    with pytest.raises(TooFewTerms, match="heaviest=50"):
        selected(wordnet, ZeschGurevychSettings(heaviest=1))
