"""Doubts: what stands around a mention, and the longer names that it is a part of."""

from __future__ import annotations

import math
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import marisa_trie
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from snapshots.annotator.doubting.cases import Cases
from snapshots.annotator.doubting.doubts import (
    COMMON,
    EVIDENCE,
    INTERCEPT,
    UNKNOWN,
    WEIGHTS,
    DoubtedSense,
    Doubts,
)
from snapshots.annotator.doubting.first_names import FirstNames
from snapshots.annotator.doubting.longer_names import LongerNames
from snapshots.annotator.doubting.namesakes import KnownNamesakes, Namesakes
from snapshots.annotator.doubting.rare_abbreviations import RareAbbreviations
from snapshots.annotator.doubting.surnames import Surnames
from snapshots.annotator.doubting.surroundings import ACROSS, FADING, RAREST, REACH, TextSurroundings
from snapshots.annotator.doubting.title_pairs import TitlePairs
from snapshots.annotator.doubting.word_forms import WordForms
from snapshots.annotator.names.known_names import KnownNames
from snapshots.csr import CSR
from snapshots.errors import DamagedSnapshot
from snapshots.naming.aliases import Aliases
from snapshots.naming.names import ARTICLE, RECORD, Names
from snapshots.naming.word_counts import WordCounts
from snapshots.strings import StringTable
from snapshots.text import words
from tests.support.csr import csr_of_mappings

WORDS = ("apple", "tree", "phone", "fruit", "screen", "the", "rare")
VECTORS = np.array([[1, 0, 0], [0.6, 0.8, 0], [0, 0, 1], [0, 1, 0], [0, 0.6, 0.8]], np.float32)
COUNTS = np.array([50, 40, 30, 20, 10, 1000, 1])
FRUIT, COMPANY, BARE, ODD = range(4)
TFIDF: list[dict[int, float]] = [{1: 0.8, 3: 0.6}, {2: 0.9, 4: 0.4, 6: 0.2}, {}, {0: 1.0, 6: 0.5}]


def surroundings(cut: bool = False) -> TextSurroundings:
    return TextSurroundings(
        csr_of_mappings(TFIDF, len(WORDS)),
        marisa_trie.RecordTrie("<I", [(word, (number,)) for number, word in enumerate(WORDS)]),
        VECTORS,
        COUNTS,
        1000,
        frozenset(["the"]),
        cut,
    )


def unit(vector: NDArray[Any]) -> NDArray[np.float64]:
    length = math.hypot(*vector)
    return np.asarray(vector / length if length else vector, np.float64)


def slow_directions() -> list[NDArray[np.float64]]:
    """Those of the four concepts, by loops."""
    sums = [
        unit(sum((weight * VECTORS[word] for word, weight in row.items() if word < 5), np.zeros(3)))
        for row in TFIDF
    ]
    common = sum(sums, np.zeros(3)) / len(sums)
    return [unit(each - common) for each in sums]


def slow_vector(word: str, cut: bool) -> NDArray[np.float64] | None:
    if word == "the" or word not in WORDS:
        return None
    number = WORDS.index(word)
    if number < len(VECTORS):
        return np.asarray(VECTORS[number], np.float64)
    if not cut:
        return None
    directions = slow_directions()
    total = np.zeros(3)
    for row, direction in zip(TFIDF, directions, strict=True):
        total += row.get(number, 0) * direction
    return unit(total)


def slow_around(text: str, start: int, end: int, cut: bool) -> NDArray[np.float64]:
    """The direction around a span, word by word."""
    own, total = words(text[start:end]), np.zeros(3)
    for step, beside in ((-1, text[:start]), (1, text[end:])):
        same, distance = 1.0, 0
        for part in re.findall(r"\w+|[.!?](?=\s)", beside)[::step]:
            if not part.isalnum():
                same = ACROSS
                continue
            word = part.lower()
            vector = slow_vector(word, cut) if distance < REACH else None
            if vector is not None and word not in own:
                rarity = min(RAREST, max(0.0, math.log(1000 / COUNTS[WORDS.index(word)])))
                total += same * math.exp(-distance / FADING) * rarity * vector
            distance += 1
    return unit(total)


def test_concepts_point_where_their_words_do() -> None:
    np.testing.assert_allclose(surroundings().of_concepts([0, 1, 2, 3]), slow_directions(), atol=1e-6)
    again = surroundings()
    once = again.of_concepts([COMPANY, FRUIT, COMPANY])
    assert (again.of_concepts([FRUIT]) == once[1:2]).all()  # remembered as it was found
    assert again.of_concepts([]).shape == (0, 3)


