"""Given names, which many titles begin with: William alone is no more an archbishop than anybody else."""

from __future__ import annotations

from itertools import islice

from snapshots.spelling import PrefixKeys

MANY = 20
"""Titles that begin with a word and another in capitals, from which on the word is taken for a given name. In
the starter 81 begin with William and 55 with James, 7 with Washington and 6 with Victoria."""


def is_given_name(name: str, titles: PrefixKeys) -> bool:
    """Whether many titles begin with a name and another one."""
    begun = (title for title in titles.iterkeys(f"{name} ") if title[len(name) + 1].isupper())
    return sum(1 for _ in islice(begun, MANY)) == MANY
