"""BiRD's protocol: which bigrams are targets, and what they are paired with."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.selection.bird.bigrams import BigramCounts, TransposedBigram
from datasets.selection.bird.phrase_table import co_aligned, read_phrase_table
from datasets.selection.bird.protocol import BirdSettings, kept_pairs, pairs_of, select
from datasets.selection.errors import TooFewTerms, UnusableInput
from datasets.selection.tagging import Tagged
from datasets.selection.texts import Document
from datasets.selection.wordnet import WordNet
from tests.datasets.selection.lexical import Synset, WordListTagger, write_wordnet
from training.progress import NoProgress

TABLE = """\
data base ||| base de données ||| 0.5 ||| 0-0 ||| 9 8 7
database ||| base de données ||| 0.5 ||| 0-0 ||| 9 8 5
databases ||| base de données ||| 0.5 ||| 0-0 ||| 9 8 6
data bank ||| base de données ||| 0.5 ||| 0-0 ||| 9 8 2
the data base ||| base de données ||| 0.5 ||| 0-0 ||| 9 8 9
data 2 ||| base de données ||| 0.5 ||| 0-0 ||| 9 8 9
foundation ||| base ||| 0.5 ||| 0-0 ||| 9 8 1
data base ||| base ||| 0.5 ||| 0-0 ||| 9 8 1
house ||| maison ||| 0.5 ||| 0-0 ||| 9 8 3
"""
TARGET = TransposedBigram(("data", "base"), "noun-noun", 50, 40)


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    synsets = [
        Synset("n", ["data base", "database", "file", "card file", "very large file"], "", [("@", "store")]),
        Synset("n", ["store", "storage"], ""),
    ]
    return WordNet(write_wordnet(tmp_path / "wordnet", synsets))


@given(st.lists(st.lists(st.sampled_from(["Na", "Nb", "Ac", "Ad", "x"]), max_size=6), max_size=30))
def test_targets_are_what_an_obvious_count_gives(corpus: list[list[str]]) -> None:
    counts = BigramCounts()
    phrases: Counter[tuple[str, str]] = Counter()
    for sentence in corpus:
        parts = {"N": "n", "A": "a"}
        counts.add([Tagged(word, word, parts.get(word[0])) for word in sentence])  # type: ignore[arg-type]
        phrases.update(
            (left.lower(), right.lower())
            for left, right in pairwise(sentence)
            if right[0] == "N" and left[0] in "NA"
        )
    found = counts.targets(1)
    for target in found:
        left, right = target.bigram
        assert target.frequency == phrases[left, right] >= target.transposed == phrases[right, left] > 1
    either = {
        frozenset(two) for two in phrases if min(phrases[two], phrases[two[::-1]]) > 1 and two[0] != two[1]
    }
    assert {frozenset(target.bigram) for target in found} == either
    assert len(found) == len(either), "a bigram or its transpose, not both"


@pytest.mark.parametrize("compressed", [False, True])
def test_co_aligned_terms_are_the_most_frequent(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / "phrase-table"
    path.write_bytes(gzip.compress(TABLE.encode()) if compressed else TABLE.encode())
    targets = [("data", "base"), ("base", "data")]
    assert co_aligned(path, targets, 5) == {
        ("data", "base"): ["data bank", "database", "databases", "foundation"]
    }
    assert co_aligned(path, targets, 1)["data", "base"] == ["data bank", "databases", "foundation"]


def test_a_table_with_the_other_side_in_front(tmp_path: Path) -> None:
    path = tmp_path / "phrase-table"
    path.write_text("base de données ||| data base ||| 0.5\n")
    (aligned,) = read_phrase_table(path, "target")
    assert aligned == (("data", "base"), "base de données", 1)
    path.write_text("data base\n")
    with pytest.raises(UnusableInput, match="line 1 is not"):
        list(read_phrase_table(path))


def test_names_and_numbers_make_no_bigram() -> None:
    counts = BigramCounts()
    for left, right in (("data", "base"), ("data", "2"), ("Costa", "Rica")):
        for first, second in ((left, right), (right, left)):
            counts.add([Tagged(word, word, "n", word.istitle()) for word in (first, second)])
    assert [target.bigram for target in counts.targets(0)] == [("base", "data")]


def test_each_other_term_stands_once_with_where_it_comes_from(wordnet: WordNet) -> None:
    pairs = pairs_of(TARGET, wordnet, ["database", "databases"], {"card file"}, BirdSettings())
    assert [(term, origin) for _, term, origin, _ in pairs] == [
        ("base data", "transpose"),
        ("database", "synonym"),
        ("file", "synonym"),
        ("store", "hypernym"),
        ("databases", "co-aligned"),
    ]


def test_a_bigram_with_too_few_pairs_is_left_out() -> None:
    def pairs(bigram: str, *terms: str) -> list[tuple[str, str, str, str]]:
        return [(bigram, term, "synonym", "noun-noun") for term in terms]

    kept = kept_pairs(
        [pairs("a b", "x", "c d", "b a"), pairs("c d", "a b", "d c", "x"), pairs("e f", "x")], 3
    )
    assert kept == pairs("a b", "x", "c d", "b a"), "c d has two left, since a b and c d are a pair already"


def test_from_a_corpus_to_tuples(wordnet: WordNet, tmp_path: Path) -> None:
    path = tmp_path / "phrase-table"
    path.write_text(TABLE)
    text = "A data base has base data. " * 31 + "The data base is large."
    tagger = WordListTagger({"data": "n", "base": "n", "large": "a"})
    documents = [Document("Data", (text,))]
    selection = select(documents, tagger, wordnet, path, (), BirdSettings(), 1, NoProgress(), {})
    assert {row[1] for row in selection.pairs.rows} == {"data base"}
    assert {row[3] for row in selection.pairs.rows} == {"transpose", "synonym", "hypernym", "co-aligned"}
    tuples = selection.tables["tuples"]
    assert tuples.columns == ("tuple", "pair1", "pair2", "pair3", "pair4")
    assert len(tuples.rows) == 2 * len(selection.pairs.rows)
    times = Counter(pair for row in tuples.rows for pair in row[1:])
    assert times == dict.fromkeys(range(1, len(selection.pairs.rows) + 1), 8)
    with pytest.raises(TooFewTerms, match="lower threshold"):
        select(documents, tagger, wordnet, path, (), BirdSettings(threshold=31), 1, NoProgress(), {})
