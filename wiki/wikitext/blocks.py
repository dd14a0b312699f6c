"""Third pass: tables and files, which hold other text and nest in each other.

A walk with a stack, linear like that over the braces. A file's caption is text of its own: it stays, between
marks, where the file stood. A table's cells, and the captions of files within tables or other captions, are
put aside. What never closes is the text that it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from wiki.titles import TitleRules
from wiki.wikitext.files import caption
from wiki.wikitext.html import without_html
from wiki.wikitext.marks import CAPTION, CAPTION_END, CUT
from wiki.wikitext.targets import TargetKind, target

_SIGN = re.compile(
    r"\[\[(?!\[)|\]\]|\n(?:[ \t:*#;]*+\{\||[ \t]*+\|\}|(?==))|<table(?=[\s>])|</table\s*+>", re.IGNORECASE
)
_HTML_TABLE = re.compile("<[tT][aA][bB][lL][eE]")  # found a good deal sooner than without regard to case
_PREFIX = re.compile(r"\[\[[ _]*+([^\[\]{}|<>:\n]{1,60}+):")


class _Form(Enum):
    PAGE = "the page itself"
    FILE = "[[File:…]]"
    TABLE = "{| … |}"
    HTML_TABLE = "<table> … </table>"


@dataclass(slots=True)
class _Block:
    """A block still to be closed, the text in it so far, and how many ordinary links are open in it."""

    form: _Form
    pieces: list[str] = field(default_factory=list)
    links: int = 0


@dataclass(slots=True)
class Unblocked:
    """A text without tables and files, captions between marks in it; what stood in tables and other files."""

    text: str = ""
    hidden: list[str] = field(default_factory=list)


def has_blocks(text: str, rules: TitleRules) -> bool:
    """Return whether there may be a table or file in ``text``: a quick look that spares most pages it."""
    if ("{" in text and "{|" in text) or ("<" in text and _HTML_TABLE.search(text)):
        return True
    return any(_is_file(rules, prefix) for prefix in set(_PREFIX.findall(text)))


def unblocked(text: str, rules: TitleRules) -> Unblocked:
    """Return ``text`` without its tables and files."""
    walk = _Walk(rules)
    text = "\n" + text
    position = 0
    for sign in _SIGN.finditer(text):
        start, end = sign.span()
        walk.pieces.append(text[position:start])
        position = end
        walk.meet(sign[0], text, end)
    walk.pieces.append(text[position:])
    return walk.end()


@lru_cache(4096)
def _is_file(rules: TitleRules, prefix: str) -> bool:
    return target(rules, f"{prefix}:x")[0] is TargetKind.FILE


class _Walk:
    def __init__(self, rules: TitleRules) -> None:
        self.rules = rules
        self.hidden: list[str] = []
        self.stack = [_Block(_Form.PAGE)]
        self.pieces = self.stack[0].pieces
        self.tables: list[_Block] = []

    def meet(self, sign: str, text: str, end: int) -> None:
        """Take one sign of ``text``, which ends at ``end``: open or close a block, or keep it as text."""
        if sign == "[[" and self.opens_file(text, end):
            self.open(_Form.FILE, sign)
        elif sign.endswith("{|"):
            self.open(_Form.TABLE, sign)
        elif sign.startswith("<") and sign[1] != "/":
            self.open(_Form.HTML_TABLE, sign)
        elif not self.closes(sign):
            self.pieces.append(sign)

    def opens_file(self, text: str, end: int) -> bool:
        """Return whether the two brackets that end at ``end`` open a file; if not, count a link as open."""
        prefix = _PREFIX.match(text, end - 2)
        if prefix and _is_file(self.rules, prefix[1]):
            return True
        self.stack[-1].links += 1
        return False

    def closes(self, sign: str) -> bool:
        """Close what ``sign`` closes, and return whether it closed a block."""
        if sign == "]]":
            top = self.stack[-1]
            if top.links:
                top.links -= 1
            elif top.form is _Form.FILE:
                self.close_file()
                return True
        elif sign == "\n":  # before a heading, which stands in no caption
            self.reopen_files()
        elif sign.endswith("|}"):
            return self.close_table(_Form.TABLE)
        elif sign.startswith("</"):
            return self.close_table(_Form.HTML_TABLE)
        return False

    def end(self) -> Unblocked:
        return Unblocked("".join("".join(block.pieces) for block in self.stack), self.hidden)

    def open(self, form: _Form, sign: str) -> None:
        block = _Block(form, [sign])
        self.stack.append(block)
        self.pieces = block.pieces
        if form is not _Form.FILE:
            self.tables.append(block)

    def close(self) -> str:
        """Leave the innermost block and return what it held, without its opening sign."""
        block = self.stack.pop()
        self.pieces = self.stack[-1].pieces
        return "".join(block.pieces[1:])

    def close_file(self) -> None:
        _, _, parts = self.close().partition("|")
        words = caption(parts) if len(self.stack) == 1 else ""
        on_one_line = " ".join(without_html(words).split())
        self.pieces.append(f"{CAPTION}{on_one_line}{CAPTION_END}" if words else CUT)
        rest = parts.replace(words, "", 1)
        if "[[" in rest:
            self.hidden.append(rest)

    def close_table(self, form: _Form) -> bool:
        """Close the innermost table if it has this ``form``, and say whether it did."""
        if not self.tables or self.tables[-1].form is not form:
            return False
        self.tables.pop()
        self.reopen_files()
        self.hidden.append(self.close())
        self.pieces.append("\n")
        return True

    def reopen_files(self) -> None:
        """Turn the innermost blocks back into text as long as they are files."""
        files: list[_Block] = []
        while self.stack[-1].form is _Form.FILE:
            files.append(self.stack.pop())
        self.pieces = self.stack[-1].pieces
        for file in reversed(files):
            self.pieces += file.pieces
