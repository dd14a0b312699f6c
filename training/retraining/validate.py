"""Judgements before they teach: out of range, repeated, contradictory, in two topics, without a concept.

Nothing is dropped silently. Each finding counts and lists what it concerns and says what was done about it.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from measures.arrays import Bools, Floats, Ints
from training.benchmarks.judgements import Benchmark, Judgement
from training.coverage import Coverage, CoveredPairs, Resolves, cover
from training.errors import BadRow, NotABenchmark, TooFewPairs
from training.progress import Progress

MOST_OUT_OF_RANGE = 0.1
"""Of a file's rows this share may be out of range; beyond it the scores are of another scale."""

LEAST_PAIRS = 50
"""Distinct pairs that a model is fitted to: two and a half for each weight of the default design."""

LEAST_FOLDS = 5
"""Topics, or groups of pairs, that the pairs must be of: with fewer, a fold is most of what there is."""

FindingName = Literal["out-of-range", "unresolved", "identical", "repeated", "conflicting", "several-topics"]
Differing = Literal["as written", "swapped sides", "other titles"]

TREATMENTS: dict[FindingName, str] = {
    "out-of-range": "left out: the score is not on the scale",
    "unresolved": "left out: a title has no concept in the snapshot",
    "identical": "left out: both sides are one concept, whose score is 1 without a model",
    "repeated": "kept once: the rows agree",
    "conflicting": "kept once, with the mean of its scores; a user's hold over those of a base set",
    "several-topics": "kept in the topic of its first row, so that no fold predicts a pair that another saw",
}
"""What is done about each kind of finding, in the order of reports."""


class FindingEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pair that a finding concerns.

    ``rows``: ``file:line`` of each of its rows; ``scores`` and ``topics``: theirs; ``how``: what the rows of
    a repeated pair differ in, the titles of the first being ``left`` and ``right``.
    """

    rows: tuple[str, ...]
    left: str
    right: str
    scores: tuple[float, ...]
    topics: tuple[str, ...] = ()
    how: Differing | None = None


class Finding(msgspec.Struct, frozen=True):
    """One thing found in the data: the pairs that it concerns, how many, and what was done about them."""

    name: FindingName
    count: int
    treatment: str
    entries: tuple[FindingEntry, ...]


class Validation(msgspec.Struct, frozen=True):
    """What became of the rows: ``rows`` read, ``own`` of them a user's, ``pairs`` left to learn from.

    Not among the rows read: ``other_split``, those marked Test, and ``absent``, those of which their file
    says that a side has no article.
    """

    rows: int
    own: int
    pairs: int
    own_pairs: int
    findings: tuple[Finding, ...]
    other_split: int = 0
    absent: int = 0

    def count(self, name: FindingName) -> int:
        """Differing many pairs the finding ``name`` concerns."""
        return sum(finding.count for finding in self.findings if finding.name == name)


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """A file of judgements on a scale from ``low`` to ``high``; ``own``: a user's, not a base set."""

    benchmark: Benchmark
    own: bool
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class JudgedRow(Judgement):
    """A row of a ``file``, its score put on [0, 1]; ``own``: whether a user judged it.

    ``also``: titles and topics of other rows of the same pair.
    """

    file: str = ""
    own: bool = False
    also: tuple[tuple[str, str, str | None], ...] = ()

    @property
    def place(self) -> str:
        """Where it stands: ``file:line``."""
        return f"{self.file}:{self.line}"


class ResolvedRows(NamedTuple):
    """Rows with two concepts: as pairs, how many they are, as rows, and which of all they are, bool[n]."""

    pairs: CoveredPairs
    coverage: Coverage
    rows: list[JudgedRow]
    kept: Bools


@dataclass(frozen=True, slots=True)
class DistinctPairs:
    """Distinct pairs of two concepts, arrays [n], and the row that each is known by.

    ``left``, ``right``: concept ids; ``scores``: float64 in [0, 1]; ``own``: which of them a user judged;
    ``base``: what the base sets say of each, whether or not a user judged it too, float64, NaN where they say
    nothing; ``rows``: the first row of each, whose titles and topic are the pair's.
    """

    left: Ints
    right: Ints
    scores: Floats
    own: Bools
    base: Floats
    rows: tuple[JudgedRow, ...]


@dataclass(frozen=True, slots=True)
class Validated:
    """What can be learnt from (``judged``), what became of the rest, and how much the snapshot covers.

    ``rows``: every row that is on its scale; ``benchmark``: the sets as one, on the scales that they have.
    """

    judged: DistinctPairs
    coverage: Coverage
    validation: Validation
    rows: tuple[JudgedRow, ...]
    benchmark: Benchmark


