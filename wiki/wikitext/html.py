"""HTML tags that wikitext may hold: which break a paragraph, which vanish."""

from __future__ import annotations

import re

from wiki.wikitext.tags import SPECIAL_TAGS

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*+)(?=[\s/>])[^<>]*+>")
_INLINE = frozenset(
    (
        *("abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins"),
        *("kbd", "mark", "nobr", "noinclude", "onlyinclude", "q", "rb", "rp", "rt", "rtc", "ruby"),
        *("s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "translate", "tt", "u"),
        *("var", "wbr", *SPECIAL_TAGS),
    )
)
_BLOCKS = frozenset(
    (
        *("blockquote", "caption", "center", "dd", "div", "dl", "dt", "li", "ol", "p", "poem"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
    )
)
_SPACES = frozenset(("br", "hr"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def without_html(text: str) -> str:
    """Return ``text`` with line ends for HTML blocks, spaces for line breaks, nothing for other tags.

    What only looks like a tag stays, as it does on the page.
    """
    return _TAG.sub(_instead, text)


def _instead(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    if name in _BLOCKS:
        return "\n"
    if name in _INLINE:
        return ""
    if name in _SPACES:
        return " "
    if name in _HEADINGS:
        return "=\n" if tag[1] else "\n="
    return tag[0]
