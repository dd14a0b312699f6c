"""The real dumps: known counts, first and last pages."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from wiki.dump import Dump, Layout, read_pages
from wiki.errors import TruncatedDump
from wiki.page import RawPage
from wiki.titles import TitleRules


def test_a_dump_of_2006_cut_mid_page(data_dir: Path) -> None:
    path = data_dir / "wiki" / "enwik8-first-4MB-cut-mid-page.xml.bz2"
    dump = Dump.open(path)
    assert (dump.schema_version, dump.siteinfo.dbname, dump.siteinfo.language) == ("0.3", "enwiki", "en")
    pages: list[RawPage] = []
    with pytest.raises(TruncatedDump) as caught:
        for chunk in dump.chunks(1 << 20):
            pages += read_pages(chunk, dump.siteinfo)
    assert len(pages) == 491
    assert (pages[0].title, pages[0].redirect) == ("AaA", "AAA")
    assert Counter(page.namespace for page in pages) == {0: 490, 4: 1}
    assert caught.value.pages == 491
    assert caught.value.offset == dump.size
    assert (caught.value.last_title, caught.value.last_page_id) == (pages[-1].title, pages[-1].page_id)
    assert "'Alliaceae' (page id 955)" in str(caught.value)


@pytest.mark.parametrize("target_bytes", [1 << 19, 4 << 20])
def test_the_latgalian_wikipedia(data_dir: Path, target_bytes: int) -> None:
    dump = Dump.open(data_dir / "wiki" / "ltgwiki-20170901-pages-articles.xml.bz2")
    pages = [page for chunk in dump.chunks(target_bytes) for page in read_pages(chunk, dump.siteinfo)]
    assert len(pages) == 2004
    assert Counter(page.namespace for page in pages)[14] == 539
    assert sum(page.redirect is not None for page in pages) == 195
    rules = TitleRules(dump.siteinfo)
    for page in pages:
        assert rules.normalize(page.title) == page.title
        title = rules.parse(page.title)
        assert title is not None
        assert title.namespace == page.namespace


def test_the_english_multistream_dump(data_dir: Path) -> None:
    dump = Dump.open(data_dir / "wiki" / "enwiki-relinked-multistream.xml.bz2")
    assert dump.layout is Layout.MULTISTREAM
    assert dump.index is not None
    chunks = list(dump.chunks(1))
    assert len(chunks) == 283
    first, last = (list(read_pages(chunk, dump.siteinfo)) for chunk in (chunks[0], chunks[-1]))
    assert (first[0].page_id, first[0].title, len(first)) == (12, "Anarchism", 100)
    assert (last[-1].page_id, last[-1].title, len(last)) == (100_569_977, "Tariq Ismail Sagar", 50)


def test_titles_of_a_modern_sample_are_normal(data_dir: Path) -> None:
    dump = Dump.open(data_dir / "wiki" / "enwiki-2016-first-206-pages.xml.bz2")
    rules = TitleRules(dump.siteinfo)
    pages = [page for chunk in dump.chunks() for page in read_pages(chunk, dump.siteinfo)]
    assert len(pages) == 206
    assert sum(page.redirect is not None for page in pages) == 100
    for page in islice(pages, 206):
        assert rules.normalize(page.title) == page.title
