"""Reading dumps: every layout and schema gives the same pages, in chunks that cover the file."""

from __future__ import annotations

import bz2
import dataclasses
import itertools
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.support.dumps import CLOSING, ENGLISH, dump_xml, header_xml, index_path, page_xml, write_dump
from wiki.bzip2 import PIECE_BYTES
from wiki.dump import Chunk, Dump, Layout, read_pages
from wiki.header import SCHEMA_VERSIONS
from wiki.page import RawPage
from wiki.siteinfo import CASE_SENSITIVE, FIRST_LETTER, Namespace, Siteinfo

LATGALIAN = Siteinfo(
    *("Vikipedeja", "ltgwiki", "ltg", FIRST_LETTER),
    (
        *(Namespace(0, ""), Namespace(6, "Fails"), Namespace(10, "Taiss"), Namespace(14, "Kategoreja")),
        Namespace(2302, "Gadget definition", CASE_SENSITIVE),
    ),
)


def some_pages(count: int, text: str = "Latgalīšu [[volūda]] & <ref>x</ref> 語 ") -> list[RawPage]:
    """Pages whose texts have 3,000 characters, so that a hundred of them do not fit one piece."""
    return [RawPage(n, 0, f"Puslopa {n}", None, f"{n} {text}".ljust(3000, "ā")) for n in range(1, count + 1)]


MIXED = [
    RawPage(1, 0, "Atheism", None, "'''Atheism''' is …\n\n[[Religion]] & <b>more</b>"),
    RawPage(2, 0, "Godlessness", "Atheism", "#REDIRECT [[Atheism]]"),
    RawPage(3, 14, "Category:Atheism", None, "[[Category:Religion]]"),
    RawPage(4, 10, "Template:Stub", None, "{{{1}}}"),
    RawPage(5, 0, "2001: A Space Odyssey", None, ""),
    RawPage(6, 0, "AT&T \"quoted\" <1>", None, "]]> <!-- kept --> &amp; \t tab"),
]  # fmt: skip


def all_pages(dump: Dump, target_bytes: int = 4 << 20) -> list[RawPage]:
    return [page for chunk in dump.chunks(target_bytes) for page in read_pages(chunk, dump.siteinfo)]


def write(folder: Path, layout: str, pages: list[RawPage], **options: object) -> Path:
    names = {"plain": "x.xml", "single": "x.xml.bz2", "streams": "x-multistream.xml.bz2"}
    path = folder / names[layout]
    return write_dump(path, pages, multistream=layout == "streams", **options)  # type: ignore[arg-type]


LAYOUTS = ("plain", "single", "streams")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("version", SCHEMA_VERSIONS)
def test_every_schema_in_every_layout_gives_the_same_pages(tmp_path: Path, layout: str, version: str) -> None:
    dump = Dump.open(write(tmp_path, layout, MIXED, version=version))
    assert dump.schema_version == version
    assert dump.siteinfo.language == "en"
    assert dump.siteinfo.dbname == "enwiki"
    assert {n.key: n.name for n in dump.siteinfo.namespaces} == {n.key: n.name for n in ENGLISH.namespaces}
    assert all_pages(dump) == MIXED


@pytest.mark.parametrize(
    ("layout", "expected"),
    [("plain", Layout.PLAIN), ("single", Layout.SEQUENTIAL), ("streams", Layout.MULTISTREAM)],
)
def test_attributes(tmp_path: Path, layout: str, expected: Layout) -> None:
    path = write(tmp_path, layout, MIXED, siteinfo=LATGALIAN)
    dump = Dump.open(str(path))
    assert (dump.path, dump.size, dump.layout) == (path, path.stat().st_size, expected)
    assert dump.siteinfo == LATGALIAN
    assert dump.index == (index_path(path) if layout == "streams" else None)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("target_bytes", [1, 1000, 100_000, 1 << 30])
def test_chunks_follow_each_other_and_cover_the_file(tmp_path: Path, layout: str, target_bytes: int) -> None:
    pages = some_pages(60)
    dump = Dump.open(write(tmp_path, layout, pages, pages_per_stream=7))
    chunks = list(dump.chunks(target_bytes))
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    assert chunks[0].start == (0 if layout == "single" else dump.pages_start)
    assert chunks[-1].end == dump.size
    assert all(left.end == right.start for left, right in itertools.pairwise(chunks))
    assert list(dump.chunks(target_bytes)) == chunks
    assert len(chunks) > 1 or target_bytes >= 100_000
    if target_bytes == 1:
        # The smallest pieces are a page, a stream, and the pages of one piece of decompressed XML.
        assert len(chunks) == {"plain": 60, "streams": 9}.get(layout, len(chunks))
    digests = [chunk.digest() for chunk in chunks]
    assert len(set(digests)) == len(chunks)
    assert all(len(digest) == 32 for digest in digests)
    assert all_pages(dump, target_bytes) == pages


