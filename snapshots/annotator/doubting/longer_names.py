"""Longer names: in "Joshua Wong", Joshua is no man of the Bible, and Wong is not in the snapshot.

Where a text names what a snapshot lacks, a word of the name may be found there all the same, as another's
name. It is told by what stands beside it: a word with a capital that the snapshot has no concept of, so rare
that it is hardly anything but a name; or one that stands beside it in a title, too, as Cross does in
"International Red Cross and Red Crescent Movement".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from snapshots.annotator.doubting.cases import is_within_sentence
from snapshots.annotator.doubting.title_pairs import WordPair
from snapshots.annotator.names.known_names import KnownNames
from snapshots.text import words
from wiki.folding import fold

SURNAME = 0.9
"""The share of a word that whoever is called so has, from which on it is a surname: "Clinton" has 1.00."""

_LONGEST = 40
"""Characters of the longest word beside a mention."""

_WORD = r"([^\W\d_]\w*(?:[-–]\w+)*)"
_BEFORE, _BEHIND = re.compile(rf"(?<![\w-]){_WORD}[ \u00a0]$"), re.compile(rf"[ \u00a0]{_WORD}")
_HYPHEN = re.compile("[-–]")


class LongerNames:
    """Finds mentions that are a word of a longer name. Reads only; usable from several threads."""

    def __init__(self, names: KnownNames) -> None:
        self._names = names

    def has(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]``, taken for a concept, is one word of a longer name.

        Of the word before it, a capital says nothing at the beginning of a sentence; but before a surname, so
        rare a word is a first name there, too: "Serena Williams won" is not of Ted Williams, nor is "Denzel
        Washington won" of a state.
        """
        written = text[start:end]
        if not written[0].isupper() or not written.isalnum():
            return False
        before = _BEFORE.search(text, max(0, start - _LONGEST), start)
        behind = _BEHIND.match(text, end)
        if before is not None and not is_within_sentence(text, before.start(1)):
            before = before if self._names.is_surname(written) else None
        beside = [word[1] for word in (before, behind) if word is not None]
        own = set(self._names.words_of(concept))
        if behind is not None and self._is_mere_surname(behind[1]) and own.isdisjoint(words(fold(behind[1]))):
            return True
        return any(self._is_strange(word) for word in beside if own.isdisjoint(words(fold(word))))

    def pairs(self, text: str, start: int, end: int, concept: int) -> Iterator[WordPair]:
        """``text[start:end]`` and a word with a capital beside it, as they stand: such as a title may have.

        None are with stop words, nor with words of the concept's own title.
        """
        written = text[start:end]
        if not written[0].isupper() or not written.isalnum():
            return
        before = _BEFORE.search(text, max(0, start - _LONGEST), start)
        behind = _BEHIND.match(text, end)
        own = set(self._names.words_of(concept))
        for beside in (before, behind):
            if beside is None or not beside[1][0].isupper():
                continue
            if self._names.counted.is_stop(beside[1].lower()) or not own.isdisjoint(words(fold(beside[1]))):
                continue
            yield (beside[1], written) if beside is before else (written, beside[1])

    def _is_mere_surname(self, word: str) -> bool:
        """Whether a word with a capital is a surname, and hardly anything else has the name."""
        named = self._names.aliases.named(word) if word[0].isupper() and not word.isupper() else []
        return sum(each.share for each in named if "surname" in each.kinds) >= SURNAME

    def _is_strange(self, word: str) -> bool:
        """Whether a word with a capital names nothing that the snapshot has, and is rare.

        What is joined by hyphens is, if each part has a capital, as in "Paris Saint-Germain".
        """
        if word.isupper() or not all(part[0].isupper() for part in _HYPHEN.split(word)):
            return False
        if word in self._names.leading or self._names.aliases.named(word):
            return False
        return self._names.counted.is_rare(word.lower())
