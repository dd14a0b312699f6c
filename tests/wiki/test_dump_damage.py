"""Damaged and mistaken files: what is whole is handed out, then a clear error says where and what to do."""

from __future__ import annotations

import bz2
import gzip
import pickle
import tarfile
from pathlib import Path

import pytest

from tests.support.dumps import CLOSING, dump_xml, header_xml, index_path, page_xml, write_dump
from wiki.dump import Dump, Layout, read_pages
from wiki.errors import CorruptDump, DamagedDump, DumpError, IndexMismatch, NotADump, TruncatedDump, WikiError
from wiki.page import RawPage

PAGES = [RawPage(n, 0, f"Page {n}", None, f"text {n} ".ljust(3000, "ā")) for n in range(1, 101)]


def read_until_damage(dump: Dump, target_bytes: int) -> tuple[list[RawPage], DumpError | None]:
    """Return the pages that come, chunk after chunk, and the error that ends them."""
    pages = []
    try:
        for chunk in dump.chunks(target_bytes):
            for page in read_pages(chunk, dump.siteinfo):
                pages.append(page)
    except DumpError as error:
        return pages, error
    return pages, None


@pytest.mark.parametrize("target_bytes", [1, 50_000, 1 << 30])
@pytest.mark.parametrize("kept", [0.3, 0.7, 0.999])
def test_a_plain_dump_cut_anywhere(tmp_path: Path, target_bytes: int, kept: float) -> None:
    whole = dump_xml(PAGES)
    cut = whole[: int(len(whole) * kept)]
    path = tmp_path / "x.xml"
    path.write_bytes(cut)
    pages, error = read_until_damage(Dump.open(path), target_bytes)
    assert pages == PAGES[: cut.count(b"</page>")]
    assert isinstance(error, TruncatedDump)
    assert error.offset == len(cut)


def test_a_dump_cut_between_two_pages_is_truncated_too(tmp_path: Path) -> None:
    xml = dump_xml(PAGES).removesuffix(CLOSING)
    (tmp_path / "x.xml").write_bytes(xml)
    (tmp_path / "x.xml.bz2").write_bytes(bz2.compress(xml))
    for name in ("x.xml", "x.xml.bz2"):
        pages, error = read_until_damage(Dump.open(tmp_path / name), 50_000)
        assert pages == PAGES
        assert isinstance(error, TruncatedDump)
        assert (error.last_title, error.last_page_id) == ("Page 100", 100)


def test_a_compressed_dump_cut_mid_page(tmp_path: Path) -> None:
    xml = dump_xml(PAGES)
    cut = xml[: xml.index(b"<title>Page 43<") + 1000]
    path = tmp_path / "x.xml.bz2"
    path.write_bytes(bz2.compress(cut))
    for target_bytes in (1, 30_000, 1 << 30):
        pages, error = read_until_damage(Dump.open(path), target_bytes)
        assert pages == PAGES[:42]
        assert isinstance(error, TruncatedDump)
        assert (error.pages, error.last_title, error.last_page_id) == (42, "Page 42", 42)
        assert error.offset == path.stat().st_size
        assert all(part in str(error) for part in (str(path), "Page 42", f"{error.offset:,}", "Fetch"))


def incompressible_pages(count: int) -> list[RawPage]:
    """Pages of random hexadecimal digits, so that a compressed dump of them has many blocks."""
    import random

    digits = random.Random(4)
    return [RawPage(n, 0, f"Page {n}", None, digits.randbytes(20_000).hex()) for n in range(1, count + 1)]


def test_one_stream_cut_in_the_middle(tmp_path: Path) -> None:
    written = incompressible_pages(80)  # 3.2 MB of XML: four blocks of bzip2
    path = write_dump(tmp_path / "x.xml.bz2", written)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 7 // 10])
    pages, error = read_until_damage(Dump.open(path), 200_000)
    assert 40 <= len(pages) < 60
    assert pages == written[: len(pages)]
    assert isinstance(error, TruncatedDump)
    assert (error.pages, error.last_page_id, error.offset) == (len(pages), len(pages), path.stat().st_size)


