"""What real wikis are like: the figures behind ``figures``, read from dumps.

    python -m benchmarks.synthetic.measure DUMP…

A dump is what ``wort build`` reads, or a tar file with one file of wikitext a page.
"""

from __future__ import annotations

import re
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.progress import track

from benchmarks.report import Table, new_report, publish
from benchmarks.synthetic.laws import PROBABILITIES, RANKS, TOPS
from snapshots.text import sentences, words
from wiki.dump import Dump, read_pages
from wiki.page import ParsedPage, RawPage
from wiki.redirects import redirect_target
from wiki.siteinfo import FIRST_LETTER, Namespace, Siteinfo
from wiki.titles import TitleRules, title_rules
from wiki.wikitext import parse

_QUALIFIED = re.compile(r" \([^()]+\)$")


class Measured:
    """Everything that is counted while the pages of one wiki go by."""

    def __init__(self, siteinfo: Siteinfo) -> None:
        self.rules = title_rules(siteinfo)
        self.titles: list[str] = []
        self.redirects: dict[str, str] = {}
        self.disambiguations = self.category_pages = 0
        self.targets: list[list[str]] = []
        self.anchors: Counter[str] = Counter()
        self.categories: list[tuple[str, ...]] = []
        self.words: Counter[str] = Counter()
        self.lengths: dict[str, list[float]] = {name: [] for name in _LENGTHS}
        self.references = self.templates = self.sections = 0

    def add(self, page: RawPage) -> None:
        """Count a page."""
        if page.namespace:
            self.category_pages += page.namespace == 14
            return
        if page.redirect is not None:
            self.redirects[page.title] = self.rules.normalize(page.redirect) or ""
            return
        parsed = parse(page.text, self.rules)
        if parsed.disambiguation:
            self.disambiguations += 1
            return
        self.titles.append(page.title)
        self.targets.append([link.target for link in parsed.links])
        self.categories.append(parsed.categories)
        self.references += page.text.count("<ref")
        self.templates += len(re.findall(r"(?<!\{)\{\{(?!\{)", page.text))
        self.sections += len(re.findall(r"^==+[^=]", page.text, re.MULTILINE))
        for link in parsed.links:
            same = "as the title" if link.anchor == link.target else "other words"
            self.anchors[
                same if link.anchor.lower() != link.target.lower() else _case(link.anchor, same)
            ] += 1
        self._add_text(parsed)

    def _add_text(self, parsed: ParsedPage) -> None:
        found = [[words(s) for s in sentences(paragraph)] for paragraph in parsed.paragraphs]
        of_page = [word for paragraph in found for sentence in paragraph for word in sentence]
        self.words.update(of_page)
        self.lengths["words an article"].append(len(of_page))
        self.lengths["sentences a paragraph"] += map(len, found)
        self.lengths["words a sentence"] += [len(s) for paragraph in found for s in paragraph if s]
        if of_page:
            self.lengths["links a word"].append(len(parsed.links) / len(of_page))
            self.lengths["different words, of all"].append(len(set(of_page)) / len(of_page))

    def tables(self, name: str) -> list[Table]:
        """The figures as tables."""
        articles = len(self.titles)
        known = set(self.titles)
        links = [[self.redirects.get(t, t) for t in targets] for targets in self.targets]
        resolved = [known.intersection(of) - {title} for title, of in zip(self.titles, links, strict=True)]
        in_links = Counter(t for targets in resolved for t in targets)
        in_category = Counter(c for categories in self.categories for c in categories)
        targets = [t for page in self.targets for t in page]
        counted = np.array(sorted(self.words.values(), reverse=True))
        occurrences = int(counted.sum())
        quantiles: dict[str, Sequence[float]] = {
            "links from an article, resolved": [len(t) for t in resolved],
            "links to an article": [in_links[title] for title in self.titles],
            "words a title": [len(title.split()) for title in self.titles],
            "characters a title": [len(title) for title in self.titles],
            "categories an article": [len(categories) for categories in self.categories],
            "articles a category": list(in_category.values()),
            **self.lengths,
        }
        shares = {
            "redirects an article": len(self.redirects) / articles,
            "redirects to redirects": _share(t in self.redirects for t in self.redirects.values()),
            "disambiguation pages an article": self.disambiguations / articles,
            "category pages an article": self.category_pages / articles,
            "different categories an article": len(in_category) / articles,
            "titles with a qualifier": _share(bool(_QUALIFIED.search(title)) for title in self.titles),
            "links to redirects": _share(t in self.redirects for t in targets),
            "links to no page": _share(t not in known and t not in self.redirects for t in targets),
            **{f"anchors: {kind}": n / len(targets) for kind, n in sorted(self.anchors.items())},
            "references a word": self.references / occurrences,
            "templates a word": self.templates / occurrences,
            "sections a word": self.sections / occurrences,
            "words that occur once, of all occurrences": float((counted == 1).sum()) / occurrences,
        }
        tops = {"links to articles": in_links.values(), "articles in categories": in_category.values()}
        sizes = {"links to articles": articles, "articles in categories": len(in_category)}
        return [
            Table("shares", f"{name}: {articles:,} articles", ("of", "share"), list(shares.items())),
            Table(
                "quantiles",
                f"{name}: quantiles",
                ("of", *map(str, PROBABILITIES)),
                [(of, *quantile(values)) for of, values in quantiles.items() if values],
            ),
            Table(
                "tops",
                f"{name}: share of the largest",
                ("of", *map(str, TOPS)),
                [(of, *top_shares(np.array([*tops[of]]), sizes[of])) for of in tops if tops[of]],
            ),
            Table(
                "words",
                f"{name}: {occurrences:,} words, {len(counted):,} different",
                ("of", *map(str, RANKS)),
                [("share of occurrences", *(float(counted[:rank].sum()) / occurrences for rank in RANKS))],
            ),
        ]