@given(
    st.lists(st.sampled_from([*WORDS, "unknown", "Apple,", "tree.", "Screen!"]), min_size=1, max_size=80),
    st.data(),
    st.booleans(),
)
def test_what_stands_around_is_summed_as_loops_do(text: list[str], data: Any, cut: bool) -> None:
    starts = np.cumsum([0, *(len(word) + 1 for word in text)])
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first, len(text) - 1))
    joined = " ".join(text)
    spans = [
        (int(starts[place]), int(starts[place]) + len(text[place].rstrip(",.!"))) for place in (first, last)
    ]
    spans = list(dict.fromkeys(spans))
    got = surroundings(cut).around([joined, "", joined], [spans, [], spans])
    expected = [slow_around(joined, *span, cut) for span in spans]
    np.testing.assert_allclose(got, [*expected, *expected], atol=1e-5)


def test_a_word_without_a_vector_is_as_the_articles_that_have_it() -> None:
    assert not surroundings().around(["rare apple"], [[(5, 10)]]).any()
    assert surroundings(cut=True).around(["rare apple"], [[(5, 10)]]).any()


def test_a_number_that_no_word_has_is_damage() -> None:
    damaged = surroundings()
    damaged._numbers = marisa_trie.RecordTrie("<I", [("wrong", (99,))])
    with pytest.raises(DamagedSnapshot):
        damaged.around(["apple wrong"], [[(0, 5)]])


def chosen(text: str, word: str, concept: int) -> DoubtedSense:
    start = text.index(word)
    return DoubtedSense(0, start, start + len(word), concept, 1.0, 1.0, 0.0)


def doubts() -> Doubts:
    silent = SimpleNamespace(
        small_name=lambda *_: 0.0,
        great_noun=lambda *_: False,
        is_noun=lambda one: one == 1,
        lacks_capital=lambda *_: False,
        is_other_word=lambda *_: False,
        is_name=lambda *_: False,
        ends_a_name=lambda *_: False,
        leads_a_name=lambda text, *_: text.startswith("Tree Phone"),
    )
    direction = surroundings().of_concepts([COMPANY])
    known = KnownNamesakes(np.array([COMPANY]), np.array([9.0]), direction, np.array([False]))
    sizes = CSR(np.arange(5), np.zeros(4, np.int32), None, 4)
    of_apple = Namesakes(cast(Names, None), StringTable.of([]), sizes, surroundings(), "en", ())
    of_apple.of_words = lambda mentions: dict.fromkeys(mentions, known)  # type: ignore[method-assign]
    silent_surnames = SimpleNamespace(
        are_anothers=lambda _, chosen: [False] * len(chosen),
        names_a_thing=lambda *_: False,
        names=SimpleNamespace(is_surname_of=lambda written, concept: written == "Tree" and concept < BARE),
    )
    silent_names = SimpleNamespace(
        has=lambda *_: False, is_one_of_many=lambda *_: False, is_one_of_several=lambda *_: False
    )
    return Doubts(
        surroundings(),
        cast(Cases, silent),
        of_apple,
        longer_names(),
        cast(Surnames, silent_surnames),
        cast(FirstNames, silent_names),
        TitlePairs(cast(Names, NamesOfApples), StringTable.of(TITLES_OF_APPLES), counted()),
        RareAbbreviations(Aliases.none(), sizes),
        WordForms(counted(), "en"),
        "en",
    )


TITLES_OF_APPLES = ["Apple", "Apple Inc.", "The Rare Apple Tree Company", "Old apple tree"]


class NamesOfApples:
    """As the file of names has them: of any two words, the same concepts."""

    @staticmethod
    def most_linked_with_both(pairs: list[tuple[str, str]], walked: int, limit: int) -> list[list[int]]:
        return [[0, 2, 3] for _ in pairs]


def counted() -> WordCounts:
    words = marisa_trie.RecordTrie("<I", [(word, (number,)) for number, word in enumerate(WORDS)])
    return WordCounts(words, COUNTS, frozenset(["the"]), total=30 * 10_000)


def longer_names() -> LongerNames:
    """Of a wiki in which apples are known, and Joshua, and words of which "phone" and "rare" are rarest."""
    leading = marisa_trie.RecordTrie(RECORD, [("Apple", (ARTICLE, 0)), ("Joshua", (ARTICLE, 3))])
    titles = StringTable.of(["Apple", "Apple Inc.", "Joshua Tree", "Joshua"])
    return LongerNames(KnownNames(titles, leading, Aliases.none(), counted()))


