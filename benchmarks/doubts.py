"""What the annotator's doubts weigh, fitted to editors' links, and how much they are worth.

    python -m benchmarks.doubts DUMP… [--snapshot FOLDER …]

The dumps are real ones of the language of the snapshots (by default the starter alone), to all of which one
model is fitted. The articles of a snapshot may be the same, but its links should not be theirs: those of the
starter were put back by title, so that no editor's choice of a sense is in it. Each paragraph with a link is
annotated without doubts and with nothing pruned, and each annotation judged that has just the words of a
link:

- right: the link leads to the concept, by its title, by a redirect of the dump, or by another name that its
  article states; or is a surname of it that is written with a capital;
- wrong: it leads elsewhere. Targets that the snapshot lacks are wrong as well, some of them unjustly: a
  redirect that no dump here has.

Where the target and the title differ in the case of later letters alone, nobody can tell, and the annotation
is left out. The logistic model is fitted by scikit-learn with a penalty of 1/20 of the sum of squares of the
weights of standardised evidence; figures are out of fold, in five folds by article. A line counts how many
annotations of one word, likely ones and of ρ at least 0.2, are taken for a word of a longer name: of the
right ones, and of those that lie within a link of more words that leads elsewhere. The last line counts the
words that are spelt as titles with a capital within, and how many of them are linked, each once an article.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from snapshots.annotator import Annotator
from snapshots.annotator.annotation import as_doubted
from snapshots.annotator.doubting.doubts import COSINE, EVIDENCE, Doubts
from snapshots.annotator.names.spelt import SpeltTitles
from snapshots.naming.aliases import Aliases
from snapshots.naming.names import RECORD
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from wiki.dump import Dump, read_pages
from wiki.errors import TruncatedDump
from wiki.folding import fold
from wiki.page import Link
from wiki.titles import title_rules
from wiki.wikitext import parse

STARTER = Path(__file__).parent.parent / "snapshots" / "starter"
INVERSE_PENALTY = 10.0
FOLDS = 5
LEAST = 0.2
"""The ρ that annotations have by default, at least."""


@dataclass(frozen=True)
class Article:
    """An article of a dump, with the links in its text."""

    title: str
    paragraphs: tuple[str, ...]
    links: list[Link]


@dataclass(frozen=True)
class Judged:
    """Annotations that have the words of a link: a row each; or those that lie within a longer one.

    ``right`` bool[n]; ``evidence`` float64[n, 8]; ``part`` bool[n], whether it is taken for a word of a
    longer name; ``rho`` float64[n]; ``article`` int64[n].
    """

    right: NDArray[np.bool_]
    evidence: NDArray[np.float64]
    part: NDArray[np.bool_]
    rho: NDArray[np.float64]
    article: NDArray[np.int64]

    def parts(self, chance: NDArray[np.float64], right: bool) -> str:
        """How many of those that are right, or wrong, are words of longer names, of the likely ones."""
        kept = (self.right == right) & (chance >= 0.5) & (self.rho >= LEAST)
        return f"{(self.part & kept).sum():,} of {kept.sum():,}"


def main() -> None:
    """Fit, judge and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dumps", type=Path, nargs="+")
    parser.add_argument("--snapshot", type=Path, action="append")
    options = parser.parse_args()
    snapshots = [Snapshot.open(folder) for folder in options.snapshot or [STARTER]]
    articles, redirects = read(options.dumps)
    judgements = [judge(snapshot, articles, redirects) for snapshot in snapshots]
    of_each = [exact for exact, _ in judgements]
    judged = together(of_each)
    weights, intercept = fitted(judged.evidence, judged.right)
    chances = np.split(out_of_fold(judged), np.cumsum([len(each.right) for each in of_each])[:-1])
    print(f"{len(articles):,} articles")
    for snapshot, (each, within), chance in zip(snapshots, judgements, chances, strict=True):
        print(f"{snapshot.id}: {len(each.right):,} annotations with the words of a link")
        for name, least in (("nothing pruned", 0.0), (f"ρ at least {LEAST}", LEAST)):
            kept = each.rho >= least
            right, likely = each.right[kept], (chance[kept] >= 0.5) & ~each.part[kept]
            without = right[likely].mean()
            print(f"{name}: precision {right.mean():.4f}, without what is doubted {without:.4f};")
            print(f"  doubted are {(~likely & ~right).sum():,} of {(~right).sum():,} that are wrong", end=" ")
            print(f"and {(~likely & right).sum():,} of {right.sum():,} that are right")
        of_longer = within.parts(likelihood(within.evidence, weights, intercept), right=False)
        print(f"a word of a longer name: {each.parts(chance, right=True)} that are right,", end=" ")
        print(f"{of_longer} within a longer link that leads elsewhere")
    print(f"INTERCEPT = {intercept:.2f}")
    for name, weight in zip(EVIDENCE, weights, strict=True):
        print(f"  {weight:6.2f}  {name}")
    first = snapshots[0]
    spelt, linked = spelt_as_titles(SpeltTitles(first.trie("titles", RECORD)), articles, first)
    print(f"spelt as titles with a capital within: {spelt}, linked {linked}")


