"""The features that need a text encoder: against cosines by hand, encoded once, absent without one."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from building.excerpt import ExcerptSettings, write_excerpt
from encoders.encoder import open_encoder
from features.senses.lru import ENTRY
from features.terms.catalogue import (
    ENCODED_FEATURES,
    EVERY_TERM_FEATURE,
    TERM_FEATURE_NAMES,
    TERM_FEATURES,
    term_features,
)
from features.terms.encoded import EncodedTexts
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Floats
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.support.encoders import write_encoder
from tests.support.plus import LetterEncoder, letters
from tests.wikis.sense_wiki import build_senses

PAIRS = [
    TermPair("jaguar", "leopard forest"),
    TermPair("engine road", "jaguar"),
    TermPair("jaguar", "jaguars", None, "a cat", "cars of a brand"),
    TermPair("", "road"),
]


TEXT, CROSS = (len(TERM_FEATURES) + place for place in range(2))
"""The columns of the two."""


@pytest.fixture(scope="module")
def encoded(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A snapshot with vectors of titles and beginnings; beside it, the encoder that they are by."""
    folder = tmp_path_factory.mktemp("leads")
    write_encoder(folder / "encoder")
    return build_senses(folder, folder / "encoder")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return build_senses(tmp_path_factory.mktemp("encoded"))


