"""A retraining, from files of judgements to a release: nothing but a better model replaces the champion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from models.registry.registry import Registry
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.declared import locate, named
from training.benchmarks.pairs import JudgementColumns
from training.benchmarks.read import read_benchmark, read_declared
from training.design import DESIGNS
from training.progress import NoProgress, Steps
from training.retraining.challenger import ChallengerJob, fit_challenger
from training.retraining.gate import GATE, Gate
from training.retraining.promotion import (
    PromotionPolicy,
    RetrainingResult,
    Starter,
    design_in_force,
    settle,
)
from training.retraining.running import RecordedRun, Stopping
from training.retraining.validate import JudgedSet


def retrain(
    registry: Registry,
    pairs: Sequence[Path],
    policy: PromotionPolicy,
    starter: Starter,
    *,
    snapshot: Path | None = None,
    benchmarks: Sequence[str] = (),
    columns: JudgementColumns | None = None,
    scale: tuple[float, float] = (0.0, 1.0),
    name: str = "retrained",
    design: str | None = None,
    gate: Gate = GATE,
    resamples: int = 1000,
    data_dir: Path | None = None,
    run: int | None = None,
    steps: Steps | None = None,
    stopping: Stopping | None = None,
) -> RetrainingResult:
    """Fit a model to the judgements in ``pairs``, compare it with the champion, register it, and promote it.

    ``snapshot``: the folder to learn on; without it, that of the release in force. ``benchmarks``: base sets
    to learn from besides, by their names or the files that declare them; ``data_dir``: where their files lie.
    ``columns``: those of the files of pairs, found by their names if None; ``scale``: the lowest and the
    highest score in them. ``design``: a name in ``DESIGNS``; that of the champion if None. ``run``: a
    retraining that a server has begun, whose files of pairs are copies, which are removed once they are read;
    without it one is begun. ``steps``: who is told of progress besides the registry. ``stopping``: told when
    a signal comes too late.

    Raises:
        TrainingError, TableError, ModelError, RegistryError: what is read cannot be used.
        Stopped: the process was told to stop before anything was decided.
    """
    parameters = {
        "pairs": [path.name for path in pairs],
        "with_benchmark": list(benchmarks),
        "name": name,
        "design": design or "as in force",
        "gate": {"p": gate.p, "margin": gate.margin, "pairs": gate.least_pairs},
        "promote": policy.forced,
        "register_only": policy.only_register,
    }
    begun = (
        registry.begin_run(who=policy.who, parameters=parameters, pid=os.getpid())
        if run is None
        else registry.run(run)
    )
    with RecordedRun(registry, begun, steps or NoProgress()) as recorded:
        recorded.begin("reading")
        sets = judged_sets(pairs, columns, scale, benchmarks, data_dir)
        if run is not None:
            for path in pairs:
                path.unlink()
        release = registry.in_force()
        in_force = starter.snapshot if release is None or release.shipped else Path(release.location)
        opened = Snapshot.open(snapshot or in_force)
        resolver = Resolver.open(opened)
        fitted = design_in_force(registry, release, starter, opened) if design is None else DESIGNS[design]
        job = ChallengerJob(sets, opened, resolver, name, fitted, gate, resamples, data_dir)
        challenger = fit_challenger(job, recorded)
        if stopping is not None:
            # What is decided from here on is written: a signal that comes now comes too late.
            stopping.hold()
        result = settle(registry, challenger, starter, policy, recorded, begun.id)
        recorded.finish(result)
    return result


def judged_sets(
    pairs: Sequence[Path],
    columns: JudgementColumns | None,
    scale: tuple[float, float],
    benchmarks: Sequence[str],
    data_dir: Path | None,
) -> list[JudgedSet]:
    """The user's files, on their scale, and the base sets; the train rows of each.

    Raises:
        BenchmarkError: one of them cannot be read.
    """
    sets = [JudgedSet(read_benchmark(path, "train", columns), True, *scale) for path in pairs]
    for benchmark in benchmarks:
        declaration = named(benchmark)
        read = read_declared(declaration, locate(declaration, data_dir), "train")
        sets.append(JudgedSet(read, False, read.low, read.high))
    return sets
