"""The file of left-out cosines, as tuning writes it and training reads it."""

from __future__ import annotations

import numpy as np

from encoders.left_out import parse_left_out
from training.tuning.cosines import Cosines
from training.tuning.examples import JudgedTexts
from training.tuning.folds import as_csv

PAIRS = (("Cat", "Dog"), ("Cat", "Dog"), ("Cat", "Dog"), ("Cat", "Lynx"))
"""One is judged twice of one topic, as TR9856 has some, and once of another."""


def test_a_pair_that_is_judged_several_times_in_a_topic_is_written_once() -> None:
    left, right = zip(*PAIRS, strict=True)
    topic, title = np.array([0, 0, 1, 1]), np.array([0.5, 0.5, 0.25, 0.125])
    judged = JudgedTexts(left, right, np.full(4, 0.5), topic, ("Pets", "Wild"), {"Cat": "A cat"})
    written = as_csv(judged, Cosines(title, title / 2, title / 4), topic)

    known = parse_left_out(written.encode())

    assert len(known.rows) == 3
    asked = [("Cat", "Dog", "Pets"), ("Cat", "Dog", "Wild"), ("Cat", "Lynx", "Wild")]
    expected = [[0.5, 0.25, np.nan], [0.25, 0.125, np.nan], [0.125, 0.0625, np.nan]]
    np.testing.assert_array_equal(known.cosines(asked), expected)
    assert known.folds(asked).tolist() == [0, 1, 1]
