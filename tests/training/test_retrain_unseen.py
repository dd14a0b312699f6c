"""Retraining takes cosines of pairs that an encoder was tuned on from encoders that had not seen them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.left_out import COLUMNS, pair_digest, topic_digest
from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats, Ints
from tests.support.encoders import write_encoder
from training.retraining import unseen
from training.retraining.folds import folds_of
from training.retraining.validate import JudgedRow

CLIMATE, PETS = "Climate", "Pets"

SEEN = {("Ice", "Snow", CLIMATE): (1, 0.25), ("Cat", "Dog", PETS): (3, 0.5)}
"""What the encoder was tuned on: the fold, and what the encoder without it says."""

ENCODER = [FEATURE_NAMES.index(name) for name in ("ENC-TITLE", "ENC-CROSS", "ENC-LEAD")]


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A snapshot whose vectors are of the encoder that ships; every feature of every pair is 0.9."""
    lines = [
        f"{pair_digest(key)},{topic_digest(key[2])},{fold},{cosine},{cosine},"
        for key, (fold, cosine) in SEEN.items()
    ]
    content = "\n".join([",".join(COLUMNS), *lines, ""]).encode()
    card = write_encoder(tmp_path / "tuned", more={"left_out.csv": content})
    monkeypatch.setattr("training.left_out.shipped_encoder", lambda: tmp_path / "tuned")

    def nine_tenths(_: object, left: Ints, right: Ints) -> Floats:
        return np.full((len(left), len(FEATURE_NAMES)), 0.9)

    monkeypatch.setattr(unseen, "extract", nine_tenths)
    return SimpleNamespace(manifest=SimpleNamespace(settings={"encoder": {"digest": card.digest}}))


def read(snapshot: SimpleNamespace, *rows: JudgedRow) -> unseen.UnseenValues:
    ends = np.arange(len(rows))
    return unseen.unseen_values(snapshot, ends, ends + 100, rows)  # type: ignore[arg-type]


def test_what_the_encoder_saw_is_replaced_and_nothing_else(snapshot: SimpleNamespace) -> None:
    mine = JudgedRow("Ice", "Sea", 0.4, CLIMATE, 2)
    again = JudgedRow("Dog", "Cat", 0.4, "Mine", 3, also=(("Dog", "Cat", "Mine"), ("Cat", "Dog", PETS)))
    found = read(snapshot, JudgedRow("Ice", "Snow", 0.4, CLIMATE, 1), mine, again)
    others = [place for place in range(len(FEATURE_NAMES)) if place not in ENCODER]
    assert (found.values[:, others] == 0.9).all()
    # Where a lead was not known, no cosine of concepts with one is evidence.
    assert found.values[:, ENCODER].tolist() == [[0.25, 0, 0], [0.9, 0.9, 0.9], [0.5, 0, 0]]
    assert found.replaced == 2
    # Of a pair that is judged again the topic is the user's, which no encoder was tuned on.
    assert found.fold.tolist() == [1, -1, -1]


def test_of_another_encoder_nothing_is_known(snapshot: SimpleNamespace) -> None:
    snapshot.manifest.settings["encoder"]["digest"] = "0" * 16
    found = read(snapshot, JudgedRow("Ice", "Snow", 0.4, CLIMATE, 1))
    assert (found.values == 0.9).all()
    assert (found.replaced, found.fold.tolist()) == (0, [-1])


topics_and_encoder_folds = st.lists(st.integers(0, 9), min_size=1, max_size=60).flatmap(
    lambda topics: st.tuples(
        st.just(topics), st.lists(st.integers(-1, 2), min_size=10, max_size=10), st.booleans()
    )
)


@given(topics_and_encoder_folds)
def test_topics_that_an_encoder_had_not_seen_together_are_left_out_together(
    drawn: tuple[list[int], list[int], bool],
) -> None:
    topic, fold_of, one_without = drawn
    names: list[str | None] = [f"topic {number}" for number in topic]
    together = np.array([fold_of[number] for number in topic], np.int64)
    left = np.arange(len(topic))
    if one_without:
        names, together, left = [*names, None], np.append(together, -1), np.append(left, 999)
    folds = folds_of(left, left + 1000, names, together=together)
    for number in set(together.tolist()) - {-1}:
        assert len(set(folds.number[together == number].tolist())) == 1
    for name in set(names) - {None}:
        assert len(set(folds.number[[other == name for other in names]].tolist())) == 1
    if not one_without:
        apart = len({number for number in topic if fold_of[number] < 0})
        assert folds.count == apart + len(set(together.tolist()) - {-1})
        assert len(set(folds.group.tolist())) == len(set(topic)), "what is resampled are topics"
