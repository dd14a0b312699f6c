"""No test passes or fails by a clock: waits are ``PATIENCE``, or ``BRIEF`` where they shall run out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import ROOT
from tests.support.patience import PATIENCE, least

LEAST = 60.0
"""Seconds below which a wait that is written as a number may be shorter than a busy machine takes."""

WAITING = {
    "wait",
    "join",
    "result",
    "settimeout",
    "fail_after",
    "move_on_after",
    "timeout",
    "wait_for",
    "acquire",
}
"""What is called with a number of seconds, after which it gives up."""

NAMED = {"timeout", "connect_timeout", "patience"}
"""Arguments that are such a number."""

STEADY = frozenset({"monotonic", "perf_counter", "process_time", "thread_time", "monotonic_ns"})
CLOCKS = STEADY | {"time"}


def too_short(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the text of each wait of a program that ends early, and of each upper limit on a clock."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            waits = node.args[:1] if name in WAITING else []
            waits += [word.value for word in node.keywords if word.arg in NAMED]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and is_clock(node.left, STEADY):
            waits = [node.right]
        elif isinstance(node, ast.Dict):
            waits = [
                value
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and key.value in NAMED
            ]
        elif isinstance(node, ast.arguments):
            # The default of a function that waits.
            given = [*node.posonlyargs, *node.args][-len(node.defaults) :] if node.defaults else []
            pairs = [*zip(given, node.defaults, strict=True)]
            waits = [default for argument, default in pairs if argument.arg in {"seconds", *NAMED}]
        elif isinstance(node, ast.Assert):
            yield from ((node.lineno, ast.unparse(limit)) for limit in limits(node.test))
            continue
        else:
            continue
        for wait in waits:
            number = wait.value if isinstance(wait, ast.Constant) else None
            if isinstance(number, int | float) and 0 < number < LEAST:
                yield wait.lineno, ast.unparse(node)[:80]


def limits(test: ast.expr) -> Iterator[ast.expr]:
    """Comparisons by which a time that has passed must be below a number."""
    for node in ast.walk(test):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        for first, operator, second in zip(sides, node.ops, sides[1:], strict=False):
            small, large = (second, first) if isinstance(operator, ast.Gt | ast.GtE) else (first, second)
            if any(is_clock(part) for part in ast.walk(small)) and isinstance(large, ast.Constant):
                yield node


def is_clock(node: ast.AST, clocks: frozenset[str] = CLOCKS) -> bool:
    """Whether this asks a clock what time it is."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
    return name in clocks and not node.args


def programs() -> list[Path]:
    return sorted((ROOT / "tests").rglob("*.py"))


@pytest.mark.parametrize("path", programs(), ids=lambda path: str(path.relative_to(ROOT / "tests")))
def test_no_test_waits_by_a_number_of_its_own(path: Path) -> None:
    if path == Path(__file__):
        return
    found = list(too_short(ast.parse(path.read_text())))
    assert not found, "use PATIENCE or BRIEF of tests/support/patience.py, or compare ratios of one run"


@pytest.mark.parametrize(
    "program",
    [
        "process.wait(timeout=30)",
        "event.wait(30)",
        "connection.settimeout(5)",
        "end = time.monotonic() + 10",
        "httpx.get(address, timeout=5)",
        "assert time.monotonic() - begun < 5",
        "assert 1 <= time.perf_counter() - begun < 5",
        "assert 5 > monotonic() - begun",
        "def until(holds, seconds: float = 10): pass",
        "create_engine(url, connect_args={'connect_timeout': 5})",
        "@pytest.mark.timeout(30)\ndef test(): pass",
    ],
)
def test_short_waits_are_found(program: str) -> None:
    assert list(too_short(ast.parse(program)))


@pytest.mark.parametrize(
    "program",
    [
        "process.wait(timeout=PATIENCE)",
        "thread.join()",
        "', '.join(words)",
        "end = time.monotonic() + PATIENCE",
        "assert time.monotonic() - begun >= 1",
        "assert time.monotonic() < end",
        "assert best / best_other < 5",
        "@pytest.mark.timeout(3000)\ndef test(): pass",
        "date = formatdate(time.time() + 20)",
    ],
)
def test_others_are_not(program: str) -> None:
    assert not list(too_short(ast.parse(program)))


def test_clients_wait_as_long() -> None:
    with httpx.Client() as client:
        assert client.timeout == httpx.Timeout(PATIENCE)


def test_what_seems_slow_is_measured_again() -> None:
    figures = iter([5.0, 4.0, 1.0])
    assert least(lambda: next(figures), 2.0) == 1.0
    figures = iter([1.0])
    assert least(lambda: next(figures), 2.0) == 1.0
