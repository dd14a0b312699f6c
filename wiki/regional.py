"""Words as Britain spells them and as America does: "colour" and "color", "grey" and "gray"."""

from __future__ import annotations

from collections.abc import Iterator

_LONG = 5
"""Letters of a word whose end may be spelt otherwise: "for" is not "four"."""

_SPELT = {
    "en": (
        *(("our", "or"), ("re", "er"), ("ogue", "og"), ("ence", "ense")),
        *(("ise", "ize"), ("isation", "ization"), ("yse", "yze")),
        *(("inium", "inum"), ("ellery", "elry")),
    )
}
"""How words end in Britain and in America, by the language of the wiki."""

_WORDS = {
    "en": (
        *(("grey", "gray"), ("plough", "plow"), ("mould", "mold"), ("moustache", "mustache")),
        *(("pyjamas", "pajamas"), ("sceptic", "skeptic"), ("sceptical", "skeptical")),
        *(("scepticism", "skepticism"), ("sulphur", "sulfur"), ("tyre", "tire"), ("doughnut", "donut")),
    )
}
"""Other words that are spelt otherwise, by the language of the wiki."""

_DIGRAPHS = {"en": (("ae", "e"), ("oe", "e"))}
"""Vowels of Greek words as Britain writes them, and as America does, by the language of the wiki."""

_SPELT_ENDINGS = {
    language: tuple(ending for pair in pairs for ending in pair) for language, pairs in _SPELT.items()
}

_OTHER_WORDS = {
    language: {one: other for pair in pairs for one, other in (pair, pair[::-1])}
    for language, pairs in _WORDS.items()
}


def spelt_abroad(word: str, language: str) -> Iterator[str]:
    """How else a word may be spelt, if it is in Britain or in America.

    >>> [list(spelt_abroad(word, "en")) for word in ("Colour", "grey", "Paleolithic", "four", "Oestrogen")]
    [['Color'], ['gray'], [], [], ['Estrogen']]
    >>> list(spelt_abroad("colour", "de"))
    []
    """
    other = _OTHER_WORDS.get(language, {}).get(word.lower())
    if other is not None and (word.islower() or word.istitle()):
        yield other.capitalize() if word.istitle() else other
    if len(word) < _LONG:
        return
    if word.endswith(_SPELT_ENDINGS.get(language, ())):
        for pair in _SPELT[language]:
            for ending, instead in (pair, pair[::-1]):
                if word.endswith(ending):
                    yield word[: -len(ending)] + instead
    for two, one in _DIGRAPHS.get(language, ()):
        spelt = word.replace(two, one).replace(two.capitalize(), one.capitalize())
        if spelt != word:
            yield spelt


def titles_abroad(title: str, language: str) -> Iterator[str]:
    """A title with one word as the other country spells it.

    >>> list(titles_abroad("Human skin colour", "en")), list(titles_abroad("Grey wolf", "en"))
    (['Human skin color'], ['Gray wolf'])
    """
    words = title.split(" ")
    for place, word in enumerate(words):
        for other in spelt_abroad(word, language):
            yield " ".join([*words[:place], other, *words[place + 1 :]])
