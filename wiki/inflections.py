"""Inflections: the plural of a noun, and the noun without its article, by the rules of its language.

Those of English are known.

The rules are those of any grammar (Quirk et al. 1985, sections 5.73 to 5.103), without the nouns that stay as
they are. A library that knows more words was looked at: docs/aliases.md says why it is not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

Inflection = Callable[[str], str | None]
"""Another form of a noun; None where it has none."""

_IRREGULAR = {
    **{"man": "men", "woman": "women", "child": "children", "person": "people", "ox": "oxen"},
    **{"foot": "feet", "goose": "geese", "tooth": "teeth", "mouse": "mice", "louse": "lice", "die": "dice"},
    **{"calf": "calves", "elf": "elves", "half": "halves", "hoof": "hooves", "knife": "knives"},
    **{"leaf": "leaves", "life": "lives", "loaf": "loaves", "self": "selves", "sheaf": "sheaves"},
    **{
        "shelf": "shelves",
        "thief": "thieves",
        "wife": "wives",
        "wolf": "wolves",
        "scarf": "scarves",
        "wharf": "wharves",
    },
    **{"echo": "echoes", "hero": "heroes", "potato": "potatoes", "tomato": "tomatoes", "veto": "vetoes"},
    **{"torpedo": "torpedoes", "volcano": "volcanoes", "mosquito": "mosquitoes", "mango": "mangoes"},
    **{"criterion": "criteria", "phenomenon": "phenomena", "automaton": "automata", "taxon": "taxa"},
    **{
        "alga": "algae",
        "larva": "larvae",
        "vertebra": "vertebrae",
        "nebula": "nebulae",
        "antenna": "antennae",
    },
    **{"bacterium": "bacteria", "medium": "media", "datum": "data", "ovum": "ova", "stratum": "strata"},
    **{"fungus": "fungi", "nucleus": "nuclei", "radius": "radii", "stimulus": "stimuli", "alumnus": "alumni"},
    **{"cactus": "cacti", "bacillus": "bacilli", "genus": "genera", "corpus": "corpora", "quiz": "quizzes"},
    **{"gas": "gases", "lens": "lenses", "iris": "irises", "atlas": "atlases", "canvas": "canvases"},
    **{"alias": "aliases", "bias": "biases", "pancreas": "pancreases"},
    **{"index": "indices", "matrix": "matrices", "vertex": "vertices", "appendix": "appendices"},
}

_SINGULARS_OF_IRREGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}

_SAME = frozenset(
    [
        "aircraft",
        "deer",
        "fish",
        "moose",
        "offspring",
        "salmon",
        "series",
        "sheep",
        "shrimp",
        "species",
        "swine",
        "trout",
    ]
)
"""Nouns whose plural is written as they are."""

_OF_THEIR_OWN = frozenset(["arms", "customs", "glasses", "goods", "jeans", "manners", "means", "spirits"])
"""Nouns in the plural that are not several of what their singular means (5.75, 5.77)."""

_GREEK = (("yses", "ysis"), ("theses", "thesis"), ("crises", "crisis"))

_COMPOUND = re.compile(r"(.+?)((?:-| )(?:of|in|at|de|for|to)(?:-| ).+)")
"""A noun and what follows it: "Right of way" has "Rights of way" for a plural."""

_OF_E = re.compile(r"(?:[aeio]|[ao]u|n|r)ses$|[^tz]zes$")
"""Ends of plurals that are mostly of nouns in -e: noses, houses, senses, sizes; but buses, waltzes."""

_OF_O = re.compile(r"(.+[^\W\d_aeiou]o)(?:e?s)")
"""The plural of a noun in -o after a consonant: potatoes, pianos."""

_LONG_IN_O = 5
"""Letters that such a plural has more of: what is as short, as "goes" and "toes", may be something else."""

_OF_OE = ("shoes", "canoes", "tiptoes", "mistletoes", "throes")
"""What ends like such a plural and is none."""

_WITH_ES = re.compile(r"(?:s|x|z|ch|sh)$")
_WITH_IES = re.compile(r"(?:[^aeiou]|qu)y$")


_KEPT = 4096
"""Words whose inflections are kept: an unknown name is looked up in many spellings that end alike."""


def english_plural(name: str) -> str | None:
    """The plural of an English noun or noun phrase; None where it is written as the singular, or has none.

    The last word is inflected, of "right of way" the one before the preposition.

    >>> [english_plural(name) for name in ("Cat", "wolf", "Right of way", "Battery", "Sheep", "Jeans")]
    ['Cats', 'wolves', 'Rights of way', 'Batteries', None, None]
    """
    compound = _COMPOUND.fullmatch(name)
    if compound is not None:
        head = english_plural(compound[1])
        return None if head is None else head + compound[2]
    begins = max(name.rfind(" "), name.rfind("-")) + 1
    before, word = name[:begins], name[begins:]
    plural = _plural_of_word(word) if word.isalpha() and len(word) > 1 else None
    return None if plural is None else before + plural


@lru_cache(maxsize=_KEPT)
def _plural_of_word(word: str) -> str | None:
    lower = word.lower()
    if lower in _SAME or lower in _OF_THEIR_OWN or lower.endswith("ics") or lower in _IRREGULAR:
        return word[0] + _IRREGULAR[lower][1:] if lower in _IRREGULAR else None
    if lower.endswith(("woman", "man")) and not lower.endswith(
        ("human", "german", "roman", "ottoman", "shaman")
    ):
        return word[:-2] + "en"
    if lower.endswith("sis"):
        return word[:-2] + "es"
    if _WITH_ES.search(lower):
        return word + "es"
    if _WITH_IES.search(lower):
        return word[:-1] + "ies"
    return word + "s"


def english_singular(name: str) -> str | None:
    """The noun whose regular plural ``name`` is; None where the end of it is that of no plural.

    Whether it is a plural at all must be known: no rule tells that "Physics" is none. "Glasses" is none of
    glass, the material.

    >>> [english_singular(name) for name in ("Vikings", "Galaxies", "Lords of the sea", "Wolves", "Glass")]
    ['Viking', 'Galaxy', 'Lord of the sea', 'Wolf', None]
    >>> [english_singular(name) for name in ("noses", "buses", "churches", "horses", "prizes", "classes")]
    ['nose', 'bus', 'church', 'horse', 'prize', 'class']
    >>> [english_singular(name) for name in ("tomatos", "Tornadoes", "mangos", "horseshoes", "Glasses")]
    ['tomato', 'Tornado', 'mango', 'horseshoe', None]
    >>> [english_singular(name) for name in ("PCs", "CDs", "Is", "as", "US")]
    ['PC', 'CD', None, None, None]
    """
    compound = _COMPOUND.fullmatch(name)
    if compound is not None:
        head = english_singular(compound[1])
        return None if head is None else head + compound[2]
    begins = max(name.rfind(" "), name.rfind("-")) + 1
    singular = _singular_of_word(name[begins:])
    return None if singular is None else name[:begins] + singular


@lru_cache(maxsize=_KEPT)
def _singular_of_word(word: str) -> str | None:
    if word.lower() in _OF_THEIR_OWN:
        return None
    # Nouns in -o have -os and -oes alike, and few are known to have one alone: "tomatos", "tornadoes".
    if len(word) > _LONG_IN_O and (found := _OF_O.fullmatch(word)) and not word.endswith(_OF_OE):
        return found[1]
    # Of two letters, an abbreviation alone has a plural that is told by its "s".
    possible = (each for each in _possible_singulars(word) if len(each) > 2 or each.isupper())
    return next((each for each in possible if english_plural(each) == word), None)


def _possible_singulars(word: str) -> list[str]:
    singular = _SINGULARS_OF_IRREGULAR.get(word[:1].lower() + word[1:])
    singulars = [] if singular is None else [word[0] + singular[1:]]
    regular = [("s", ""), ("es", "")] if _OF_E.search(word.lower()) else [("es", ""), ("s", "")]
    for ending, instead in (*_GREEK, ("ies", "y"), *regular, ("men", "man")):
        if word.endswith(ending):
            singulars.append(word[: -len(ending)] + instead)
    return singulars


def english_bare(noun: str) -> str | None:
    """A noun without the definite article that it begins with; None where it begins with none.

    >>> english_bare("The Netherlands"), english_bare("the sun"), english_bare("Theory"), english_bare("The")
    ('Netherlands', 'sun', None, None)
    """
    article, _, bare = noun.partition(" ")
    return bare.strip() or None if article in ("the", "The", "THE") else None


PLURALS: dict[str, Inflection] = {"en": english_plural}
SINGULARS: dict[str, Inflection] = {"en": english_singular}
BARE: dict[str, Inflection] = {"en": english_bare}
"""The rules by the language of the wiki. Of other languages none are known, and nothing is inflected."""


def inflections_of(language: str) -> tuple[Inflection, ...]:
    """Both, of a language whose rules are known; none of another."""
    return tuple(known[language] for known in (PLURALS, SINGULARS) if language in known)
