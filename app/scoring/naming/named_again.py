"""Concepts that one of several works calls nearly as another does: the same thing, to be listed once.

Within a wiki, titles that differ in small details are of different things: Red Dwarf is no red dwarf. A dump
that was assembled of several has "Quran" of one and "Qur'an" of another.
"""

from __future__ import annotations

import numpy as np

from measures.arrays import Bools, Ints
from snapshots.snapshot import Snapshot

_MARKS = str.maketrans("", "", " .'’‘ʼʻ-‐‑–—")
"""Nothing depends on these in a title: blanks, full stops, apostrophes, hyphens and dashes."""


def spellings(title: str) -> tuple[str, str]:
    """A title without marks, and one whose words begin small: others that share one may be of the same thing.

    Capitals within a word are kept, which tell names apart.

    >>> spellings("Qur'an"), spellings("Quran")
    (('Quran', "qur'an"), ('Quran', 'quran'))
    >>> spellings("Nuremberg Trials"), spellings("Nuremberg trials")
    (('NurembergTrials', 'nuremberg trials'), ('Nurembergtrials', 'nuremberg trials'))
    >>> spellings("LaTeX"), spellings("Latex")
    (('LaTeX', 'laTeX'), ('Latex', 'latex'))
    """
    return title.translate(_MARKS), " ".join(word[:1].lower() + word[1:] for word in title.split())


def first_of_each(snapshot: Snapshot, concept: int, rows: Ints) -> Bools:
    """Which of ``rows`` neither ``concept`` nor one before them names again, bool[n].

    One of the two has no page id of its own: it comes from another work of the dump.
    """
    page_ids, titles = snapshot.page_ids, snapshot.concept_titles
    if not page_ids.invented:
        return np.ones(len(rows), np.bool_)
    seen: dict[str, bool] = {}
    first = []
    for row in (concept, *rows.tolist()):
        names, of_another = spellings(titles[row]), page_ids[row] is None
        again = any(name in seen and (of_another or seen[name]) for name in names)
        if not again:
            seen |= {name: of_another or seen.get(name, False) for name in names}
        first.append(not again)
    return np.array(first[1:], np.bool_)
