"""The hypergeometric test, held to exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isclose, log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from datasets.selection.over_representation import log_p_value, over_represented


def exact_p(population: int, marked: int, drawn: int, seen: int) -> Fraction:
    """The formula as it is printed."""
    favourable = sum(
        comb(marked, k) * comb(population - marked, drawn - k) for k in range(seen, min(marked, drawn) + 1)
    )
    return Fraction(favourable, comb(population, drawn))


@st.composite
def urns(draw: st.DrawFn) -> tuple[int, int, int, int]:
    population = draw(st.integers(1, 120))
    marked, drawn = draw(st.integers(0, population)), draw(st.integers(0, population))
    return population, marked, drawn, draw(st.integers(0, population))


@given(urns())
def test_it_is_the_printed_formula(urn: tuple[int, int, int, int]) -> None:
    exact = exact_p(*urn)
    found = float(log_p_value(*urn))
    assert found == -np.inf if exact == 0 else isclose(found, log(exact), rel_tol=1e-9, abs_tol=1e-12)


def test_it_keeps_apart_what_no_float_can_hold() -> None:
    marked = np.array([500, 400, 300])
    found = log_p_value(1_000_000, marked, 1000, marked)
    exact = [
        sum(log(1000 - k) - log(1_000_000 - k) for k in range(times)) for times in marked.tolist()
    ]  # all marked units are drawn
    assert np.allclose(found, exact, rtol=1e-9)
    assert np.exp(found).tolist() == [0, 0, 0]


@given(urns())
def test_more_occurrences_are_never_likelier(urn: tuple[int, int, int, int]) -> None:
    population, marked, drawn, seen = urn
    fewer, more = log_p_value(population, marked, drawn, [seen, seen + 1])
    assert more <= fewer <= 0


def test_each_test_that_is_made_raises_the_bar() -> None:
    log_p = np.log([0.05, 0.025, 0.0126])
    assert over_represented(log_p, 1, 0.05).tolist() == [True, True, True]
    assert over_represented(log_p, 2, 0.05).tolist() == [False, True, True]
    assert over_represented(log_p, 4, 0.05).tolist() == [False, False, False]
