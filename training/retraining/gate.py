"""The gate: whether a retrained model takes the place of the one in force, and the sentence that says why."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from models.figures import figure
from training.retraining.agreement import Agreement, above_chance
from training.retraining.comparison import Comparison, gain, higher, lower
from training.statistics.significance import Difference, shown_p


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """What a challenger must show.

    ``p``: the level of the tests, two-sided, and 1 − ``p`` the coverage of intervals. ``margin``: the least
    gain of Pearson's r on the user's pairs. ``least_pairs``: those compared. ``error``: by how much its mean
    absolute error may be above that of the champion. ``base_loss``: how much Pearson's r it may lose,
    if significantly, on the base sets' pairs, and on what the champion learnt from, by the scores that
    these had before. ``coverage``: how
    many judgements fewer it may resolve.
    """

    p: float = 0.05
    margin: float = 0.005
    least_pairs: int = 100
    error: float = 0.01
    base_loss: float = 0.01
    coverage: int = 0


GATE = Gate()
"""What is asked where nobody says otherwise."""


class Check(msgspec.Struct, frozen=True):
    """One condition: whether it holds, and what was found, in a sentence."""

    name: str
    passed: bool
    finding: str


class Verdict(msgspec.Struct, frozen=True):
    """Whether the gate lets the challenger through, why in a sentence, and every condition looked at."""

    passed: bool
    reason: str
    checks: tuple[Check, ...]


def decide(
    gate: Gate,
    own: Comparison,
    others: Sequence[Comparison],
    resolved: int,
    before: int,
    unknown: str | None = None,
    agreements: Sequence[Agreement] = (),
) -> Verdict:
    """The verdict on a challenger.

    ``own``: on the user's pairs; ``others``: on those of joined sets and of what the champion learnt from,
    where there are any; ``resolved``: judgements that the challenger's snapshot resolves, ``before``: the
    champion's; ``unknown``: why what the latter learnt from cannot be compared, None where it can;
    ``agreements``: the judgements beside what was known of their pairs.
    """
    names = own.challenger.model, own.champion.model
    better, ranks = _better(gate, own), own.differences["spearman"]
    checks = [
        *(_agrees(agreement, names[1]) for agreement in agreements),
        Check(
            "pairs",
            own.pairs >= gate.least_pairs,
            f"{own.pairs:,} pairs were compared, and the gate takes {gate.least_pairs:,}",
        ),
        Check(
            "coverage",
            resolved + gate.coverage >= before,
            f"{resolved:,} judgements have both concepts, and {before:,} in the snapshot in force",
        ),
        better,
        Check("ranks", not lower(ranks, gate.p), _told(ranks, own)),
        Check(
            "error",
            own.challenger.error <= own.champion.error + gate.error,
            f"mean absolute error {own.challenger.error:.4f} against {own.champion.error:.4f}",
        ),
        *(_keeps(gate, other) for other in others),
        *([_checked(gate, others, unknown)] if unknown is not None else []),
    ]
    failed = [check for check in checks if not check.passed]
    passed = not failed
    told = [better] if passed else failed
    verb = "is better than" if passed else "does not take the place of"
    reason = f"{names[0]} {verb} {names[1]}: {'; '.join(c.finding for c in told)}."
    return Verdict(passed, reason, tuple(checks))


def refused(challenger: str, champion: str, finding: str) -> Verdict:
    """The verdict where nothing can be compared."""
    reason = f"{challenger} does not take the place of {champion}: {finding}."
    return Verdict(False, reason, (Check("comparable", False, finding),))


def _agrees(agreement: Agreement, champion: str) -> Check:
    """Whether the judgements go with what was known of their pairs, or at least not against it."""
    rows = "the judgements" if agreement.whose == "own" else "the base sets"
    if agreement.known == "in-force":
        name, over = "chance", f"over {agreement.pairs:,} pairs"
        holds, fails = f"{champion} goes with {rows}", f"by {rows} {champion} is worse than chance"
    else:
        name, over = "contradiction", f"over the {agreement.pairs:,} pairs of both"
        known = "the base sets" if agreement.known == "base" else f"what {champion} learnt from"
        holds, fails = f"{rows} go with {known}", f"{rows} contradict most of {known}"
    correlations = " and ".join(
        f"{kind} undefined" if r is None else f"{kind} {r:.4f}"
        for kind, r in (("Pearson", agreement.pearson), ("Spearman", agreement.spearman))
    )
    if not agreement.below_chance:
        return Check(name, True, f"{holds}: {correlations} {over}")
    return Check(name, False, f"{fails}: {correlations} {over}, below 0 at p = {shown_p(agreement.log10_p)}")


def _better(gate: Gate, own: Comparison) -> Check:
    difference = own.differences["pearson"]
    gained = gain(difference)
    passed = gained > 0 and gained >= gate.margin and higher(difference, gate.p)
    asked = f"the gate takes {gate.margin:+.3f} at p < {gate.p:g} and an interval above 0"
    return Check("better", passed, f"{_told(difference, own)}, and {asked}")


def _keeps(gate: Gate, other: Comparison) -> Check:
    difference = other.differences["pearson"]
    loses = -gain(difference) > gate.base_loss and lower(difference, gate.p)
    whose = "of the base sets" if other.part == "base" else f"that {other.champion.model} learnt from"
    return Check(other.part, not loses, f"{_told(difference, other)} {whose}")


def _checked(gate: Gate, others: Sequence[Comparison], unknown: str) -> Check:
    """Whether joined sets tell what the challenger is worth outside the user's pairs.

    They do if the champion is better than chance on them: where it is not, there is nothing to lose.
    """
    base = next((other for other in others if other.part == "base" and other.pairs >= gate.least_pairs), None)
    if base is None:
        lacking = f"no base set of {gate.least_pairs:,} pairs or more was joined"
    elif not above_chance(base.champion.pearson, base.pairs):
        lacking = f"on the {base.pairs:,} pairs of the base sets {base.champion.model} is not above chance"
    else:
        return Check("elsewhere", True, f"{unknown}, and the base sets stand for them")
    return Check(
        "elsewhere",
        False,
        f"{unknown}, and {lacking}, so nothing tells what "
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
        low, high = (figure(end, "+.4f") for end in (difference.low, difference.high))
        interval = f"{of.level:.3g} interval from {low} to {high}"
    return (
        f"{kind} {difference.r_first:.4f} against {difference.r_second:.4f} "
        f"({figure(gain(difference), '+.4f')}, {interval}, p = {shown_p(difference.log10_p)}) {over}"
    )
