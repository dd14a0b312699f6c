"""In what words a single word is shown to an encoder of texts, which has read sentences for the most part."""

from __future__ import annotations

from collections.abc import Mapping

WORDINGS: Mapping[str, str] = {"en": "the meaning of {}"}
"""Language code → what a word is put into, besides being shown alone."""


def wordings(text: str, language: str) -> tuple[str, ...]:
    """A text, and, if it is a single word of a language that has a wording, that.

    >>> wordings("tiger", "en"), wordings("paper tiger", "en"), wordings("Tiger", "de")
    (('tiger', 'the meaning of tiger'), ('paper tiger',), ('Tiger',))
    """
    wording = WORDINGS.get(language)
    return (text,) if wording is None or len(text.split()) != 1 else (text, wording.format(text))
