"""Terms of which nothing is known, and their words, as people are told of them."""

from __future__ import annotations

from collections.abc import Sequence

from features.senses.lexicon import are_letters
from snapshots.stop_words import STOP_WORDS, base_language
from wort.schemas.described import SnapshotInfo
from wort.schemas.terms import TermSide


def only_joins(side: TermSide, snapshot: SnapshotInfo) -> bool:
    """Whether all words of a term are stop words, which stand in most texts and say nothing by themselves.

    Those of English are known here; a snapshot of another language has its own, which it does not tell.
    """
    said = (*side.words, *side.unknown_words)
    return bool(said) and joining(said, snapshot) == list(said)


def joining(words: Sequence[str], snapshot: SnapshotInfo) -> list[str]:
    """Those of some words that are stop words: they are in texts of a snapshot, and in few of its tables."""
    stop_words = STOP_WORDS.get(base_language(snapshot.language), frozenset())
    return [word for word in words if word in stop_words]


def lacking(words: Sequence[str], snapshot: SnapshotInfo) -> list[str]:
    """Those of some words that stand in no text of the snapshot, as far as is known."""
    joins = joining(words, snapshot)
    return [word for word in words if word not in joins]


def only_letters(side: TermSide) -> bool:
    """Whether a term is a name that is not known here, and is read as the letters it was cut to: AC and DC.

    Of letters that are unknown themselves, that is told as of other words.
    """
    return side.sense is None and not side.unknown_words and are_letters(side.asked, side.words)
