"""The stop words that a selection leaves out."""

from __future__ import annotations

from pathlib import Path

from datasets.selection.errors import UnusableInput
from snapshots.stop_words import STOP_WORDS, base_language
from snapshots.text import words


def chosen_stop_words(language: str, path: Path | None) -> frozenset[str]:
    """The stop words of a file, a word a line, or this project's of a language.

    Raises:
        UnusableInput: neither is there.
    """
    if path is not None:
        return frozenset(word for line in path.read_text("utf-8-sig").splitlines() for word in words(line))
    known = STOP_WORDS.get(base_language(language))
    if known is None:
        raise UnusableInput(
            f"There is no list of stop words of the language {language!r} here, but of "
            f"{', '.join(STOP_WORDS)}. Name a file of them, a word a line: --stop-words."
        )
    return known
