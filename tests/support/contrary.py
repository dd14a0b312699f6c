"""Made-up judgements of the starter's concepts, a model in force that learnt some, and retrainings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from app.serving.starter import snapshot_path
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from measures.arrays import Floats
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark, Judgement
from training.design import PLAIN
from training.progress import NoProgress
from training.retraining.challenger import Challenger, ChallengerJob, fit_challenger
from training.retraining.champion import Champion
from training.retraining.gate import Gate
from training.retraining.judging import compare_with
from training.retraining.report import RetrainReport
from training.retraining.validate import JudgedSet

WEIGHTS = {"ESA": 1.0, "MW": 0.4, "FRIEND": 0.3}
"""What the people who judge go by."""

TOPICS, PARTNERS = 20, 30

IN_FORCE = "77"
"""The checksum of the file that the model in force was trained on."""

Scored = tuple[str, str, float, str]


@dataclass(frozen=True)
class World:
    """Pairs of concepts, ``TOPICS`` × ``PARTNERS`` in order, and what people who never err would call them.

    ``values``: the features of the pairs, float64[n, k]; ``truth``: float64[n] in [0, 1].
    """

    snapshot: Snapshot
    resolver: Resolver
    pairs: tuple[tuple[str, str, str], ...]
    values: Floats
    truth: Floats

    def judged(self, topics: range, noise: float, seed: int = 1) -> list[Scored]:
        """The pairs of some topics as people judge them who err by ``noise``, to a tenth."""
        draw = np.random.default_rng(seed)
        scores = np.clip(self.truth + draw.normal(0, noise, len(self.truth)), 0, 1).round(1).tolist()
        chosen = [place for place in range(len(self.pairs)) if place // PARTNERS in topics]
        return [(*self.pairs[place][:2], scores[place], self.pairs[place][2]) for place in chosen]

    def retrained(self, sets: Sequence[JudgedSet], least_pairs: int = 100) -> Challenger:
        gate = Gate(least_pairs=least_pairs)
        return fit_challenger(
            ChallengerJob(sets, self.snapshot, self.resolver, "new", PLAIN, gate=gate, resamples=2),
            NoProgress(),
        )

    def in_force(self, rows: Sequence[Scored], *, known: bool = True) -> Champion:
        """A model that learnt from ``rows``; whether its report, and so the registry, says so."""
        made = self.retrained([judged_set(rows, checksum=IN_FORCE)])
        learnt = [(row.left, row.right, row.score, row.topic, row.own) for row in made.validated.judged.rows]
        report = msgspec.json.encode({"learnt": learnt}) if known else None
        return Champion("old", 1, made.model, self.snapshot, self.resolver, report)

    def report(
        self, in_force: Champion, *sets: JudgedSet | Sequence[Scored], least_pairs: int = 100
    ) -> RetrainReport:
        """What a retraining on ``sets`` comes to; a list of rows is a user's."""
        given = [each if isinstance(each, JudgedSet) else judged_set(each) for each in sets]
        return compare_with(self.retrained(given, least_pairs), in_force, NoProgress())


def open_world() -> World:
    """The concepts of most links as topics, each beside those it links to and those it does not."""
    snapshot = Snapshot.open(snapshot_path())
    links = snapshot.csr("out_links")
    degrees = np.diff(links.indptr)
    topics = np.argsort(-degrees, kind="stable")[:TOPICS]
    draw = np.random.default_rng(3)
    left, right = [], []
    for topic in topics.tolist():
        linked = links.indices[links.indptr[topic] : links.indptr[topic + 1]].tolist()
        partners = [*draw.permutation(linked), *draw.permutation(len(degrees))]
        found = dict.fromkeys(
            int(partner)
            for partner in [*partners[: PARTNERS // 2], *partners[len(linked) :]]
            if partner < len(degrees) and partner not in topics
        )
        left += [topic] * PARTNERS
        right += list(found)[:PARTNERS]
    values = extract(snapshot, np.array(left, np.int64), np.array(right, np.int64))
    truth = np.clip(values @ np.array([WEIGHTS.get(name, 0.0) for name in FEATURE_NAMES]), 0, 1)
    title = snapshot.concept_titles
    pairs = tuple((title[one], title[two], title[one]) for one, two in zip(left, right, strict=True))
    return World(snapshot, Resolver.open(snapshot), pairs, values, truth)


def judged_set(
    rows: Sequence[Scored], *, own: bool = True, name: str = "mine.csv", checksum: str = "00"
) -> JudgedSet:
    """The rows as a file of judgements."""
    judgements = tuple(Judgement(*row, line) for line, row in enumerate(rows, start=2))
    return JudgedSet(Benchmark(name, checksum, judgements), own)


def turned(rows: Sequence[Scored], share: float = 1.0, seed: int = 2) -> list[Scored]:
    """The rows with a share of their scores turned round, chosen by chance."""
    chosen = np.random.default_rng(seed).permutation(len(rows)) < share * len(rows)
    return [
        (left, right, round(1 - score, 3) if turn else score, topic)
        for (left, right, score, topic), turn in zip(rows, chosen.tolist(), strict=True)
    ]


def failed(report: RetrainReport) -> list[str]:
    """The conditions of the gate that do not hold."""
    return [check.name for check in report.verdict.checks if not check.passed]
