"""How mentions are written: names in small letters, nouns with capitals, titles spelt their own way."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.doubting.cases import Cases
from snapshots.annotator.doubting.surroundings import TextSurroundings
from snapshots.annotator.doubting.word_forms import WordForms
from snapshots.annotator.names.spelt import Spelt, SpeltTitles
from snapshots.naming.aliases import Aliases
from snapshots.naming.names import ARTICLE, DISAMBIGUATION, RECORD
from snapshots.naming.word_counts import WordCounts
from snapshots.strings import StringTable

NOUNS = [f"Plain thing {number}" for number in range(60)]
NAMES = [f"Great Place {number}" for number in range(60)]
TITLES = ["Land", "Pot", "Cyborg (film)", "Steady State", "Hot air", "IMood", *NOUNS, *NAMES]
LAND, POT, CYBORG, STATE, AIR = range(5)


class Directions:
    """Names point one way and nouns the other; "Land" is of a kind with names, "Cyborg" lies between."""

    concepts = len(TITLES)

    def of_concepts(self, concepts: list[int]) -> NDArray[np.float64]:
        rng = np.random.default_rng(1)
        spread = rng.normal(0, 0.3, (len(TITLES), 2))
        sides = np.array([1.0, -1, 0, 1, -1, 0, *[-1.0] * len(NOUNS), *[1.0] * len(NAMES)])
        return (np.column_stack([sides, 0 * sides]) + spread * (np.arange(len(sides)) >= AIR)[:, None])[
            concepts
        ]


def forms(language: str = "en", /, **sentences: int) -> WordForms:
    """Of articles with so many sentences with each word."""
    words = marisa_trie.RecordTrie("<I", [(word, (row,)) for row, word in enumerate(sentences)])
    counts = np.array(list(sentences.values()), np.int64)
    return WordForms(WordCounts(words, counts, frozenset(["the"])), language)


def cases(**sentences: int) -> Cases:
    aliases = SimpleNamespace(
        named=lambda name: (
            [SimpleNamespace(concept=POT, kinds=("inflected",))]
            if name.lower() == "pots"
            else [SimpleNamespace(concept=STATE, kinds=("surname", "inflected"))]
            if name.lower() in ("bush", "bushs")
            else []
        )
    )
    return Cases(
        StringTable.of(TITLES),
        cast(Aliases, aliases),
        cast(TextSurroundings, Directions()),
        frozenset(["the"]),
        (lambda name: name + "s",),
        forms(**sentences),
        language="en",
    )


def small(text: str, word: str, concept: int) -> float:
    start = text.index(word)
    return cases().small_name(text, start, start + len(word), concept)


def is_name(text: str, word: str, concept: int) -> bool:
    start = text.index(word)
    return cases().is_name(text, start, start + len(word), concept)


def great(text: str, word: str, concept: int) -> bool:
    start = text.index(word)
    return cases().great_noun(text, start, start + len(word), concept)


def test_a_name_in_small_letters() -> None:
    assert small("They went to the land of the free.", "land", LAND) == 1
    assert small("They put it into the pot with care.", "pot", POT) == 0
    assert small("There was a steady state by then.", "steady state", STATE) == 1
    assert small("There was hot air in it.", "hot air", AIR) == 0
    assert small("They went to the Land of the free.", "Land", LAND) == 0
    assert small("they went to the land of the free.", "land", LAND) == 0  # without any capital
    assert small("In 1950 there was a land.", "1950", LAND) == 0


def test_what_always_has_a_capital() -> None:
    always = Cases(
        StringTable.of(TITLES),
        Aliases.none(),
        cast(TextSurroundings, Directions()),
        frozenset(),
        (),
        forms(),
        frozenset(["Land"]),
    )

    def lacks(text: str, concept: int = LAND) -> bool:
        return always.lacks_capital(text, (start := text.index("land")), start + 4, concept)

    assert lacks("They land in the city.")
    assert not lacks("They land in the city.", POT)
    assert not lacks("they land in the city.")  # without any capital
    assert not any(map(lacks, ("On 3 land.", "On 3rd land.", "On the 3rd of land.", "In land, 1950.")))
    land = "They Land in the city."
    assert not always.lacks_capital(land, 5, 9, LAND)
    assert not cases().lacks_capital("They land in the city.", 5, 9, LAND)


def is_other(known: Cases, text: str, word: str = "land", concept: int = LAND, cosine: float = 0.5) -> bool:
    start = text.index(word)
    return known.is_other_word(text, start, start + len(word), concept, cosine)


def test_a_word_that_has_forms_of_its_own_is_no_name_in_small_letters() -> None:
    known = cases(land=100, landing=3)
    assert is_other(known, "They land in the city.")
    assert is_other(known, "they land in the city")
    assert is_other(known, "they had to land")
    assert not is_other(known, "They Land in the city.", "Land")
    assert not is_other(known, "land")  # and nothing else
    assert not is_other(known, "a weekend in land")
    assert not is_other(known, "it was in land, i think")
    assert is_other(known, "it was in land reform")
    assert not is_other(known, "they met on land 3, or so")
    assert not is_other(known, "put it into the pot", "pot", POT)
    assert not is_other(cases(land=100, landing=2), "They land in the city.")
    assert is_other(cases(land=100, landly=3), "they went the land way")
    assert not is_other(cases(land=100, landly=3), "they went to land")


def test_a_noun_may_be_what_the_title_has() -> None:
    assert not is_other(cases(land=100, landing=3, lands=10), "They land in the city.")
    noun = cases(land=100, lands=2)
    assert is_other(noun, "they like land and beer", cosine=0.05)
    assert not is_other(noun, "they like land and beer", cosine=0.15)
    assert not is_other(noun, "They like land and beer", cosine=0.05)  # with capitals, another rule tells
    assert not is_other(cases(land=100, lands=1), "they like land and beer", cosine=0.05)


def test_forms_of_words_are_known_by_language() -> None:
    counts: dict[str, int] = {
        "nice": 100,
        "nicely": 3,
        "leaf": 10,
        "leave": 10,
        "leaving": 5,
        "ship": 10,
        "shipped": 5,
    }
    assert forms("en", **counts).is_own_word("nice")
    assert not forms("de", **counts).is_own_word("nice")
    assert not forms("en", **counts).is_own_word("unknown")
    assert forms("en", **counts).is_verbal("leaves")
    assert forms("en", **counts).is_verbal("ships")
    assert not forms("en", **counts).is_verbal("leaf")
    assert not forms("de", **counts).is_verbal("leaves")
    assert forms(happy=100, happily=3).is_own_word("happy")
    assert not forms("de", happy=100, happies=50).is_counted("happy")


def test_a_noun_with_capitals() -> None:
    assert great("They liked what Pot showed them all.", "Pot", POT)
    assert not great("They liked what pot showed them all.", "pot", POT)
    assert not great("Pot showed them all that there was.", "Pot", POT)
    assert not great("They liked that. Pot showed them all.", "Pot", POT)
    assert not great("They liked what POT showed them all.", "POT", POT)
    assert not great("What They Liked That Pot Showed Them", "Pot", POT)
    assert not great("They liked what Land showed them all.", "Land", LAND)
    assert great("They liked some Hot Air that there was.", "Hot Air", AIR)
    assert not great("They liked some hot air that there was.", "hot air", AIR)


def test_where_few_titles_tell_nothing_is_a_name_of_its_own() -> None:
    few = Cases(
        StringTable.of(TITLES[:6]),
        Aliases.none(),
        cast(TextSurroundings, Directions()),
        frozenset(),
        (),
        forms(),
    )
    assert few.small_name("To the land!", 7, 11, LAND) == 0
    assert few.small_name("A steady state.", 2, 14, STATE) == 1


def test_titles_that_are_spelt_their_own_way() -> None:
    records = [
        ("IPhone", (ARTICLE, 3)),
        ("NeXT", (ARTICLE, 4)),
        ("SIC", (ARTICLE, 5)),
        ("EBay", (DISAMBIGUATION, -1)),
    ]
    titles = SpeltTitles(marisa_trie.RecordTrie(RECORD, records))
    assert list(titles.found("An iPhone, an iphone, NeXT, SIC, eBay and xiPhone.")) == [
        Spelt(3, 9, 3),
        Spelt(22, 26, 4),
    ]


def test_a_plural_with_a_capital_is_a_name() -> None:
    assert is_name("They saw the Pots play their game.", "Pots", POT)
    assert is_name("They saw Pots lose against York, Maine and Texas.", "Pots", POT)
    assert not is_name("They saw the pots there, under them.", "pots", POT)
    assert not is_name("Pots were there, under them.", "Pots", POT)  # which begins a sentence
    assert not is_name("They saw the Pot there, under them.", "Pot", POT)
    assert not is_name("They saw the Great Pots there, under them.", "Pots", POT)  # pots of some kind
    assert not is_name("They Saw the Pots Play Their Game.", "Pots", POT)
    assert not is_name("they saw the POTS there, under them.", "POTS", POT)
    assert not is_name("They saw the Lands there, under them.", "Lands", LAND)  # a name itself
    assert not is_name("They saw the Pots there, under them.", "Pots", LAND)


def leads(text: str, concept: int = POT) -> bool:
    start = text.index("Pot")
    return cases().leads_a_name(text, start, start + 3, concept)


def test_the_first_noun_of_a_name_of_two() -> None:
    assert leads("Pot Pot is a place where they live.")
    assert leads("They went through Pot Pot last summer.")
    assert not leads("Pot pot is a place where they live.")
    assert not leads("Pot is a place where they live.")
    assert not leads("Pot Land is a place where they live.")  # no noun behind
    assert not leads("Pot Pot 174 is a thing that they have.")  # one of many pots
    assert not leads("Pot Bush is somebody whom they know.")  # a surname behind
    assert not leads("Pot Pot, Great Place, Other Place")  # where all have capitals
    assert not leads("Pot Pot is a place where they live.", LAND)
