"""First pass: comments, and the tags whose content is no plain wikitext.

MediaWiki takes them out before anything else, in the order in which they start: a template within
``<nowiki>`` is text, a ``<nowiki>`` within a comment is nothing. Where the closing tag is missing, a comment
runs to the end of the page, and any other tag takes nothing with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from wiki.wikitext.files import gallery_as_links
from wiki.wikitext.marks import CUT

_REFERENCES = ("ref", "references", "imagemap", "indicator")
_WORDLESS = (
    *("math", "chem", "ce", "pre", "source", "syntaxhighlight", "score", "timeline", "hiero", "graph"),
    *("mapframe", "maplink", "templatedata", "templatestyles", "inputbox", "charinsert", "categorytree"),
    *("section", "phonos"),
)
SPECIAL_TAGS: Final = ("nowiki", "gallery", "includeonly", *_REFERENCES, *_WORDLESS)

_START = re.compile(rf"<!--|<({'|'.join(SPECIAL_TAGS)})(?=[\s/>])([^<>]*+)>", re.IGNORECASE)
_CLOSING = {name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in SPECIAL_TAGS}
_MARKUP = re.compile(r"(&#?\w++;)|[\[\]{}|<>'=*#:;_-]")


@dataclass(slots=True)
class Untagged:
    """A text without comments and special tags, and what stood in them.

    ``text`` keeps what stood in ``<nowiki>``, its markup written as character references. ``references``
    and ``inclusions`` are wikitext of their own: what stood in references, and what only shows where the
    page is included as a template.
    """

    text: str = ""
    references: list[str] = field(default_factory=list)
    inclusions: list[str] = field(default_factory=list)


def untagged(text: str) -> Untagged:
    """Return ``text`` without comments and special tags, in time linear in its length."""
    result = Untagged()
    pieces: list[str] = []
    unclosed: set[str] = set()  # each missing closing tag is searched for once, not once for each start
    position = 0
    while start := _START.search(text, position):
        pieces.append(text[position : start.start()])
        position = start.end()
        if start[1] is None:
            end = text.find("-->", position)
            position = end + 3 if end >= 0 else len(text)
            continue
        name = start[1].lower()
        if start[2].endswith("/"):
            pieces.append(CUT)
        elif name not in unclosed:
            closing = _CLOSING[name].search(text, position)
            if closing is None:
                unclosed.add(name)
                continue
            pieces.append(_kept(name, text[position : closing.start()], result))
            position = closing.end()
    pieces.append(text[position:])
    result.text = "".join(pieces)
    return result


def _kept(name: str, content: str, result: Untagged) -> str:
    """Return what stays of a tag's ``content`` in the text, after putting aside what is read on its own."""
    if name == "nowiki":
        return _MARKUP.sub(lambda found: found[1] or f"&#{ord(found[0])};", content) or CUT
    if name == "gallery":
        return gallery_as_links(content)
    if name == "includeonly":
        result.inclusions.append(content)
        return ""
    if name in _REFERENCES:
        result.references.append(content)
    return CUT
