"""Whether it should be asked what somebody means by another name of a concept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import marisa_trie

from snapshots.naming.alias_use import AliasUse
from snapshots.naming.aliases import AliasSense
from snapshots.naming.given_names import is_given_name
from snapshots.naming.inflected import Inflected
from snapshots.naming.own_words import OwnWords


class AliasDoubts(NamedTuple):
    """Says which names are in doubt, by what articles write. Usable from several threads.

    ``titles``: the trie of all titles; ``use`` and ``own``: None where nothing is known of words.
    """

    titles: marisa_trie.RecordTrie
    inflected: Inflected
    use: AliasUse | None
    own: OwnWords | None

    def has(self, name: str, named: Sequence[AliasSense]) -> bool:
        """Whether ``name`` is in doubt, of ``named`` the first the likeliest.

        So is no plural of a word that texts have and that is taken for the same concept: if "film" is Movie,
        so is "films".
        """
        best = named[0]
        in_doubt = self.use is not None and self.use.is_in_doubt(name, named)
        in_doubt |= best.kinds == ("unqualified",) and is_given_name(name, self.titles)
        # "DC" is not simply Washington, D.C., where an article states it as its abbreviation.
        in_doubt |= len(name) == 2 and name.isupper() and len(named) > 1 and best.kinds == ("unqualified",)
        in_doubt |= self.own is not None and self.own.is_others(name, best)
        return in_doubt and not self._has_a_known_singular(name, named)

    def is_another_name(self, name: str, spelt: Sequence[AliasSense]) -> bool:
        """Whether ``name`` is a first name, and another spelling of it a surname alone, which ``spelt`` have.

        "Michael" is not Louise Michel.
        """
        surname = bool(spelt) and all(each.kinds == ("surname",) for each in spelt)
        return surname and is_given_name(name, self.titles)

    def _has_a_known_singular(self, name: str, named: Sequence[AliasSense]) -> bool:
        """Whether a name of one concept alone is the plural of a word that is taken for that."""
        if len(named) > 1 or self.use is None or self.inflected.singular is None:
            return False
        singular = self.inflected.singular(name)
        if singular is None or not self.use.is_word(singular):
            return False
        return self.inflected.meant_by(singular, self.has) == named[0].concept
