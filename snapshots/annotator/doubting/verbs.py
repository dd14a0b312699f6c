"""Verbs that are spelt as nouns: in "they fly to Paris" there is no fly, and in "it leaves the town" no leaf.

Hardly anything but a verb stands right behind a pronoun that is a subject, or behind "will" or "can"; behind
"to" it is one where a determiner or a pronoun goes on. Of some hundred such words, which were taken for
concepts in sentences of English articles, editors link one: "the right to veto its decisions". In a question
the subject stands between: "Can penguins fly?"; and what stands behind "can" there is no verb.

A word with which a sentence begins is one where a determiner and a word in small letters go on, as in
recipes: "Peel the potatoes."

Behind a name or a noun a word is a verb that is often one elsewhere, where a particle or a determiner goes
on: "Turkey shoots down a jet", "rebels fire off rockets", "Gates leaves Microsoft".
"""

from __future__ import annotations

import re

_SUBJECTS = "I|i|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[Ii]t|[Yy]ou|[Ww]ho"
_MODALS = "can|could|will|would|shall|should|may|might|must"
_MODALS_WITHIN = f"{_MODALS}|[Cc]annot|[Ll]et['’]s|\\w+n['’]t|\\w+['’]ll|\\w+['’]d"
_DETERMINERS = "the|an?|his|her|its|their|my|your|our|this|that|these|those|him|them|us|me"
_ORDERS = "the|an?|your|its|their|his|her"
_PLURAL = r"(?:[^\W\d_]+[^\W\d_suia]s|children|fish|men|mice|people|police|sheep|women)"
"""A noun in the plural, as far as its letters tell: no bus is one, nor glass, an iris or gas."""

_PARTICLES = "down|up|out|off|away|back"
_NO_SUBJECT = (
    f"{_DETERMINERS}|no|some|any|all|both|each|every|many|most|few|of|in|on|at|for|from|by|with|to|as|into|over|"
    "under|than|and|or|but|not|own|other|such"
)
"""Words behind which a noun is no verb."""

_QUESTION = (
    r"(?:^|[.!?:;][\"”’)]* )[\"“‘(]?"
    r"(?:(?P<asked>(?i:how|what|when|where|which|who|why))(?: [^\W\d_]+){0,3}? )?"
    rf"(?i:{_MODALS}|do|does|did)(?:n['’]t)? "
)
"""How questions begin, up to their subject."""


class _Signs:
    """What stands before verbs in a language.

    Args:
        subject: what stands before a verb.
        base: what stands before a verb without an ending.
        infinitive: what stands before such a verb where ``behind`` goes on.
        behind: a determiner or a pronoun.
        plural: a noun in the plural, which no verb without an ending is.
        question: how a question begins, up to its subject.
        particles: what stands behind verbs, where no determiner does.
        no_subject: what is no subject, before a word.
        orders: determiners behind a verb with which an order begins.
    """

    def __init__(
        self,
        subject: str,
        base: str,
        infinitive: str,
        behind: str,
        plural: str,
        question: str,
        particles: str,
        no_subject: str,
        orders: str,
    ) -> None:
        self.subject = re.compile(rf"(?:^|[^\w'’-])(?:{subject})[ \u00a0]$")
        self.base = re.compile(rf"[^\w'’-](?:{base})[ \u00a0]$|^(?:\w+n['’]t|[Ll]et['’]s)[ \u00a0]$")
        self.infinitive = re.compile(rf"\b(?<!due )(?:{infinitive})[ \u00a0]$")
        self.behind = re.compile(rf"[ \u00a0](?:{behind})\b")
        self.plural = re.compile(plural)
        word = rf"(?!(?:{subject}|{behind})\b)[^\W\d_]+"
        article = f"(?:(?:{behind}) )?"
        self.of_several = re.compile(rf"{question}{article}(?:{word} )?{plural} $")
        name = r"[^\W\d_a-z]\w*"
        self.of_one = re.compile(rf"{question}(?:(?:{behind}) {word}|{article}{name}(?: {name}){{,3}}) $")
        self.begins = re.compile(r"(?:^|\n|[.!?:;)•*–-][\"”’)]*\s)\s*[\"“‘(]?$")
        self.order = re.compile(rf"[ \u00a0](?:{orders})[ \u00a0][^\W\d_A-Z]")
        self.ends = re.compile(rf"[ \u00a0](?:{behind})\b|[ \u00a0]?\?")
        self.before = re.compile(rf"(?<![\w'’-])(?!(?i:{no_subject})\b)(?P<noun>[^\W\d_]\w*)[ \u00a0]$")
        self.particle = re.compile(rf"[ \u00a0](?:{particles})\b")
        self.object = re.compile(rf"[ \u00a0](?:(?:{behind})\b|{name}[a-z])")


