"""The XML of a chunk → its pages.

A chunk is a row of ``<page>`` elements, the last one with the dump's closing tag behind. A root of our own
stands in for the dump's, so that each chunk parses by itself and no schema's XML namespace matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lxml import etree

from wiki.chunk import Chunk
from wiki.errors import CorruptDump, DamagedDump, TruncatedDump
from wiki.page import RawPage
from wiki.redirects import redirect_target
from wiki.siteinfo import Siteinfo
from wiki.titles import TitleRules, title_rules

_ROOT: Final = "mediawiki"
_ROOT_START: Final = b"<mediawiki>"
_ROOT_END: Final = b"</mediawiki>"
_INTEGER: Final = re.compile(r"-?[0-9]{1,18}")


def read_pages(chunk: Chunk, siteinfo: Siteinfo) -> Iterator[RawPage]:
    """Yield the pages of ``chunk``, of all namespaces, in the order of the dump, each in its last revision.

    Memory does not grow with the chunk. Raises TruncatedDump or CorruptDump at damage, after yielding every
    page that is whole before it.
    """
    page: RawPage | None = None
    pages = 0
    try:
        for page in _pages(chunk, title_rules(siteinfo)):
            yield page
            pages += 1
    except DamagedDump as damage:
        title, page_id = (page.title, page.page_id) if page else (None, None)
        raise damage.after(title, page_id, pages) from damage.__cause__


def _pages(chunk: Chunk, rules: TitleRules) -> Iterator[RawPage]:
    parser = etree.XMLPullParser(
        events=("end",),
        tag=("page", "revision", _ROOT),
        huge_tree=True,  # a text may be longer than libxml2's default limit of 10 MB
        resolve_entities=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )
    parser.feed(_ROOT_START)
    offset = chunk.start
    closed = False
    failure: etree.XMLSyntaxError | None = None
    for offset, piece in chunk.pieces():
        try:
            parser.feed(piece)
        except etree.XMLSyntaxError as error:
            failure = error
        for _, element in parser.read_events():
            if element.tag == "page":
                yield _page(element, rules, chunk.path, offset)
                _forget(element)
            elif element.tag == "revision":
                _keep_last_revision(element)
            else:
                closed = True
        if failure:
            raise CorruptDump(chunk.path, offset, detail=f"its XML is broken: {failure.msg}") from failure
    ends_file = chunk.data is None and chunk.end >= Path(chunk.path).stat().st_size
    if closed:
        return
    if ends_file:
        raise TruncatedDump(chunk.path, offset, detail="the closing </mediawiki> is missing")
    try:
        parser.feed(_ROOT_END)
    except etree.XMLSyntaxError as error:
        raise CorruptDump(chunk.path, offset, detail=f"a page is not finished: {error.msg}") from error


def _page(element: etree._Element, rules: TitleRules, path: str, offset: int) -> RawPage:
    title = page_id = namespace = ""
    redirect: str | None = None
    text = ""
    for child in element:
        tag = child.tag
        if tag == "title":
            title = child.text or ""
        elif tag == "id":
            page_id = child.text or ""
        elif tag == "ns":
            namespace = child.text or ""
        elif tag == "redirect":
            redirect = child.get("title")  # absent before schema 0.6
        elif tag == "revision":
            text = child.findtext("text") or ""
    if not namespace:  # before schema 0.6
        parsed = rules.parse(title)
        namespace = str(parsed.namespace if parsed else 0)
    if not title or not _INTEGER.fullmatch(page_id) or not _INTEGER.fullmatch(namespace):
        detail = f"a page has the title {title!r}, id {page_id!r} and namespace {namespace!r}"
        raise CorruptDump(path, offset, detail=detail)
    return RawPage(int(page_id), int(namespace), title, redirect or redirect_target(text), text)


def _keep_last_revision(revision: etree._Element) -> None:
    previous = revision.getprevious()
    if previous is not None and previous.tag == "revision":
        revision.getparent().remove(previous)


def _forget(page: etree._Element) -> None:
    """Free the page and its older siblings: a root that keeps emptied pages grows with the dump."""
    page.clear()
    root = page.getparent()
    while (previous := page.getprevious()) is not None:
        root.remove(previous)
