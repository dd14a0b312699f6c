"""Benchmarks of terms that are made from benchmarks of concepts (Ein-Dor et al. 2018, section 3.6)."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from app.cli import command_line
from building.build import build_snapshot, work_folder
from building.engines.local import LocalRunner
from snapshots.annotator import Annotator
from snapshots.naming.mentions import mention_of, names_of
from snapshots.naming.resolver import Resolver
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot
from tests.support.building import ROOM
from tests.support.dumps import write_dump
from tests.wikis.mention_wiki import ARTICLES, LINKS, REDIRECTS, TEXTS, TITLES
from training.benchmarks.declared import load
from training.benchmarks.from_concepts import (
    EquivalenceSettings,
    ScoredTerms,
    equivalence_sets,
    made_from,
    term_pairs,
    write_terms,
)
from training.benchmarks.judgements import Benchmark, Judgement
from training.benchmarks.read import read_benchmark, read_declared
from training.coverage import CoveredPairs
from training.errors import NotABenchmark
from wiki.dump import Dump
from wiki.page import RawPage

SETTINGS = BuildSettings()
WORDS = SETTINGS.mention_words


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """The wiki of ``tests.wikis.mention_wiki``: mercury is a planet and a metal; built from a dump."""
    folder = tmp_path_factory.mktemp("terms")
    pages = [
        *(
            RawPage(n + 1, 0, title, None, "\n\n".join(text))
            for n, (title, text) in enumerate(ARTICLES.items())
        ),
        *(
            RawPage(100 + n, 0, title, target, f"#REDIRECT [[{target}]]")
            for n, (title, target) in enumerate(REDIRECTS.items())
        ),
    ]
    dump = write_dump(folder / "toywiki-20200203-pages-articles.xml", pages)
    target = folder / "toy"
    with LocalRunner(1, ROOM, work_folder(target) / "scratch") as runner:
        without = frozenset({"word2vec"})
        return build_snapshot(Dump.open(dump), target, runner, SETTINGS, without=without)


def titles(snapshot: Snapshot) -> dict[str, int]:
    return {title: Resolver.open(snapshot).resolve(title).concept for title in TITLES}


def oracle(commonness: float, link_probability: float) -> dict[str, set[str]]:
    """The equivalence sets by the definitions, from the wiki's links and texts, with sets and dicts."""
    uses: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for source, target, link in LINKS:
        mention = mention_of(link["anchor"], WORDS)
        assert mention is not None
        uses[mention].add((source, TITLES[target]))
    leading = {title: title for title in TITLES} | REDIRECTS
    for name, title in leading.items():
        for mention in names_of(name, WORDS):
            uses[mention].add((TITLES.index(title), title))
    folded = {
        title: [f" {_words(paragraph)} " for paragraph in paragraphs] for title, paragraphs in TEXTS.items()
    }
    sets: dict[str, set[str]] = {title: set() for title in TITLES}
    for mention, used in uses.items():
        if mention.endswith(")"):
            continue
        using = {source for source, _ in used}
        having = {
            place
            for place, title in enumerate(TITLES)
            if any(f" {mention} " in text for text in folded[title])
        }
        probability = len(using) / len(using | having)
        for title, count in Counter(title for _, title in used).items():
            named = mention in {mention_of(name, WORDS) for name, to in leading.items() if to == title}
            if count / len(used) >= commonness and (named or probability >= link_probability):
                sets[title].add(mention)
    return sets


def _words(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())


