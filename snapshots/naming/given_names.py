"""Given names, which many titles begin with: William alone is no more an archbishop than anybody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from snapshots.naming.aliases import AliasSense
from snapshots.naming.spelling import PrefixKeys
from snapshots.strings import StringTable

MANY = 20
"""Titles that begin with a word and another in capitals, from which on the word is taken for a given name. In
the starter 81 begin with William and 55 with James, 7 with Washington and 6 with Victoria."""

WALKED = 1000
"""Titles that begin with a first name that are looked through for people who have it."""

SEVERAL = 2
"""People who have a first name, at the least."""


def is_given_name(name: str, titles: PrefixKeys) -> bool:
    """Whether many titles begin with a name and another one."""
    begun = (title for title in titles.iterkeys(f"{name} ") if title[len(name) + 1].isupper())
    return sum(1 for _ in islice(begun, MANY)) == MANY


def people_called(
    first: str,
    leading: PrefixKeys,
    titles: StringTable,
    named: Callable[[str], Sequence[AliasSense]],
) -> int:
    """How many people with a surname have a first name, of the first titles that begin with it.

    ``leading``: all titles; ``titles``: of the concepts; ``named``: the concepts that have another name.
    """
    return sum(
        any(
            "surname" in each.kinds and titles[each.concept] == title
            for each in named(title.rpartition(" ")[2])
        )
        for title in islice(leading.iterkeys(f"{first} "), WALKED)
    )
