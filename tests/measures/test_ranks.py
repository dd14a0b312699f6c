"""The greatest of some values beside sorting all of them, in NumPy and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jit.formulas import formula
from measures.ranks import greatest

COMPILED = formula(greatest)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.uint8])
@given(st.lists(st.sampled_from([0, 1, 2, 4, 200])), st.integers(0, 10))
def test_the_greatest_come_first_and_of_equals_the_first_ones(
    kind: Any, values: list[int], most: int
) -> None:
    expected = sorted(range(len(values)), key=lambda place: (-values[place], place))[:most]
    for ranked in (greatest, COMPILED):
        assert ranked(np.array(values, kind), most).tolist() == expected