_SIGNS = {
    "en": _Signs(
        _SUBJECTS, _MODALS_WITHIN, "[Tt]o", _DETERMINERS, _PLURAL, _QUESTION, _PARTICLES, _NO_SUBJECT, _ORDERS
    )
}
"""By language."""

_LONGEST = 16
"""Characters of the longest word before a verb that is looked at, with the space between."""

_LONGEST_NOUN = 24
"""Characters of the longest noun before a verb that is looked at, with the space between."""

_LONGEST_QUESTION = 80
"""Characters of the longest question that is looked at, up to the verb."""


def is_verb(text: str, start: int, end: int, language: str) -> bool:
    """Whether ``text[start:end]``, a word in small letters, is a verb by what stands beside it.

    Nothing is told of languages whose words are not known.

    >>> texts = ("They fly to Paris", "a fly", "to water the plants", "from air to water", "It will fly")
    >>> [is_verb(text, at := text.find(word), at + len(word), "en") for text, word in zip(texts, (
    ...     "fly", "fly", "water", "water", "fly"), strict=True)]
    [True, False, True, False, True]
    """
    signs = _SIGNS.get(language)
    written = text[start:end]
    if signs is None or not written.isalpha() or not written.islower():
        return False
    before = max(0, start - _LONGEST)
    if signs.subject.search(text, before, start) is not None:
        return True
    if signs.plural.fullmatch(written) is not None:
        return False
    if signs.infinitive.search(text, before, start) is not None:
        return signs.behind.match(text, end) is not None
    return signs.base.search(text, before, start) is not None or _is_asked(signs, text, start, end)


def _is_asked(signs: _Signs, text: str, start: int, end: int) -> bool:
    """Whether a word stands behind the subject of a question: what penguins can do."""
    first = max(0, start - _LONGEST_QUESTION)
    if signs.of_several.search(text, first, start) is not None:
        return True
    # Behind one thing may be the rest of what it is called: "Does the computer program ...".
    asked = signs.of_one.search(text, first, start)
    if asked is None:
        return False
    return signs.ends.match(text, end) is not None or (asked["asked"] is not None and end == len(text))


def is_order(text: str, start: int, end: int, language: str) -> bool:
    """Whether ``text[start:end]``, with a capital, stands as a verb does with which a sentence begins.

    >>> texts = ("Peel the potatoes", "Catherine the Great", "Friday the 13th", "He is Peel the mayor")
    >>> [is_order(text, at := text.find(word), at + len(word), "en") for text, word in zip(texts, (
    ...     "Peel", "Catherine", "Friday", "Peel"), strict=True)]
    [True, False, False, False]
    """
    signs = _SIGNS.get(language)
    written = text[start:end]
    if signs is None or not written.isalpha() or not written.istitle():
        return False
    if signs.plural.fullmatch(written) is not None or signs.order.match(text, end) is None:
        return False
    return signs.begins.search(text, max(0, start - _LONGEST), start) is not None


def is_verb_of_noun(text: str, start: int, end: int, language: str) -> bool:
    """Whether ``text[start:end]``, in small letters, stands as a verb does behind a noun that is its subject.

    Only of a word that is often a verb this is a sign: "Greek islands off the coast" are none.

    >>> texts = ("Turkey shoots down a jet", "Rebels fire off rockets", "the shoots up there")
    >>> [is_verb_of_noun(text, at := text.find(word), at + len(word), "en") for text, word in zip(texts, (
    ...     "shoots", "fire", "shoots"), strict=True)]
    [True, True, False]
    """
    signs = _SIGNS.get(language)
    written = text[start:end]
    if signs is None or not written.isalpha() or not written.islower():
        return False
    before = signs.before.search(text, max(0, start - _LONGEST_NOUN), start)
    if before is None:
        return False
    # A verb of several has no ending, and a verb of one has that of a plural.
    several = signs.plural.fullmatch(before["noun"]) is not None
    is_name = before["noun"][0].isupper()
    has_ending = signs.plural.fullmatch(written) is not None
    if has_ending == several and not (is_name and has_ending):
        return False
    if signs.particle.match(text, end) is not None:
        return True
    return is_name and has_ending and signs.object.match(text, end) is not None
