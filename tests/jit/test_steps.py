"""Steps: what they are bound to is what they read, whatever it is, and one process compiles them for all."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jit.compiled import compiled
from jit.steps import Bound, Program, run
from measures.arrays import Array, Floats, Ints

LEFT, RIGHT = np.array([2, 0, 1]), np.array([1, 1, 0])


@compiled
def entry(values: Array | None, place: int) -> float:
    return -1.0 if values is None else np.float64(values[place])


@compiled
def read(bound: Bound, left: Ints, right: Ints, rows: Floats, row: int) -> None:
    """Writes what each part of what it is bound to holds, a row each."""
    (line, nothing), number, grid, fraction = bound[0]
    for pair in range(len(left)):
        rows[row, pair] = entry(line, left[pair])
        rows[row + 1, pair] = entry(nothing, left[pair])
        rows[row + 2, pair] = number
        rows[row + 3, pair] = grid[right[pair], left[pair]]
        rows[row + 4, pair] = fraction


@compiled
def sums(bound: Bound, left: Ints, right: Ints, rows: Floats, row: int) -> None:
    """Adds up two rows that were written before."""
    one, other = bound[0]
    for pair in range(len(left)):
        rows[row, pair] = rows[one, pair] + rows[other, pair]


@compiled
def refusing(bound: Bound, left: Ints, right: Ints, rows: Floats, row: int) -> None:
    """Raises where it finds less than it is bound to."""
    (least,) = bound[0]
    for pair in range(len(left)):
        if left[pair] < least:
            raise IndexError("too small")


def written(steps: Program, left: Ints, right: Ints) -> Floats:
    return run(steps.calls, left, right, np.empty((steps.size, len(left))))


def frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("dtype", [np.uint16, np.int64, np.float32, np.float64])
def test_a_step_reads_what_it_is_bound_to(dtype: type[np.generic]) -> None:
    line, grid = np.array([5, 6, 7], dtype), np.arange(6).reshape(2, 3).astype(dtype)
    steps = Program([(read, ((line, None), 2**40, grid, 0.1), 1), (sums, (1, 4), 0)], 6)
    expected = np.array([line[LEFT], np.full(3, -1), np.full(3, 2**40), grid[RIGHT, LEFT], np.full(3, 0.1)])
    rows = written(steps, LEFT, RIGHT)
    assert np.array_equal(rows[1:], expected)
    assert np.array_equal(rows[0], expected[0] + expected[3])


def test_arrays_of_any_layout_and_right() -> None:
    line, grid = frozen(np.arange(9, dtype=np.int32))[::3], frozen(np.arange(6.0)).reshape(3, 2).T
    steps = Program([(read, ((line, line), 1, grid, 1.0), 0)], 5)
    rows = written(steps, LEFT, RIGHT)
    assert np.array_equal(rows[[0, 1, 3]], [line[LEFT], line[LEFT], grid[RIGHT, LEFT]])


def test_no_steps_and_no_pairs() -> None:
    nobody = np.zeros(0, np.int64)
    steps = Program([(read, ((LEFT, None), 1, np.ones((1, 1)), 1.0), 0)], 5)
    assert written(steps, nobody, nobody).shape == (5, 0)
    assert written(Program([], 2), LEFT, RIGHT).shape == (2, 3)


def test_what_a_step_raises_is_raised() -> None:
    steps = Program([(refusing, (1,), 0), (sums, (0, 0), 0)], 1)
    with pytest.raises(IndexError, match="too small"):
        written(steps, LEFT, RIGHT)
    assert written(steps, LEFT[:1], RIGHT[:1]).shape == (1, 1)


def test_what_steps_are_bound_to_is_kept_with_them() -> None:
    held = [np.full(3, float(number)) for number in range(50)]
    steps = [Program([(read, ((line, None), 1, np.ones((2, 3)), 1.0), 0)], 5) for line in held]
    del held
    gc.collect()
    first = [written(made, LEFT, RIGHT)[0, 0] for made in steps]
    assert first == list(range(50))


@pytest.mark.parametrize("part", [True, np.int32(1), "text", [1]])
def test_what_compiled_code_would_read_otherwise_is_refused(part: Any) -> None:
    with pytest.raises(TypeError, match=f"bound to a {type(part).__name__}"):
        Program([(refusing, (part,), 0)], 1)


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    program = (
        "import numpy as np\n"
        "from features.filling import direct_links as step\n"
        "from jit.formulas import measured\n"
        "from jit.steps import Program, run\n"
        "import measures\n"
        "links = (np.array([0, 1, 2]), np.array([1, 0]))\n"
        "steps = Program([(step, links, 0), (measured(measures.mutual_link), (0, 1), 2)], 3)\n"
        "rows = run(steps.calls, np.array([0]), np.array([1]), np.empty((3, 1)))\n"
        "functions = (step, run, measured(measures.mutual_link))\n"
        "print(rows.sum(), sum(sum(made.stats.cache_misses.values()) for made in functions))"
    )
    # With settings of its own, a process uses no code that comes with wort.
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_OPT": "3"}
    for compiled_anew in ("3", "0"):
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
        )
        assert done.stdout.split() == ["3.0", compiled_anew]