def test_one_stream_with_a_flipped_byte(tmp_path: Path) -> None:
    written = incompressible_pages(80)
    path = write_dump(tmp_path / "x.xml.bz2", written)
    damaged = bytearray(path.read_bytes())
    place = len(damaged) * 7 // 10
    damaged[place] ^= 0x10
    path.write_bytes(damaged)
    pages, error = read_until_damage(Dump.open(path), 200_000)
    assert 40 <= len(pages) < 60
    assert pages == written[: len(pages)]
    assert isinstance(error, CorruptDump)
    assert error.pages == error.last_page_id == len(pages)
    assert place <= error.offset <= place + (1 << 20)


def multistream(folder: Path, *, index: bool = True) -> tuple[Path, list[int]]:
    """Write PAGES ten a stream; return the path and where each stream of pages starts."""
    path = write_dump(
        folder / "x-multistream.xml.bz2", PAGES, multistream=True, pages_per_stream=10, index=index
    )
    data = path.read_bytes()
    starts = [place for place in range(len(data)) if data.startswith(b"BZh91AY&SY", place)]
    assert len(starts) == 12
    return path, starts[1:-1]


@pytest.mark.parametrize("index", [True, False])
def test_a_flipped_byte_in_a_stream_spoils_that_stream_alone(tmp_path: Path, index: bool) -> None:
    path, starts = multistream(tmp_path, index=index)
    data = bytearray(path.read_bytes())
    data[starts[4] + 100] ^= 1
    path.write_bytes(data)
    dump = Dump.open(path)
    outcomes = []
    for chunk in dump.chunks(1):
        try:
            outcomes.append(len(list(read_pages(chunk, dump.siteinfo))))
        except CorruptDump as error:
            assert chunk.start <= starts[4] < error.offset <= chunk.end
            outcomes.append(-1)
    assert sum(count for count in outcomes if count > 0) == 90
    assert outcomes.count(-1) == 1


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("stream", [0, 4, 9])
def test_a_multistream_dump_cut_within_a_stream(tmp_path: Path, index: bool, stream: int) -> None:
    path, starts = multistream(tmp_path, index=index)
    path.write_bytes(path.read_bytes()[: starts[stream] + 100])
    dump = Dump.open(path)
    assert dump.layout is Layout.MULTISTREAM
    for target_bytes in (1, 3000, 1 << 30):
        pages, error = read_until_damage(dump, target_bytes)
        assert pages == PAGES[: stream * 10]
        assert isinstance(error, TruncatedDump)
        assert error.offset == dump.size


@pytest.mark.parametrize("index", [True, False])
def test_a_multistream_dump_cut_between_two_streams(tmp_path: Path, index: bool) -> None:
    path, starts = multistream(tmp_path, index=index)
    path.write_bytes(path.read_bytes()[: starts[5]])
    pages, error = read_until_damage(Dump.open(path), 1)
    assert pages == PAGES[:50]
    assert isinstance(error, TruncatedDump)


def test_the_index_of_another_dump(tmp_path: Path) -> None:
    path, _ = multistream(tmp_path)
    other = write_dump(tmp_path / "y-multistream.xml.bz2", PAGES, multistream=True, pages_per_stream=9)
    with pytest.raises(IndexMismatch, match=r"no stream starts at byte .* or remove the index"):
        Dump.open(path, index_path(other))


def test_an_index_that_goes_wrong_later(tmp_path: Path) -> None:
    path, starts = multistream(tmp_path)
    lines = [f"{start}:{n}:Page\n" for n, start in enumerate(starts)]
    index_path(path).write_bytes(bz2.compress("".join([*lines[:8], f"{starts[8] + 1}:9:Page\n"]).encode()))
    pages, error = read_until_damage(Dump.open(path), 1)
    assert pages == PAGES[:70]
    assert isinstance(error, IndexMismatch)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "first offset"),
        (b"hello\n", "is no line"),
        (b"7:1:A\n", "first offset"),
        (bz2.compress(b"1:1:A\n" * 9)[:-9], "cannot be read to its end"),
    ],
)
def test_an_index_that_is_none(tmp_path: Path, content: bytes, reason: str) -> None:
    path, _ = multistream(tmp_path)
    index_path(path).write_bytes(content)
    with pytest.raises(IndexMismatch, match=reason):
        Dump.open(path)


