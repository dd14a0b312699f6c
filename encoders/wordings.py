"""In what words a short text is shown to an encoder of texts, which has read sentences for the most part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

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


def in_wordings(
    texts: Sequence[str], language: str, encode: Callable[[list[str]], NDArray[np.floating]]
) -> NDArray[np.float64]:
    """The vectors of some texts: float64[n, d], at unit length, or zero where the encoder's is.

    That of a short text is the mean of those of its ``wordings``. ``encode`` is asked once, for different
    texts, and gives a row for each: float[n, d], at unit length.
    """
    said = [wordings(text, language) for text in texts]
    every = {wording: place for place, wording in enumerate(dict.fromkeys(chain.from_iterable(said)))}
    vectors = np.asarray(encode(list(every)), np.float64)
    # A text has one wording or two. Of one, the vector is the encoder's, to the last bit.
    first, last = (vectors[np.array([every[shown[end]] for shown in said], np.intp)] for end in (0, -1))
    means: NDArray[np.float64] = (first + last) / 2
    lengths = np.sqrt(np.einsum("ij,ij->i", means, means))
    means /= np.where(lengths > 0, lengths, 1.0)[:, None]
    alone = np.array([len(shown) == 1 for shown in said], np.bool_)
    means[alone] = first[alone]
    return means
