"""The encoder stage: two vectors of each concept by a sentence encoder, of its title and of its lead.

A short title is encoded in other words as well, as a short term is (``encoders.wordings``).

The encoder's files are copied beside what the stage writes, so that every machine of a cluster finds them,
and finds the same ones when a build is resumed. Texts are encoded one by one: whatever runs the build, and in
whatever parts, the vectors are the same.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from building.arrays import create_array
from building.articles import ARTICLE_COLUMNS, articles
from building.dataset import read_batches
from building.engines.runner import tasks_over
from building.stage import Build, Stage
from encoders.card import CARD, read_card
from encoders.encoder import Kind, TextEncoder, open_encoder
from encoders.texts import described, opening
from encoders.wordings import in_wordings
from snapshots.scaled import ScaledVectors, parts
from snapshots.stop_words import base_language

PAGES_IN_A_TASK = 1_000
"""Pages that are encoded in one go: some seconds' work, which is all that is lost when a build is stopped."""

TABLES = {"title": "title_vectors", "lead": "lead_vectors"}
"""The tables by the column of ``ENCODED`` that they are made of."""

ENCODED = pa.schema(
    [
        ("concept", pa.int32()),
        ("title", pa.binary()),
        ("title_scale", pa.float32()),
        ("lead", pa.binary()),
        ("lead_scale", pa.float32()),
    ]
)
"""One row a concept: its two vectors, each a byte a dimension, and their scales."""


def run(build: Build) -> None:
    """Write ``title_vectors`` and ``lead_vectors``."""
    if build.encoder is None:
        raise ValueError("the build was given no encoder")
    folder, pages = build.folder(STAGE.name), build.folder("pages") / "pages"
    copied = _copied(build.encoder.folder, folder / "encoder")
    encode = partial(
        _encode,
        encoder=copied,
        kind=build.encoder.kind,
        page_ids=build.page_ids,
        language=base_language(build.siteinfo.language),
    )
    tasks = tasks_over(pages, PAGES_IN_A_TASK, ARTICLE_COLUMNS)
    build.map(encode, tasks, folder / "encoded", ENCODED, shown=True)
    size = build.concepts, read_card(copied).dimensions
    for column, name in TABLES.items():
        _write(folder, name, column, ScaledVectors(*_created(folder, name, size)))


def _given(build: Build) -> str | None:
    """What decides the vectors beside the pages; None where the build has no encoder."""
    return None if build.encoder is None else f"{build.encoder.digest} {build.encoder.kind}"


STAGE = Stage(
    "encoder",
    ("pages", "concepts"),
    run,
    version=2,
    label="Encoding titles and leads",
    unit="pages",
    given=_given,
)


def _copied(encoder: Path, target: Path) -> Path:
    """The encoder's files in a folder of the build's own; an earlier copy that is whole is kept."""
    if not (target / CARD).exists():
        target.mkdir(parents=True, exist_ok=True)
        for name in read_card(encoder).files:
            shutil.copyfile(encoder / name, target / name)
        shutil.copyfile(encoder / CARD, target / CARD)  # last: with it the copy is whole
    return target


@lru_cache(1)
def _opened(encoder: Path, kind: Kind) -> TextEncoder:
    """The encoder, opened once a process."""
    return open_encoder(encoder, kind)


def _encode(
    batches: Iterator[pa.RecordBatch], encoder: Path, kind: Kind, page_ids: Path, language: str
) -> Iterator[pa.RecordBatch]:
    """Map pages to ``ENCODED``."""
    opened = _opened(encoder, kind)
    for batch in batches:
        pages = list(articles(iter([batch]), page_ids))
        columns: list[list[int] | list[bytes] | NDArray[np.float32]] = [[of.concept for of in pages]]
        leads = [described(of.title, opening(of.title, of.paragraphs)) for of in pages]
        titles = in_wordings([of.title for of in pages], language, opened.encode)
        for vectors in (titles.astype(np.float32), opened.encode(leads)):
            rounded = ScaledVectors.of(vectors)
            columns += [[row.tobytes() for row in rounded.vectors], rounded.scales]
        yield pa.record_batch(columns, ENCODED)


def _created(folder: Path, name: str, size: tuple[int, int]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """The arrays of a table, in their files, to be filled."""
    vectors, scales = parts(ScaledVectors.zeros(0))
    return (
        create_array(folder / f"{name}{vectors}.npy", np.int8, size),
        create_array(folder / f"{name}{scales}.npy", np.float32, size[:1]),
    )


def _write(folder: Path, name: str, column: str, table: ScaledVectors) -> None:
    """Fill a table with what the maps have written."""
    for batch in read_batches(folder / "encoded", ["concept", column, f"{column}_scale"]):
        concepts = batch.column(0).to_numpy()
        rows = np.frombuffer(b"".join(batch.column(1).to_pylist()), np.int8)
        table.vectors[concepts] = rows.reshape(len(concepts), table.dimensions)
        table.scales[concepts] = batch.column(2).to_numpy()
