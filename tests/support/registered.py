"""Models for registries in tests: small files that hold what a registry reads of a model file."""

from __future__ import annotations

import datetime
import json
from typing import Any

from sqlalchemy import update

from models.protocol import TrainingSet
from models.registry.layout import RUNS
from models.registry.records import ModelVersion, Release
from models.registry.registry import Registry

DATASET = TrainingSet("pairs.csv", "0f" * 32, pairs=120, fitted=100, topics=7)


def model_file(pearson: float | None = 0.7, **more: Any) -> bytes:
    """A model file of snapshot s1, as much of it as a registry reads."""
    return json.dumps({"snapshot": "s1", "metrics": {"pearson": pearson}, **more}).encode()


def register(
    registry: Registry, name: str = "word", content: bytes | None = None, **more: Any
) -> ModelVersion:
    """A new version of ``name``."""
    facts: dict[str, Any] = {"report": None, "dataset": DATASET, "who": "tester", **more}
    return registry.register(model_file() if content is None else content, name=name, snapshot="s1", **facts)


def promote(
    registry: Registry, ref: str, expected: int | None = None, location: str = "/snapshots/s1"
) -> Release:
    """A release of ``ref``."""
    return registry.promote(
        ref, snapshot_id="s1", location=location, reason="for a test", who="tester", expected=expected
    )


def silence(registry: Registry, run: int, seconds: float) -> None:
    """Have a run's last sign of life be so many seconds ago."""
    ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=seconds)
    with registry.writing() as connection:
        values = {"updated": ago.isoformat(timespec="seconds")}
        connection.execute(update(RUNS).where(RUNS.c.id == run).values(**values))
