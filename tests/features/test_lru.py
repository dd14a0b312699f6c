"""LRU caches: what was asked for last is kept, within a number of bytes."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from features.senses.candidates import KEPT_SENSES
from features.senses.lexicon import KEPT_ESA, KEPT_PMI_VECTORS, KEPT_WORDS, Lexicon, SparseVector
from features.senses.lru import ENTRY, CachedFunction
from tests.wikis.sense_wiki import build_senses


def test_what_was_asked_for_last_is_kept() -> None:
    computed: list[str] = []

    def double(term: str) -> str:
        computed.append(term)
        return term * 2

    of_one = ENTRY + 10 + 4
    kept = CachedFunction(double, 3 * of_one, lambda _: 10)
    for term in "abcabcadea":
        assert kept(term) == term * 2
    # d puts out b, the one that was asked for longest ago, and e puts out c.
    assert computed == list("abcde")
    assert len(kept.entries) == 3
    assert kept.entries.currsize == 3 * of_one
    assert kept("b") == "bb"
    assert computed == list("abcdeb")


def test_what_is_too_large_is_not_kept() -> None:
    kept = CachedFunction(lambda size: size, 10 * ENTRY, lambda size: size)
    for size in (1, 2, 10**9, 3):
        assert kept(size) == size
    # It puts nothing out either.
    assert len(kept.entries) == 3
    assert kept.entries.currsize == 3 * ENTRY + 1 + 2 + 3


def test_a_value_of_none_is_kept() -> None:
    computed: list[str] = []
    kept = CachedFunction(computed.append, 10**6, lambda _: 0)
    assert kept("a") is kept("a") is None
    assert computed == ["a"]


def test_an_error_is_not_kept() -> None:
    kept = CachedFunction(lambda number: 1 // number, 10**6, lambda _: 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept(0)
    assert (len(kept.entries), kept.entries.currsize) == (0, 0)


def test_threads_agree_about_the_bytes() -> None:
    kept = CachedFunction(lambda number: number * 2, 20 * ENTRY, lambda number: number)
    wrong: list[int] = []

    def work(start: int) -> None:
        wrong.extend(number for number in range(start, start + 3000) if kept(number % 97) != number % 97 * 2)

    threads = [threading.Thread(target=work, args=(13 * start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert kept.entries.currsize == sum(size for _, size in kept.entries.values()) <= 20 * ENTRY


def test_the_bytes_of_a_vector_are_those_of_its_arrays() -> None:
    vector = SparseVector(np.arange(1000), np.ones(1000))
    assert 16_000 < vector.bytes() < 16_500


@pytest.mark.slow
def test_a_lexicon_and_its_senses_keep_64_megabytes(tmp_path_factory: pytest.TempPathFactory) -> None:
    lexicon = Lexicon(build_senses(tmp_path_factory.mktemp("kept")))
    most = KEPT_WORDS + 2 * KEPT_ESA + KEPT_PMI_VECTORS
    assert most == KEPT_SENSES * 2 == 32 << 20
    for number in range(200):
        lexicon.words(f"leopard {number}")
        lexicon.esa(f"leopard {number}")
    assert len(lexicon.words.entries) == len(lexicon.esa.entries) == 200
    assert 200 * ENTRY < lexicon.esa.entries.currsize < KEPT_ESA
