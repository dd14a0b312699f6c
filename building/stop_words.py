"""The stop words of a build: this project's own list of a language, or else that of the library stop-words.

The English list has been measured with; the library's is larger and has words that say what a text is about.
Those of the other 32 languages are closed-class words for the most part.
"""

from __future__ import annotations

from functools import cache

from stop_words import StopWordError, get_stop_words

from snapshots.stop_words import STOP_WORDS, base_language
from snapshots.text import words

_CODES = {"no": "nb"}
"""Languages that the library has under another code."""


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, by its code, as ``snapshots.text.words`` gives them; none if unknown.

    An entry of the library that is no single word, as text is cut here, is left out: no word is like it.
    """
    code = base_language(language)
    if code in STOP_WORDS:
        return STOP_WORDS[code]
    try:
        listed = get_stop_words(_CODES.get(code, code))
    except StopWordError:
        return frozenset()
    cut = (words(entry) for entry in listed)
    return frozenset(entry[0] for entry in cut if len(entry) == 1)


def recorded(language: str) -> dict[str, list[str]]:
    """What the settings in a manifest say of the stop words of a build, where they are the library's."""
    listed = stop_words(language)
    return {"stop_words": sorted(listed)} if listed and base_language(language) not in STOP_WORDS else {}