@pytest.mark.parametrize("commonness", [0.5, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("link_probability", [0.0, 0.02, 0.5, 1.0])
def test_equivalence_sets_are_those_of_the_definitions(
    snapshot: Snapshot, commonness: float, link_probability: float
) -> None:
    concepts = titles(snapshot)
    leading = {
        concept: [title, *(name for name, to in REDIRECTS.items() if to == title)]
        for title, concept in concepts.items()
    }
    chosen = EquivalenceSettings(minimum_commonness=commonness, minimum_link_probability=link_probability)
    sets = equivalence_sets(Annotator.of_snapshot(snapshot), leading, chosen)
    expected = oracle(commonness, link_probability)
    assert {title: set(sets[concept]) for title, concept in concepts.items()} == expected


def test_an_ambiguous_anchor_stands_for_neither_sense() -> None:
    sets = oracle(0.9, 0.02)
    assert sets["Mercury (element)"] == {"quicksilver"}
    assert sets["Mercury (planet)"] == set()
    assert sets["Sun"] == {"sol", "sun"}
    # At half of its uses, mercury is the planet.
    assert "mercury" in oracle(0.5, 0.02)["Mercury (planet)"]


JUDGED = (
    Judgement("Sun", "Quicksilver", 0.25, "Heat", 2),
    Judgement("Mercury (planet)", "Sun", 1.0, "Heat", 3),
    Judgement("Sol", "Sun", 1.0, "Sky", 4),
    Judgement("Iron", "Unobtainium", 0.5, "Sky", 5),
    Judgement("Iron", "Metal", 0.75, "Sky", 6),
)
CONCEPTS = Benchmark("concepts.csv", "0" * 64, JUDGED, language="en", title="Concepts")


def test_every_pair_of_terms_gets_the_concepts_score(snapshot: Snapshot) -> None:
    made = made_from(CONCEPTS, snapshot, EquivalenceSettings())
    names = ("Sun", "Mercury (element)"), ("Iron", "Metal")
    assert made.pairs == (
        ScoredTerms("sol", "quicksilver", 0.25, "Heat", *names[0]),
        ScoredTerms("sun", "quicksilver", 0.25, "Heat", *names[0]),
        ScoredTerms("iron", "metal", 0.75, "Sky", *names[1]),
    )
    assert (made.resolved, made.identical, made.without_terms) == (4, 1, 1)
    assert made.concepts == 5


def test_the_command_writes_a_benchmark_that_can_be_read(snapshot: Snapshot, tmp_path: Path) -> None:
    (tmp_path / "concepts.csv").write_text(
        "left,right,score,topic,Train/Test\nSun,Quicksilver,4,Heat,Train\nIron,Metal,1,Sky,Test\n"
    )
    options = ["--snapshot", str(snapshot.folder), "--pairs", str(tmp_path / "concepts.csv"), "--quiet"]
    asked = ["benchmarks", "terms", *options, "-o", str(tmp_path / "terms.csv")]
    done = CliRunner().invoke(command_line(["benchmarks"]), asked)
    assert done.exit_code == 0, done.output
    assert "2 pairs of terms, declared in terms.toml" in done.stdout
    assert "1 of 1 pairs of concepts, which name 2 concepts with 3 terms" in done.stdout
    benchmark = read_declared(load(tmp_path / "terms.toml"), tmp_path / "terms.csv", "train")
    assert benchmark.judgements == (
        Judgement("sol", "quicksilver", 4.0, "Heat", 2),
        Judgement("sun", "quicksilver", 4.0, "Heat", 3),
    )
    assert benchmark.high == 4
    everything = read_benchmark(tmp_path / "terms.csv", "train").judgements
    assert everything == benchmark.judgements


def test_terms_are_made_from_concepts_alone(snapshot: Snapshot) -> None:
    with pytest.raises(NotABenchmark, match="holds terms, and terms are made from concepts"):
        made_from(Benchmark("t", "0" * 64, JUDGED, kind="terms"), snapshot, EquivalenceSettings())


def test_pairs_without_topics() -> None:
    covered = CoveredPairs(np.array([0, 1]), np.array([1, 2]), np.array([0.5, 1.0]), np.arange(2), ())
    made = term_pairs(covered, {0: "A", 1: "B", 2: "C"}, {0: ("a", "aa"), 1: ("b",), 2: ()})
    assert made.pairs == (
        ScoredTerms("a", "b", 0.5, None, "A", "B"),
        ScoredTerms("aa", "b", 0.5, None, "A", "B"),
    )
    assert (made.without_terms, made.concepts, made.terms) == (1, 3, 3)


@pytest.mark.parametrize("name", ["my terms.csv", "terms.tsv", "terms.jsonl"])
@pytest.mark.parametrize("topics", [("Heat", "Sky, high"), ()])
def test_what_is_written_is_read_back(tmp_path: Path, name: str, topics: tuple[str, ...]) -> None:
    covered = CoveredPairs(np.array([0, 1]), np.array([1, 0]), np.array([0.5, 7.5]), np.arange(2), topics)
    made = term_pairs(covered, {0: "Ä", 1: 'B "b"'}, {0: ("ä", "a, a"), 1: ('b "b"',)})
    toml = write_terms(made, tmp_path / name, CONCEPTS, "train")
    declaration = load(toml)
    benchmark = read_declared(declaration, tmp_path / name)
    assert (benchmark.kind, benchmark.language, benchmark.high) == ("terms", "en", 7.5)
    assert benchmark.title == "Terms of Concepts"
    read = [(pair.left, pair.right, pair.score, pair.topic) for pair in benchmark.judgements]
    assert read == [pair[:4] for pair in made.pairs]


def test_test_rows_stay_test_rows(tmp_path: Path) -> None:
    covered = CoveredPairs(np.array([0]), np.array([1]), np.array([0.5]), np.arange(1), ())
    made = term_pairs(covered, {0: "A", 1: "B"}, {0: ("a",), 1: ("b",)})
    toml = write_terms(made, tmp_path / "terms.csv", CONCEPTS, "test")
    with pytest.raises(NotABenchmark, match="has no train rows"):
        read_declared(load(toml), tmp_path / "terms.csv", "train")
    assert len(read_declared(load(toml), tmp_path / "terms.csv", "test").judgements) == 1