def test_an_index_whose_offsets_fall(tmp_path: Path) -> None:
    path, starts = multistream(tmp_path)
    index_path(path).write_bytes(f"{starts[0]}:1:A\n{starts[1]}:2:B\n{starts[0]}:3:C\n".encode())
    with pytest.raises(IndexMismatch, match="follows"):
        Dump.open(path)


def test_an_index_for_a_file_of_one_stream(tmp_path: Path) -> None:
    path, _ = multistream(tmp_path)
    single = write_dump(tmp_path / "y.xml.bz2", PAGES)
    with pytest.raises(IndexMismatch, match="no multistream dump"):
        Dump.open(single, index_path(path))


@pytest.mark.parametrize(
    "garbage",
    [b"<<<>>>", b"\x00\x01", b"</page>", b"\xff\xfe\xfd", b"&undeclared;", b"</mediawiki>"],
)
def test_garbage_between_pages(tmp_path: Path, garbage: bytes) -> None:
    before, after = PAGES[:60], PAGES[60:]
    first = header_xml() + b"".join(map(page_xml, before))
    xml = first + garbage + b"".join(map(page_xml, after)) + CLOSING
    (tmp_path / "x.xml").write_bytes(xml)
    (tmp_path / "x.xml.bz2").write_bytes(bz2.compress(xml))
    for name in ("x.xml", "x.xml.bz2"):
        pages, error = read_until_damage(Dump.open(tmp_path / name), 1 << 30)
        assert pages == before
        assert isinstance(error, CorruptDump)
        assert (error.pages, error.last_title, error.last_page_id) == (60, "Page 60", 60)
    assert len(first) <= read_until_damage(Dump.open(tmp_path / "x.xml"), 1 << 30)[1].offset  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "page", ["<page></page>", "<page><title>A</title></page>", "<page><id>1</id></page>"]
)
def test_a_page_without_title_or_id(tmp_path: Path, page: str) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(header_xml() + page_xml(PAGES[0]) + page.encode() + CLOSING)
    pages, error = read_until_damage(Dump.open(path), 1 << 30)
    assert pages == PAGES[:1]
    assert isinstance(error, CorruptDump)


