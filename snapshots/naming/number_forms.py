"""The forms by which two words are compared where their number does not matter."""

from __future__ import annotations

from collections.abc import Iterable

from wiki.inflections import PLURALS, SINGULARS


def forms_of(words: Iterable[str], language: str) -> set[str]:
    """Each of some words as it is written, and as the singular of the plural that it may be.

    Two words that have a form in common are the same but for their number. That "virus" may be a plural by
    its letters does no harm: nothing else has that singular. Of languages whose rules are not known, words
    have the form that is written.

    >>> sorted(forms_of(["bears", "moon"], "en")), sorted(forms_of(["bears"], "xx"))
    (['bear', 'bears', 'moon'], ['bears'])
    """
    singular = SINGULARS.get(language)
    forms = set(words)
    if singular is not None:
        forms.update(one for word in tuple(forms) if (one := singular(word)) is not None)
    return forms


def plural_of(noun: str, language: str) -> str | None:
    """The plural of a noun; None where it has none, or the rules of the language are not known.

    >>> plural_of("window", "en"), plural_of("window", "xx")
    ('windows', None)
    """
    plural = PLURALS.get(language)
    return None if plural is None else plural(noun)
