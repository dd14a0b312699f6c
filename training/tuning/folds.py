"""Cosines out of fold: each pair's by an encoder that saw no pair of its topic.

An encoder that was tuned on a pair knows the answer to it. A model that is to learn how far cosines can be
trusted needs those that encoders give to pairs they were not tuned on: topics are dealt into folds, and an
encoder is tuned without each. Ten folds stand for leaving out one topic, which would take as many tunings
as there are topics.
"""

from __future__ import annotations

import csv
import io
import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from multiprocessing import get_context

import numpy as np

from encoders.left_out import COLUMNS, pair_digest, topic_digest
from measures.arrays import Bools, Floats, Ints
from models.whole_file import whole_file
from training.progress import Progress, part_of
from training.tuning.cosines import Cosines, cosines
from training.tuning.examples import JudgedTexts, dealt
from training.tuning.recipe import Recipe

DIGITS = 5
"""Decimals of a cosine in the file."""


def left_out_cosines(
    recipe: Recipe,
    pairs: JudgedTexts,
    folds: int,
    progress: Progress | None = None,
    workers: int = 1,
) -> tuple[Cosines, Ints]:
    """The cosines of each pair by an encoder tuned without its fold, and its fold, int64[n].

    ``recipe``: how an encoder is tuned; it is prepared. A fold that is found finished is not tuned again.
    ``progress`` counts steps of all folds. So many folds as there are ``workers`` are tuned at once, each in
    a process of its own; then ``progress`` counts folds.
    """
    recipe.work.mkdir(parents=True, exist_ok=True)
    fold_of = dealt(pairs.topic, folds, recipe.settings.seed)
    columns = np.zeros((3, len(pairs)))
    if workers == 1:
        for fold in range(folds):
            out = fold_of == fold
            columns[:, out] = _of_fold(recipe, pairs, out, _name(fold, folds), part_of(progress, fold, folds))
        return Cosines(*columns), fold_of
    with ProcessPoolExecutor(workers, get_context("spawn"), _share_processors, (workers,)) as processes:
        asked = {
            processes.submit(_of_fold, recipe, pairs, fold_of == fold, _name(fold, folds)): fold
            for fold in range(folds)
        }
        try:
            for done, finished in enumerate(as_completed(asked), start=1):
                columns[:, fold_of == asked[finished]] = finished.result()
                if progress is not None:
                    progress(done, folds)
        except BaseException:
            # What has not begun would otherwise be waited for, too.
            processes.shutdown(wait=False, cancel_futures=True)
            raise
    return Cosines(*columns), fold_of


def _name(fold: int, folds: int) -> str:
    return f"fold-{fold}-of-{folds}"


def _share_processors(workers: int) -> None:
    """Take no more processors than a share of them, in a process beside others."""
    import_module("torch").set_num_threads(max(1, (os.cpu_count() or 1) // workers))


def _of_fold(
    recipe: Recipe, pairs: JudgedTexts, out: Bools, name: str, progress: Progress | None = None
) -> Floats:
    """The three cosines of the pairs that are left out, bool[n], by an encoder tuned to the others."""
    kept = recipe.work / f"{name}-{recipe.key[:16]}.npy"
    if kept.is_file():
        return np.asarray(np.load(kept, allow_pickle=False), np.float64)
    encoder, _ = recipe.tuned(pairs.only(~out), name, progress=progress)
    by_encoder = cosines(encoder, pairs.only(out))
    columns = np.stack([by_encoder.title, by_encoder.cross, by_encoder.lead])
    with whole_file(kept) as opened:
        np.save(opened, columns, allow_pickle=False)
    recipe.forget(name)
    return columns


def as_csv(pairs: JudgedTexts, found: Cosines, fold_of: Ints) -> str:
    """The file of left-out cosines, ``encoders.left_out``; ``lead`` takes two beginnings, ``cross`` one.

    A pair that was judged several times in a topic has the same cosines each time, and stands there once.
    """
    text, written = io.StringIO(), set[str]()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for place, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        opened = [bool(pairs.openings.get(side)) for side in (left, right)]
        topic = pairs.topics[pairs.topic[place]] if pairs.topics else str(pairs.topic[place])
        pair = pair_digest((left, right, topic))
        if pair in written:
            continue
        written.add(pair)
        shown = [_written(found.title, place)]
        shown.append(_written(found.cross, place) if any(opened) else "")
        shown.append(_written(found.lead, place) if all(opened) else "")
        rows.writerow([pair, topic_digest(topic), int(fold_of[place]), *shown])
    return text.getvalue()


def _written(column: Floats, place: int) -> str:
    return f"{column[place]:.{DIGITS}f}"
