"""Names with an abbreviation in them: "US Senate", "UN Security Council", and "the U.S." itself.

An article states what its subject is called for short. Titles have it in full, in front of what is its own or
behind it: United States Senate, Supreme Court of the United States. With stops, the letters are short for the
same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import marisa_trie

from snapshots.annotator.names.abbreviations import OFTEN
from snapshots.annotator.names.spelt import Spelt
from snapshots.csr import CSR
from snapshots.naming.aliases import CERTAIN, Aliases, AliasSense
from snapshots.naming.names import DISAMBIGUATION
from snapshots.strings import StringTable

_OWN = {"en": ("{whole} {own}", "{own} of the {whole}", "{own} of {whole}")}
"""By language, how titles are made of a name and of what is its own."""

_ANY = ("{whole} {own}",)

_MOST = 4
"""Words behind an abbreviation that are looked at."""

_JOINING = {"en": "of|for|and|on"}
"""By language, small words within names."""

_WORD = r"[^\W\d_a-z][\w-]{1,40}"


class AbbreviatedNames:
    """Finds such names in texts. Reads only; usable from several threads."""

    def __init__(
        self,
        titles: StringTable,
        leading: marisa_trie.RecordTrie,
        aliases: Aliases,
        in_links: CSR,
        language: str,
    ) -> None:
        """``leading``: whatever leads somewhere (``snapshots.naming.names.RECORD``).

        ``in_links``: of the concepts.
        """
        self._titles, self._leading, self._aliases, self._in_links = titles, leading, aliases, in_links
        self._own = _OWN.get(language, _ANY)
        joining = _JOINING.get(language, "(?!)")
        behind = rf"(?:[ \u00a0](?:(?:{joining})[ \u00a0])?{_WORD}){{1,{_MOST}}}"
        self._signs = re.compile(
            rf"(?<![\w.&-])(?P<short>(?:[^\W\d_a-z]\.){{2,5}}|[^\W\d_a-z]{{2,6}})(?![\w&-])(?P<own>{behind})?"
        )
        self._joint = re.compile(rf"[ \u00a0](?!(?:{joining})[ \u00a0])")
        self._small = re.compile(joining)

    def found(self, text: str) -> Iterator[Spelt]:
        """The longest of such names at each abbreviation, from left to right."""
        for sign in self._signs.finditer(text):
            short = sign["short"]
            letters = short.replace(".", "")
            if not letters.isupper():
                continue
            whole = self._whole(letters)
            if whole is None:
                continue
            longest = self._longest(text, sign, self._titles[whole]) if sign["own"] else None
            if longest is not None:
                yield longest
            elif short != letters and self._is_written_with_stops(letters, whole):
                yield Spelt(sign.start(), sign.end("short"), whole)

    def stated(self, named: Iterable[AliasSense]) -> list[AliasSense]:
        """Those who have a name that articles state, if many link to them."""
        enough = OFTEN * self._in_links.columns
        return [
            each
            for each in named
            if "stated" in each.kinds and float(self._in_links.sizes(each.concept)) >= enough
        ]

    def _is_written_with_stops(self, letters: str, whole: int) -> bool:
        """Whether letters with stops may mean a concept: a name of several words that many link to.

        "D.C." is seldom direct current.
        """
        words = [word for word in self._titles[whole].split() if not self._small.fullmatch(word)]
        is_name = len(words) > 1 and all(word[0].isupper() for word in words)
        return is_name and any(each.concept == whole for each in self.stated(self._aliases.named(letters)))

    def _whole(self, letters: str) -> int | None:
        """The concept whose article states that it is called so for short; None where none is, or several."""
        named = self._aliases.named(letters)
        first = named[0] if named else None
        sure = first is not None and first.share >= CERTAIN and "stated" in first.kinds
        return first.concept if first is not None and sure else None

    def _longest(self, text: str, sign: re.Match[str], whole: str) -> Spelt | None:
        """What the words behind an abbreviation make a title of, as many of them as do."""
        start, end = sign.span("own")
        while end > start:
            own = text[start + 1 : end].replace("\u00a0", " ")
            for form in self._own:
                for kind, concept in self._leading.get(form.format(whole=whole, own=own), ()):
                    if kind != DISAMBIGUATION:
                        return Spelt(sign.start(), end, concept)
            cuts = [joint.start() for joint in self._joint.finditer(text, start, end)]
            end = cuts[-1] if cuts else start
        return None
