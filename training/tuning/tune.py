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
from training.errors import TooFewPairs
from training.progress import NoProgress, Steps
from training.tuning.cosines import Cosines
from training.tuning.encoder import Encoder, weights_digest
from training.tuning.examples import JudgedTexts, dealt
from training.tuning.folds import left_out_cosines
from training.tuning.loop import Point
from training.tuning.recipe import Recipe, School
from training.tuning.settings import Tuning

FOLDS = 10
HELD_OUT = 10
"""One topic in so many is held out where tuning may stop early; one, where there are fewer."""


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
    school: School | None = None,
    workers: int = 1,
) -> Tuned:
    """Tune the encoder of the folder ``base`` to a benchmark, and others without each of some folds.

    ``openings``: how the articles of titles begin. ``work``: a folder where an interrupted tuning finds what
    it had. ``folds``: 0 for none; then the cosines of these pairs are known to an encoder that saw them
    alone, and no model can be trained on them. ``stop_early``: hold out a tenth of the topics, and stop where
    the encoder gets no better on them. ``school``: a larger encoder to learn from besides, and texts to do so
    by. ``workers``: how many folds are tuned at once.

    Raises:
        TrainingError: the encoder or the pairs cannot be used.
    """
    if folds == 1:
        raise TooFewPairs("One fold leaves no pair to tune to. Ask for two or more, or for none (0).")
    pairs = JudgedTexts.of(benchmark, openings)
    held = np.zeros(len(pairs), np.bool_)
    if stop_early:
        held = dealt(pairs.topic, min(HELD_OUT, len(np.unique(pairs.topic))), settings.seed) == 0
    key = tuning_key(pairs, benchmark, base, settings, school)
    recipe = Recipe(base, settings, work, key, school)
    recipe.prepare(steps)
    left_out, fold_of = None, None
    if folds:
        steps.begin(f"tuning without each of {folds} folds", "steps" if workers == 1 else "folds")
        left_out, fold_of = left_out_cosines(recipe, pairs, folds, steps.advance_to, workers)
    steps.begin("tuning", "steps")
    encoder, curve = recipe.tuned(
        pairs.only(~held),
        "tuning-stopped-early" if stop_early else "tuning",
        pairs.only(held) if stop_early else None,
        steps.advance_to,
    )
    return Tuned(encoder, pairs, curve, left_out, fold_of)


def tuning_key(
    pairs: JudgedTexts, benchmark: Benchmark, base: Path, settings: Tuning, school: School | None = None
) -> str:
    """What a tuning depends on, in hex: tunings of one key come to one end."""
    texts = [pairs.openings.get(title, "") for title in (*pairs.left, *pairs.right)]
    judged = [pairs.left, pairs.right, pairs.shares.tolist(), pairs.topic.tolist(), pairs.topics]
    said = [weights_digest(base), benchmark.checksum, *judged, asdict(settings), texts]
    if school is not None:
        said += [weights_digest(school.teacher), asdict(school.teaching), list(school.texts)]
    return hashlib.blake2b(msgspec.json.encode(said), digest_size=16).hexdigest()