_LENGTHS = (
    *("words an article", "sentences a paragraph", "words a sentence", "links a word"),
    "different words, of all",
)


def _case(anchor: str, same: str) -> str:
    return same if same == "as the title" else "another case"


def _share(facts: Iterable[bool]) -> float:
    found = list(facts)
    return sum(found) / max(len(found), 1)


def quantile(values: Sequence[float]) -> list[float]:
    """The quantiles at ``PROBABILITIES``."""
    return [float(value) for value in np.quantile(np.asarray(values, np.float64), PROBABILITIES)]


def top_shares(sizes: NDArray[np.int64], parts: int) -> list[float]:
    """The share of the sum that the largest ``TOPS`` of ``parts`` parts have."""
    sizes = np.sort(sizes)[::-1]
    return [float(sizes[: max(1, round(top * parts))].sum() / sizes.sum()) for top in TOPS]


def pages_of(path: Path) -> tuple[Siteinfo, Iterator[RawPage]]:
    """The pages of a dump or of a tar file, and the wiki that they are of."""
    if ".tar" in path.suffixes:
        names = (Namespace(0, ""), Namespace(14, "Category"))
        siteinfo = Siteinfo(path.name, path.name.split("-")[0], "", FIRST_LETTER, names)
        return siteinfo, _files(path, title_rules(siteinfo))
    dump = Dump.open(path)
    return dump.siteinfo, (page for chunk in dump.chunks() for page in read_pages(chunk, dump.siteinfo))


def _files(path: Path, rules: TitleRules) -> Iterator[RawPage]:
    with tarfile.open(path) as archive:
        for number, member in enumerate(archive):
            file = archive.extractfile(member)
            title = rules.parse(Path(member.name).stem)
            if file is not None and title is not None:
                text = file.read().decode(errors="replace")
                yield RawPage(number, title.namespace, title.text, redirect_target(text), text)


def main(dumps: Annotated[list[Path], typer.Argument(help="Dumps, or tar files of wikitext.")]) -> None:
    """Measure how the sizes, links and words of wikis are distributed."""
    for path in dumps:
        siteinfo, pages = pages_of(path)
        measured = Measured(siteinfo)
        for page in track(pages, f"Reading {path.name}", transient=True):
            measured.add(page)
        publish(new_report("synthetic.measure", path.name, measured.tables(siteinfo.dbname or path.name)))


if __name__ == "__main__":
    typer.run(main)
