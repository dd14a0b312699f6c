"""The head of a dump: is it one, of which schema, and of which wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from wiki.errors import DamagedDump, NotADump, TruncatedDump
from wiki.siteinfo import FIRST_LETTER, Namespace, Siteinfo

SCHEMA_VERSIONS = ("0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.10", "0.11")
HEADER_END = b"</siteinfo>"
_MAXIMUM_HEADER_BYTES = 1 << 20
_EXPECTED = "expected a MediaWiki XML dump such as 'simplewiki-latest-pages-articles-multistream.xml.bz2'"

# First bytes of what is often mistaken for a dump: (bytes, what it is, what to do).
_OTHER_FILES = (
    (b"\x1f\x8b", "a gzip file", "unpack it first with gunzip"),
    (
        b"7z\xbc\xaf\x27\x1c",
        "a 7-Zip archive",
        "unpack it first with 7z x, or download the .bz2 of the same dump",
    ),
    (b"\xfd7zXZ", "an xz file", "unpack it first with unxz"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it first with unzstd"),
    (b"PK\x03\x04", "a zip archive", "unpack it first with unzip"),
    (b"\xff\xfe", "a UTF-16 text", "convert it to UTF-8, or download it again"),
    (b"\xfe\xff", "a UTF-16 text", "convert it to UTF-8, or download it again"),
    (b"-- MySQL", "an SQL dump of a table", "download the file named pages-articles"),
)
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_XML_DECLARATION = re.compile(rb"<\?xml[^>]*\?>")
_TAG = re.compile(rb"<([A-Za-z_][\w:.-]*)")
_WIKIPEDIA_BASE = re.compile(r"//([a-z-]+)\.(?:m\.)?wikipedia\.org/")


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before a dump's first page: schema version, siteinfo, and the bytes of XML it takes."""

    schema_version: str
    siteinfo: Siteinfo
    length: int


def refuse_other_files(path: Path, start: bytes) -> None:
    """Raise NotADump if the file starts as something that is neither XML nor bzip2."""
    if not start:
        raise NotADump(f"{path} is empty; {_EXPECTED}. Download it again.")
    for magic, kind, advice in _OTHER_FILES:
        if start.startswith(magic):
            raise NotADump(f"{path} is {kind}; {_EXPECTED}, plain or as .bz2: {advice}.")


def read_header(path: Path, pieces: Iterable[tuple[int, bytes]]) -> Header:
    """Return what ``pieces`` of XML, each with the offset of the file reached, say before the first page.

    Raises NotADump with what the file is instead, TruncatedDump if it ends within the header.
    """
    xml = b""
    end = 0
    try:
        for offset, piece in pieces:
            xml += piece
            end = offset
            _check_root(path, xml)
            after = xml.partition(HEADER_END)[2]
            if tag := _TAG.search(after):
                _check_first_element(path, tag[1])
                break
            if len(xml) > _MAXIMUM_HEADER_BYTES:
                raise NotADump(f"{path} has no <siteinfo> in its first mebibyte; {_EXPECTED}.")
    except DamagedDump:
        if HEADER_END not in xml:  # damage behind the header is met again with the pages
            raise
    if not xml.strip():
        raise NotADump(f"{path} holds nothing; {_EXPECTED}. Download it again.")
    if HEADER_END not in xml:
        raise TruncatedDump(str(path), end, detail="it ends within <siteinfo>")
    return _parse(path, xml[: xml.index(HEADER_END) + len(HEADER_END)])


def _check_root(path: Path, header: bytes) -> None:
    start = _XML_DECLARATION.sub(b"", header.removeprefix(b"\xef\xbb\xbf"), count=1).lstrip()
    if not start:
        return
    if re.match(rb"<mediawiki[\s>]", start):
        first = start[: start.find(HEADER_END)] if HEADER_END in start else start
        if b"<page>" in first:
            raise NotADump(f"{path} has no <siteinfo>, which names the wiki and its namespaces; {_EXPECTED}.")
        return
    if _HTML.match(start):
        raise NotADump(
            f"{path} is an HTML page, probably an error page saved under the dump's name; {_EXPECTED}. "
            "Check the address and download it again."
        )
    if start.startswith(b"<!"):
        raise NotADump(f"{path} declares a document type, which no MediaWiki dump does; {_EXPECTED}.")
    if tag := _TAG.match(start):
        root = tag[1].decode("ascii", "replace")
        raise NotADump(f"{path} is XML with the root <{root}> instead of <mediawiki>; {_EXPECTED}.")
    shown = start[:40].decode("utf-8", "replace")
    raise NotADump(f"{path} is not XML: it starts with {shown!r}; {_EXPECTED}. Download it again.")


def _check_first_element(path: Path, name: bytes) -> None:
    if name != b"page":
        raise NotADump(
            f"{path} holds <{name.decode('ascii', 'replace')}> elements instead of pages; {_EXPECTED}. "
            "Download the file named pages-articles."
        )


def _parse(path: Path, header: bytes) -> Header:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    closed = header.removeprefix(b"\xef\xbb\xbf").lstrip() + b"</mediawiki>"
    try:
        root = etree.fromstring(closed, parser)
    except etree.XMLSyntaxError as error:
        raise NotADump(
            f"{path} has a header that is not XML ({error}); {_EXPECTED}. Download it again."
        ) from None
    version = root.get("version", "")
    if version not in SCHEMA_VERSIONS:
        raise NotADump(
            f"{path} is a MediaWiki dump of schema {version or 'unknown'!r}; schemas {SCHEMA_VERSIONS[0]} to "
            f"{SCHEMA_VERSIONS[-1]} can be read. Download a dump of another date, or export it anew."
        )
    language = root.get("{http://www.w3.org/XML/1998/namespace}lang", "")
    try:
        return Header(version, _siteinfo(root.find("{*}siteinfo"), language), len(header))
    except (TypeError, ValueError):
        raise NotADump(f"{path} has a namespace without a number in its <siteinfo>; {_EXPECTED}.") from None


def _siteinfo(element: etree._Element, language: str) -> Siteinfo:
    # Schema 0.3 names neither the database nor a case for each namespace.
    case = element.findtext("{*}case") or FIRST_LETTER
    base = _WIKIPEDIA_BASE.search(element.findtext("{*}base") or "")
    code = base[1] if base else language
    dbname = element.findtext("{*}dbname") or code.replace("-", "_") + "wiki"
    namespaces = tuple(
        Namespace(int(namespace.get("key")), (namespace.text or "").strip(), namespace.get("case") or case)
        for namespace in element.iterfind("{*}namespaces/{*}namespace")
    )
    return Siteinfo(
        sitename=element.findtext("{*}sitename") or "",
        dbname=dbname,
        language=language or code,
        case=case,
        namespaces=namespaces or (Namespace(0, "", case),),
    )
