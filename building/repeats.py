"""Repeated pages: a dump may hold a page twice, or move it while the dump is made.

The tables know a page by its id and by its title, so each must be there once. The first row in the order of
the dump stays; a later one with its id or its title goes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from building.dataset import rows
from building.engines.runner import ROWS_IN_A_BATCH, Runner

REPEATS = pa.schema([("page_id", pa.int64()), ("title", pa.string()), ("problem", pa.string())])
"""The rows that went, with the reason."""

_SHARED = """
    SELECT page_id, cast(NULL AS string) AS title FROM pages GROUP BY page_id HAVING count(*) > 1
    UNION ALL
    SELECT cast(NULL AS bigint) AS page_id, title FROM pages GROUP BY title HAVING count(*) > 1
"""
"""The page ids and the titles of more than one row."""


def drop_repeats(runner: Runner, pages: Path, repeats: Path) -> None:
    """Leave the first row with each page id and each title in ``pages``; write ``repeats``.

    A file that loses rows gets another name, so that the pages stage does not take it for the whole piece.
    """
    shared = repeats.with_name("shared")
    runner.sql(_SHARED, {"pages": pages}, shared)
    keys = list(rows(shared))
    ids: dict[int, bool] = {row["page_id"]: False for row in keys if row["page_id"] is not None}
    titles: dict[str, bool] = {row["title"]: False for row in keys if row["title"] is not None}
    dropped: list[dict[str, object]] = []
    for path in sorted(pages.glob("*.parquet")) if keys else []:
        table = pq.ParquetFile(path).read(["page_id", "title"])
        chosen = np.ones(len(table), np.bool_)
        for place, row in enumerate(table.to_pylist()):
            page_id, title = row["page_id"], row["title"]
            if ids.get(page_id) or titles.get(title):
                chosen[place] = False
                by = "id" if ids.get(page_id) else "title"
                dropped.append(row | {"problem": f"an earlier page of the dump has the same {by}"})
                continue
            if page_id in ids:
                ids[page_id] = True
            if title in titles:
                titles[title] = True
        if not chosen.all():
            _keep(path, chosen)
    repeats.mkdir(exist_ok=True)
    pq.write_table(pa.Table.from_pylist(dropped, REPEATS), repeats / "part-0.parquet")


def _keep(path: Path, chosen: NDArray[np.bool_]) -> None:
    """Write the chosen rows of a file beside it, and remove it."""
    rest = path.with_name(f"{path.stem}-once.parquet")
    unfinished = rest.with_suffix(".partial")
    with pq.ParquetFile(path) as file:
        batches = file.iter_batches(ROWS_IN_A_BATCH)
        with pq.ParquetWriter(unfinished, file.schema_arrow, compression="zstd") as kept:
            start = 0
            for batch in batches:
                kept.write_batch(batch.filter(pa.array(chosen[start : start + len(batch)])))
                start += len(batch)
    unfinished.rename(rest)
    path.unlink()