def validate(sets: Sequence[JudgedSet], resolver: Resolves, progress: Progress | None = None) -> Validated:
    """The distinct pairs of ``sets`` that can be learnt from, and what became of the rest.

    ``progress`` counts titles.

    Raises:
        NotABenchmark: a set holds something else than pairs of concepts.
        BadRow: more than a tenth of a set's scores are not on its scale.
    """
    rows, outside = on_scale(sets)
    benchmark = joined(sets)
    unread = {"other_split": benchmark.other_split, "absent": benchmark.absent}
    resolved = resolve(rows, benchmark.spellings, resolver, progress)
    judged, findings = merge(resolved)
    findings["out-of-range"] = [_entry([row]) for row in outside]
    findings["unresolved"] = [_entry([row]) for row in compress(rows, ~resolved.kept)]
    validation = Validation(
        rows=len(rows) + len(outside),
        own=sum(len(each.benchmark.judgements) for each in sets if each.own),
        pairs=len(judged.rows),
        own_pairs=int(judged.own.sum()),
        findings=tuple(
            Finding(name, len(findings[name]), treatment, tuple(findings[name]))
            for name, treatment in TREATMENTS.items()
            if findings[name]
        ),
        **unread,
    )
    coverage = msgspec.structs.replace(resolved.coverage, **unread)
    return Validated(judged, coverage, validation, tuple(rows), benchmark)


def joined(sets: Sequence[JudgedSet]) -> Benchmark:
    """The sets as one benchmark, named after all; the checksum of several is a digest of theirs."""
    first = sets[0].benchmark
    if len(sets) == 1:
        return first
    checksums = "\n".join(each.benchmark.checksum for each in sets)
    return Benchmark(
        name=" + ".join(each.benchmark.name for each in sets),
        checksum=hashlib.blake2b(checksums.encode(), digest_size=32).hexdigest(),
        judgements=tuple(pair for each in sets for pair in each.benchmark.judgements),
        other_split=sum(each.benchmark.other_split for each in sets),
        spellings={title: forms for each in sets for title, forms in each.benchmark.spellings.items()},
        absent=sum(each.benchmark.absent for each in sets),
    )


def on_scale(sets: Sequence[JudgedSet]) -> tuple[list[JudgedRow], list[JudgedRow]]:
    """The rows whose score is on its set's scale, put on [0, 1], and the others.

    Raises:
        NotABenchmark: a set holds something else than pairs of concepts.
        BadRow: more than a tenth of a set's scores are not on its scale.
    """
    rows: list[JudgedRow] = []
    outside: list[JudgedRow] = []
    for each in sets:
        benchmark = each.benchmark
        if benchmark.kind != "concepts":
            raise NotABenchmark(
                f"{benchmark.name} judges {benchmark.kind}, and this model is of pairs of concepts. "
                "Give a file whose sides are titles of articles."
            )
        wrong = [pair for pair in benchmark.judgements if not each.low <= pair.score <= each.high]
        if len(wrong) > MOST_OUT_OF_RANGE * len(benchmark.judgements):
            raise BadRow(
                f"{benchmark.name}: line {wrong[0].line}: the score {wrong[0].score:g} is not between "
                f"{each.low:g} and {each.high:g}, as are {len(wrong):,} of {len(benchmark.judgements):,}. "
                "Say which scale it is: --low and --high."
            )
        span = each.high - each.low
        for pair in benchmark.judgements:
            inside = each.low <= pair.score <= each.high
            score = (pair.score - each.low) / span if inside else pair.score
            row = JudgedRow(pair.left, pair.right, score, pair.topic, pair.line, benchmark.name, each.own)
            (rows if inside else outside).append(row)
    return rows, outside


def resolve(
    rows: Sequence[JudgedRow],
    spellings: Mapping[str, tuple[str, ...]],
    resolver: Resolves,
    progress: Progress | None = None,
) -> ResolvedRows:
    """Which of the rows have two concepts; ``progress`` counts titles."""
    benchmark = Benchmark("judgements", "", tuple(rows), spellings=spellings)
    pairs, coverage = cover(benchmark, resolver, progress)
    unresolved = {entry.title for entry in coverage.unresolved}
    kept = np.array([unresolved.isdisjoint((row.left, row.right)) for row in rows], np.bool_)
    return ResolvedRows(pairs, coverage, list(compress(rows, kept)), kept)


