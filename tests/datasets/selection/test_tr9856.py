"""TR9856's protocol: its lexicons against an obvious count, its pairs, and the reading that the data show."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.selection.ngrams import Gram, Sentences, free_grams, ngram_lexicon
from datasets.selection.selection import generator
from datasets.selection.texts import Document
from datasets.selection.topics import Topic
from datasets.selection.tr9856 import RANDOM, Terms, Tr9856Settings, pairs_of, select
from tests.datasets.selection.test_over_representation import exact_p
from training.progress import NoProgress

LETTERS = st.lists(st.sampled_from("abcd"), max_size=7)


def obvious_grams(sentence: list[str], length: int, longer: set[Gram]) -> list[Gram]:
    """Every occurrence of an n-gram, but those all of whose words are covered by one longer occurrence."""
    spans = [
        set(range(start, start + len(gram)))
        for gram in longer
        for start in range(len(sentence))
        if tuple(sentence[start : start + len(gram)]) == gram
    ]
    return [
        tuple(sentence[start : start + length])
        for start in range(len(sentence) - length + 1)
        if not any(set(range(start, start + length)) <= span for span in spans)
    ]


@given(LETTERS, st.sampled_from([1, 2]), st.sets(st.tuples(*[st.sampled_from("abcd")] * 3), max_size=4))
def test_what_stands_within_a_longer_one_is_ignored(
    sentence: list[str], length: int, longer: set[Gram]
) -> None:
    assert list(free_grams(sentence, length, longer)) == obvious_grams(sentence, length, longer)


def documents_of(articles: list[list[list[str]]]) -> dict[str, Document]:
    """A document for each article, whose sentences are given as words."""
    return {
        str(number): Document(
            str(number), tuple(f"{' '.join(sentence)}." for sentence in article if sentence)
        )
        for number, article in enumerate(articles)
    }


@given(st.lists(st.lists(LETTERS, max_size=6), min_size=2, max_size=4), st.sampled_from([1, 2]))
def test_lexicons_are_what_an_obvious_count_gives(articles: list[list[list[str]]], length: int) -> None:
    documents = documents_of(articles)
    sentences = Sentences(documents)
    longer: set[Gram] = {("a", "b", "c"), ("b", "b", "a")}
    found = ngram_lexicon(sentences, sentences.of(["0"]), length, longer, {"d"}, minimum=2, level=0.9)
    every = [[sentence for sentence in article if sentence] for article in articles]
    occurring = Counter(gram for one in every[0] for gram in obvious_grams(one, length, longer))
    tested = [gram for gram, n in occurring.items() if n >= 2 and "d" not in (gram[0], gram[-1])]
    population = sum(map(len, every))

    def p_of(gram: Gram) -> float:
        having = [[gram in obvious_grams(one, length, longer) for one in article] for article in every]
        return float(exact_p(population, sum(map(sum, having)), len(every[0]), sum(having[0])))

    assert found.tests == len(tested)
    expected = {gram for gram in tested if p_of(gram) * len(tested) <= 0.9 + 1e-9}
    assert set(found.terms) == expected
    values = [p_of(gram) for gram in found.terms]
    assert values == pytest.approx(sorted(values))


def full_terms(own: int) -> Terms:
    lengths = (1, 2, 3)
    return Terms(
        tuple(f"definition {number}" for number in range(own)),
        {n: tuple(f"top {n} {number}" for number in range(10)) for n in lengths},
        {n: tuple(f"miscellaneous {n} {number}" for number in range(10)) for n in lengths},
    )


@pytest.mark.parametrize("reading", ["across", "within"])
@given(own=st.integers(1, 5), seed=st.integers(0, 9))
def test_full_lexicons_give_twelve_m1_m2_pairs(reading: str, own: int, seed: int) -> None:
    settings = Tr9856Settings(random_step="within" if reading == "within" else "across")
    pairs = pairs_of(full_terms(own), settings, generator(seed, "test"))
    steps = Counter(step for *_, step in pairs)
    assert len(pairs) == len({frozenset(pair[:2]) for pair in pairs}) == 12 * own * 10
    assert steps == {"definition-top": 30 * own, "definition-miscellaneous": 30 * own, "random": 60 * own}
    same = sum(left.split()[1] == right.split()[1] for left, right, step in pairs if step == RANDOM)
    assert (same == 60 * own) == (reading == "within")


def test_the_data_pair_at_random_across_lengths(data_dir: Path) -> None:
    with (data_dir / "tr9856" / "tr9856_inferred_topics.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    at_random = [
        (row["term1"].split(), row["term2"].split())
        for row in rows
        if not {row["term1"], row["term2"]} & set(row["inferred_topic_key_terms"].split("; "))
    ]
    same = sum(len(left) == len(right) for left, right in at_random) / len(at_random)
    assert same == pytest.approx(1 / 3, abs=0.01), "drawn within each n it would be 1"
    assert sum(row["term1"] == row["term2"] for row in rows) == 43


def test_a_topic_from_its_articles() -> None:
    games = "Violent video games are sold to minors. A violent video game frightens minors. "
    boxing = "Boxing hurts the brain. Professional boxing is a sport. The brain suffers in boxing. "
    filler = " ".join(f"Nothing of note happened in the year {year}." for year in range(1900, 1990))
    documents = {
        "Games": Document("Games", (games * 8, filler)),
        "Boxing": Document("Boxing", (boxing * 8, filler)),
    }
    topics = [
        Topic(
            "The sale of violent video games to minors should be banned", ["violent video games"], ["Games"]
        ),
        Topic("Boxing should be banned", ["boxing"], ["Boxing"], leave_out=["brain suffers"]),
    ]
    selection = select(topics, documents, frozenset({"the", "in"}), Tr9856Settings(), 1, NoProgress(), {})
    by_topic = {
        topic.definition: {str(row[2]) for row in selection.pairs.rows if row[1] == topic.definition}
        for topic in topics
    }
    assert {"violent video games", "violent video game"} <= by_topic[topics[0].definition]
    assert "violent video" not in by_topic[topics[0].definition], "it stands within longer ones alone"
    assert "brain suffers" not in by_topic[topics[1].definition]
    assert not any(term.startswith("the ") for term in by_topic[topics[1].definition])
    assert selection.counts["sentences"] == 220
