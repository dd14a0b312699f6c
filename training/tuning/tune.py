"""From judged pairs and a sentence encoder to an encoder's folder: what ``wort tune`` does."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import numpy as np

from measures.arrays import Ints
from training.benchmarks.judgements import Benchmark
from training.progress import NoProgress, Steps
from training.tuning.checkpoint import Checkpoint
from training.tuning.cosines import Cosines
from training.tuning.encoder import Encoder, open_encoder, weights_digest
from training.tuning.examples import JudgedTexts, dealt
from training.tuning.folds import left_out_cosines
from training.tuning.loop import Point, tune
from training.tuning.settings import Tuning

FOLDS = 10
HELD_OUT = 10
"""One topic in so many is held out where tuning may stop early."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """An encoder that was tuned, and what was measured on the way.

    ``encoder``: of ``encoder.open_encoder``. ``curve``: its figures on held-out topics; empty where none were
    held out. ``left_out`` and ``fold_of``: the cosines of each pair by an encoder that did not see its topic;
    None where no folds were asked for.
    """

    encoder: Encoder
    pairs: JudgedTexts
    curve: tuple[Point, ...]
    left_out: Cosines | None
    fold_of: Ints | None


def tune_encoder(
    benchmark: Benchmark,
    base: Path,
    openings: Mapping[str, str],
    work: Path,
    settings: Tuning = Tuning(),  # noqa: B008 - frozen
    folds: int = FOLDS,
    stop_early: bool = False,
    steps: Steps = NoProgress(),  # noqa: B008 - without state
) -> Tuned:
    """Tune the encoder of the folder ``base`` to a benchmark, and others without each of some folds.

    ``openings``: how the articles of titles begin. ``work``: a folder where an interrupted tuning finds what
    it had. ``folds``: 0 for none; then the cosines of these pairs are known to an encoder that saw them
    alone, and no model can be trained on them. ``stop_early``: hold out a tenth of the topics, and stop where
    the encoder gets no better on them.

    Raises:
        TrainingError: the encoder or the pairs cannot be used.
    """
    pairs = JudgedTexts.of(benchmark, openings)
    key = tuning_key(pairs, benchmark, base, settings)
    left_out, fold_of = None, None
    if folds:
        steps.begin(f"tuning without each of {folds} folds", "steps")
        left_out, fold_of = left_out_cosines(
            lambda: open_encoder(base, device=None), pairs, settings, folds, work, key, steps.advance_to
        )
    steps.begin("tuning", "steps")
    encoder = open_encoder(base, device=None)
    held = dealt(pairs.topic, HELD_OUT, settings.seed) == 0 if stop_early else np.zeros(len(pairs), np.bool_)
    curve = tune(
        encoder,
        pairs.only(~held),
        settings,
        Checkpoint(work / "tuning.safetensors", f"{key}/{stop_early}"),
        pairs.only(held) if stop_early else None,
        steps.advance_to,
    )
    return Tuned(encoder, pairs, curve, left_out, fold_of)


def tuning_key(pairs: JudgedTexts, benchmark: Benchmark, base: Path, settings: Tuning) -> str:
    """What a tuning depends on, in hex: tunings of one key come to one end."""
    texts = [pairs.openings.get(title, "") for title in (*pairs.left, *pairs.right)]
    said = [weights_digest(base), benchmark.checksum, len(pairs), asdict(settings), texts]
    return hashlib.blake2b(msgspec.json.encode(said), digest_size=16).hexdigest()