def merge(resolved: ResolvedRows) -> tuple[DistinctPairs, dict[FindingName, list[FindingEntry]]]:
    """One pair for all rows of the same two concepts, in whichever order and by whichever titles.

    A user's rows hold over those of base sets. Beside the pairs is what was found, by its name.
    """
    rows, covered = resolved.rows, resolved.pairs
    findings: dict[FindingName, list[FindingEntry]] = {name: [] for name in TREATMENTS}
    findings["identical"] = [_entry([row]) for row in compress(rows, covered.identical)]
    ends = list(zip(covered.left.tolist(), covered.right.tolist(), strict=True))
    together: dict[frozenset[int], list[int]] = {}
    for number in np.flatnonzero(~covered.identical).tolist():
        together.setdefault(frozenset(ends[number]), []).append(number)
    pairs: dict[int, tuple[JudgedRow, float]] = {}
    for numbers in together.values():
        # Stable: a user's rows first, each file's in its order.
        numbers.sort(key=lambda number: not rows[number].own)
        members = [rows[number] for number in numbers]
        first, topics = members[0], _topics(members)
        score = _mean([row.score for row in members if row.own == first.own])
        of_base = _mean([row.score for row in members if not row.own])
        others = tuple((row.left, row.right, row.topic) for row in members)
        topic = topics[0] if topics else None
        pairs[numbers[0]] = replace(first, score=score, topic=topic, also=others), of_base
        if len(members) > 1:
            entry = _entry(members, _how(members, [ends[number] for number in numbers]))
            findings["repeated" if len(set(entry.scores)) == 1 else "conflicting"].append(entry)
            if len(topics) > 1:
                findings["several-topics"].append(entry)
    places = sorted(pairs)
    kept = tuple(pairs[place][0] for place in places)
    judged = DistinctPairs(
        covered.left[places],
        covered.right[places],
        np.array([row.score for row in kept], np.float64),
        np.array([row.own for row in kept], np.bool_),
        np.array([pairs[place][1] for place in places], np.float64),
        kept,
    )
    return judged, findings


def check_enough(judged: DistinctPairs, least_pairs: int = LEAST_PAIRS) -> None:
    """Refuse to learn from too little.

    Raises:
        TooFewPairs: there are fewer than ``least_pairs`` distinct pairs, or all have one score.
    """
    if len(judged.rows) < least_pairs:
        raise TooFewPairs(
            f"{len(judged.rows)} distinct pairs have both concepts in the snapshot, and retraining takes "
            f"{least_pairs}. Judge more pairs, or join a base set with --with-benchmark."
        )
    if float(np.ptp(judged.scores)) == 0.0:
        raise TooFewPairs(
            f"all {len(judged.rows)} pairs have the score {judged.scores[0]:g}, from which nothing can be "
            "learnt. Judge pairs that differ."
        )


def check_folds(folds: int) -> None:
    """Refuse to leave out what is most of the pairs.

    Raises:
        TooFewPairs: the pairs are of fewer than five topics, or groups.
    """
    if folds < LEAST_FOLDS:
        raise TooFewPairs(
            f"the resolved pairs are of {folds} topics (or groups of pairs that share concepts), and "
            f"retraining takes {LEAST_FOLDS}. Judge pairs of more topics, or join a base set with "
            "--with-benchmark."
        )


def _mean(scores: Sequence[float]) -> float:
    """Their mean; of scores that agree, that very score, to its last digit; NaN of none."""
    return scores[0] if len(set(scores)) == 1 else float(np.mean(scores)) if scores else math.nan


def _topics(rows: Sequence[JudgedRow]) -> tuple[str, ...]:
    """The topics of the rows, each once."""
    return tuple(dict.fromkeys(row.topic for row in rows if row.topic is not None))


def _entry(rows: Sequence[JudgedRow], how: Differing | None = None) -> FindingEntry:
    return FindingEntry(
        tuple(row.place for row in rows),
        rows[0].left,
        rows[0].right,
        tuple(row.score for row in rows),
        _topics(rows) if how is not None else (),
        how,
    )


def _how(rows: Sequence[JudgedRow], ends: Sequence[tuple[int, int]]) -> Differing:
    """What the rows of one pair differ in: nothing, the order of the sides, or the titles of a concept."""
    written = Counter(frozenset((row.left, row.right)) for row in rows)
    if len(written) > 1:
        return "other titles"
    return "swapped sides" if len(set(ends)) > 1 else "as written"
