"""The articles of a dump as texts to select pairs from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from datasets.selection.errors import UnusableInput
from datasets.selection.texts import Document
from training.progress import Steps
from wiki.dump import Dump, read_pages
from wiki.page import RawPage
from wiki.titles import TitleRules, title_rules
from wiki.wikitext import parse

_ARTICLES = 0
"""The namespace of articles, on every wiki."""

_SHOWN = 10
"""The most missing titles that a message names."""


class DumpTexts:
    """The articles of a dump, each by its title or by the title of a redirect to it.

    The dump is read from its beginning until all are found, without a snapshot of it.
    """

    def __init__(self, dump: Dump, first: int | None = None) -> None:
        """``first``: of all articles, only so many, in the order of the dump."""
        self._dump = dump
        self._rules = title_rules(dump.siteinfo)
        self._first = first

    def every(self, steps: Steps) -> Iterator[Document]:
        """All articles, in the order of the dump; see ``texts.Texts``."""
        steps.begin("Reading the dump", "bytes")
        pages = (page for page in self._pages(steps) if page.redirect is None)
        documents = (_document(page, self._rules) for page in pages)
        yield from islice((document for document in documents if document.paragraphs), self._first)

    def read(self, titles: Sequence[str], steps: Steps) -> dict[str, Document]:
        """The documents of some titles; see ``texts.Texts``.

        A redirect that stands behind its target in the dump takes a second reading.
        """
        articles = self.found(titles, steps)
        missing = [asked for asked in titles if asked not in articles]
        if missing:
            more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
            raise UnusableInput(
                f"{self._dump.path.name} has no article {'; '.join(missing[:_SHOWN])}{more}, or one without "
                "text. Write the titles as the dump has them, or leave these out."
            )
        return articles

    def found(self, titles: Sequence[str], steps: Steps) -> dict[str, Document]:
        """As ``read``, without those that the dump does not have."""
        steps.begin("Reading the dump", "bytes")
        wanted = {title: self._rules.normalize(title) for title in titles}
        documents, redirects = self._find(set(wanted.values()), steps)
        targets = {redirects[title] for title in wanted.values() if title in redirects} - documents.keys()
        if targets:
            steps.begin("Reading what redirects lead to", "bytes")
            documents |= self._find(targets, steps)[0]
        articles = {asked: documents.get(redirects.get(title, title)) for asked, title in wanted.items()}
        return {asked: document for asked, document in articles.items() if document is not None}

    def described(self) -> dict[str, object]:
        """What the file of provenance says of them."""
        return {"dump": self._dump.path.name, "bytes": self._dump.size, "first_articles": self._first}

    def _pages(self, steps: Steps) -> Iterator[RawPage]:
        for chunk in self._dump.chunks():
            for page in read_pages(chunk, self._dump.siteinfo):
                if page.namespace == _ARTICLES:
                    yield page
            steps.advance_to(chunk.end, self._dump.size)

    def _find(self, wanted: set[str], steps: Steps) -> tuple[dict[str, Document], dict[str, str]]:
        """The articles that have text among ``wanted``, and the targets of those that are redirects."""
        documents: dict[str, Document] = {}
        redirects: dict[str, str] = {}
        left = set(wanted)
        for page in self._pages(steps):
            title = self._rules.normalize(page.title)
            if title not in left:
                continue
            left.discard(title)
            if page.redirect is not None:
                redirects[title] = self._rules.normalize(page.redirect.partition("#")[0])
            elif (document := _document(page, self._rules)).paragraphs:
                documents[title] = document
            if not left:
                break
        return documents, redirects


def _document(page: RawPage, rules: TitleRules) -> Document:
    """An article's text; a disambiguation page, which is no article, has none."""
    parsed = parse(page.text, rules)
    return Document(rules.normalize(page.title), () if parsed.disambiguation else parsed.paragraphs)