def read(dumps: list[Path]) -> tuple[list[Article], dict[str, str]]:
    """The articles of some dumps, and where their redirects lead; a dump may be cut off."""
    articles: list[Article] = []
    redirects: dict[str, str] = {}
    for path in dumps:
        dump = Dump.open(path)
        rules = title_rules(dump.siteinfo)
        try:
            for chunk in dump.chunks():
                for page in read_pages(chunk, dump.siteinfo):
                    title = rules.normalize(page.title)
                    if page.namespace == 0 and page.redirect is not None:
                        redirects[title] = rules.normalize(page.redirect)
                    elif page.namespace == 0:
                        parsed = parse(page.text, rules)
                        placed = [link for link in parsed.links if link.paragraph >= 0]
                        articles.append(Article(title, parsed.paragraphs, placed))
        except TruncatedDump as error:
            print(f"{path.name}: {error}")
    return articles, redirects


def judge(snapshot: Snapshot, articles: list[Article], redirects: dict[str, str]) -> tuple[Judged, Judged]:
    """The annotations that have the words of a link, and those within one: without doubts, unpruned."""
    annotator = replace(Annotator.of_snapshot(snapshot), doubts=None).keeping(0.0)
    aliases = Aliases.of_snapshot(snapshot)
    doubts = Doubts.of_snapshot(snapshot, aliases)
    if doubts is None:
        raise SystemExit(f"{snapshot.folder} lacks the tables that doubts need.")
    targets = Targets(Resolver.open(snapshot), aliases, redirects)
    rows: tuple[list[Row], list[Row]] = [], []
    for number, article in enumerate(articles):
        for place, links in groupby(sorted(article.links, key=_paragraph), key=_paragraph):
            text = article.paragraphs[place]
            linked = [(link.start, link.start + len(link.anchor), link.target) for link in links]
            for each in annotator.annotate(text):
                around = next(
                    (link for link in linked if link[0] <= each.start and each.end <= link[1]), None
                )
                if around is None or each.concept >= snapshot.concepts:
                    continue
                verdict = targets.right(
                    around[2], snapshot.concept_titles[each.concept], each.concept, text[each.start]
                )
                if verdict is not None:
                    one = as_doubted(each, 0, 0)
                    evidence = doubts.evidence([text], [one], []).values[0]
                    part = doubts.is_part([text], one, evidence[COSINE]) or bool(
                        doubts.within_titles([text], [one], [0])
                    )
                    row = Row(verdict, evidence, part, each.rho, number)
                    rows[around[:2] != (each.start, each.end)].append(row)
    exact, within = (Judged(*map(np.array, zip(*of_kind, strict=True))) for of_kind in rows)
    return exact, within


class Row(NamedTuple):
    """What ``Judged`` has of an annotation."""

    right: bool
    evidence: NDArray[np.float64]
    part: bool
    rho: float
    article: int


def _paragraph(link: Link) -> int:
    return link.paragraph


@dataclass(frozen=True)
class Targets:
    """What the targets of links are, among the concepts of a snapshot."""

    resolver: Resolver
    aliases: Aliases
    redirects: dict[str, str]

    def right(self, target: str, title: str, concept: int, first: str) -> bool | None:
        """Whether a link leads to a concept with that title; None where it cannot be told.

        ``first``: the first letter of the link's words.
        """
        target = self.redirects.get(target, target)
        if (named := self.resolver.article(target)) >= 0:
            return named == concept
        kinds = next((set(one.kinds) for one in self.aliases.named(target) if one.concept == concept), set())
        if "surname" in kinds:
            return not first.islower()
        if kinds and title.endswith(")"):
            return False  # "Thriller" is no redirect to an article that has to be called "Thriller (album)"
        if kinds & {"stated", "bold", "inflected"}:
            return True
        if fold(target) == fold(title):
            return None
        return not kinds and self.resolver.resolve(target, suggest=False).concept == concept


def together(judged: Sequence[Judged]) -> Judged:
    """The annotations of several snapshots, of the same articles."""
    columns = zip(*((one.right, one.evidence, one.part, one.rho, one.article) for one in judged), strict=True)
    return Judged(*map(np.concatenate, columns))


def out_of_fold(judged: Judged) -> NDArray[np.float64]:
    """How likely each annotation is right, by models that saw none of its article: float64[n]."""
    chances = np.zeros(len(judged.right))
    folds = GroupKFold(FOLDS)
    for seen, unseen in folds.split(judged.evidence, judged.right, judged.article):
        weights, intercept = fitted(judged.evidence[seen], judged.right[seen])
        chances[unseen] = likelihood(judged.evidence[unseen], weights, intercept)
    return chances


def likelihood(
    evidence: NDArray[np.float64], weights: NDArray[np.float64], intercept: float
) -> NDArray[np.float64]:
    """How likely annotations with such evidence are right, by a model."""
    return np.asarray(1 / (1 + np.exp(-evidence @ weights - intercept)), np.float64)


def fitted(evidence: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """The weights and the intercept of the log-odds of being right."""
    mean, spread = evidence.mean(axis=0), evidence.std(axis=0)
    model = LogisticRegression(C=INVERSE_PENALTY).fit((evidence - mean) / spread, right)
    weights = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - weights @ mean)


def spelt_as_titles(titles: SpeltTitles, articles: list[Article], snapshot: Snapshot) -> tuple[int, int]:
    """How many words are spelt as titles with a capital within, each once an article; how many are linked."""
    counts: Counter[bool] = Counter()
    for article in articles:
        anchors = {link.anchor for link in article.links}
        counts.update(word in anchors for word in set(_spelt(titles, article, snapshot)))
    return counts.total(), counts[True]


def _spelt(titles: SpeltTitles, article: Article, snapshot: Snapshot) -> Iterator[str]:
    for paragraph in article.paragraphs:
        for word in titles.found(paragraph):
            if snapshot.concept_titles[word.concept] != article.title:
                yield paragraph[word.start : word.end]


if __name__ == "__main__":
    main()