@pytest.mark.parametrize("layout", LAYOUTS)
def test_chunks_are_read_in_any_order_after_pickling(tmp_path: Path, layout: str) -> None:
    pages = some_pages(40)
    dump = Dump.open(write(tmp_path, layout, pages, pages_per_stream=5))
    chunks = pickle.loads(pickle.dumps(list(dump.chunks(2000))))
    assert len(chunks) > 1
    backwards = [list(read_pages(chunk, dump.siteinfo)) for chunk in reversed(chunks)]
    assert [page for part in reversed(backwards) for page in part] == pages


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1, max_size=4),
    st.integers(1, 99),
)
def test_any_text_survives(tmp_path: Path, texts: list[str], target_bytes: int) -> None:
    # XML cannot hold the noncharacters U+FFFE and U+FFFF, which MediaWiki never writes.
    clean = [text.replace("\ufffe", "").replace("\uffff", "") for text in texts]
    pages = [RawPage(n + 1, 0, f"P{n}", None, "x" + text) for n, text in enumerate(clean)]
    for layout in LAYOUTS:
        dump = Dump.open(write(tmp_path, layout, pages, pages_per_stream=1))
        assert all_pages(dump, target_bytes) == pages


def test_a_letter_may_be_cut_between_two_pieces(tmp_path: Path) -> None:
    for shift in range(4):
        pages = [RawPage(1, 0, "P", None, "x" * shift + "語𐀀" * PIECE_BYTES)]
        assert all_pages(Dump.open(write(tmp_path, "plain", pages))) == pages
        assert all_pages(Dump.open(write(tmp_path, "single", pages))) == pages


def test_scanning_finds_the_streams_that_the_index_names(tmp_path: Path) -> None:
    path = write(tmp_path, "streams", some_pages(90), pages_per_stream=4)
    indexed = Dump.open(path)
    scanned = dataclasses.replace(indexed, index=None)
    for target_bytes in (1, 500, 5000):
        assert list(indexed.chunks(target_bytes)) == list(scanned.chunks(target_bytes))
    index_path(path).unlink()
    assert Dump.open(path) == scanned


def test_an_index_may_be_named_and_uncompressed(tmp_path: Path) -> None:
    path = write(tmp_path, "streams", some_pages(9), pages_per_stream=2)
    index = tmp_path / "index.txt"
    index.write_bytes(bz2.decompress(index_path(path).read_bytes()))
    index_path(path).unlink()
    dump = Dump.open(path, index)
    assert dump.index == index
    assert len(list(dump.chunks(1))) == 5


def test_the_index_of_one_part_of_a_dump_is_found(tmp_path: Path) -> None:
    path = write(tmp_path, "streams", MIXED)
    part = path.rename(tmp_path / "enwiki-20240101-pages-articles-multistream1.xml-p1p6.bz2")
    index = tmp_path / "enwiki-20240101-pages-articles-multistream-index1.txt-p1p6.bz2"
    index_path(path).rename(index)
    assert Dump.open(part).index == index


def test_streams_that_do_not_hold_whole_pages_are_read_in_order(tmp_path: Path) -> None:
    xml = dump_xml(some_pages(30))
    path = tmp_path / "x.xml.bz2"
    path.write_bytes(
        b"".join(bz2.compress(xml[start : start + 10_000]) for start in range(0, len(xml), 10_000))
    )
    dump = Dump.open(path)
    assert dump.layout is Layout.SEQUENTIAL
    assert all_pages(dump, 20_000) == some_pages(30)


def test_a_dump_without_pages_has_none(tmp_path: Path) -> None:
    for layout in LAYOUTS:
        assert all_pages(Dump.open(write(tmp_path, layout, [], index=False))) == []


def test_a_byte_order_mark_and_a_declaration_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    for start in (b"\xef\xbb\xbf", b'<?xml version="1.0" encoding="utf-8"?>\n'):
        path.write_bytes(start + dump_xml(MIXED))
        assert all_pages(Dump.open(path), 1) == MIXED


def raw_dump(folder: Path, *pages: str, version: str = "0.10") -> Dump:
    path = folder / "raw.xml"
    path.write_bytes(header_xml(version=version) + "".join(pages).encode() + CLOSING)
    return Dump.open(path)


