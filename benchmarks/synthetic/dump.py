"""Writing a synthetic wiki as a multistream dump with its index."""

from __future__ import annotations

import bz2
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from benchmarks.synthetic.pages import STREAM_PAGES, Page, SyntheticWiki
from building.engines.runner import Progress, no_progress

_NAMESPACES: Final = {
    **{-2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 4: "Wikipedia", 6: "File"},
    **{8: "MediaWiki", 10: "Template", 12: "Help", 14: "Category"},
}
_SPACE: Final = "http://www.mediawiki.org/xml/export-0.11/"
_FIRST_ID: Final = 10
_IDS_A_PAGE: Final = 3
"""Page ids have gaps, since pages are deleted."""

_CLOSING: Final = b"</mediawiki>\n"


def write_dump(
    wiki: SyntheticWiki, folder: Path, name: str, workers: int = 1, progress: Progress = no_progress
) -> Path:
    """Write ``NAME-pages-articles-multistream.xml.bz2`` and its index into ``folder``; return its path.

    The same wiki gives the same bytes with any number of ``workers``. Neither file has its name before both
    are whole. ``progress`` counts streams.
    """
    dump = folder / f"{name}-pages-articles-multistream.xml.bz2"
    index = folder / f"{name}-pages-articles-multistream-index.txt.bz2"
    unfinished = dump.with_suffix(".partial"), index.with_suffix(".partial")
    folder.mkdir(parents=True, exist_ok=True)
    with unfinished[0].open("wb") as pages, bz2.open(unfinished[1], "wb") as lines:
        pages.write(bz2.compress(_header(name)))
        for number, (stream, listed) in enumerate(_streams(wiki, workers)):
            offset = pages.tell()
            lines.write("".join(f"{offset}:{line}\n" for line in listed).encode())
            pages.write(stream)
            progress(number + 1, wiki.streams)
        pages.write(bz2.compress(_CLOSING))
    unfinished[1].rename(index)
    return unfinished[0].rename(dump)


def _streams(wiki: SyntheticWiki, workers: int) -> Iterator[tuple[bytes, list[str]]]:
    """The streams in order; a few a worker are made ahead of the one that is written."""
    make = partial(compressed_stream, wiki)
    if workers == 1:
        yield from map(make, range(wiki.streams))
        return
    running: deque[Future[tuple[bytes, list[str]]]] = deque()
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for stream in range(wiki.streams):
            running.append(pool.submit(make, stream))
            if len(running) >= 4 * workers:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


def compressed_stream(wiki: SyntheticWiki, stream: int) -> tuple[bytes, list[str]]:
    """A stream of pages, compressed, and what the index says of each: "page id:title"."""
    pages = wiki.pages(stream)
    first = _FIRST_ID + _IDS_A_PAGE * STREAM_PAGES * stream
    ids = range(first, first + _IDS_A_PAGE * len(pages), _IDS_A_PAGE)
    xml = "".join(map(_page, ids, pages))
    listed = [f"{page_id}:{page.title}" for page_id, page in zip(ids, pages, strict=True)]
    return bz2.compress(xml.encode()), listed


def _page(page_id: int, page: Page) -> str:
    redirect = f'    <redirect title="{page.redirect}" />\n' if page.redirect else ""
    return (
        f"  <page>\n    <title>{page.title}</title>\n    <ns>{page.namespace}</ns>\n    <id>{page_id}</id>\n"
        f"{redirect}    <revision>\n      <id>{page_id + 10**9}</id>\n"
        f"      <timestamp>2015-05-23T{page_id // 3600 % 24:02}:{page_id // 60 % 60:02}:{page_id % 60:02}Z"
        f"</timestamp>\n      <contributor>\n        <username>Writer {page_id % 997}</username>\n"
        f"        <id>{page_id % 997}</id>\n      </contributor>\n      <model>wikitext</model>\n"
        f'      <format>text/x-wiki</format>\n      <text bytes="{len(page.text)}" xml:space="preserve">'
        f"{page.text}</text>\n    </revision>\n  </page>\n"
    )


def _header(name: str) -> bytes:
    namespaces = "".join(
        f'      <namespace key="{key}" case="first-letter">{title}</namespace>\n'
        for key, title in _NAMESPACES.items()
    )
    return (
        f'<mediawiki xmlns="{_SPACE}" version="0.11" xml:lang="en">\n  <siteinfo>\n'
        f"    <sitename>Synthetic Wikipedia</sitename>\n    <dbname>{name}</dbname>\n"
        "    <base>https://en.wikipedia.org/wiki/Main_Page</base>\n    <generator>wort</generator>\n"
        f"    <case>first-letter</case>\n    <namespaces>\n{namespaces}    </namespaces>\n  </siteinfo>\n"
    ).encode()
