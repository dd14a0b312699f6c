"""How many of the editors' links does the annotator find, and how often is it right?

    python benchmarks/annotator.py DUMP [--folds 5] [--seed 1] [--set minimum_coherence=0.3 …]

The articles are divided at random into folds. The links of one fold's articles are hidden: the mention
dictionary, link probabilities, senses and in-links come from the other articles alone (and from all titles
and redirects). Then the fold's articles are annotated, with the article's own concept as context, and the
annotations are held against the links that stand in the text. Figures are pooled over the folds:

- known: the link's text is a mention of the dictionary; sense known: and its target is one of its senses;
- spotted: the annotator looks at exactly the link's text (it is linked often enough, and is no part of a
  longer mention);
- right sense: of the spotted links, those whose target wins; the same for links whose mention has two
  candidates or more, where there is something to decide;
- recall: links that end as an annotation of the same text with the same concept;
- precision: of the annotations that overlap a link, those with its text and its concept. What overlaps no
  link is not judged: editors link a concept once, and not every one;
- of the article: the same on the sets of concepts that an article links to and is annotated with, which
  asks nothing of the place. Its precision is a lower bound, as not every true mention is linked.

"commonest" chooses every sense by commonness (votes decide among equals alone) and prunes nothing.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from numpy.typing import NDArray

from building.arrays import save_csr
from building.articles import articles
from building.engines.local import LocalRunner
from building.stage import Build
from building.stages import anchors, concepts, links, pages
from snapshots.annotator import Annotator
from snapshots.annotator.annotator import Annotations, Passages
from snapshots.arrays import map_array, map_csr
from snapshots.csr import CSR
from snapshots.naming.mentions import mention_of
from snapshots.settings import BuildSettings
from wiki.dump import Dump

MEMORY = 2_000_000_000


@dataclass(frozen=True)
class HeldOut:
    """An article whose links were hidden.

    ``links`` int32[n, 4]: paragraph, start, end and target of the links in its text.
    """

    concept: int
    paragraphs: list[str]
    links: NDArray[np.int32]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dump", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="SETTING=VALUE", dest="changes")
    options = parser.parse_args()
    changes = dict(change.split("=", 1) for change in options.changes)
    settings = msgspec.convert(msgspec.to_builtins(BuildSettings()) | changes, BuildSettings, strict=False)

    start = time.monotonic()
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        with LocalRunner(os.cpu_count() or 1, MEMORY, work / "scratch") as runner:
            build = Build(Dump.open(options.dump), work, runner, settings)
            for stage in (pages.STAGE, concepts.STAGE, links.STAGE):
                build.folder(stage.name).mkdir()
                stage.run(build)
            fold_of = np.random.default_rng(options.seed).integers(options.folds, size=count(build))
            for fold in range(options.folds):
                hidden = fold_of == fold
                annotator = trained_without(build, hidden, work / f"fold-{fold}")
                for article in held_out(build, hidden):
                    judge(annotator, article, tally)
    report(options.dump.name, settings, tally)
    print(f"{options.folds} folds, seed {options.seed}, {time.monotonic() - start:.0f} s")


def count(build: Build) -> int:
    """How many concepts there are."""
    return len(map_array(build.folder("concepts") / "page_ids.npy"))


def trained_without(build: Build, hidden: NDArray[np.bool_], work: Path) -> Annotator:
    """The annotator whose statistics know nothing of the links and texts of the ``hidden`` articles."""
    fold = Build(build.dump, work, build.runner, build.settings)
    for name in ("pages", "links", "anchors"):
        fold.folder(name).mkdir(parents=True)
    fold.folder("concepts").symlink_to(build.folder("concepts"))
    page_ids = map_array(build.folder("concepts") / "page_ids.npy")
    for stage, dataset, column, gone in (
        ("pages", "pages", "page_id", page_ids[hidden]),
        ("links", "occurrences", "source", np.flatnonzero(hidden)),
    ):
        excluded = ~ds.field(column).isin(pa.array(gone))
        scanner = ds.dataset(build.folder(stage) / dataset).scanner(filter=excluded, batch_size=1_000)
        (fold.folder(stage) / dataset).mkdir()
        with pq.ParquetWriter(
            fold.folder(stage) / dataset / "part-0.parquet", scanner.projected_schema
        ) as writer:
            for batch in scanner.to_batches():
                writer.write_batch(batch)
    save_csr(
        fold.folder("links"), "in_links", without_sources(map_csr(build.folder("links"), "in_links"), hidden)
    )
    anchors.STAGE.run(fold)
    return Annotator.of_stages(fold.folder("anchors"), fold.folder("links"), build.settings)


def without_sources(in_links: CSR, hidden: NDArray[np.bool_]) -> CSR:
    """In-links, but for those from ``hidden`` articles."""
    kept = ~hidden[in_links.indices]
    places = np.concatenate([[0], np.cumsum(kept)])
    return CSR(places[in_links.indptr], in_links.indices[kept], None, in_links.columns)


def held_out(build: Build, hidden: NDArray[np.bool_]) -> list[HeldOut]:
    """The hidden articles that have links in their text."""
    placed = ds.field("source").isin(pa.array(np.flatnonzero(hidden))) & (ds.field("paragraph") >= 0)
    found: dict[int, list[list[int]]] = {}
    for link in ds.dataset(build.folder("links") / "occurrences").to_table(filter=placed).to_pylist():
        end = link["start"] + len(link["anchor"])
        found.setdefault(link["source"], []).append([link["paragraph"], link["start"], end, link["target"]])
    batches = ds.dataset(build.folder("pages") / "pages").to_batches(
        columns=["page_id", "title", "paragraphs"]
    )
    page_ids = build.folder("concepts") / "page_ids.npy"
    return [
        HeldOut(article.concept, article.paragraphs, np.array(sorted(found[article.concept]), np.int32))
        for article in articles(batches, page_ids)
        if article.concept in found
    ]


def annotated(annotator: Annotator, article: HeldOut, **changes: float) -> Annotations:
    """The annotations of a held-out article, its links hidden, under changed settings."""
    spots = [annotator.spotter.spots(text) for text in article.paragraphs]
    paragraph = np.repeat(np.arange(len(spots), dtype=np.int32), [len(found) for found in spots])
    passages = Passages(
        np.column_stack([paragraph, np.concatenate(spots)]),
        np.zeros((0, 4), np.int32),
        np.full((len(spots), 1), article.concept, np.int32),
    )
    settings = msgspec.structs.replace(annotator.settings, **changes)
    return replace(annotator, settings=settings).annotate_passages(passages)


def judge(annotator: Annotator, article: HeldOut, tally: Counter[str]) -> None:
    """Add what the annotator does with one article to ``tally``."""
    everything = annotated(annotator, article, minimum_coherence=0.0)
    commonest = annotated(annotator, article, minimum_coherence=0.0, sense_epsilon=1.0)
    looked_at = dict(zip(map(tuple, everything.spans.tolist()), range(len(everything.concept)), strict=True))
    senses = annotator.senses
    for paragraph, start, end, target in article.links.tolist():
        tally["links"] += 1
        text = article.paragraphs[paragraph][start:end]
        mention = mention_of(text, annotator.settings.mention_words)
        if mention is None or mention not in annotator.spotter.trie:
            continue
        tally["known"] += 1
        tally["sense known"] += target in senses.row(annotator.spotter.trie[mention])
        place = looked_at.get((paragraph, start, end))
        if place is None:
            continue
        tally["spotted"] += 1
        tally["right"] += everything.concept[place] == target
        tally["commonest right"] += commonest.concept[place] == target
        shares = senses.row_values(int(everything.mention[place]))
        if (shares >= annotator.settings.minimum_commonness).sum() > 1:
            tally["ambiguous"] += 1
            tally["ambiguous right"] += everything.concept[place] == target
            tally["ambiguous commonest right"] += commonest.concept[place] == target
    kept = everything.rho >= annotator.settings.minimum_coherence
    for name, found, chosen in (("", everything, kept), ("commonest ", commonest, np.ones(len(kept), bool))):
        judge_annotations(article, found.spans[chosen], found.concept[chosen], name, tally)


def judge_annotations(
    article: HeldOut, spans: NDArray[np.int32], concept: NDArray[np.int32], name: str, tally: Counter[str]
) -> None:
    """Add how one way of annotating does, under names that start with ``name``."""
    by_paragraph: dict[int, list[list[int]]] = {}
    for link in article.links.tolist():
        by_paragraph.setdefault(link[0], []).append(link)
    tally[name + "annotations"] += len(concept)
    for (paragraph, start, end), chosen in zip(spans.tolist(), concept.tolist(), strict=True):
        for _, first, last, target in by_paragraph.get(paragraph, []):
            if start < last and first < end:
                tally[name + "judged"] += 1
                tally[name + "found"] += (start, end, chosen) == (first, last, target)
                break
    linked, present = set(article.links[:, 3].tolist()), set(concept.tolist()) - {article.concept}
    tally[name + "concepts linked"] += len(linked)
    tally[name + "concepts annotated"] += len(present)
    tally[name + "concepts found"] += len(linked & present)


def report(name: str, settings: BuildSettings, tally: Counter[str]) -> None:
    """Print the figures."""

    def line(label: str, part: str, whole: str) -> None:
        share = tally[part] / tally[whole] if tally[whole] else 0.0
        print(f"  {label:44s} {share:6.3f}   {tally[part]:>9,} of {tally[whole]:,}")

    print(name)
    fields = (
        "minimum_link_probability",
        "window_mentions",
        "minimum_commonness",
        "sense_epsilon",
        "minimum_coherence",
    )
    print("  " + ", ".join(f"{field} {getattr(settings, field)}" for field in fields))
    line("known", "known", "links")
    line("sense known", "sense known", "links")
    line("spotted", "spotted", "links")
    line("right sense, of the spotted", "right", "spotted")
    line("  by commonness alone", "commonest right", "spotted")
    line("right sense, of the ambiguous", "ambiguous right", "ambiguous")
    line("  by commonness alone", "ambiguous commonest right", "ambiguous")
    for label, prefix in (("", ""), (", commonest", "commonest ")):
        line(f"recall{label}", f"{prefix}found", "links")
        line(f"precision{label}", f"{prefix}found", f"{prefix}judged")
        line(f"recall of the article{label}", f"{prefix}concepts found", f"{prefix}concepts linked")
        line(f"precision of the article{label}", f"{prefix}concepts found", f"{prefix}concepts annotated")


if __name__ == "__main__":
    main()
