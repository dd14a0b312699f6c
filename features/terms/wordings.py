"""In what words a short text is shown to an encoder of texts, which has read sentences for the most part."""

from __future__ import annotations

from collections.abc import Mapping

WORDINGS: Mapping[str, str] = {"en": "the meaning of {}"}
"""Language code → what a short text is put into, besides being shown alone."""

SHORT = 2
"""The most words of a text that says so little: longer ones gain nothing by it (docs/tuning.md)."""


def wordings(text: str, language: str) -> tuple[str, ...]:
    """A text, and, if it is short and of a language that has a wording, that.

    >>> wordings("tiger", "en"), wordings("paper tiger", "en")
    (('tiger', 'the meaning of tiger'), ('paper tiger', 'the meaning of paper tiger'))
    >>> wordings("tiger in the smoke", "en"), wordings("Tiger", "de"), wordings(" ", "en")
    (('tiger in the smoke',), ('Tiger',), (' ',))
    """
    wording = WORDINGS.get(language)
    if wording is None or not 0 < len(text.split()) <= SHORT:
        return (text,)
    return text, wording.format(text)
