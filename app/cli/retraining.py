"""What ``wort retrain`` does once its options are read: from the files to the release."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.serving.starter import model_path, snapshot_path
from app.settings import Settings
from models.registry.registry import Registry
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.declared import locate, named
from training.benchmarks.pairs import PairColumns
from training.benchmarks.read import read_benchmark, read_declared
from training.design import DESIGNS
from training.evaluation.report import Predictions
from training.reports.page import render
from training.retraining.gate import Gate
from training.retraining.promotion import Settled, Starter, Wish, settle
from training.retraining.report import RetrainReport
from training.retraining.retrain import Job, Retrained
from training.retraining.retrain import retrain as retrain_model
from training.retraining.running import RecordedRun, Stopping
from training.retraining.validate import JudgedSet


@dataclass(frozen=True)
class Asked:
    """What the options ask for.

    ``scale``: the lowest and the highest score of the user's files; ``spooled``: these are a server's copies,
    to be removed once they are read.
    """

    pairs: list[Path]
    columns: PairColumns | None
    scale: tuple[float, float]
    benchmarks: list[str]
    name: str
    design: str
    gate: Gate
    resamples: int
    wish: Wish
    spooled: bool = False

    @property
    def parameters(self) -> dict[str, Any]:
        """What the registry keeps of it."""
        return {
            "pairs": [path.name for path in self.pairs],
            "with_benchmark": self.benchmarks,
            "name": self.name,
            "design": self.design,
            "gate": {"p": self.gate.p, "margin": self.gate.margin, "pairs": self.gate.least_pairs},
            "promote": self.wish.forced,
            "register_only": self.wish.only_register,
        }


def carry_out(
    asked: Asked, settings: Settings, registry: Registry, recorded: RecordedRun, stopping: Stopping
) -> tuple[Retrained, Settled]:
    """The retraining from the files to the release, its steps recorded.

    Raises:
        TrainingError, TableError, ModelError, RegistryError: what is read cannot be used.
        Stopped: the process was told to stop before anything was decided.
    """
    recorded.begin("reading")
    sets = judged_sets(asked, settings.data_dir)
    if asked.spooled:
        for path in asked.pairs:
            path.unlink()
    release = registry.in_force()
    in_force = snapshot_path() if release is None or release.shipped else Path(release.location)
    opened = Snapshot.open(settings.snapshot or in_force)
    job = Job(
        sets,
        opened,
        Resolver.open(opened),
        asked.name,
        DESIGNS[asked.design],
        asked.gate,
        asked.resamples,
        settings.data_dir,
    )
    retrained = retrain_model(job, recorded)
    # What is decided from here on is written: a signal that comes now comes too late.
    stopping.hold()
    starter = Starter("the starter's model", model_path(), snapshot_path())
    run = recorded.run.id
    return retrained, settle(registry, retrained, starter, asked.wish, recorded, page, run)


def judged_sets(asked: Asked, data_dir: Path | None) -> list[JudgedSet]:
    """The user's files, on their scale, and the base sets; the train rows of each.

    Raises:
        BenchmarkError: one of them cannot be read.
    """
    sets = [
        JudgedSet(read_benchmark(path, "train", asked.columns), True, *asked.scale) for path in asked.pairs
    ]
    for benchmark in asked.benchmarks:
        declaration = named(benchmark)
        read = read_declared(declaration, locate(declaration, data_dir), "train")
        sets.append(JudgedSet(read, False, read.low, read.high))
    return sets


def page(report: RetrainReport, retrained: Retrained) -> str:
    """The report as a page."""
    scores = retrained.validated.judged.scores
    return render(report, Predictions(scores, retrained.predicted, retrained.topic, retrained.topics))