class FirstWordEncoder(LetterEncoder):
    """Counts the letters of a text's first word twice, and so reads which one that is."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return super().encode([f"{text.split()[0]} {text}" for text in texts])


def opened(snapshot: Snapshot, encoder: LetterEncoder | None) -> TermExtractor:
    return TermExtractor.open(snapshot, Resolver.open(snapshot), encoder)


def by_hand(left: str, right: str) -> float:
    """The cosine of two texts as the letter encoder has them."""
    return cosine(unit(letters(left)), unit(letters(right)))


def in_wordings(left: str, right: str) -> float:
    """The same, where a text of one or two words has the mean of it and of "the meaning of" it."""
    means = []
    for text in (left, right):
        is_short = 0 < len(text.split()) <= 2
        shown = [text, f"the meaning of {text}"] if is_short else [text]
        means.append([sum(parts) for parts in zip(*(unit(letters(each)) for each in shown), strict=True)])
    return cosine(*map(unit, means))


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def unit(vector: Sequence[float]) -> list[float]:
    length = sqrt(sum(x * x for x in vector))
    return [x / length if length else 0.0 for x in vector]


def test_it_is_the_cosine_of_what_is_encoded(snapshot: Snapshot) -> None:
    values = opened(snapshot, LetterEncoder()).extract(PAIRS)
    assert values.shape == (len(PAIRS), len(EVERY_TERM_FEATURE))
    texts = [
        ("jaguar", "leopard forest"),
        ("engine road", "jaguar"),
        ("jaguar. a cat", "jaguars. cars of a brand"),
        ("", "road"),
    ]
    expected = [in_wordings(*of_pair) for of_pair in texts]
    np.testing.assert_allclose(values[:, TEXT], expected, atol=1e-6)
    assert len(set(expected)) == len(expected)
    np.testing.assert_array_equal(values[:, CROSS], values[:, TEXT], "no article's beginning is known")


def test_the_beginning_of_the_article_that_a_side_names_is_read_besides(encoded: Snapshot) -> None:
    encoder = open_encoder(encoded.folder.parent / "encoder")
    assert opened(encoded, LetterEncoder()).extract(PAIRS)[:, CROSS].tolist() == (
        opened(encoded, LetterEncoder()).extract(PAIRS)[:, TEXT].tolist()
    ), "the beginnings are by another encoder"
    pairs = [
        TermPair("leopard", "a big cat"),
        TermPair("a big cat", "road"),
        TermPair("Forest", "leopard"),
        TermPair("leopard", "a big cat", None, "spotted"),
        TermPair("a big cat", "a dog"),
    ]
    values = TermExtractor.open(encoded, Resolver.open(encoded), encoder).extract(pairs)
    leads = encoded.scaled("lead_vectors")
    titles = [encoded.concept_titles[row] for row in range(encoded.concepts)]

    def text(words: str) -> Floats:
        shown = [words] if len(words.split()) > 2 else [words, f"the meaning of {words}"]
        mean = np.mean(encoder.encode(shown), axis=0, dtype=np.float64)
        return np.asarray(mean / np.linalg.norm(mean))

    def lead(title: str) -> Floats:
        return np.asarray(leads.rows(np.array([titles.index(title)])).floats()[0], np.float64)

    cat, leopard = text("a big cat"), text("leopard")
    expected = [
        (leopard @ cat + lead("Leopard") @ cat) / 2,
        (cat @ text("road") + cat @ lead("Road")) / 2,
        (text("Forest") @ lead("Leopard") + lead("Forest") @ leopard) / 2,
        text("leopard. spotted") @ cat,
        cat @ text("a dog"),
    ]
    np.testing.assert_allclose(values[:, CROSS], expected, atol=1e-6)
    assert (np.abs(values[:3, CROSS] - values[:3, TEXT]) > 1e-4).all()


def test_the_concept_is_told_whose_article_is_read(encoded: Snapshot) -> None:
    encoder = open_encoder(encoded.folder.parent / "encoder")
    read = TermExtractor.open(encoded, Resolver.open(encoded), encoder)
    leopard, none = read.senses(TermPair("leopard", "a dog"))
    assert leopard is not None
    assert (leopard.title, leopard.whole, none) == ("Leopard", True, None)
    assert read.senses(TermPair("a dog", "leopard")) == (None, leopard)
    # Nothing of it is read where it is described, without an encoder, or by another than that of beginnings.
    assert read.senses(TermPair("leopard", "a dog", None, "spotted")) == (None, None)
    for other in (None, LetterEncoder()):
        assert opened(encoded, other).senses(TermPair("leopard", "a dog")) == (None, None)


def test_what_is_read_of_beginnings_is_the_same_cut_and_rests_on_the_pair_alone(
    encoded: Snapshot, tmp_path: Path
) -> None:
    encoder = open_encoder(encoded.folder.parent / "encoder")
    smaller = write_excerpt(
        encoded, tmp_path / "cut", np.arange(encoded.concepts), ExcerptSettings(encoder_dimensions=6)
    )
    whole, cut = (
        TermExtractor.open(snapshot, Resolver.open(snapshot), encoder) for snapshot in (encoded, smaller)
    )
    titles = [encoded.concept_titles[row] for row in range(encoded.concepts)]
    pairs = [TermPair(title, other) for title in titles for other in (*titles, "a big cat", "dogs")]
    chosen = term_features(["TEXT-CROSS"])
    every = cut.extract(pairs, chosen)
    for row in (0, 7, len(pairs) - 1):
        assert cut.extract([pairs[row]], chosen).tolist() == every[row : row + 1].tolist()
        assert cut.extract([pairs[row].swapped], chosen).tolist() == every[row : row + 1].tolist()
    assert np.corrcoef(every[:, 0], whole.extract(pairs, chosen)[:, 0])[0, 1] > 0.9


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), min_size=1, max_size=6))
def test_it_is_symmetric_and_in_range(texts: list[tuple[str, str]]) -> None:
    encoded = EncodedTexts(LetterEncoder())
    distinct = list(dict.fromkeys(text for pair in texts for text in pair))
    left, right = np.array([[distinct.index(text) for text in pair] for pair in texts]).T
    there, back = encoded.cosines(distinct, left, right), encoded.cosines(distinct, right, left)
    assert there.tolist() == back.tolist()
    assert (np.abs(there) <= 1.0).all()
    np.testing.assert_allclose(there, [by_hand(*pair) for pair in texts], atol=1e-6)


def test_short_texts_are_shown_in_other_words_too() -> None:
    encoded = EncodedTexts(LetterEncoder(), "en")
    texts = ["tiger", "cat", "paper tiger", "a cat of paper"]
    pairs = [(0, 1), (0, 2), (2, 3)]
    found = encoded.cosines(texts, *np.array(pairs).T)
    expected = [in_wordings(texts[left], texts[right]) for left, right in pairs]
    assert found.tolist() == pytest.approx(expected, abs=1e-6)
    bare = [by_hand(texts[left], texts[right]) for left, right in pairs]
    assert (np.abs(found - bare) > 1e-3).all()
    elsewhere = EncodedTexts(LetterEncoder(), "de").cosines(texts, *np.array(pairs).T)
    assert elsewhere.tolist() == pytest.approx(bare, abs=1e-6)


def test_the_order_of_words_is_told_by_the_texts_as_they_stand() -> None:
    encoded = EncodedTexts(FirstWordEncoder(), "en")
    texts = ["paper tiger", "tiger paper", "tiger"]
    reordered, other = encoded.cosines(texts, np.array([0, 0]), np.array([1, 2]))
    assert reordered == pytest.approx(by_hand("paper paper tiger", "tiger tiger paper"), abs=1e-6)
    assert other > by_hand("paper paper tiger", "tiger tiger") + 0.01, "other words make them alike"


def test_distinct_texts_are_encoded_together_and_once(snapshot: Snapshot) -> None:
    encoder = LetterEncoder()
    extractor = opened(snapshot, encoder)
    extractor.extract(PAIRS[:2])
    texts = "jaguar", "engine road", "leopard forest"
    assert sorted(encoder.calls[0]) == sorted([*texts, *(f"the meaning of {text}" for text in texts)])
    extractor.extract([TermPair("jaguar", "road"), PAIRS[0]])
    assert encoder.calls[1:] == [["road", "the meaning of road"]]


def test_vectors_are_kept_within_their_bytes() -> None:
    encoder = LetterEncoder()
    of_one = ENTRY + 26 * 4 + 4
    encoded = EncodedTexts(encoder, most=2 * of_one)
    for text in "abab":
        encoded.vectors([text])
    assert encoder.calls == [["a"], ["b"]]
    encoded.vectors(["c"])
    encoded.vectors(["b", "a"])
    assert encoder.calls[2:] == [["c"], ["a"]]
    # What is larger than all of it is encoded each time, and puts nothing out.
    EncodedTexts(encoder, most=10).vectors(["d"])
    assert encoder.calls[-1] == ["d"]


def test_without_an_encoder_the_feature_is_absent(snapshot: Snapshot) -> None:
    extractor = opened(snapshot, None)
    assert extractor.features == TERM_FEATURES
    values = extractor.extract(PAIRS)
    assert values.shape == (len(PAIRS), len(TERM_FEATURES))
    np.testing.assert_array_equal(
        opened(snapshot, LetterEncoder()).extract(PAIRS)[:2, :TEXT],
        values[:2],
        "the others are what they were",
    )
    assert extractor.extract(PAIRS, ENCODED_FEATURES).tolist() == [[0.0, 0.0]] * len(PAIRS)


def test_what_is_not_asked_for_is_not_encoded(snapshot: Snapshot) -> None:
    encoder = LetterEncoder()
    extractor = opened(snapshot, encoder)
    chosen = term_features(["SHARED-WORDS", "ESA"])
    values = extractor.extract(PAIRS, chosen)
    everything = extractor.extract(PAIRS)
    columns = [TERM_FEATURE_NAMES.index(feature.name) for feature in chosen]
    np.testing.assert_array_equal(values, everything[:, columns])
    assert len(encoder.calls) == 1
    with pytest.raises(KeyError):
        term_features(["NONE"])


def test_a_description_chooses_the_sense_of_its_side(snapshot: Snapshot) -> None:
    extractor = opened(snapshot, None)
    of_forest, of_road = (
        extractor.senses(TermPair("jaguar", "python", None, about))[0]
        for about in ("a forest with deer and leopards", "the engine and the wheels of cars on the road")
    )
    assert of_forest is not None
    assert of_road is not None
    assert (of_forest.title, of_road.title) == ("Jaguar (animal)", "Jaguar (car)")
