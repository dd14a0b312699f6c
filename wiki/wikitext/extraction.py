"""Wikitext → what a page says: paragraphs, links, categories, templates.

Four passes take the text apart, from what MediaWiki reads first to what it reads last: special tags
(``tags``), templates (``braces``), tables and files (``blocks``), then the lines (``inline``). Each takes
time linear in the length of the text. Templates are not expanded: their names and the links in their
arguments are known, the words that they would show are not.

What a paragraph is: a line. MediaWiki joins lines that follow each other, but editors write a paragraph on
one line, and dumps without empty lines keep their paragraphs that way. A list's item is a paragraph, a
file's caption is one, behind the line in which the file stands. A heading is none; its links count as hidden.
"""

from __future__ import annotations

import re

from wiki.page import ParsedPage
from wiki.titles import TitleRules
from wiki.wikitext.blocks import has_blocks, unblocked
from wiki.wikitext.bold import bold_names
from wiki.wikitext.braces import unbraced
from wiki.wikitext.external import without_external_links
from wiki.wikitext.html import without_html
from wiki.wikitext.inline import Found, read_hidden, read_line, with_single_spaces
from wiki.wikitext.magic import (
    BEHAVIOUR_SWITCHES,
    DISAMBIGUATION_SWITCHES,
    DISAMBIGUATION_TEMPLATES,
    HIDDEN_CATEGORY_SWITCHES,
    HIDDEN_CATEGORY_TEMPLATES,
)
from wiki.wikitext.marks import CAPTION, CAPTION_END, CUT, without_marks
from wiki.wikitext.syntax import with_links_on_one_line
from wiki.wikitext.tags import untagged
from wiki.wikitext.variants import CONVERTED_LANGUAGES, with_one_variant

_SWITCH = re.compile(
    "__(" + "|".join(map(re.escape, {*BEHAVIOUR_SWITCHES, *HIDDEN_CATEGORY_SWITCHES})) + ")__", re.IGNORECASE
)
_CAPTION = re.compile(f"{CAPTION}([^{CAPTION}{CAPTION_END}]*+){CAPTION_END}")
_EDGES = f" {CUT}"
_LEFT_OVER = ("|", "{|")  # from a table or template that is never closed
_FIRST_OF_HIDDEN = ("=", "|", "{")
_LISTED = "*#:;"
"""What items of lists begin with, and notes above the first sentence."""

_LETTER = re.compile(r"[^\W_]")


def parse(text: str, rules: TitleRules) -> ParsedPage:
    """Return what the wikitext of a page says, read by the rules of its wiki. Never raises.

    A link's trail is the run of Unicode letters right behind it; it belongs to the anchor, whatever the
    wiki's language. Links within templates, tables, references and headings have no place. A link whose
    words are not written in it (an image, a template) has none either, and its target for an anchor.
    """
    return _Page(rules).read(without_marks(text))


class _Page:
    def __init__(self, rules: TitleRules) -> None:
        self.rules = rules
        self.converted = rules.siteinfo.language in CONVERTED_LANGUAGES
        self.found = Found()
        self.paragraphs: list[str] = []
        self.templates: list[str] = []
        self.switches: set[str] = set()
        self.hidden: list[str] = []
        self.bold: tuple[str, ...] = ()
        self.leads = True
        """Whether no heading has come yet, nor words in bold."""

    def read(self, text: str) -> ParsedPage:
        for line in with_single_spaces(self.visible(text)).split("\n"):
            self.read_line(line)
        for hidden in self.hidden:
            if "[[" in hidden:
                read_hidden(hidden, self.rules, self.found)
        names = {name.lower() for name in self.templates}
        return ParsedPage(
            paragraphs=tuple(self.paragraphs),
            links=tuple(self.found.links),
            categories=tuple(dict.fromkeys(self.found.categories)),
            templates=tuple(dict.fromkeys(self.templates)),
            disambiguation=not self.switches.isdisjoint(DISAMBIGUATION_SWITCHES)
            or not names.isdisjoint(DISAMBIGUATION_TEMPLATES),
            hidden_category=not self.switches.isdisjoint(HIDDEN_CATEGORY_SWITCHES)
            or not names.isdisjoint(HIDDEN_CATEGORY_TEMPLATES),
            bold=self.bold,
        )

    def visible(self, text: str) -> str:
        """Return what of ``text`` stands in lines of its own, putting aside what does not."""
        text = self.plain(text)
        if has_blocks(text, self.rules):
            parts = unblocked(text, self.rules)
            self.hidden += parts.hidden
            text = parts.text
        if "<" in text:
            text = without_html(text)
        return without_external_links(with_links_on_one_line(text))

    def plain(self, text: str) -> str:
        """Return ``text`` without special tags, templates and switches, taking note of what they hold."""
        references: list[str] = []
        inclusions: list[str] = []
        if "<" in text:
            parts = untagged(text)
            text, references, inclusions = parts.text, parts.references, parts.inclusions
        # One character is found ten times sooner than two, and most often it is not there.
        if "_" in text and "__" in text:
            self.switches.update(switch.upper() for switch in _SWITCH.findall(text))
            text = _SWITCH.sub("", text)
        if "{" in text and "{{" in text:
            unbraced_text = unbraced(text, self.rules)
            self.hidden += unbraced_text.arguments
            self.templates += unbraced_text.templates
            text = unbraced_text.text
        if self.converted and "-{" in text:
            text = with_one_variant(text)
        for reference in references:
            self.hidden.append(self.plain(reference))
        for inclusion in inclusions:
            kept = len(self.hidden)
            self.plain(inclusion)  # its templates and switches count, its links do not
            del self.hidden[kept:]
        return text

    def read_line(self, line: str) -> None:
        captions: list[str] = []
        if CAPTION in line:
            captions = _CAPTION.findall(line)
            line = _CAPTION.sub(CUT, line)
        line = line.strip(_EDGES)
        if _is_hidden(line):
            self.leads = self.leads and line[0] != "="
            read_hidden(line, self.rules, self.found)
        elif line:
            if self.leads and line[0] not in _LISTED:
                self.bold = bold_names(line, self.rules)
                self.leads = not self.bold
            self.add(line)
        for caption in captions:
            self.add(caption)

    def add(self, line: str) -> None:
        """Add the words of ``line`` as a paragraph, if there are any."""
        known = len(self.found.links)
        words = read_line(line.lstrip("*#:;- "), self.rules, len(self.paragraphs), self.found)
        if len(self.found.links) > known or _LETTER.search(words):
            self.paragraphs.append(words)


def _is_hidden(line: str) -> bool:
    """Return whether ``line`` is a heading, or left over from a table or template that is never closed."""
    if line[:1] not in _FIRST_OF_HIDDEN:  # as hardly any is
        return False
    return line.startswith(_LEFT_OVER) or (line.endswith("=") and len(line) > 2)