@pytest.mark.parametrize(
    ("text", "is_part"),
    [
        ("Then Joshua Wong spoke.", True),  # no word of the wiki
        ("Then Joshua Wong's friend spoke.", True),
        ("He met Kayla Joshua there.", True),
        ("From Joshua-Gardon to", False),  # two names
        ("Then Joshua Saint-Gardon spoke.", True),  # joined words that are no name together
        ("He met Saint-Gardon Joshua there.", True),
        ("Then Joshua Gardon-like spoke.", False),  # not all with a capital
        ("Joshua Apple-Tree spoke.", False),  # one in the concept's title
        ("Joshua Rare spoke.", True),  # a word that is rare
        ("Joshua Tree is a park.", False),  # in the concept's title
        ("Joshua Phone spoke.", False),  # in one of 10,000 sentences
        ("Kayla Joshua spoke.", False),  # its capital is the sentence's
        ("He ate. Yesterday Joshua spoke.", False),
        ("He met Apple Joshua there.", False),  # known by itself
        ("He met Kayla's Joshua there.", False),
        ("In WWF Joshua spoke to IBM.", False),
        ("Before The Joshua spoke.", False),
        ("He met Kayla, Joshua and Gardon.", False),
        ("He met joshua Wong.", False),
        ("Joshua", False),
    ],
)
def test_a_word_of_a_longer_name_is_no_mention(text: str, is_part: bool) -> None:
    start = text.lower().index("joshua")
    assert longer_names().has(text, start, start + 6, 2) is is_part
    sense = DoubtedSense(0, start, start + 6, 2, 1.0, 1.0, 1.0)
    assert doubts().is_part([text], sense, UNKNOWN) is is_part
    if is_part:
        assert doubts().likely([text], [sense], []).tolist() == [False]


def test_a_noun_in_a_longer_name_is_one() -> None:
    text = "In the Joshua Gardon theorem"
    noun, name = (DoubtedSense(0, 7, 13, concept, 1.0, 1.0, 1.0) for concept in (1, 2))
    assert [doubts().is_part([text], one, UNKNOWN) for one in (noun, name)] == [False, True]


@pytest.mark.parametrize(
    ("text", "concept", "is_part"),
    [
        ("They saw the Apple Tree fall.", 0, True),
        ("They saw the Rare Apple fall.", 0, True),
        ("They saw the Rare Apple fall.", 1, False),  # a noun that stands last is one
        ("They saw the Apple Tree fall.", 1, True),
        ("They saw the Apple Tree fall.", 2, False),  # in its own title
        ("They saw the apple tree fall.", 0, False),
        ("They saw the Apple tree fall.", 0, False),  # in no title just so
        ("They saw The Apple fall.", 0, False),
        ("They saw the Apple Phone fall.", 0, False),
        ("They saw the Apple's Tree fall.", 0, False),
    ],
)
def test_a_word_of_a_title_is_no_mention(text: str, concept: int, is_part: bool) -> None:
    start = text.lower().index("apple")
    sense = DoubtedSense(0, start, start + 5, concept, 1.0, 1.0, 1.0)
    assert doubts().within_titles([text], [sense], [0]) == ([0] if is_part else [])
    assert doubts().within_titles([text], [sense], []) == []


def test_pairs_of_titles_are_remembered() -> None:
    asked: list[tuple[str, str]] = []

    class Names:
        def most_linked_with_both(
            self, pairs: list[tuple[str, str]], walked: int, limit: int
        ) -> list[list[int]]:
            asked.extend(pairs)
            return [[2] for _ in pairs]

    pairs = TitlePairs(cast(Any, Names()), StringTable.of(TITLES_OF_APPLES), counted())
    wanted = {("Rare", "Apple"): frozenset([2]), ("Tree", "Rare"): frozenset[int]()}
    assert pairs.concepts(wanted) == wanted
    assert pairs.concepts(wanted) == wanted
    assert asked == [("rare", "apple"), ("rare", "tree")]  # the rarer word in front


def test_names_of_several_words_are_no_parts() -> None:
    assert not longer_names().has("He ate Joshua Trees Gardon.", 7, 19, 2)


