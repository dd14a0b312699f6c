"""The folder of a tuned encoder: what servers read, and the weights for whoever tunes on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from encoders.card import (
    BASIS,
    FORMAT,
    LEFT_OUT,
    MODEL,
    SCALES,
    TOKENIZER,
    TOKENS,
    Base,
    Card,
    TunedOn,
    write_card,
)
from measures.arrays import Floats
from training.benchmarks.judgements import Benchmark
from training.progress import NoProgress, Steps
from training.tuning.encoder import pooling_of, weights_digest
from training.tuning.folds import as_csv
from training.tuning.onnx_model import rounded_by, write_onnx
from training.tuning.recipe import School
from training.tuning.settings import Tuning
from training.tuning.static import token_table
from training.tuning.tune import Tuned

WEIGHTS_FOLDER = "sentence-transformers"
"""The folder within that sentence-transformers reads: the weights as they were tuned."""

Figures = Mapping[str, Mapping[str, float]]
"""By what was judged on: numbers by name."""


def write_folder(
    folder: Path,
    tuned: Tuned,
    *,
    name: str,
    base: Path,
    school: School | None = None,
    benchmark: Benchmark,
    settings: Tuning,
    figures: Figures,
    texts: Sequence[str],
    licence: str,
    data_licence: str,
    code_version: str,
    steps: Steps = NoProgress(),  # noqa: B008 - without state
) -> Card:
    """Write all that is known of a tuned encoder into a new folder; its card.

    ``texts``: what the static table is fitted to, such as titles. ``licence``: of the weights, SPDX;
    ``data_licence``: of the judgements, as the benchmark declares it, or nothing. The folder is made beside
    ``folder`` and renamed at the end: it is whole, or not there.
    """
    beside = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(beside, ignore_errors=True)
    weights = beside / WEIGHTS_FOLDER
    weights.mkdir(parents=True)
    tuned.encoder.save(str(weights), create_model_card=False)
    steps.begin("writing the ONNX graph")
    write_onnx(tuned.encoder, beside / MODEL)
    tuned.encoder.tokenizer.backend_tokenizer.save(str(beside / TOKENIZER))
    steps.begin("fitting the static table", "texts")
    coordinates, basis = token_table(tuned.encoder, texts, steps.advance_to)
    rounded, scales = rounded_by(_float32(coordinates), 0)
    np.save(beside / TOKENS, rounded, allow_pickle=False)
    np.save(beside / SCALES, scales, allow_pickle=False)
    np.save(beside / BASIS, _float32(basis), allow_pickle=False)
    if tuned.left_out is not None and tuned.fold_of is not None:
        (beside / LEFT_OUT).write_text(as_csv(tuned.pairs, tuned.left_out, tuned.fold_of), encoding="utf-8")
    card = write_card(
        beside,
        Card(
            format=FORMAT,
            name=name,
            base=Base(base.name, weights_digest(base)),
            data=[
                TunedOn(
                    benchmark.title or benchmark.name,
                    len(benchmark.judgements),
                    benchmark.checksum,
                    data_licence,
                )
            ],
            teacher=None if school is None else Base(school.teacher.name, weights_digest(school.teacher)),
            settings=asdict(settings) | _of_teaching(school),
            figures={judged: dict(numbers) for judged, numbers in figures.items()},
            dimensions=int(basis.shape[1]),
            longest_text=settings.tokens,
            pooling=pooling_of(tuned.encoder),
            licence=licence,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            code_version=code_version,
            files={},
        ),
    )
    if folder.exists():
        shutil.rmtree(folder)
    beside.rename(folder)
    return card


def _of_teaching(school: School | None) -> dict[str, Any]:
    return {} if school is None else {"texts": len(school.texts), "teaching": asdict(school.teaching)}


def _float32(values: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return values.astype(np.float32)
