"""The names within a term: mentions of the dictionary, and other names that capitals tell to be names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from features.senses.dictionary import MentionDictionary
from snapshots.naming.aliases import AliasSense
from snapshots.naming.mentions import QUALIFIER, fold
from snapshots.strings import StringTable

_WORD = re.compile(r"[^\W_][^\s,;:()\[\]\"]*")
"""A word of a name, with the signs in it: "AC/DC", "McDonald's"."""

_BESIDE = 60
"""Characters before a name that are looked at."""

_WORD_BEFORE = re.compile(r"(\w+)[ \u00a0]$")
_NUMBER_BEFORE, _NUMBER_BEHIND = re.compile(r"\d[ \u00a0]$"), re.compile(r"[ \u00a0]\d")


class ContainedNames:
    """Finds the names that a term contains. Reads only; usable from several threads."""

    def __init__(
        self,
        dictionary: MentionDictionary,
        titles: StringTable,
        named: Callable[[str], list[AliasSense]],
        whole: Callable[[str], dict[int, float]],
        names: Callable[[int], bool],
        stops: frozenset[str],
    ) -> None:
        """``named``: the concepts whose alias a name is.

        ``whole``: those that a name stands for by itself, with their shares; ``names``: whether a mention
        names a concept where it stands in a term; ``stops``: words that are small within a name.
        """
        self._dictionary, self._titles = dictionary, titles
        self._named, self._whole, self._names = named, whole, names
        self._stops = stops

    def of(self, term: str) -> Iterator[dict[int, float]]:
        """What each name may stand for, from left to right the longest that overlaps none before.

        A sense of a mention has the share of the articles with the mention that link it to the concept; one
        of another name its share of that.
        """
        free = 0
        spots = self._dictionary.spots(term).tolist()
        found = [*spots, *self._other_names(term, [(start, end) for start, end, _ in spots])]
        for start, end, mention in sorted(found, key=lambda spot: (spot[0], -spot[1])):
            if start < free or (mention >= 0 and not self._names(mention)):
                continue
            is_mention = mention >= 0
            span = term[start:end]
            senses = self._of_mention(term, start, end, mention) if is_mention else self._whole(span)
            if senses or is_mention:
                free = end
                yield senses

    def _of_mention(self, term: str, start: int, end: int, mention: int) -> dict[int, float]:
        senses = self._dictionary.senses(mention)
        if of_name := self._of_name(term, start, end, senses):
            return of_name
        probability = float(self._dictionary.link_probability(mention))
        return {concept: probability * commonness for concept, commonness in senses.items()}

    def _of_name(self, term: str, start: int, end: int, senses: dict[int, float]) -> dict[int, float]:
        """What a plural with a capital is the name of; nothing where it is none, or no concept's.

        It is one before a number, and behind a word in small letters: "Windows 10", "a history of Windows".
        Behind another name, a noun means the same: "Emmy Awards 2014".
        """
        written = term[start:end]
        if not (written.isalpha() and written.istitle()):
            return {}
        before = _WORD_BEFORE.search(term, max(0, start - _BESIDE), start)
        is_within = before is not None and before[1].isalpha() and before[1].islower()
        if not is_within and (before is not None or _NUMBER_BEHIND.match(term, end) is None):
            return {}
        if not any(self._is_plural(written, concept) for concept in senses):
            return {}
        others = [each for each in self._named(written) if not self._is_plural(written, each.concept)]
        total = sum(each.share for each in others) or 1.0
        return {each.concept: each.share / total for each in others}

    def _is_plural(self, written: str, concept: int) -> bool:
        return self._dictionary.is_plural(written, QUALIFIER.sub("", self._titles[concept]))

    def _other_names(self, term: str, spots: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """The spans of several words that are written as names and are no mention, with -1 for its number.

        A number beside them says that they are one name: "World Cup 2014" contains World Cup, which is the
        FIFA World Cup, and no world. So does a mention of several words, of ``spots``, that they go on, where
        one concept has their name: "a speech of Martin Luther King" contains no Martin Luther.
        """
        for start, end in self._written_as_names(term):
            before = _NUMBER_BEFORE.search(term, max(0, start - _BESIDE), start)
            is_numbered = before is not None or _NUMBER_BEHIND.match(term, end) is not None
            if self._dictionary.number(term[start:end]) >= 0:
                continue
            goes_on = any(start == from_ and to < end and " " in term[from_:to] for from_, to in spots)
            if is_numbered or (goes_on and len(self._whole(term[start:end])) == 1):
                yield start, end, -1

    def _written_as_names(self, term: str) -> Iterator[tuple[int, int]]:
        """The spans of two words or more that have capitals, but for stop words within."""
        words = list(_WORD.finditer(term))
        great = [word[0][0].isupper() for word in words]
        joins = [
            term[before.end() : behind.start()].isspace()
            and (great[place + 1] or fold(behind[0]) in self._stops)
            for place, (before, behind) in enumerate(pairwise(words))
        ]
        for first, word in enumerate(words):
            if not great[first]:
                continue
            for last in range(first + 1, min(first + self._dictionary.longest, len(words))):
                if not joins[last - 1]:
                    break
                if great[last]:
                    yield word.start(), words[last].end()
