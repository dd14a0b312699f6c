"""Verbs that are spelt as nouns: in "they fly to Paris" there is no fly, and in "it leaves the town" no leaf.

Hardly anything but a verb stands right behind a pronoun that is a subject, or behind "will" or "can"; behind
"to" it is one where a determiner or a pronoun goes on. Of some hundred such words, which were taken for
concepts in sentences of English articles, editors link one: "the right to veto its decisions".
"""

from __future__ import annotations

import re

_SUBJECTS = "I|i|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[Ii]t|[Yy]ou|[Ww]ho"
_MODALS = (
    "[Cc]an|[Cc]annot|[Cc]ould|[Ww]ill|[Ww]ould|[Ss]hall|[Ss]hould|may|might|must|[Ll]et['’]s|\\w+n['’]t"
    "|\\w+['’]ll|\\w+['’]d"
)
_DETERMINERS = "the|an?|his|her|its|their|my|your|our|this|that|these|those|him|them|us|me"


class _Signs:
    """What stands before verbs, what stands before infinitives alone, and what goes on behind these."""

    def __init__(self, before: str, infinitive: str, behind: str) -> None:
        self.before = re.compile(rf"(?:^|[^\w'’-])(?:{before})[ \u00a0]$")
        self.infinitive = re.compile(rf"\b(?<!due )(?:{infinitive})[ \u00a0]$")
        self.behind = re.compile(rf"[ \u00a0](?:{behind})\b")


_SIGNS = {"en": _Signs(f"{_SUBJECTS}|{_MODALS}", "[Tt]o", _DETERMINERS)}
"""By language."""

_LONGEST = 16
"""Characters of the longest word before a verb that is looked at, with the space between."""


def is_verb(text: str, start: int, end: int, language: str) -> bool:
    """Whether ``text[start:end]``, a word in small letters, is a verb by what stands beside it.

    Nothing is told of languages whose words are not known.

    >>> texts = ("They fly to Paris", "a fly", "to water the plants", "from air to water", "It will fly")
    >>> [is_verb(text, at := text.find(word), at + len(word), "en") for text, word in zip(texts, (
    ...     "fly", "fly", "water", "water", "fly"), strict=True)]
    [True, False, True, False, True]
    """
    signs = _SIGNS.get(language)
    if signs is None or not text[start:end].isalpha() or not text[start:end].islower():
        return False
    before = max(0, start - _LONGEST)
    if signs.before.search(text, before, start) is not None:
        return True
    infinitive = signs.infinitive.search(text, before, start)
    return infinitive is not None and signs.behind.match(text, end) is not None
