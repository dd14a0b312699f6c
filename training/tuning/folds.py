"""Cosines out of fold: each pair's by an encoder that saw no pair of its topic.

An encoder that was tuned on a pair knows the answer to it. A model that is to learn how far cosines can be
trusted needs those that encoders give to pairs they were not tuned on: topics are dealt into folds, and an
encoder is tuned without each. Ten folds stand for leaving out one topic, which would take as many tunings
as there are topics.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

from encoders.left_out import COLUMNS, pair_digest, topic_digest
from measures.arrays import Bools, Floats, Ints
from models.whole_file import whole_file
from training.progress import Progress
from training.tuning.checkpoint import Checkpoint
from training.tuning.cosines import Cosines, cosines
from training.tuning.encoder import Encoder
from training.tuning.examples import JudgedTexts, dealt
from training.tuning.loop import tune
from training.tuning.settings import Tuning

DIGITS = 5
"""Decimals of a cosine in the file."""


def left_out_cosines(
    open_base: Callable[[], Encoder],
    pairs: JudgedTexts,
    settings: Tuning,
    folds: int,
    work: Path,
    key: str,
    progress: Progress | None = None,
) -> tuple[Cosines, Ints]:
    """The cosines of each pair by an encoder tuned without its fold, and its fold, int64[n].

    ``open_base``: opens the encoder to start from. ``work``: a folder for what is finished: a fold that is
    there, for this ``key``, is not tuned again. ``progress`` counts steps of all folds.
    """
    work.mkdir(parents=True, exist_ok=True)
    fold_of = dealt(pairs.topic, folds, settings.seed)
    columns = np.zeros((3, len(pairs)))
    for fold in range(folds):
        of_fold = _of_fold(
            open_base,
            pairs,
            fold_of == fold,
            settings,
            work / f"fold-{fold}-of-{folds}",
            key,
            _within(progress, fold, folds),
        )
        columns[:, fold_of == fold] = of_fold
    return Cosines(*columns), fold_of


def _of_fold(
    open_base: Callable[[], Encoder],
    pairs: JudgedTexts,
    out: Bools,
    settings: Tuning,
    file: Path,
    key: str,
    progress: Progress | None,
) -> Floats:
    """The three cosines of the pairs that are left out, bool[n], by an encoder tuned to the others."""
    kept = file.with_name(f"{file.name}-{key[:16]}.npy")
    if kept.is_file():
        return np.asarray(np.load(kept, allow_pickle=False), np.float64)
    encoder = open_base()
    checkpoint = Checkpoint(file.with_suffix(".safetensors"), f"{key}/{file.name}")
    tune(encoder, pairs.only(~out), settings, checkpoint, progress=progress)
    by_encoder = cosines(encoder, pairs.only(out))
    columns = np.stack([by_encoder.title, by_encoder.cross, by_encoder.lead])
    with whole_file(kept) as opened:
        np.save(opened, columns, allow_pickle=False)
    checkpoint.remove()
    return columns


def _within(progress: Progress | None, fold: int, folds: int) -> Progress | None:
    """Progress of one fold as a part of all."""
    if progress is None:
        return None

    def of_all(done: int, total: int | None) -> None:
        progress(fold * (total or 0) + done, folds * (total or 0))

    return of_all


def as_csv(pairs: JudgedTexts, found: Cosines, fold_of: Ints) -> str:
    """The file of left-out cosines, ``encoders.left_out``; ``lead`` takes two beginnings, ``cross`` one."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for place, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        opened = [bool(pairs.openings.get(side)) for side in (left, right)]
        topic = pairs.topics[pairs.topic[place]] if pairs.topics else str(pairs.topic[place])
        shown = [_written(found.title, place)]
        shown.append(_written(found.cross, place) if any(opened) else "")
        shown.append(_written(found.lead, place) if all(opened) else "")
        digests = pair_digest((left, right, topic)), topic_digest(topic)
        rows.writerow([*digests, int(fold_of[place]), *shown])
    return text.getvalue()


def _written(column: Floats, place: int) -> str:
    return f"{column[place]:.{DIGITS}f}"
