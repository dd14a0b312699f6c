"""Second pass: templates ``{{…}}`` and parameters ``{{{…}}}``, which nest in each other.

One walk over the braces with a stack. What a template holds by itself, without those in it, is put aside when
it closes, so the time is linear whatever the nesting. Braces that never close are the text that they were.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wiki.titles import TitleRules
from wiki.wikitext.marks import CUT
from wiki.wikitext.targets import template

_BRACES = re.compile(r"\{\{++|\}\}++")
_BAR = "!"  # {{!}} writes a "|" that does not end a template's argument


@dataclass(slots=True)
class Unbraced:
    """A text without templates and parameters; what stood in each of them; the names of the templates."""

    text: str = ""
    arguments: list[str] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Braces:
    """Braces still to be closed, and the text behind them so far."""

    braces: int
    pieces: list[str] = field(default_factory=list)


def unbraced(text: str, rules: TitleRules) -> Unbraced:
    """Return ``text`` without its templates and parameters."""
    result = Unbraced()
    stack = [_Braces(0)]  # the text itself, which is never closed
    position = 0
    for token in _BRACES.finditer(text):
        start, end = token.span()
        stack[-1].pieces.append(text[position:start])
        position = end
        if text[start] == "{":
            stack.append(_Braces(end - start))
        else:
            _close(stack, end - start, result, rules)
    stack[-1].pieces.append(text[position:])
    result.text = "".join("{" * region.braces + "".join(region.pieces) for region in stack)
    return result


def _close(stack: list[_Braces], braces: int, result: Unbraced, rules: TitleRules) -> None:
    """Close what ``braces`` closing braces close, from the inside out: three a parameter, two a template."""
    while braces >= 2 and len(stack) > 1:
        top = stack[-1]
        content = "".join(top.pieces)
        closed = 3 if min(braces, top.braces) >= 3 else 2
        braces -= closed
        top.braces -= closed
        stands = CUT
        if closed == 2 and content == _BAR:
            stands = "|"
        else:
            result.arguments.append(content)
            if closed == 2 and (name := template(rules, content.partition("|")[0])):
                result.templates.append(name)
        if top.braces >= 2:
            top.pieces = [stands]
        else:
            stack.pop()
            stack[-1].pieces.append("{" * top.braces + stands)
    stack[-1].pieces.append("}" * braces)
