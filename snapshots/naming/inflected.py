"""Names that are the plural or the singular of a title or of another name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from snapshots.naming.alias_use import AliasUse
from snapshots.naming.aliases import CERTAIN, Aliases, AliasSense
from snapshots.naming.resolution import AliasKind
from snapshots.strings import StringTable
from wiki.inflections import Inflection

_GIVEN: frozenset[AliasKind] = frozenset(("bold", "stated", "inflected"))
"""The kinds of aliases that are nouns of their articles and are inflected, as surnames are not."""

_OTHER_WORD = 2
"""The sentences with a singular for each with the plural from which on it is a word of its own: in the
starter "fifty" has 16 ("Fifties" is the 1950s), and "tory" 1.1."""

_ABBREVIATED = 3
"""Letters in capitals up to which a name is an abbreviation sooner than a plural."""


class Inflected(NamedTuple):
    """Finds concepts by the other number of their titles and names. Usable from several threads.

    ``article``: the concept of a title, -1 where there is none; ``singular`` and ``plural``: the rules of the
    language, None where none are known; ``use``: says which aliases are meant; without it, each is.
    """

    article: Callable[[str], int]
    titles: StringTable
    aliases: Aliases
    singular: Inflection | None
    plural: Inflection | None
    use: AliasUse | None

    def concept(self, title: str) -> int:
        """The concept of whose title, or of whose name, ``title`` is the plural or the singular; or -1.

        A build's aliases have the plurals of those nouns alone that articles write with small letters. No
        title, no redirect and no alias is ``title``.
        """
        concept = -1
        if self.singular is not None and title.isupper() and len(title) > _ABBREVIATED:
            # Of what is written in capitals alone, the plural of a title: "DOGS", and no other name.
            singular = self.singular(title.capitalize())
            concept = -1 if singular is None else self.article(singular)
            if concept >= 0:
                return concept
        if self.singular is not None and (singular := self.singular(title)) is not None:
            concept = self.article(singular)
            if concept < 0:
                concept = self._given(singular, title, is_plural=True)
        # "SF" is no singular of "SFS": an abbreviation has none.
        if concept >= 0 or title.isupper() or self.plural is None or (plural := self.plural(title)) is None:
            return concept
        # Nor is "leave" that of "leaves", which are those of a leaf.
        if self.singular is not None and self.singular(plural) != title:
            return -1
        return self._given(plural, title, is_plural=False)

    def meant_by(self, word: str, in_doubt: Callable[[str, list[AliasSense]], bool]) -> int:
        """The concept that a word is taken for, by its title or name, or by the other number of one; or -1.

        ``in_doubt``: whether a name that a concept has is asked about.
        """
        concept = self.article(word)
        if concept >= 0:
            return concept
        if not (named := self.aliases.named(word)):
            return self.concept(word)
        is_meant = named[0].share > CERTAIN and (self.use is None or self.use.is_meant(word, named))
        return named[0].concept if is_meant and not in_doubt(word, named) else -1

    def _given(self, name: str, written: str, *, is_plural: bool) -> int:
        """The concept that has ``name``, an inflection of ``written``, if that means it; -1 if none does."""
        named = self.aliases.named(name)
        return named[0].concept if named and self._is_given(name, named, written, is_plural) else -1

    def _is_given(self, name: str, named: list[AliasSense], written: str, is_plural: bool) -> bool:
        """Whether ``name`` is a noun that the article of one concept gives it, and ``written`` means that.

        A plural does not where it had to be asked what its singular means, nor of a name: nobody means
        Indiana Jones by "indies". A singular does not where it is written far more often than articles link
        to the concept, whose title is no noun itself: "tune" is none of Tunis, which is called "Tunes" in
        Portuguese.
        """
        if named[0].share <= CERTAIN or _GIVEN.isdisjoint(named[0].kinds):
            return False
        if self.use is None:
            return True
        if is_plural and (self.use.is_in_doubt(name, named) or self._is_of_name(name, written, named[0])):
            return False
        if not is_plural and not self._is_noun(named[0]) and not self._is_singular(written, name, named[0]):
            return False
        return self.use.is_meant(name, named, written)

    def _is_of_name(self, name: str, written: str, named: AliasSense) -> bool:
        """Whether a plural is that of the name of one thing, as the capitals of its title say.

        An abbreviation has a plural all the same, be it written "URLs" or, if that is no other word, "urls".
        """
        words = self.titles[named.concept].split()
        if not any(word[0].isupper() for word in words[1:]):
            return False
        if any(letter.isupper() for letter in written[1:]):
            return False
        is_short = name.lower() == "".join(word[0] for word in words if word[0].isupper()).lower()
        return not (is_short and self.use is not None and self.use.is_singular_of(written, named))

    def _is_singular(self, word: str, plural: str, named: AliasSense) -> bool:
        """Whether ``word`` may be the singular of a name of a concept, and is no other word more often."""
        if self.use is None:
            return True
        if self.use.is_rather_another_word(word, plural, _OTHER_WORD):
            return False
        return self.use.is_singular_of(word, named)

    def _is_noun(self, named: AliasSense) -> bool:
        """Whether a name is the plural of its concept's title, or that has one: articles write it small."""
        plural = None if self.plural is None else self.plural(self.titles[named.concept])
        alike = [] if plural is None else self.aliases.named(plural)
        return "inflected" in named.kinds or any(
            each.concept == named.concept and "inflected" in each.kinds for each in alike
        )
