"""Other ways to write a title: U.S. and US, Coca Cola and Coca-Cola, World War 2 and World War II."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wiki.in_full import in_full
from wiki.inflections import BARE
from wiki.number_words import number_in_words
from wiki.punctuation import LONGEST, otherwise_dotted, otherwise_signed, plainly_signed, unmarked
from wiki.regional import spelt_abroad

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")

_NUMBERS = {
    "en": (
        *("one", "two", "three", "four", "five", "six"),
        *("seven", "eight", "nine", "ten", "eleven", "twelve"),
    )
}
"""The words for the numbers from one on, by the language of the wiki."""

_ORDINALS = {
    "en": {
        **{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6},
        **{"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6},
    }
}
"""What may stand in front for a number at the end, by the language of the wiki."""

_NUMBER = re.compile(r"([^\W\d_]*)([0-9]{1,2})")
"""A number, perhaps behind letters."""

_LONG = 5
"""Letters of the shortest plural that may be a genitive."""

_COMPASS = {
    "en": {
        "n": ("North", "Northern"),
        "s": ("South", "Southern"),
        "e": ("East", "Eastern"),
        "w": ("West", "Western"),
    }
}
"""What a letter in front stands for in the name of a country, by the language of the wiki."""

_SHORT_FOR = {
    "en": {
        "st.": "Saint",
        "st": "Saint",
        "mt.": "Mount",
        "mt": "Mount",
        "ft.": "Fort",
        "wwi": "World War I",
        "ww1": "World War I",
        "wwii": "World War II",
        "ww2": "World War II",
    }
}
"""What a word stands for that is short, in small letters, by the language of the wiki."""

_USUAL = {"en": {"st": "St.", "mt": "Mount", "mt.": "Mount", "ft": "Fort", "ft.": "Fort"}}
"""How titles mostly write what is short, by the language of the wiki."""

_INDEFINITE = {"en": ("a", "an")}
"""Articles that nobody writes before a name, by the language of the wiki."""

_ADDRESSED = {"en": ("president", "senator", "chancellor", "professor", "sir", "dr.", "dr")}
"""What a person is addressed as before the name, by the language of the wiki."""

_LEFT_OUT = {"en": (", Jr.", " Jr.", " F.C.", " Inc.")}
"""What often is left out at the end of a name, by the language of the wiki."""


_FULLER = {"en": (*_LEFT_OUT["en"], " City")}
"""What is added to a name in the title of something else that people call so, by the language of the wiki."""


def fuller(title: str, language: str) -> list[str]:
    """The titles of other things that people may call ``title``, too: sons, firms, clubs and cities.

    >>> fuller("Apple", "en")[3:], fuller("Apple", "de")
    (['Apple Inc.', 'Apple City'], [])
    """
    return [f"{title}{added}" for added in _FULLER.get(language, ())]


def otherwise_written(title: str, language: str | None) -> Iterator[str]:
    """Other ways in which a title may be meant that is written so: with dots, other letters, or in words.

    ``language``: that of the wiki; None for dots alone.

    >>> list(otherwise_written("the Alzheimer’s disease", "en"))[:2]
    ["the Alzheimer's disease", "Alzheimer's disease"]
    >>> list(otherwise_written("the U.S.", "en"))[-2:], list(otherwise_written("the U.S.", "de"))[:2]
    (['U. S.', 'US'], ['the U. S.', 'the US'])
    """
    plain = plainly_signed(title)
    if plain != title:
        yield plain
    yield from otherwise_dotted(plain)
    if language is None:
        return
    if (in_words := number_in_words(plain, language)) is not None:
        yield in_words
    yield from unmarked(plain)
    yield from otherwise_spelt(plain, language)
    # Behind an article, what is named may be written otherwise, too: "the U.S.", "the theater".
    if (bare := _without_article(plain, language)) is not None:
        yield from otherwise_signed(bare)
        yield from otherwise_dotted(bare)
        yield from otherwise_spelt(bare, language)


def otherwise_spelt(title: str, language: str) -> Iterator[str]:
    """Other ways in which a title may be meant that is written so, each with one thing changed.

    An article in front is left out, and how a person is addressed; a point of the compass is written out;
    an ordinal in front is a Roman number behind; a space is a hyphen, or a hyphen a space; a number is a
    Roman one; a short form is written out; an ``s`` at the end of a word has an apostrophe before it,
    behind it, or none; a word is spelt as in Britain, or as in America; what is short is as titles have it
    (``in_full``); "Jr.", "F.C." or "Inc." is added.

    >>> list(otherwise_spelt("coca cola", "en"))
    ['coca-cola', 'coca cola, Jr.', 'coca cola Jr.', 'coca cola F.C.', 'coca cola Inc.']
    >>> [list(otherwise_spelt(title, "de")) for title in ("World War 2", "WW2", "E-Mail")]
    [['World-War 2', 'World War-2', 'World War II'], ['WWII'], ['E Mail']]
    >>> [list(otherwise_spelt(title, "en")) for title in ("mcdonalds", "Colour", "two", "for")]
    [["mcdonald's"], ['Color'], [], []]
    >>> next(otherwise_spelt("The Netherlands", "en")), next(otherwise_spelt("Second World War", "en"))
    ('Netherlands', 'World War II')
    >>> list(otherwise_spelt("Washington DC", "en"))[1]
    'Washington, D.C.'
    >>> list(otherwise_spelt("St. Petersburg", "en"))[1], list(otherwise_spelt("a dog", "en"))[0]
    ('Saint Petersburg', 'dog')
    >>> list(otherwise_spelt("aluminum", "en")), list(otherwise_spelt("jewelry", "en"))
    (['aluminium'], ['jewellery'])
    >>> list(otherwise_spelt("Oestrogen", "en")), next(otherwise_spelt("S. Korea", "en"))
    (['Estrogen'], 'South Korea')
    """
    words = title.split()
    if not 0 < len(words) <= LONGEST:
        return
    if (bare := _without_article(title, language)) is not None:
        yield bare
    if len(words) > 1 and words[0].lower() in _ADDRESSED.get(language, ()) and words[1][0].isupper():
        yield " ".join(words[1:])
    yield from _with_number_behind(words, language)
    points = _COMPASS.get(language, {}).get(words[0].lower().removesuffix("."), ())
    yield from (" ".join([point, *words[1:]]) for point in points if len(words) == 2)
    for place in range(1, len(words)):
        yield f"{' '.join(words[:place])}-{' '.join(words[place:])}"
    yield from in_full(title, language)
    if "-" in title.strip("- "):
        yield title.replace("-", " ")
    dotted = _with_saints_dotted(words, language)
    if dotted != words:
        yield " ".join(dotted)
    for written in [words] if dotted == words else [words, dotted]:
        for place, word in enumerate(written):
            for other in _words_for(word, language, len(words) == 1, place + 1 == len(words)):
                yield " ".join([*written[:place], other, *written[place + 1 :]])
    if len(words) > 1:
        yield from (title + ending for ending in _LEFT_OUT.get(language, ()))


def _without_article(title: str, language: str) -> str | None:
    """A title without an article in front; None where it has none. Nobody writes "a" before a name."""
    bare = BARE.get(language)
    if bare is not None and (without := bare(title)):
        return without
    article, _, noun = title.partition(" ")
    return noun if article.lower() in _INDEFINITE.get(language, ()) and noun[:1].islower() else None


def numbered_or_short(name: str, language: str) -> Iterator[str]:
    """Other ways to write a name with an ordinal in front, a number behind, or a short form in front.

    >>> names = ("Second World War", "World War 2", "World War Two", "WW2", "Mt. Everest", "2")
    >>> [next(numbered_or_short(name, "en"), None) for name in names]
    ['World War II', 'World War II', 'World War II', 'World War II', 'Mount Everest', None]
    """
    words = name.split()
    yield from _with_number_behind(words, language)
    if len(words) > 1 and (roman := _roman(words[-1], language)):
        yield " ".join([*words[:-1], roman])
    if words and (long := _SHORT_FOR.get(language, {}).get(words[0].lower())):
        yield " ".join([long, *words[1:]])


def shortened(name: str, language: str) -> list[str]:
    """A name with its first word in short, where that has a short form.

    >>> shortened("Saint Louis", "en"), shortened("mount Etna", "en"), shortened("Louis", "en")
    (['St. Louis', 'St Louis'], ['Mt. Etna', 'Mt Etna'], [])
    """
    first, space, rest = name.partition(" ")
    short_for = _SHORT_FOR.get(language, {}) if space else {}
    return [f"{short.capitalize()} {rest}" for short, long in short_for.items() if long == first.capitalize()]


def begin_numbered_or_short(language: str) -> frozenset[str]:
    """The words in small letters that ``numbered_or_short`` looks for in front."""
    return frozenset((*_ORDINALS.get(language, {}), *_SHORT_FOR.get(language, {})))


def end_numbered(language: str) -> frozenset[str]:
    """The words in small letters, besides figures, that ``numbered_or_short`` looks for behind."""
    return frozenset(_NUMBERS.get(language, ()))


def _with_number_behind(words: list[str], language: str) -> Iterator[str]:
    """The words with a Roman number behind, if they have an ordinal in front."""
    number = _ORDINALS.get(language, {}).get(words[0].lower()) if len(words) > 1 else None
    if number is not None:
        yield f"{' '.join(words[1:])} {_ROMAN[number - 1]}"


def _with_saints_dotted(words: list[str], language: str) -> list[str]:
    """The words with "St." for "St" and "Mount" for "Mt", as titles have them; themselves without these.

    >>> _with_saints_dotted("Mt St Helens".split(), "en"), _with_saints_dotted(["Street"], "en")
    (['Mount', 'St.', 'Helens'], ['Street'])
    """
    usual = _USUAL.get(language, {})
    if len(words) < 3 or words[0].lower() not in usual:
        return words
    return [usual.get(word.lower(), word) for word in words]


def _roman(word: str, language: str) -> str | None:
    """A number, in letters or behind some, as a Roman one; None where there is none so small."""
    numbers = _NUMBERS.get(language, ())
    if word.lower() in numbers:
        return _ROMAN[numbers.index(word.lower())]
    number = _NUMBER.fullmatch(word) if word[-1:].isdigit() else None
    if number is None or not 0 < int(number[2]) <= len(_ROMAN):
        return None
    return number[1] + _ROMAN[int(number[2]) - 1]


def _words_for(word: str, language: str, alone: bool, last: bool) -> Iterator[str]:
    """What may be meant by a word: a Roman number, a genitive or plural, another spelling.

    ``alone``: whether nothing stands beside it. Nobody means VI by "six" then, and still less Vi. ``last``:
    whether nothing stands behind it, of which it might be the genitive.
    """
    if (roman := _roman(word, language)) and not (alone and word.isalpha()):
        yield roman
    if len(word) > 2 and word[-2:] in ("'s", "’s"):
        yield f"{word[:-2]}s"
    elif len(word) >= _LONG and word.endswith("s") and word.isalpha():
        yield f"{word[:-1]}'s"
        if not last:
            yield f"{word}'"
    yield from spelt_abroad(word, language)
    short = _SHORT_FOR.get(language, {})
    if word.lower() in short:
        yield short[word.lower()]
