"""Made-up judgements of the toy wiki that a model can learn, and a registry with a bad model in force."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np

from features.catalogue import FEATURE_NAMES, SIGNATURES
from features.extract import extract
from models.files import load
from models.linear import LinearModel
from models.protocol import TrainingSet
from models.registry.records import Release
from models.registry.registry import Registry
from snapshots.snapshot import Snapshot
from tests.support.promoted import identity_of
from tests.support.served import served_snapshot, toy_model
from tests.wikis.toy import TITLES, concept

TOPICS = 6

WEIGHTS = {"ESA": 0.4, "J-IN": 0.3, "TFIDF-CS": 0.2}
"""What the people who judged went by."""

BAD_WEIGHTS = {"COND-PROB": 0.5, "MW": -0.5}
"""What the bad model goes by; its correlation with the judgements is −0.06, or with half of them −0.03."""


def judgements(snapshot: Path, *, seed: int = 7, noise: float = 0.02) -> list[tuple[str, str, float, str]]:
    """(left, right, score, topic) of all 66 pairs of the toy's concepts, in six topics."""
    pairs = list(combinations(TITLES, 2))
    ends = np.array([[concept(left), concept(right)] for left, right in pairs], np.int64)
    values = extract(Snapshot.open(snapshot), ends[:, 0].copy(), ends[:, 1].copy())
    draw = random.Random(seed)
    weights = np.array([WEIGHTS.get(name, 0.0) for name in FEATURE_NAMES])
    scores = 0.05 + values @ weights
    return [
        (left, right, round(min(max(score + draw.gauss(0, noise), 0.0), 1.0), 3), f"topic {number % TOPICS}")
        for number, ((left, right), score) in enumerate(zip(pairs, scores, strict=True))
    ]


def write(path: Path, rows: list[tuple[str, str, float, str]], *, topics: bool = True) -> Path:
    """The rows as a file of pairs."""
    header = "left,right,score" + (",topic" if topics else "")
    lines = [",".join(map(str, row if topics else row[:3])) for row in rows]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def learnt(rows: list[tuple[str, str, float, str]]) -> list[tuple[str, str, float, str, bool]]:
    """The rows as a report keeps those that its model learnt from."""
    return [(left, right, float(score), topic, False) for left, right, score, topic in rows]


def toy_wiki(folder: Path) -> Path:
    """The toy wiki as a snapshot in ``folder``."""
    return served_snapshot(folder)


def bad_model(folder: Path, identity: str, weights: Mapping[str, float] = BAD_WEIGHTS) -> bytes:
    """A model with few of the features, half of them counted the wrong way: no better than chance."""
    model = load(toy_model(folder / "toy.json", identity), SIGNATURES)
    assert isinstance(model, LinearModel)
    coefficients = tuple(
        msgspec.structs.replace(term, weight=weights.get(term.feature, 0.0)) for term in model.coefficients
    )
    return msgspec.json.encode(msgspec.structs.replace(model, coefficients=coefficients, intercept=0.5))


def put_in_force(registry: Registry, snapshot: Path, folder: Path) -> Release:
    """A bad model, registered and in force with ``snapshot``; it says to have learnt from ``judgements``."""
    identity = identity_of(snapshot)
    version = registry.register(
        bad_model(folder, identity),
        name="toy",
        snapshot=identity,
        report=msgspec.json.encode({"learnt": learnt(judgements(snapshot))}),
        dataset=TrainingSet("made up", "00", 0),
        who="a test",
    )
    return registry.promote(
        version.ref, snapshot_id=identity, location=str(snapshot), reason="the first", who="a test"
    )
