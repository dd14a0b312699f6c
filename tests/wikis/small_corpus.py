"""A corpus of random articles, cut by an oracle of dicts and sets, and the text stages run over it.

The oracle cuts words character by character and sentences at ". ", which the articles are written to allow.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from building.engines.local import LocalRunner
from building.stage import Build, Stage
from snapshots.settings import BuildSettings
from snapshots.stop_words import STOP_WORDS
from tests.support.pages import page, write_pages
from wiki.siteinfo import Siteinfo

T = TypeVar("T")

SETTINGS = BuildSettings(vocabulary=40, esa_terms=6, esa_postings=5, esa_concepts=8)


class InlineExecutor(Executor):
    """Runs what it is given at once, in this process, after the pickling that a worker would need."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        function, arguments = pickle.loads(pickle.dumps((fn, args)))
        future.set_result(function(*arguments, **kwargs))
        return future


class InlineRunner(LocalRunner):
    """The local engine without its processes."""

    def _workers(self) -> Any:
        return InlineExecutor()


class SmallCorpus:
    """Titles and paragraphs by concept, and what the tables should say about them."""

    def __init__(self, seed: int, articles: int = 30, words: int = 50) -> None:
        chance = random.Random(seed)
        vocabulary = ["the", "of", "x", "élan", "42", "s", *(f"w{number}" for number in range(words))]
        weights = [1 / (rank + 1) for rank in range(len(vocabulary))]

        def sentence() -> str:
            chosen = chance.choices(vocabulary, weights, k=chance.randint(1, 9))
            return " ".join([chance.choice((str.title, str.lower))(word) for word in chosen])

        self.titles = [f"{sentence()} ({number})" for number in range(articles)]
        self.paragraphs = [
            [". ".join(sentence() for _ in range(chance.randint(1, 4))) for _ in range(chance.randint(0, 5))]
            for _ in range(articles)
        ]

    def write(self, work: Path) -> None:
        """Write what the pages and concepts stages would leave, pages in another order than concepts."""
        rows = [
            page(10 * concept, title, paragraphs=paragraphs)
            for concept, (title, paragraphs) in enumerate(zip(self.titles, self.paragraphs, strict=True))
        ]
        redirect = page(5, "A redirect", redirect="X", paragraphs=["w1 is not counted here"])
        write_pages(work, [*reversed(rows), redirect], parts=3)
        concepts = work / "concepts"
        (concepts / "articles").mkdir(parents=True)
        np.save(concepts / "page_ids.npy", 10 * np.arange(len(rows)))
        pq.write_table(
            pa.table(
                {
                    "concept": pa.array(range(len(rows)), pa.int32()),
                    "page_id": pa.array([row["page_id"] for row in rows], pa.int64()),
                    "title": self.titles,
                }
            ),
            concepts / "articles" / "part-0.parquet",
        )

    @cached_property
    def articles(self) -> list[list[list[str]]]:
        """The words of each sentence of each article."""
        return [
            [words for paragraph in paragraphs for words in map(cut, paragraph.split(". ")) if words]
            for paragraphs in self.paragraphs
        ]

    @property
    def sentences(self) -> list[list[str]]:
        return [sentence for article in self.articles for sentence in article]

    @cached_property
    def document_frequencies(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for article in self.articles:
            for word in {word for sentence in article for word in sentence}:
                found[word] = found.get(word, 0) + 1
        return {word: count for word, count in found.items() if count >= 2}

    @cached_property
    def counts(self) -> dict[str, int]:
        """Sentences with each word that has an id."""
        return {
            word: sum(word in sentence for sentence in self.sentences) for word in self.document_frequencies
        }

    @cached_property
    def vocabulary(self) -> list[str]:
        """Words by id."""
        return sorted(self.counts, key=lambda word: (-self.counts[word], word))


def without_words() -> SmallCorpus:
    """Three articles of which none has a word."""
    corpus = SmallCorpus(seed=1, articles=3)
    corpus.titles, corpus.paragraphs = ["!", "?", "–"], [[], ["…"], ["—", "( )"]]
    return corpus


STOP = STOP_WORDS["en"]


def cut(text: str) -> list[str]:
    """The words of a text, by looking at each character."""
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def run_stages_over(
    corpus: SmallCorpus, work: Path, *stages: Stage, settings: BuildSettings = SETTINGS, workers: int = 1
) -> Build:
    """Run the stages in ``work`` over the corpus."""
    corpus.write(work)
    dump: Any = SimpleNamespace(siteinfo=Siteinfo("Toy", "toywiki", "en", "first-letter", ()))
    with InlineRunner(workers, 500_000_000, work / "scratch") as runner:
        build = Build(dump, work, runner, settings)
        for stage in stages:
            build.folder(stage.name).mkdir()
            stage.run(build)
    return build
