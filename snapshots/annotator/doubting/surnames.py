"""Surnames that a text has by themselves, as headlines do: "Trump met Putin".

Articles link to a person once, by the whole name, and write the surname alone in many sentences. So the links
for each sentence with the word say too little of how often it means the person where nothing beside it makes
it another's name. And where a text names somebody else in full, it is that one's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Self

from snapshots.annotator.doubting.cases import around, is_within_sentence, writes_small
from snapshots.annotator.names.known_names import KnownNames
from snapshots.naming.aliases import inflected
from snapshots.naming.mentions import QUALIFIER
from wiki.folding import fold
from wiki.inflections import BARE, Inflection, inflections_of

EVEN = 0.2
"""The links to all who have a surname, for each sentence with it, at which it means one of them as often as
not, where it stands by itself. Of 0.1, 0.2, 0.25 and 0.3 the greatest by which short texts lose nothing
(``python -m benchmarks.short_texts``)."""

REMEMBERED = 20_000
"""Words of which it is remembered whether they are first names."""

WALKED = 1000
"""Titles that begin with a word that are looked through for whether it is a first name."""

_LONGEST = 40
"""Characters of the longest word that is a name, or is looked at beside one."""

_LOOKED_AT = 1000
"""Characters of a paragraph by which it is told whether its capitals say anything."""

_GOVERNING = "administration|cabinet|campaign|era|government|premiership|presidency|years"
GOVERNING = {"en": re.compile(rf"[ \u00a0](?:{_GOVERNING})\b")}
"""By language, what stands behind an article and the surname of somebody who governs, or wants to."""

_WORD = re.compile(r"\b[^\W\d_]\w+")
_BEFORE = re.compile(r"\b([^\W\d_](?:\.|[\w'’]*))[ \u00a0]+$")
_BEHIND = re.compile(r"[ \u00a0]+([^\W\d_])")
_LISTED = re.compile(rf", ([^\W\d_]\w{{,{_LONGEST - 1}}})")
_ARTICLE = re.compile(rf"\b([^\W\d_]{{1,{_LONGEST}}})[ \u00a0]+$")
_NAME_BEFORE, _NAME_BEHIND = re.compile(rf"\b([^\W\d_])\w{{,{_LONGEST}}}[-–]$"), re.compile(r"[-–]([^\W\d_])")
_JOINED_BEFORE, _JOINED_BEHIND = re.compile(r"(?:\w[-–]|& ?)$"), re.compile(r" ?&|[-–]\w")
_NAMED = re.compile(
    rf"\b([^\W\d_][\w'’]{{,{_LONGEST - 1}}})[ \u00a0]+"
    rf"(?=([^\W\d_](?:['’][^\W\d_])?[\w-]{{1,{_LONGEST - 1}}}))"
)


def meant_alone(links: float, sentences: float) -> float:
    """How likely a surname by itself means one of those who have it.

    ``links``: articles that link to any of them; ``sentences``: those with the word.

    >>> meant_alone(60, 300), meant_alone(180, 300), meant_alone(0, 0)
    (0.5, 0.75, 0.0)
    """
    return links / (links + EVEN * sentences) if links > 0 else 0.0


class Surnames:
    """Tells the surnames of a snapshot's people from others' names. Usable from several threads."""

    def __init__(
        self,
        names: KnownNames,
        inflections: tuple[Inflection, ...],
        bare: Inflection | None = None,
        governing: re.Pattern[str] | None = None,
    ) -> None:
        """``names``: those of a snapshot; ``bare``: takes the article from before a noun.

        ``governing``: what those have who govern (``GOVERNING``).
        """
        self.names, self._inflections = names, inflections
        self._bare, self._governing = bare, governing
        self._known: dict[str, bool] = {}

    @classmethod
    def of_language(cls, names: KnownNames, language: str) -> Self:
        """Those of a snapshot, by its names and by the rules of its language, if they are known."""
        return cls(names, inflections_of(language), BARE.get(language), GOVERNING.get(language))

    def stands_alone(self, text: str, start: int, end: int) -> bool:
        """Whether ``text[start:end]`` may be a surname by itself: with a capital, no word beside it with one.

        A stop word may have one that begins a sentence. Where nothing is told by capitals, it may be no first
        name, and none may stand before it, nor behind it and a comma.
        """
        written = text[start:end]
        if _JOINED_BEFORE.search(text, max(0, start - 2), start) or _JOINED_BEHIND.match(text, end):
            return False
        before = _BEFORE.search(text, max(0, start - _LONGEST), start)
        if self._has_one_case(text):
            listed = _LISTED.match(text, end)
            is_first = self.is_first(written) or (listed is not None and self.is_first(listed[1]))
            return not is_first and (before is None or not self._may_be_first(before[1]))
        if not written[0].isupper() or written.isupper():
            return False
        behind = _BEHIND.match(text, end)
        if behind is not None and behind[1].isupper():
            return False
        if before is None or not before[1][0].isupper():
            return True
        return self.names.counted.is_stop(before[1].lower()) and not is_within_sentence(text, before.start(1))

    def _has_one_case(self, text: str) -> bool:
        """Whether capitals say nothing: all words have them, but for stop words, or none has."""
        seen = set[bool]()
        for word in _WORD.finditer(text, 0, _LOOKED_AT):
            if not self.names.counted.is_stop(word[0].lower()):
                seen.add(word[0][0].islower())
                if len(seen) > 1:
                    return False
        return True

    def names_a_thing(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]``, the surname of a concept, is a word of what is called after somebody.

        Nobody is called so behind an article, as the Higgs boson and the Newton are, but for what those have
        who govern: "the Obama administration". Nor is anybody where a hyphen joins the surname to another
        name: "Bose–Einstein statistics".
        """
        if not self.names.aliases.is_surname(text[start:end], concept):
            return False
        if self.has_article(text, start):
            return self._governing is None or self._governing.match(text, end) is None
        joined = _NAME_BEFORE.search(text, max(0, start - _LONGEST), start), _NAME_BEHIND.match(text, end)
        return text[start].isupper() and any(name is not None and name[1].isupper() for name in joined)

    def has_article(self, text: str, start: int) -> bool:
        """Whether an article stands before what starts there."""
        before = _ARTICLE.search(text, max(0, start - _LONGEST), start)
        return before is not None and self._bare is not None and self._bare(f"{before[1]} noun") is not None

    def are_anothers(self, paragraphs: Sequence[str], chosen: Sequence[tuple[str, int]]) -> list[bool]:
        """Of words and the concepts that they are taken for, which are surnames that others have here.

        So is one that the paragraphs have with first names of others alone.
        """
        surnames = [self.names.is_surname_of(written, concept) for written, concept in chosen]
        if not any(surnames):
            return surnames
        before = self.first_names(paragraphs)
        return [
            is_surname and self._is_of_others(concept, before.get(written, {}))
            for is_surname, (written, concept) in zip(surnames, chosen, strict=True)
        ]

    def first_names(self, paragraphs: Iterable[str]) -> dict[str, dict[str, bool]]:
        """What stands with a capital before each word with one, and whether it is sure to be a first name.

        It is not at the beginning of a sentence, nor where few words have small letters.
        """
        found: dict[str, dict[str, bool]] = defaultdict(dict)
        for text in paragraphs:
            for name in _NAMED.finditer(text):
                first, last = name[1], name[2]
                if not (first[0].isupper() and last[0].isupper()):
                    continue
                sure = (
                    is_within_sentence(text, name.start())
                    and self.is_first(first)
                    and writes_small(around(text, name.start(), name.end(2)))
                )
                found[last][first] = found[last].get(first, False) or sure
        return found

    def _is_of_others(self, concept: int, firsts: Mapping[str, bool]) -> bool:
        own = self.names.words_of(concept)
        return any(firsts.values()) and not any(
            word.startswith(fold(first)) for first in firsts for word in own
        )

    def _may_be_first(self, word: str) -> bool:
        """Whether a word may be a first name, however it is written: those of few people are rare words."""
        return self.names.counted.is_rare(word.lower()) or self.is_first(word)

    def is_noun(self, word: str) -> bool:
        """Whether articles inflect a word."""
        return bool(inflected(word, self._inflections, self.names.aliases))

    def is_own_name(self, word: str) -> bool:
        """Whether a word with a capital is neither a noun nor a first name."""
        return not (self.is_noun(word) or self.is_first(word))

    def is_full_name(self, concept: int, surname: str) -> bool:
        """Whether a concept's title is a first name and a surname, with others between them or none."""
        first, _, rest = QUALIFIER.sub("", self.names.titles[concept]).partition(" ")
        return rest.rpartition(" ")[2] == surname and self.is_first(first)

    def is_first(self, word: str) -> bool:
        """Whether somebody with a surname is called so first, as no President is; nor is a Queen a name."""
        if len(word) > _LONGEST:
            return False
        word = word[0].upper() + word[1:].lower()
        known = self._known.get(word)
        if known is None:
            known = not self.is_noun(word) and any(
                "surname" in each.kinds and self.names.titles[each.concept].startswith(f"{word} ")
                for title in islice(self.names.leading.iterkeys(f"{word} "), WALKED)
                for each in self.names.aliases.named(title.rpartition(" ")[2])
            )
            if len(self._known) >= REMEMBERED:
                self._known = {}
            self._known[word] = known
        return known
