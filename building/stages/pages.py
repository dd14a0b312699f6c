"""Pages: what every page of the dump says, one row a page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial

import msgspec
import pyarrow as pa

from building.articles import PAGES
from building.engines.runner import Task
from building.repeats import drop_repeats
from building.stage import Build, Stage
from wiki.dump import Chunk, read_pages
from wiki.page import ParsedPage, RawPage
from wiki.siteinfo import Siteinfo
from wiki.titles import TitleRules, title_rules
from wiki.wikitext import parse

PAGES_IN_A_BATCH = 200

CHUNKS = pa.schema(
    [
        ("path", pa.string()),
        ("number", pa.int64()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("data", pa.large_binary()),
    ]
)
"""A ``wiki.dump.Chunk`` as a row, so that any engine can hand it to a worker."""

VERSION = 3
"""The version of this code: what another one extracted is extracted anew."""

_NOTHING = ParsedPage((), (), (), (), disambiguation=False, hidden_category=False)


def run(build: Build, version: int = VERSION) -> None:
    """Extract the dump chunk by chunk into ``pages``, and list in ``repeats`` what was there already.

    A chunk that is finished is known by what its rows come from: its bytes, the wiki's rules, and the
    ``version`` of this code.
    """
    output = build.folder(STAGE.name) / "pages"
    meaning = msgspec.json.encode([version, build.siteinfo.to_json()])
    current: set[str] = set()

    def tasks() -> Iterator[Task]:
        for chunk in build.dump.chunks():
            content = hashlib.blake2b(meaning + chunk.digest().encode(), digest_size=8).hexdigest()
            key = f"{chunk.number:06d}-{content}"
            current.add(key)
            row = {name: [getattr(chunk, name)] for name in CHUNKS.names}
            yield Task(key, chunk.end - chunk.start, pa.record_batch(row, CHUNKS))

    function = partial(extract, siteinfo=build.siteinfo)
    build.runner.map(function, tasks(), output, PAGES, build.progress, build.dump.size)
    for piece in output.glob("*.parquet"):
        if current and piece.stem not in current:  # of an earlier state of the dump
            piece.unlink()
    drop_repeats(build.runner, output, build.folder(STAGE.name) / "repeats")


def extract(chunks: Iterator[pa.RecordBatch], siteinfo: Siteinfo) -> Iterator[pa.RecordBatch]:
    """The pages of some chunks (``CHUNKS``) as rows of ``PAGES``."""
    rules = title_rules(siteinfo)
    for batch in chunks:
        for row in batch.to_pylist():
            pages = read_pages(Chunk(**row), siteinfo)
            rows: list[tuple[RawPage, str, str | None, ParsedPage, str | None]] = []
            for page in pages:
                rows.append((page, *_understood(page, rules)))
                if len(rows) == PAGES_IN_A_BATCH:
                    yield _batch(rows)
                    rows = []
            if rows:
                yield _batch(rows)


def _understood(page: RawPage, rules: TitleRules) -> tuple[str, str | None, ParsedPage, str | None]:
    """The normalised title, the redirect's target, the parsed text, and what could not be understood."""
    title = rules.normalize(page.title)
    if not title:
        return page.title, None, _NOTHING, "the title is not one that the wiki allows"
    if page.redirect is not None:
        return title, rules.normalize(page.redirect), _NOTHING, None
    try:
        return title, None, parse(page.text, rules), None
    except Exception as error:
        return title, None, _NOTHING, f"the text cannot be parsed: {error!r}"


def _batch(rows: list[tuple[RawPage, str, str | None, ParsedPage, str | None]]) -> pa.RecordBatch:
    raw, titles, redirects, parsed, problems = zip(*rows, strict=True)
    columns = [
        [page.page_id for page in raw],
        [page.namespace for page in raw],
        titles,
        redirects,
        [page.disambiguation for page in parsed],
        [page.hidden_category for page in parsed],
        [page.paragraphs for page in parsed],
        [[msgspec.structs.astuple(link) for link in page.links] for page in parsed],
        [page.categories for page in parsed],
        [page.templates for page in parsed],
        [page.bold for page in parsed],
        problems,
    ]
    return pa.record_batch(columns, PAGES)


STAGE = Stage("pages", (), run, version=VERSION, label="Reading pages", unit="bytes", keeps_pieces=True)
