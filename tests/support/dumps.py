"""Writes small dumps for tests: any known schema, plain, bzip2, or multistream with its index."""

from __future__ import annotations

import bz2
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from wiki.page import RawPage
from wiki.siteinfo import FIRST_LETTER, Namespace, Siteinfo

ENGLISH = Siteinfo(
    sitename="Wikipedia",
    dbname="enwiki",
    language="en",
    case=FIRST_LETTER,
    namespaces=(
        *(Namespace(-2, "Media"), Namespace(-1, "Special"), Namespace(0, ""), Namespace(1, "Talk")),
        *(Namespace(2, "User"), Namespace(4, "Wikipedia"), Namespace(6, "File"), Namespace(8, "MediaWiki")),
        *(Namespace(10, "Template"), Namespace(12, "Help"), Namespace(14, "Category")),
    ),
)
CLOSING = b"</mediawiki>\n"


def header_xml(siteinfo: Siteinfo = ENGLISH, version: str = "0.10") -> bytes:
    """Return the dump's XML before its first page."""
    minor = int(version.partition(".")[2])
    space = f"http://www.mediawiki.org/xml/export-{version}/"
    base = f"https://{siteinfo.dbname.removesuffix('wiki')}.wikipedia.org/wiki/Main_Page"
    dbname = f"<dbname>{escape(siteinfo.dbname)}</dbname>" if minor >= 8 else ""
    namespaces = "".join(
        f"<namespace key={quoteattr(str(namespace.key))}"
        + (f" case={quoteattr(namespace.case)}" if minor >= 5 else "")
        + (f">{escape(namespace.name)}</namespace>\n" if namespace.name else " />\n")
        for namespace in siteinfo.namespaces
    )
    return (
        f'<mediawiki xmlns="{space}" version="{version}" xml:lang={quoteattr(siteinfo.language)}>\n'
        f"  <siteinfo>\n<sitename>{escape(siteinfo.sitename)}</sitename>{dbname}<base>{escape(base)}</base>"
        f"<case>{siteinfo.case}</case>\n<namespaces>\n{namespaces}</namespaces>\n  </siteinfo>\n"
    ).encode()


def page_xml(page: RawPage, version: str = "0.10") -> bytes:
    """Return one page as the schema writes it: before 0.6 without ``<ns>`` and a redirect's target."""
    modern = int(version.partition(".")[2]) >= 6
    namespace = f"<ns>{page.namespace}</ns>\n    " if modern else ""
    redirect = f"<redirect title={quoteattr(page.redirect)} />\n    " if modern and page.redirect else ""
    return (
        f"  <page>\n    <title>{escape(page.title)}</title>\n    {namespace}<id>{page.page_id}</id>\n"
        f"    {redirect}<revision>\n      <id>{page.page_id + 1_000_000}</id>\n"
        f'      <text xml:space="preserve">{escape(page.text)}</text>\n    </revision>\n  </page>\n'
    ).encode()


def dump_xml(pages: Iterable[RawPage], *, siteinfo: Siteinfo = ENGLISH, version: str = "0.10") -> bytes:
    """Return a whole dump as XML."""
    return header_xml(siteinfo, version) + b"".join(page_xml(page, version) for page in pages) + CLOSING


def write_dump(
    path: Path,
    pages: Sequence[RawPage],
    *,
    siteinfo: Siteinfo = ENGLISH,
    version: str = "0.10",
    multistream: bool = False,
    pages_per_stream: int = 100,
    index: bool = True,
) -> Path:
    """Write ``pages`` as a dump and return its path.

    A name that ends in ".bz2" is compressed; ``multistream`` writes the header, each ``pages_per_stream``
    pages and the closing tag as bzip2 streams of their own, with the index beside it if ``index``, which
    needs the official name "…-multistream.xml.bz2".
    """
    if not multistream:
        xml = dump_xml(pages, siteinfo=siteinfo, version=version)
        path.write_bytes(bz2.compress(xml) if path.suffix == ".bz2" else xml)
        return path
    lines = []
    written = bytearray(bz2.compress(header_xml(siteinfo, version)))
    for start in range(0, len(pages), pages_per_stream):
        group = pages[start : start + pages_per_stream]
        lines += [f"{len(written)}:{page.page_id}:{page.title}\n" for page in group]
        written += bz2.compress(b"".join(page_xml(page, version) for page in group))
    path.write_bytes(bytes(written) + bz2.compress(CLOSING))
    if index:
        index_path(path).write_bytes(bz2.compress("".join(lines).encode()))
    return path


def index_path(path: Path) -> Path:
    """Return the official name of the index of the multistream dump at ``path``."""
    return path.with_name(path.name.replace("-multistream.xml", "-multistream-index.txt"))
