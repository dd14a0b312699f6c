"""What can go wrong between a dump and its pages.

WikiError
├── DumpError                 a dump that cannot be read to its end
│   ├── NotADump              not XML, not MediaWiki's, or of a schema that is not known
│   ├── IndexMismatch         the index is not the one of this dump
│   └── DamagedDump           pages are whole up to some byte, and then not
│       ├── TruncatedDump     the file ends too early
│       └── CorruptDump       the file is damaged before its end
└── DownloadError             a dump that could not be fetched
    ├── DumpNotFound          the server has no such wiki, date or file
    ├── ServerUnavailable     no answer, or an unfinished one, after several attempts
    ├── ChecksumMismatch      what arrived is not what the server published
    └── NotEnoughSpace        the disk has no room for the files

All of them survive pickling, so that a worker process can raise them.
"""

from __future__ import annotations

from typing import Self


class WikiError(Exception):
    """Anything that goes wrong between a dump and its pages."""


class DumpError(WikiError):
    """A dump cannot be read to its end."""


class NotADump(DumpError):
    """The file is no MediaWiki XML dump of a known schema; the message says what to do."""


class IndexMismatch(DumpError):
    """A multistream index names places that are not the starts of streams in the dump."""


class DamagedDump(DumpError):
    """What a truncated and a corrupt dump have in common: where it happened and how far reading came.

    Attributes:
        path: the file.
        offset: byte of the file at which reading stopped; the damage lies within the mebibyte before it
            (a block of bzip2 shows that it is damaged only at its end).
        last_title, last_page_id: the last whole page before it, ``None`` if there was none.
        pages: whole pages that were handed out before it, by the call that raised.
        detail: what was noticed.
    """

    advice = "Fetch the file again: `wort download` does, and compares its checksum."
    kind = "is damaged"

    def __init__(
        self,
        path: str,
        offset: int,
        last_title: str | None = None,
        last_page_id: int | None = None,
        pages: int = 0,
        detail: str = "",
    ) -> None:
        super().__init__(path, offset, last_title, last_page_id, pages, detail)
        self.path = path
        self.offset = offset
        self.last_title = last_title
        self.last_page_id = last_page_id
        self.pages = pages
        self.detail = detail

    def after(self, last_title: str | None, last_page_id: int | None, pages: int) -> Self:
        """Return the same damage with how far reading came."""
        return type(self)(self.path, self.offset, last_title, last_page_id, pages, self.detail)

    def __str__(self) -> str:
        if self.last_title is None:
            last = "no whole page was read before it"
        else:
            last = f"the last whole page before it is {self.last_title!r} (page id {self.last_page_id})"
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.path} {self.kind} at byte {self.offset:,}{detail}; {last}. {self.advice}"


class TruncatedDump(DamagedDump):
    """The file ends before the dump does."""

    kind = "ends too early:"
    advice = (
        "The download was probably cut off, and no snapshot is built of a part. Fetch the file again: "
        "`wort download` does, and compares its checksum."
    )


class CorruptDump(DamagedDump):
    """The file is damaged before its end."""

    kind = "is corrupt"


class DownloadError(WikiError):
    """A dump could not be fetched."""


class DumpNotFound(DownloadError):
    """The server has no such wiki, date or file."""


class ServerUnavailable(DownloadError):
    """The server gave no answer, or an unfinished one, after several attempts."""


class ChecksumMismatch(DownloadError):
    """What arrived is not what the server published."""


class NotEnoughSpace(DownloadError):
    """The disk has no room for the files."""
