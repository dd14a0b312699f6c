"""A dump file: what wiki it is of, and its pages in chunks that workers read in parallel.

dump = Dump.open(Path("simplewiki-latest-pages-articles-multistream.xml.bz2"))
for chunk in dump.chunks():
    for page in read_pages(chunk, dump.siteinfo): ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from wiki.bzip2 import StreamIndex, begins_page, decompressed, first_stream, next_stream
from wiki.chunk import Chunk, stored
from wiki.errors import DamagedDump, IndexMismatch, NotADump, TruncatedDump
from wiki.header import read_header, refuse_other_files
from wiki.siteinfo import Siteinfo
from wiki.xml import read_pages

__all__ = ["Chunk", "Dump", "Layout", "read_pages"]

CHUNK_BYTES = 4 << 20
_REST_SHARE = 16
_LAST_SHARE = 8
_PAGE_START = b"<page>"
_PAGE_END = b"</page>"
_WINDOW_BYTES = 1 << 20


class Layout(Enum):
    """How a dump is stored, which decides how it is cut into chunks."""

    PLAIN = "plain XML: byte ranges that start at a page"
    MULTISTREAM = "bzip2 streams of whole pages: byte ranges of whole streams"
    SEQUENTIAL = "one bzip2 stream, or streams cut anywhere: decompressed from the start"


@dataclass(frozen=True, slots=True)
class Dump:
    """An opened dump; ``open`` makes it.

    ``size`` is the file's, in bytes; ``schema_version`` the export schema's, as "0.10"; ``pages_start`` the
    byte behind the header (of the file, or of the XML where that has to be decompressed in order); ``index``
    the multistream index in use, if any.
    """

    path: Path
    siteinfo: Siteinfo
    size: int
    schema_version: str
    layout: Layout
    pages_start: int
    index: Path | None = None

    @classmethod
    def open(cls, path: Path | str, index: Path | str | None = None) -> Dump:
        """Open the dump at ``path``: plain XML or bzip2, multistream or not, schema 0.3 to 0.11.

        The index of a multistream dump is found beside it under its official name, or given; without one
        the streams are found by scanning. Raises NotADump, TruncatedDump if the file ends within its
        header, IndexMismatch if the index belongs to another file.
        """
        path = Path(path)
        if not path.is_file():
            raise NotADump(
                f"There is no dump file at {path}. Give the path of one, or fetch one: wort download."
            )
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(16)
        refuse_other_files(path, start)
        compressed = start.startswith(b"BZh")
        header = read_header(path, (decompressed if compressed else stored)(path, 0, size))
        layout, pages_start = Layout.PLAIN, header.length
        if compressed:
            layout = Layout.SEQUENTIAL
            stream_end, xml = first_stream(path) or (size, b"")
            has_own_stream = len(xml) >= header.length and not xml[header.length :].strip()
            if has_own_stream and (stream_end == size or begins_page(path, stream_end)):
                layout, pages_start = Layout.MULTISTREAM, stream_end
        index = Path(index) if index is not None else _index_beside(path)
        if index is not None:
            if layout is not Layout.MULTISTREAM:
                raise IndexMismatch(f"{path} is no multistream dump, so the index {index} cannot be its own.")
            StreamIndex(index, path).check(pages_start)
        return cls(path, header.siteinfo, size, header.schema_version, layout, pages_start, index)

    def chunks(self, target_bytes: int = CHUNK_BYTES) -> Iterator[Chunk]:
        """Yield consecutive pieces of the file that together hold every page once.

        A chunk is the shortest run of whole pages (or streams) of at least ``target_bytes`` bytes: of the
        file where workers read it themselves, of XML where the chunk brings it along. In a file that they
        read themselves the last chunks are shorter, down to an eighth, so that all workers finish at about
        the same time. The same file and target give the same chunks. Raises TruncatedDump or CorruptDump
        where the iterator itself meets damage, after every whole page before it went out in a chunk; damage
        within the byte range of a chunk is met by ``read_pages``.
        """
        if self.layout is Layout.SEQUENTIAL:
            return self._sequential_chunks(target_bytes)
        if self.layout is Layout.PLAIN:
            return self._range_chunks(target_bytes, self._next_page)
        if self.index is None:
            return self._range_chunks(target_bytes, lambda offset: next_stream(self.path, offset, self.size))
        return self._range_chunks(target_bytes, self._indexed_streams(StreamIndex(self.index, self.path)))

    def _range_chunks(self, target_bytes: int, boundary: Callable[[int], int]) -> Iterator[Chunk]:
        """Yield byte ranges; ``boundary`` gives the first place to cut at from an offset on, or the size."""
        # The pages start behind the header, and plain XML has a line end before the first of them.
        start, number = self.pages_start, 0
        smallest = max(target_bytes // _LAST_SHARE, len(_PAGE_START))
        while number == 0 or start < self.size:  # where the file ends with its header, the chunk says so
            wanted = min(target_bytes, (self.size - start) // _REST_SHARE)
            end = boundary(min(start + max(wanted, smallest), self.size))
            yield Chunk(str(self.path), number, start, end)
            start, number = end, number + 1

    def _next_page(self, offset: int) -> int:
        # "<page>" stands nowhere else: texts have their angle brackets escaped.
        with self.path.open("rb") as file:
            while offset < self.size:
                file.seek(offset)
                place = file.read(_WINDOW_BYTES + len(_PAGE_START) - 1).find(_PAGE_START)
                if place >= 0:
                    return offset + place
                offset += _WINDOW_BYTES
        return self.size

    def _indexed_streams(self, index: StreamIndex) -> Callable[[int], int]:
        offsets = index.offsets()

        def boundary(offset: int) -> int:
            stream = next((start for start in offsets if start >= offset), self.size)
            if stream >= self.size:  # the file ends before the index does: its last chunk will say so
                return self.size
            index.check_stream(stream)
            return stream

        return boundary

    def _sequential_chunks(self, target_bytes: int) -> Iterator[Chunk]:
        buffer = bytearray()
        start = offset = number = pages = searched = 0
        header = self.pages_start
        chunk: Chunk | None = None
        damage: DamagedDump | None = None
        try:
            for offset, piece in decompressed(self.path, 0, self.size):
                buffer += piece[header:]
                header = max(0, header - len(piece))
                if len(buffer) < target_bytes:
                    continue
                end = _end_of_pages(buffer, searched)
                searched = len(buffer)
                if end:
                    chunk = Chunk(str(self.path), number, start, offset, bytes(buffer[:end]))
                    pages += buffer.count(_PAGE_END, 0, end)
                    del buffer[:end]
                    yield chunk
                    start, number, searched = offset, number + 1, 0
        except DamagedDump as error:
            damage = error
        if damage is None and not buffer.rstrip().endswith(b"</mediawiki>"):
            damage = TruncatedDump(str(self.path), self.size, detail="the closing </mediawiki> is missing")
        if damage is not None:
            del buffer[_end_of_pages(buffer) :]
        if buffer:
            end = damage.offset if damage else self.size
            chunk = Chunk(str(self.path), number, start, end, bytes(buffer))
            pages += buffer.count(_PAGE_END)
            yield chunk
        if damage is not None:
            raise damage.after(*self._last_page(chunk), pages) from damage.__cause__

    def _last_page(self, chunk: Chunk | None) -> tuple[str | None, int | None]:
        """Return title and id of the last page of a chunk that brings its XML along."""
        if chunk is None or chunk.data is None:
            return None, None
        last = Chunk(chunk.path, 0, 0, 0, chunk.data[chunk.data.rfind(_PAGE_START) :])
        try:
            page = next(read_pages(last, self.siteinfo))
        except (DamagedDump, StopIteration):
            return None, None
        return page.title, page.page_id


def _end_of_pages(xml: bytearray, searched: int = 0) -> int:
    """Return where the last whole page in ``xml`` ends, 0 if there is none past ``searched``."""
    last = xml.rfind(_PAGE_END, max(0, searched - len(_PAGE_END)))
    return 0 if last < 0 else last + len(_PAGE_END)


def _index_beside(path: Path) -> Path | None:
    """Return the index that lies beside a multistream dump under its official name, if it does.

    Parts of a dump count too: "…-multistream1.xml-p1p41242.bz2" has "…-multistream-index1.txt-p1p41242.bz2".
    """
    name = re.sub(r"multistream(\d*)\.xml", r"multistream-index\1.txt", path.name)
    beside = path.with_name(name)
    return beside if name != path.name and beside.is_file() else None
