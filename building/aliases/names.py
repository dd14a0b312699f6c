"""Every other name of a concept that its title and the opening of its article give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from building.aliases.openings import first_sentence, later_names, opening, stated_names
from building.aliases.people import full_name, is_person, surnames
from building.aliases.titles import is_list, placed, unqualified, without_article, without_form
from building.stop_words import stop_words
from snapshots.naming.resolution import AliasKind
from snapshots.text import ends_sentence, words
from wiki.inflections import PLURALS, SINGULARS

_VERB = {"en": re.compile(r"\b(is|are|was|were|refers?)\b")}
"""The first verb of a first sentence says whether the title is a plural."""

_MANY = ("are", "were")


class OtherName(NamedTuple):
    """A name, what makes it one, and a title that must be one of the wiki's, if there is such a condition."""

    name: str
    kinds: tuple[AliasKind, ...]
    place: str | None = None


def other_names(
    title: str, bold: Sequence[str], paragraphs: Sequence[str], categories: Sequence[str], language: str
) -> Iterator[OtherName]:
    """The other names of an article's concept; some of them may be its title, and some come twice.

    ``bold``, ``paragraphs`` and ``categories`` are those of its page. Inflections, surnames and what words
    state are known in the languages whose rules are; the others in any.
    """
    if is_list(title, language):
        return
    paragraph = opening(title, bold, paragraphs)
    sentence = first_sentence(paragraph)
    yield from (OtherName(name, ("bold",)) for name in bold)
    stated = (*stated_names(title, sentence, language), *later_names(paragraph, language))
    person = is_person(sentence, paragraph, categories, language)
    for name in stated:
        # "known as the lead singer of a band": nobody's name is in small letters.
        if not _says_nothing(name, language) and not (person and name.islower()):
            yield OtherName(name, ("stated",))
    bare = unqualified(title)
    names: list[OtherName] = [OtherName(title, ())]
    if bare is not None:
        names.append(OtherName(bare, ("unqualified",)))
    if (parted := placed(bare or title)) is not None:
        names.append(OtherName(parted[0], ("unqualified",), parted[1]))
    yield from names[1:]
    for rest in (without_article(bare or title, language), without_form(bare or title, language)):
        if rest is not None:
            yield OtherName(rest, ("unqualified",))
    if person:
        yield from _of_person(bare or title, sentence)
        return
    for known in names:
        for inflected in _inflected(known.name, paragraph, sentence, language):
            yield OtherName(inflected, (*known.kinds, "inflected"), known.place)


def _says_nothing(name: str, language: str) -> bool:
    """Whether a name is one letter, the end of a sentence, or stop words in small letters, unlike IT."""
    if len(name) < 2 or ends_sentence(name):
        return True
    return name.islower() and stop_words(language).issuperset(words(name))


def _of_person(name: str, sentence: str) -> Iterator[OtherName]:
    yield from (OtherName(surname, ("surname",)) for surname in surnames(name))
    whole = full_name(name, sentence)
    if whole is not None:
        yield OtherName(whole, ("stated",))


def _inflected(name: str, paragraph: str, sentence: str, language: str) -> Iterator[str]:
    """The plural of a common noun, or its singular where the sentence is about many.

    A noun is common that the opening writes with a small letter.
    """
    plural, singular = PLURALS.get(language), SINGULARS.get(language)
    small = name[:1].lower() + name[1:]
    if plural is None or singular is None or not _is_common(small, paragraph):
        return
    verb = _VERB[language].search(sentence)
    many = verb is not None and verb[1] in _MANY
    other = (singular(name) if many else None) or plural(name)
    if other is not None:
        yield other


def _is_common(name: str, paragraph: str) -> bool:
    """Whether the opening has the name, in small letters, as a word of its own or as the beginning of one."""
    return name.islower() and re.search(rf"\b{re.escape(name)}", paragraph) is not None
