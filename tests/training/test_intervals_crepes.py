"""Intervals held to another library's: crepes, a Mondrian conformal predictive system.

Both take the residuals of a bin of m pairs in ascending order, r(1) to r(m), and read off those at a tail t.
They differ in the position that they read at:

- ours is 1 + t (m − 1) from below, between two residuals in proportion (NumPy's own quantile);
- crepes has t (m + 1), the position of a conformal predictive system, which keeps one place for the pair that
  is predicted, and takes the residual at or before it below, at or beyond it above.

Above, positions are counted from the other end. So ours is 1 − 2 t places nearer to the middle. Asked for the
two residuals around our position, crepes has to give our ends to the last digits; asked for our level, it has
to give ends that are the same number of places or up to two more away from the middle, and never fewer.

Two further differences are ours by intention. Where a heavy end of the range is held whole, that side reaches
to the end, and all that may be missed is in the other tail. And no end is on the far side of the prediction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

from measures.arrays import Bools, Floats, Ints
from models.expectation import IntervalBands
from tests.training.test_certainty import DESIGN
from tests.training.test_intervals import panels, unsure
from tests.training.test_training import drawn_pairs, features
from training.statistics.intervals import BINS, BINS_A_GROUP, interval_bands
from training.train import left_out_predictions

crepes = pytest.importorskip("crepes", reason="crepes, which judges the intervals, is not installed")
binning = pytest.importorskip("crepes.extras", reason="crepes is not installed").binning

LEVELS = [0.8, 0.9, 0.95]
NEAR = 1e-12


class Pairs(NamedTuple):
    """What people said, what was predicted, and the bin of the prediction by crepes: [n] each."""

    scores: Floats
    predicted: Floats
    bins: Ints

    @property
    def sizes(self) -> Ints:
        """How many pairs each bin has."""
        return np.bincount(self.bins)


def in_bins(scores: Floats, predicted: Floats, bins: int) -> Pairs:
    """In bins of equally many pairs, by crepes: of predictions that differ."""
    return Pairs(scores, predicted, np.asarray(binning(predicted, bins=bins, epsilon=0.0)[0], np.int64))


def spread() -> Pairs:
    """Residuals of both signs in every bin, wider at higher scores; none meets an end of the range."""
    generator = np.random.default_rng(11)
    predicted = generator.uniform(0.3, 0.6, 4020)
    noise = np.clip(generator.normal(0.0, 0.08, 4020), -0.29, 0.29)
    return in_bins(predicted + noise * predicted / 0.6, predicted, BINS)


def lumped() -> Pairs:
    """Panels of ten, most of which say 0: the lower bins hold that end whole."""
    scores, predicted, _ = panels()
    return in_bins(scores, predicted, BINS)


def fitted() -> Pairs:
    """The residuals of a log-logistic model fitted to 400 made-up pairs, one topic left out at a time."""
    values = features(400)
    chance = np.random.default_rng(2).random(400)
    related = np.clip(2.4 * values[:, 0] * values[:, 3] + 0.4 * (chance - 0.5), 0.0, 1.0)
    scores = np.asarray(np.round(related, 1), np.float64)
    predicted = left_out_predictions(drawn_pairs(scores), values, DESIGN)
    return in_bins(scores, predicted, 8)


SAMPLES = {"spread": spread, "lumped": lumped, "fitted": fitted}


@pytest.fixture(params=sorted(SAMPLES))
def pairs(request: pytest.FixtureRequest) -> Pairs:
    return SAMPLES[request.param]()


def tails(bands: IntervalBands, level: float) -> tuple[Floats, Floats]:
    """What may be missed below and above in each bin: float64[bins] each; 0 where a side reaches the end."""
    below, above = np.array(bands.below), np.array(bands.above)
    missed = 1.0 - level
    whole = (below == 1.0) | (above == 1.0)
    share = np.where(whole, missed, missed / 2)
    return np.where(below == 1.0, 0.0, share), np.where(above == 1.0, 0.0, share)


def residuals_at(pairs: Pairs, places: Floats) -> tuple[Floats, Floats]:
    """What crepes has at and before a place, and at and beyond it: float64[bins] each.

    ``places``: for each bin, counted from 1, whole or between two residuals.
    """
    system = crepes.ConformalPredictiveSystem().fit(pairs.scores - pairs.predicted, bins=pairs.bins)
    before, beyond = [], []
    for number, (size, place) in enumerate(zip(pairs.sizes.tolist(), places.tolist(), strict=True)):
        # Half a place off, so that what rounding does to a percentage does not matter.
        low, high = (
            100 * (whole + half) / (size + 1)
            for whole, half in ((math.floor(place), 0.5), (math.ceil(place), -0.5))
        )
        found = system.predict_percentiles(
            np.zeros(1), bins=np.array([number]), lower_percentiles=low, higher_percentiles=high
        )
        before.append(found[0, 0])
        beyond.append(found[0, 1])
    return np.array(before), np.array(beyond)


def between(pairs: Pairs, places: Floats) -> Floats:
    """The residual at a place of each bin, in proportion between the two that crepes has around it."""
    before, beyond = residuals_at(pairs, places)
    return before + (places - np.floor(places)) * (beyond - before)


@pytest.mark.parametrize("level", LEVELS)
def test_bins_are_those_of_crepes(pairs: Pairs, level: float) -> None:
    bands = interval_bands(pairs.scores, pairs.predicted, level)
    ours = np.searchsorted(bands.scores, pairs.predicted, "right") - 1
    np.testing.assert_array_equal(ours, pairs.bins)


@pytest.mark.parametrize("level", LEVELS)
def test_ends_lie_between_the_residuals_that_crepes_has_around_them(pairs: Pairs, level: float) -> None:
    bands = interval_bands(pairs.scores, pairs.predicted, level)
    low, high = tails(bands, level)
    below = np.maximum(-between(pairs, 1 + low * (pairs.sizes - 1)), 0.0)
    above = np.maximum(between(pairs, pairs.sizes - high * (pairs.sizes - 1)), 0.0)
    np.testing.assert_allclose(bands.below, np.where(low == 0.0, 1.0, below), rtol=0, atol=NEAR)
    np.testing.assert_allclose(bands.above, np.where(high == 0.0, 1.0, above), rtol=0, atol=NEAR)


@pytest.mark.parametrize("level", LEVELS)
def test_intervals_of_the_same_level_are_those_of_crepes_but_for_two_places(level: float) -> None:
    pairs = spread()
    bands = interval_bands(pairs.scores, pairs.predicted, level)
    assert all(tail.min() == tail.max() > 0 for tail in tails(bands, level)), "no bin holds an end whole"
    system = crepes.ConformalPredictiveSystem().fit(pairs.scores - pairs.predicted, bins=pairs.bins)
    theirs = system.predict_int(pairs.predicted, bins=pairs.bins, confidence=level, y_min=0.0, y_max=1.0)
    low, high = bands.around(pairs.predicted)
    assert (theirs[:, 0] <= low + NEAR).all()
    assert (theirs[:, 1] >= high - NEAR).all()
    # Two residuals nearer to the middle than crepes' is already within ours.
    tail = (1.0 - level) / 2
    places = np.floor(tail * (pairs.sizes + 1))
    inner_low, _ = residuals_at(pairs, places + 2)
    _, inner_high = residuals_at(pairs, pairs.sizes - 1 - places)
    assert (pairs.predicted + inner_low[pairs.bins] >= low - NEAR).all()
    assert (pairs.predicted + inner_high[pairs.bins] <= high + NEAR).all()


def test_a_fifth_by_evidence_has_the_ends_of_crepes_too() -> None:
    scores, predicted, evidence, _ = unsure()
    bands = interval_bands(scores, predicted, evidence=evidence)
    starts = [each.features for each in bands.by_evidence]
    assert len(starts) == 5
    group = np.searchsorted(starts, evidence, "right") - 1
    for number, each in enumerate(bands.by_evidence):
        own: Bools = group == number
        # Groups are of any size, and of bins that cannot be equal crepes makes another one the larger.
        bins = np.searchsorted(each.bands.scores, predicted[own], "right") - 1
        pairs = Pairs(scores[own], predicted[own], bins)
        assert len(pairs.sizes) == BINS_A_GROUP
        assert pairs.sizes.max() - pairs.sizes.min() <= 1
        inward: Floats = 0.05 * (pairs.sizes.astype(np.float64) - 1)
        np.testing.assert_allclose(each.bands.below, -between(pairs, 1 + inward), rtol=0, atol=NEAR)
        np.testing.assert_allclose(each.bands.above, between(pairs, pairs.sizes - inward), rtol=0, atol=NEAR)
