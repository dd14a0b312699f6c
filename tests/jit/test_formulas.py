"""Compiled formulas, and the logarithm that they call: NumPy's, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import measures
from jit.compiled import compiled as as_machine_code
from jit.formulas import Measure, loop_of, measured
from jit.steps import Bound, Program, run
from measures import elements
from measures.arrays import Floats, Ints


@pytest.fixture(scope="module")
def counts() -> Floats:
    """Counts that sets can have: both, left, right, total; both is often 0, and sometimes all of a side."""
    random = np.random.default_rng(1)
    left, right = random.integers(0, 5000, (2, 20_000)).astype(np.float64)
    both = np.floor(np.minimum(left, right) * random.choice([0.0, 1.0, random.random()], 20_000))
    return np.array([both, left, right, np.full(20_000, 100_000.0)])


def compiled(measure: Measure, evidence: Floats) -> Floats:
    count = len(evidence)
    steps = Program([(given, (evidence,), 0), (measured(measure), tuple(range(count)), count + 1)], count + 2)
    nobody = np.zeros(evidence.shape[1], np.int64)
    rows = np.empty((steps.size, len(nobody)))
    row: Floats = run(steps.calls, nobody, nobody, rows)[-1]
    return row


@as_machine_code
def given(bound: Bound, left: Ints, right: Ints, rows: Floats, row: int) -> None:
    """A step that writes the rows of the array that it is bound to."""
    (evidence,) = bound[0]
    for place in range(len(evidence)):
        for pair in range(len(left)):
            rows[row + place, pair] = evidence[place, pair]


@pytest.mark.parametrize("measure", [measures.normalised_pmi, measures.milne_witten])
def test_a_compiled_measure_is_the_function_itself(measure: Measure, counts: Floats) -> None:
    assert np.array_equal(compiled(measure, counts), measure(*counts))


def test_the_logarithm_is_numpys(counts: Floats) -> None:
    """It stands where NumPy's public header has it, among the first fields of a ufunc."""
    assert loop_of(np.log, "d->d")
    values = np.concatenate([counts[1] + 1.0, np.exp(np.linspace(-700.0, 700.0, 20_000))])
    assert np.array_equal(compiled(elements.log, values[np.newaxis]), np.log(values))
