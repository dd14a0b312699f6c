"""Spellings against the whole table of distances, on tries small enough to see all of."""

from __future__ import annotations

from itertools import product

import marisa_trie
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snapshots.naming.spelling import Spellings, begins_within, is_within
from tests.oracles.spelling import Titles

WORDS = st.text("abc", min_size=1, max_size=7)
KEYS = st.sets(WORDS, min_size=1, max_size=30)


def trie(keys: set[str]) -> marisa_trie.RecordTrie:
    return marisa_trie.RecordTrie("<Bi", [(key, (0, number)) for number, key in enumerate(sorted(keys))])


def distance(key: str, text: str) -> int:
    return int(Titles([key]).distances(text)[0])


@settings(deadline=None, max_examples=300)
@given(KEYS, WORDS, st.sampled_from([1, 2]), st.sampled_from([0, 3, 12]))
def test_what_is_found_is_all_there_is(keys: set[str], text: str, edits: int, few: int) -> None:
    """Whether keys are compared one by one or told apart letter by letter."""
    found = Spellings(trie(keys), "abc", few=few).near(text, edits)
    for spelling, made in found.items():
        assert 1 <= made <= edits
        assert distance(spelling, text) <= made
        assert any(key.startswith(spelling) for key in keys)
    for key in keys:
        least = distance(key, text)
        if 1 <= least <= edits:
            assert least == min(made for spelling, made in found.items() if key.startswith(spelling))


@settings(deadline=None)
@given(WORDS, WORDS, st.sampled_from([0, 1, 2, 3]))
def test_begins_within(key: str, text: str, edits: int) -> None:
    assert begins_within(key, text, edits) == (distance(key, text) <= edits)


@settings(deadline=None)
@given(KEYS, WORDS)
def test_a_known_beginning_is_the_longest(keys: set[str], text: str) -> None:
    known = Spellings(trie(keys), "abc").known_beginning(text)
    beginnings = [text[:size] for size in range(len(text) + 1)]
    assert known == max((b for b in beginnings if any(key.startswith(b) for key in keys)), key=len)


@pytest.mark.parametrize(
    ("title", "typed"), [("афины", "афнны"), ("афины", "фины"), ("łodz", "łodx"), ("αθηνα", "αθηνν")]
)
def test_letters_beside_those_of_the_text_are_tried(title: str, typed: str) -> None:
    """Of a script that is not among the letters that the wiki is mostly written with."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    others = {title[:3] + letter * 3 for letter in letters}
    found = Spellings(trie({title, *others}), letters).near(typed, 1)
    assert found.get(title) == 1


def test_second_edits_end_with_the_looks() -> None:
    """No key is within one edit of the text, and many are within two: they are found as looks allow."""
    letters = "abcdefgh"
    starts = ("".join(four) for four in product(letters, repeat=4))
    keys = trie({start + "xyzxyz" for start in starts})
    counts = []
    for looks in (0, 200, 100_000):
        found = Spellings(keys, letters, looks=looks).near("qrabxyzxyz", 2)
        assert set(found.values()) <= {2}
        counts.append(len(found))
    assert counts[0] == 0
    assert counts[0] < counts[1] < counts[2]


@given(WORDS, WORDS, st.sampled_from([1, 2]))
def test_a_word_is_another_but_for_edits_if_each_begins_with_the_other(
    word: str, other: str, edits: int
) -> None:
    assert is_within(word, other, edits) == is_within(other, word, edits)
    assert is_within(word, other, edits) == (max(distance(word, other), distance(other, word)) <= edits)
