"""The features against the oracle: on the toy wiki, where the answer is visible, and on random ones."""

from __future__ import annotations

from itertools import product
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from features.catalogue import FEATURE_NAMES
from features.extract import extract
from tests.oracles.features import oracle
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import SmallWiki, write_snapshot
from tests.wikis.toy import TITLES, TOY, concept, toy_snapshot

ROUNDED = {"W2V", "PMI2_C", "TFIDF-CS", "ESA", "ENC-TITLE", "ENC-CROSS", "ENC-LEAD"}
"""Features over vectors, which a snapshot stores rounded."""


def judge(wiki: SmallWiki, folder: Path, *, compact: bool, rounding: float) -> None:
    """Compare all features of all pairs of the wiki with the oracle's."""
    rows = range(len(wiki.titles))
    left, right = np.array(list(product(rows, rows))).T
    extracted = extract(write_snapshot(wiki, folder, compact=compact), left, right)
    expected = [oracle(wiki, a, b) for a, b in product(rows, rows)]
    for column, name in enumerate(FEATURE_NAMES):
        tolerance = rounding if name in ROUNDED else 1e-12
        values = np.array([row[name] for row in expected])
        worst = int(np.abs(extracted[:, column] - values).argmax())
        assert extracted[worst, column] == pytest.approx(values[worst], abs=tolerance), (
            f"{name} of {left[worst]} and {right[worst]}"
        )


@pytest.mark.parametrize("seed", range(12))
def test_random_wikis(seed: int, tmp_path: Path) -> None:
    judge(random_wiki(seed), tmp_path / "wiki", compact=False, rounding=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_random_wikis_kept_as_small_integers_with_a_scale(seed: int, tmp_path: Path) -> None:
    judge(random_wiki(seed), tmp_path / "wiki", compact=True, rounding=1e-4)


def test_a_wiki_with_rows_long_enough_to_be_searched(tmp_path: Path) -> None:
    judge(random_wiki(1, concepts=90, words=40), tmp_path / "wiki", compact=False, rounding=1e-6)


def test_a_wiki_of_one_concept_and_one_without_words(tmp_path: Path) -> None:
    judge(random_wiki(2, concepts=1), tmp_path / "one", compact=False, rounding=1e-6)
    judge(random_wiki(2, words=0), tmp_path / "wordless", compact=False, rounding=1e-6)


def test_the_toy_wiki(tmp_path: Path) -> None:
    judge(TOY, tmp_path / "toy", compact=False, rounding=1e-6)


def test_cat_and_dog_by_eye(tmp_path: Path) -> None:
    by_eye = {
        "PMI1": log(4 / 3),
        "W2V": 0.8,
        "NPMI1_C": log(20 / 9) / log(5),
        "PMI1_C": log(20 / 9),
        "PMI2_C": 1 / 2,
        "INLINK-PMI": log(2) / log(12),
        "MW": 1 - log(3) / log(6),
        "COND-PROB": 5 / 12,
        "J-IN": 1 / 4,
        "J-OUT": 2 / 5,
        "J-IN-OUT": 2 / 5,
        "FRIEND": 1.0,
        "DIRECT-LINK": 1.0,
        "CATEGORY": 1.0,
        "TFIDF-CS": 4 / 5,
        "ESA": 9 / 25,
        "ENC-TITLE": 1 / sqrt(2),
        "ENC-CROSS": 1 / 2,
        "ENC-LEAD": 1 / 2,
    }
    values = extract(toy_snapshot(tmp_path / "toy"), [concept("Cat")], [concept("Dog")])[0]
    assert dict(zip(FEATURE_NAMES, values.tolist(), strict=True)) == pytest.approx(by_eye, abs=1e-6)


BY_EYE = [
    # Each word of a title finds its best match in the other title; "computer" finds itself.
    (
        "Computer mouse",
        "Computer keyboard",
        "PMI1",
        ((log(4) + log(2)) / 2 + (log(4) + log(8 / 3)) / 2) / 2,
    ),
    # "music" has no vector: it scores 0, and stays in the mean with the other title's best match of it.
    ("Music", "Piano", "W2V", 0.0),
    # Opposite vectors count as they are.
    ("Cat", "Computer", "W2V", -1.0),
    # "noun" has no statistics: a title that has it cannot fall below 0.
    ("Cat", "Noun", "PMI1", 0.0),
    # in(Pet) = {Cat, Dog} holds one of House mouse's two links; in(House mouse) one of Pet's three.
    ("Pet", "House mouse", "FRIEND", (1 / 2 + 1 / 3) / 2),
    # One of Piano's three links leads to Noun (Musical keyboard and Music do); Noun leads nowhere.
    ("Piano", "Noun", "FRIEND", 1 / 2),
    ("Computer mouse", "House mouse", "DIRECT-LINK", 0.0),
    ("Computer", "Computer mouse", "CATEGORY", 1.0),
    # Paragraph 3 alone: 1 · 10 / (3 · 2), out of log 10.
    ("Cat", "House mouse", "NPMI1_C", log(10 / 6) / log(10)),
]


@pytest.mark.parametrize(("left", "right", "name", "value"), BY_EYE)
def test_single_features_by_eye(left: str, right: str, name: str, value: float, tmp_path: Path) -> None:
    features = extract(toy_snapshot(tmp_path / "toy"), [concept(left)], [concept(right)])
    assert features[0, FEATURE_NAMES.index(name)] == pytest.approx(value, abs=1e-6)


def test_the_island_has_no_evidence_with_any_article(tmp_path: Path) -> None:
    others = np.arange(len(TITLES))
    features = extract(toy_snapshot(tmp_path / "toy"), others, np.full(len(TITLES), concept("Zyzzyva")))
    assert not features.any()
