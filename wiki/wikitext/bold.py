"""The names that a line sets in bold, as the first sentence of an article does with those of its subject."""

from __future__ import annotations

import re
from typing import Final

from wiki.titles import TitleRules
from wiki.wikitext.inline import Found, read_line
from wiki.wikitext.quotes import apostrophes_marked

LOOKED_AT: Final = 2_000
"""Characters of a line in which its first sentence is looked for."""

_BOLD = re.compile(r"'''(?:'')?([^'\n][^\n]*?)(?:'')?'''")

# A full stop behind three letters or a bracket, so that neither initials nor most abbreviations end one.
_SENTENCE_END = re.compile(r"(?:[^\W\d_]{3}|[)\]'])[.!?]['\"”’»)\]]*\s|[。！？।]")


def bold_names(line: str, rules: TitleRules) -> tuple[str, ...]:
    """Return the words in bold of the first sentence of ``line``, wikitext, each once, in order.

    The sentence ends behind the first words in bold, or later: what stands before them may end as one does.
    """
    if "'''" not in line:
        return ()
    line = apostrophes_marked(line[:LOOKED_AT])
    first = _BOLD.search(line)
    if first is None:
        return ()
    end = _SENTENCE_END.search(line, first.end() - 1)
    bold = _BOLD.findall(line, first.start(), len(line) if end is None else end.end())
    names = (read_line(name.strip(), rules, 0, Found()).strip(" ,;:") for name in bold)
    return tuple(dict.fromkeys(filter(None, names)))