def test_a_dump_cut_behind_its_header(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_bytes(header_xml())
    (tmp_path / "x.xml.bz2").write_bytes(bz2.compress(header_xml()))
    path, starts = multistream(tmp_path)
    path.write_bytes(path.read_bytes()[: starts[0]])
    for name in ("x.xml", "x.xml.bz2", path.name):
        pages, error = read_until_damage(Dump.open(tmp_path / name), 1)
        assert pages == []
        assert isinstance(error, TruncatedDump)


def test_a_dump_cut_within_its_header(tmp_path: Path) -> None:
    header = header_xml()[:300]
    (tmp_path / "x.xml").write_bytes(header)
    (tmp_path / "x.xml.bz2").write_bytes(bz2.compress(header))
    (tmp_path / "y.xml.bz2").write_bytes(bz2.compress(dump_xml(PAGES))[:200])
    for name in ("x.xml", "x.xml.bz2", "y.xml.bz2"):
        with pytest.raises(TruncatedDump, match="no whole page"):
            Dump.open(tmp_path / name)


def tar_bytes(folder: Path) -> bytes:
    (folder / "a.txt").write_text("text")
    with tarfile.open(folder / "a.tar", "w") as archive:
        archive.add(folder / "a.txt", arcname="a.txt")
    return (folder / "a.tar").read_bytes()


ERROR_PAGE = b"\n<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>"
LOG = header_xml() + b"<logitem><id>1</id></logitem>" + CLOSING
NO_SITEINFO = b'<mediawiki version="0.10"><page><title>A</title><id>1</id></page></mediawiki>'
BROKEN_HEADER = b'<mediawiki version="0.10"><siteinfo><sitename>A</siteinfo><page></page></mediawiki>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty.*Download it again"),
        (b" \n ", "holds nothing"),
        (gzip.compress(dump_xml(PAGES)), "is a gzip file.*gunzip"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "is a 7-Zip archive"),
        (b"\xfd7zXZ\x00", "is an xz file"),
        (b"PK\x03\x04", "is a zip archive"),
        (dump_xml(PAGES).decode().encode("utf-16"), "UTF-16"),
        (b"-- MySQL dump 10.19", "SQL dump"),
        (ERROR_PAGE, "HTML page.*Check the address"),
        (b"Not found", "is not XML: it starts with 'Not found'"),
        (b"<feed><doc/></feed>", "root <feed> instead of <mediawiki>"),
        (b'<?xml version="1.0"?><rss/>', "root <rss>"),
        (dump_xml(PAGES, version="0.2"), "schema '0.2'; schemas 0.3 to 0.11 can be read"),
        (dump_xml(PAGES, version="9.9"), "schema '9.9'"),
        (b"<mediawiki><siteinfo></siteinfo></mediawiki>", "schema 'unknown'"),
        (LOG, "holds <logitem> elements.*pages-articles"),
        (NO_SITEINFO, "has no <siteinfo>"),
        (BROKEN_HEADER, "header that is not XML"),
        (b"<mediawiki>" + b" " * (2 << 20), "no <siteinfo> in its first mebibyte"),
        (header_xml().replace(b'key="0"', b""), "namespace without a number"),
    ],
)
def test_other_files(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "x.xml").write_bytes(content)
    with pytest.raises(NotADump, match=f"(?s)x.xml.*{reason}"):
        Dump.open(tmp_path / "x.xml")
    if content and not content.startswith((b"\x1f", b"7z", b"\xfd", b"PK", b"--", b"\xff")):
        (tmp_path / "x.xml.bz2").write_bytes(bz2.compress(content))
        with pytest.raises(NotADump, match=f"(?s)x.xml.bz2.*{reason}"):
            Dump.open(tmp_path / "x.xml.bz2")


def test_an_archive_under_bzip2(tmp_path: Path) -> None:
    (tmp_path / "x.tar.bz2").write_bytes(bz2.compress(tar_bytes(tmp_path)))
    with pytest.raises(NotADump, match="is not XML"):
        Dump.open(tmp_path / "x.tar.bz2")


def test_bytes_that_only_start_as_bzip2(tmp_path: Path) -> None:
    (tmp_path / "x.xml.bz2").write_bytes(b"BZh9" + b"garbage" * 100)
    with pytest.raises(CorruptDump, match="bzip2 data is damaged"):
        Dump.open(tmp_path / "x.xml.bz2")


@pytest.mark.parametrize("name", ["missing.xml", "."])
def test_a_path_without_a_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotADump, match="no dump file"):
        Dump.open(tmp_path / name)


def test_external_entities_are_never_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    entity = f'<!DOCTYPE mediawiki [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'.encode()
    path = tmp_path / "x.xml"
    path.write_bytes(entity + dump_xml(PAGES).replace(b"Wikipedia<", b"&x;<"))
    with pytest.raises(NotADump, match="document type"):
        Dump.open(path)


def test_damage_tells_its_story_and_survives_pickling() -> None:
    damage = TruncatedDump("a.xml", 12_345, "Atheism", 12, 7, "cut")
    assert "`wort download`" in str(damage)
    copy = pickle.loads(pickle.dumps(damage))
    assert isinstance(copy, TruncatedDump)
    assert issubclass(TruncatedDump, DamagedDump)
    assert issubclass(DamagedDump, WikiError)
    assert str(copy) == str(damage)
    assert (copy.offset, copy.last_title, copy.last_page_id, copy.pages) == (12_345, "Atheism", 12, 7)
    assert "12,345" in str(damage)
    assert "'Atheism' (page id 12)" in str(damage)
