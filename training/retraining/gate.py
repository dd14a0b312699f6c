"""The gate: whether a retrained model takes the place of the one in force, and the sentence that says why."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from training.retraining.comparison import Comparison, gain, higher, lower
from training.statistics.significance import Difference, shown_p


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """What a candidate must show.

    ``p``: the level of the tests, two-sided, and 1 − ``p`` the coverage of intervals. ``margin``: the least
    gain of Pearson's r on the user's pairs. ``least_pairs``: those compared. ``error``: by how much its mean
    absolute error may be above that of the model in force. ``base_loss``: how much Pearson's r it may lose,
    if significantly, on the base sets' pairs, and on what the model in force learnt from. ``coverage``: how
    many judgements fewer it may resolve.
    """

    p: float = 0.05
    margin: float = 0.005
    least_pairs: int = 100
    error: float = 0.01
    base_loss: float = 0.01
    coverage: int = 0


class Check(msgspec.Struct, frozen=True):
    """One condition: whether it holds, and what was found, in a sentence."""

    name: str
    passed: bool
    finding: str


class Verdict(msgspec.Struct, frozen=True):
    """Whether the gate lets the candidate through, why in a sentence, and every condition looked at."""

    passed: bool
    reason: str
    checks: tuple[Check, ...]


def decide(
    gate: Gate,
    own: Comparison,
    others: Sequence[Comparison],
    resolved: int,
    resolved_in_force: int,
    unknown: str | None = None,
) -> Verdict:
    """The verdict on a candidate.

    ``own``: on the user's pairs; ``others``: on those of joined sets and of what the model in force learnt
    from, where there are any; ``resolved``: judgements that the candidate's snapshot resolves, and that of
    the model in force; ``unknown``: why the latter's pairs cannot be compared, None where they can, or where
    they are all among the candidate's own.
    """
    checks = [
        _enough(gate, own),
        _covers(gate, resolved, resolved_in_force),
        _better(gate, own),
        _not_worse(gate, own),
        _close(gate, own),
        *(_keeps(gate, other) for other in others),
        *([_checked(gate, others, unknown)] if unknown is not None else []),
    ]
    failed = [check for check in checks if not check.passed]
    passed = not failed
    told = [checks[2]] if passed else failed
    verb = "is better than" if passed else "does not take the place of"
    reason = f"{own.candidate.model} {verb} {own.in_force.model}: {'; '.join(c.finding for c in told)}."
    return Verdict(passed, reason, tuple(checks))


def refused(candidate: str, in_force: str, finding: str) -> Verdict:
    """The verdict where nothing can be compared."""
    reason = f"{candidate} does not take the place of {in_force}: {finding}."
    return Verdict(False, reason, (Check("comparable", False, finding),))


def _enough(gate: Gate, own: Comparison) -> Check:
    return Check(
        "pairs",
        own.pairs >= gate.least_pairs,
        f"{own.pairs:,} pairs were compared, and the gate takes {gate.least_pairs:,}",
    )


def _covers(gate: Gate, resolved: int, before: int) -> Check:
    return Check(
        "coverage",
        resolved + gate.coverage >= before,
        f"{resolved:,} judgements have both concepts, and {before:,} in the snapshot in force",
    )


def _better(gate: Gate, own: Comparison) -> Check:
    difference = own.differences["pearson"]
    gained = gain(difference)
    passed = gained > 0 and gained >= gate.margin and higher(difference, gate.p)
    asked = f"the gate takes {gate.margin:+.3f} at p < {gate.p:g} and an interval above 0"
    return Check("better", passed, f"{_told(difference, own)}, and {asked}")


def _not_worse(gate: Gate, own: Comparison) -> Check:
    difference = own.differences["spearman"]
    return Check("ranks", not lower(difference, gate.p), _told(difference, own))


def _close(gate: Gate, own: Comparison) -> Check:
    return Check(
        "error",
        own.candidate.error <= own.in_force.error + gate.error,
        f"mean absolute error {own.candidate.error:.4f} against {own.in_force.error:.4f}",
    )


def _keeps(gate: Gate, other: Comparison) -> Check:
    difference = other.differences["pearson"]
    loses = -gain(difference) > gate.base_loss and lower(difference, gate.p)
    whose = "of the base sets"
    if other.part == "learnt":
        whose = f"that {other.in_force.model} learnt from and {other.candidate.model} did not"
    return Check(other.part, not loses, f"{_told(difference, other)} {whose}")


def _checked(gate: Gate, others: Sequence[Comparison], unknown: str) -> Check:
    """Whether joined sets tell what the candidate is worth outside the user's pairs."""
    passed = any(other.part == "base" and other.pairs >= gate.least_pairs for other in others)
    if passed:
        return Check("elsewhere", True, f"{unknown}, and the base sets stand for them")
    return Check(
        "elsewhere",
        False,
        f"{unknown}, and no base set of {gate.least_pairs:,} pairs or more was joined, so nothing tells what "
        "would be lost outside the judgements: join one with --with-benchmark, or say why it may be promoted "
        "all the same with --promote --reason",
    )


def _told(difference: Difference, of: Comparison) -> str:
    """A difference in words: both correlations, how far apart, how sure, over how many pairs."""
    kind, over = difference.kind.capitalize(), f"over {difference.n:,} pairs"
    if math.isnan(gain(difference)):
        return f"{kind} is undefined {over}"
    interval = "no interval"
    if difference.low is not None and difference.high is not None:
        interval = f"{of.level:.3g} interval from {difference.low:+.4f} to {difference.high:+.4f}"
    return (
        f"{kind} {difference.r_first:.4f} against {difference.r_second:.4f} "
        f"({gain(difference):+.4f}, {interval}, p = {shown_p(difference.log10_p)}) {over}"
    )
