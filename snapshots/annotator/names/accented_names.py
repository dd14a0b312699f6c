"""Names with accents that their titles lack, as other languages write them: "México", "Perú" and "Canadá".

Links from such words are few, and lead to what has the accents where they stand: "México" to Mexico City.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from unicodedata import combining, normalize

import marisa_trie

from snapshots.annotator.names.abbreviations import OFTEN
from snapshots.annotator.names.spelt import Spelt
from snapshots.csr import CSR
from snapshots.naming.names import ARTICLE

_WORD = re.compile(r"(?<![\w-])[^\W\d_a-z][^\W\d_]{2,40}(?![\w-])")


class AccentedNames:
    """Finds such names in texts. Reads only; usable from several threads."""

    def __init__(
        self,
        leading: marisa_trie.RecordTrie,
        in_links: CSR,
        is_name: Callable[[str], bool],
        stands_alone: Callable[[str, int, int], bool],
    ) -> None:
        """``leading``: whatever leads somewhere (``RECORD``); ``in_links``: of concepts.

        ``is_name``: whether a title is neither a noun nor a first name: Ángel is not an angel;
        ``stands_alone``: whether a word of a text, by its place, is no part of a longer name.
        """
        self._leading, self._in_links = leading, in_links
        self._is_name, self._stands_alone = is_name, stands_alone

    def found(self, text: str) -> Iterator[Spelt]:
        """The words with a capital that are the title of what many link to but for accents, in order.

        Not what leads somewhere itself, as Pelé does.
        """
        for word in () if text.isascii() else _WORD.finditer(text):
            written = word[0]
            plain = "".join(sign for sign in normalize("NFKD", written) if not combining(sign))
            if plain == written or written in self._leading:
                continue
            for kind, concept in self._leading.get(plain, ()):
                often = float(self._in_links.sizes(concept)) >= OFTEN * self._in_links.columns
                if (
                    kind == ARTICLE
                    and often
                    and self._is_name(plain)
                    and self._stands_alone(text, *word.span())
                ):
                    yield Spelt(word.start(), word.end(), concept)
