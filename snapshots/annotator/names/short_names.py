"""Short names: words of a title, and initials, that a text has for the whole of it.

The article on a thing has its short name in most of its sentences, and the others link the whole name or the
short one once: by sentences, "diabetes" would hardly ever be Diabetes mellitus, nor CIA the agency. So such a
name is weighed by the articles that have it. Others are words of their own, as "present" is, which an article
states for Gift, and are weighed by sentences.
"""

from __future__ import annotations

from snapshots.naming.mentions import QUALIFIER
from snapshots.text import words
from wiki.folding import fold

_INITIALS = 3
"""Initials that make a short name, at the least: in small letters, too many words have two."""


def is_short_for(name: str, title: str) -> bool:
    """Whether a name in small letters is a word of a title, or the initials of all its words.

    >>> titles = ("Diabetes mellitus", "Central Intelligence Agency", "Gift", "British Airways")
    >>> [is_short_for(*each) for each in zip(("diabetes", "cia", "present", "ba"), titles)]
    [True, True, False, False]
    """
    folded, own = fold(name), words(fold(QUALIFIER.sub("", title)))
    return folded in own or (len(folded) >= _INITIALS and folded == "".join(word[0] for word in own))