def test_the_last_revision_counts(tmp_path: Path) -> None:
    revisions = "".join(f"<revision><id>{n}</id><text>text {n}</text></revision>" for n in range(5))
    dump = raw_dump(tmp_path, f"<page><title>A</title><ns>0</ns><id>7</id>{revisions}</page>")
    assert all_pages(dump) == [RawPage(7, 0, "A", None, "text 4")]


@pytest.mark.parametrize("text", ["", "<text />", '<text deleted="deleted" />', '<text bytes="5" id="9" />'])
def test_a_missing_or_deleted_text_is_empty(tmp_path: Path, text: str) -> None:
    dump = raw_dump(tmp_path, f"<page><title>A</title><ns>0</ns><id>7</id><revision>{text}</revision></page>")
    assert all_pages(dump) == [RawPage(7, 0, "A", None, "")]


def test_a_page_without_revisions_is_empty(tmp_path: Path) -> None:
    assert all_pages(raw_dump(tmp_path, "<page><title>A</title><ns>0</ns><id>7</id></page>"))[0].text == ""


def test_other_slots_of_a_revision_are_left_out(tmp_path: Path) -> None:
    slots = "<text>main</text><content><role>data</role><text>other</text></content>"
    page = f"<page><title>A</title><ns>0</ns><id>7</id><revision>{slots}</revision></page>"
    assert all_pages(raw_dump(tmp_path, page, version="0.11"))[0].text == "main"


def test_old_schemas_take_namespace_and_redirect_from_title_and_text(tmp_path: Path) -> None:
    pages = [
        RawPage(1, 6, "Fails:A.png", None, ""),
        RawPage(2, 14, "Kategoreja:B", None, ""),
        RawPage(3, 0, "Nazkas: C", "D", "#REDIRECT [[D]]"),
        RawPage(4, 14, "Category:E", None, ""),
    ]
    dump = Dump.open(write_dump(tmp_path / "x.xml", pages, siteinfo=LATGALIAN, version="0.3"))
    assert all_pages(dump) == pages


def test_a_redirect_element_without_a_target_leaves_it_to_the_text(tmp_path: Path) -> None:
    page = (
        "<page><title>A</title><ns>0</ns><id>7</id><redirect />"
        "<revision><text>#redirect: [[B c#d|e]]</text></revision></page>"
    )
    assert all_pages(raw_dump(tmp_path, page, version="0.5"))[0].redirect == "B c#d"


def test_a_text_beyond_ten_megabytes_is_read(tmp_path: Path) -> None:
    pages = [RawPage(1, 0, "Long", None, "0123456789" * 1_100_000), RawPage(2, 0, "Short", None, "")]
    for layout in ("plain", "single"):
        assert all_pages(Dump.open(write(tmp_path, layout, pages)), 1 << 16) == pages


PEAK = """
import sys
from wiki.dump import Chunk, Dump, read_pages
dump = Dump.open(sys.argv[1])
pages = 0
for chunk in dump.chunks(1 << 30) if sys.argv[2] == "whole" else dump.chunks(1 << 16):
    for page in read_pages(chunk, dump.siteinfo):
        pages += 1
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(pages, peak)
"""


def peak_kilobytes(path: Path, pieces: str) -> tuple[int, int]:
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(path), pieces],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    pages, peak = done.stdout.split()
    return int(pages), int(peak)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize(("name", "pieces"), [("x.xml", "whole"), ("x.xml.bz2", "small")])
def test_memory_does_not_grow_with_the_dump(tmp_path: Path, name: str, pieces: str) -> None:
    small = [RawPage(n, 0, f"P{n}", None, "text") for n in range(1, 10_001)]
    large = [RawPage(n, 0, f"P{n}", None, "text") for n in range(1, 100_001)]
    few, low = peak_kilobytes(write_dump(tmp_path / name, small), pieces)
    many, high = peak_kilobytes(write_dump(tmp_path / name, large), pieces)
    assert (few, many) == (10_000, 100_000)
    # 100,000 pages are 20 MB of XML; emptied pages kept by their root would alone cost 80 bytes each, 8 MB.
    assert high - low < 4_000


def test_chunks_of_equal_content_have_equal_digests() -> None:
    data = b"<page></page>"
    assert Chunk("a", 0, 0, 9, data).digest() == Chunk("b", 5, 10, 19, data).digest()
    assert Chunk("a", 0, 0, 9, data).digest() != Chunk("a", 0, 0, 9, data + b" ").digest()


def test_a_page_writer_of_the_tests_escapes_what_it_writes() -> None:
    assert b"<1>" not in page_xml(MIXED[-1])