def test_a_sense_that_a_namesake_outdoes_is_doubted() -> None:
    far, near = "An Apple phone has a screen.", "An Apple is a fruit of a tree."
    assert doubts().likely([far], [chosen(far, "Apple", FRUIT)], []).tolist() == [False]
    assert doubts().likely([near], [chosen(near, "Apple", FRUIT)], []).tolist() == [True]
    without, behind = "They saw Apple phone and screen.", "They saw the Apple phone and screen."
    assert doubts().likely([without], [chosen(without, "Apple", FRUIT)], []).tolist() == [False]
    # No company is called so with an article.
    assert doubts().likely([behind], [chosen(behind, "Apple", FRUIT)], []).tolist() == [True]


def test_a_context_stands_around_as_well() -> None:
    text = "An Apple!"
    assert doubts().likely([text], [chosen(text, "Apple", FRUIT)], []).tolist() == [True]  # nothing is known
    assert doubts().likely([text], [chosen(text, "Apple", FRUIT)], [COMPANY]).tolist() == [False]
    assert doubts().likely([text], [chosen(text, "Apple", FRUIT)], [FRUIT]).tolist() == [True]
    values, alone = doubts().evidence([text], [chosen(text, "Apple", FRUIT)], [])
    assert values[0, EVIDENCE.index("cosine with the surroundings")] == UNKNOWN
    assert alone.tolist() == [True]


def test_a_sense_beyond_the_rows_of_an_excerpt_is_not_doubted() -> None:
    text = "An Apple phone has a screen."
    assert doubts().likely([text], [chosen(text, "Apple", 99)], []).tolist() == [True]
    assert doubts().likely([], [], []).tolist() == []


def test_the_document_has_the_weights() -> None:
    document = (Path(__file__).parents[3] / "docs" / "annotator.md").read_text()
    weighed = re.findall(r"^\| [\w ]+ \| (−?\d\.\d\d) \|", document, re.MULTILINE)
    assert tuple(float(weight.replace("−", "-")) for weight in weighed) == tuple(WEIGHTS.values())
    assert f"The intercept is {INTERCEPT:.2f}.".replace("-", "−") in document


def test_evidence_has_the_sign_that_it_ought_to_have() -> None:
    assert [weight > 0 for weight in WEIGHTS.values()] == [True] * 4 + [False] * 4
    # What is always linked, to one concept alone, is taken where nothing speaks for it or against it.
    assert INTERCEPT + WEIGHTS["commonness"] + WEIGHTS["a single word"] > 0


def test_what_is_the_surname_of_others_or_of_a_thing_is_doubted() -> None:
    near = "An Apple is a fruit of a tree."
    doubting = doubts()
    for of_others, of_thing, likely in ((True, False, False), (False, True, False), (False, False, True)):
        doubting._surnames = cast(
            Surnames,
            SimpleNamespace(
                are_anothers=lambda *_, is_so=of_others: [is_so],
                names_a_thing=lambda *_, is_so=of_thing: is_so,
            ),
        )
        assert doubting.likely([near], [chosen(near, "Apple", FRUIT)], []).tolist() == [likely]


def test_an_office_that_the_article_is_not_about() -> None:
    about, others = (
        DoubtedSense(0, 8, 12, COMPANY, 1.0, 1.0, 1.0),
        DoubtedSense(0, 8, 12, FRUIT, 1.0, 1.0, 1.0),
    )
    doubting = doubts()
    text, words_of = "Justice Tree has a screen.", {COMPANY: "justice"}
    doubting._surroundings.is_about = (  # type: ignore[method-assign]
        lambda concept, word: words_of.get(concept) == word
    )
    assert [doubting.is_part([text], one, UNKNOWN) for one in (about, others)] == [False, True]
    assert not doubting.is_part(["General Tree has a screen."], others, UNKNOWN)
    assert not doubting.is_part(["justice Tree has a screen."], others, UNKNOWN)


def test_what_an_article_is_about() -> None:
    assert [surroundings().is_about(FRUIT, word) for word in ("fruit", "tree", "phone", "the", "none")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_common_word_far_from_its_surroundings() -> None:
    text, far = "A phone has an apple.", DoubtedSense(0, 2, 7, FRUIT, 0.3, 1.0, 1.0)
    assert doubts().is_part([text], far, -0.1)
    assert not doubts().is_part([text], far, 0.0)
    assert not doubts().is_part([text], far._replace(link_probability=COMMON), -0.1)
    assert not doubts().is_part([text.lower()], far, -0.1)  # where nothing has a capital
    assert not doubts().is_part([text.replace("phone", "Phone")], far, -0.1)
