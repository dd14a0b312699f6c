"""The papers' figures on their agreement and scores, computed from the files that they released."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest

from datasets.agreement.correlation import fisher_mean
from datasets.agreement.deviation import by_group, spread
from datasets.agreement.filtering import word_filter
from datasets.agreement.judgements import Judgements
from datasets.agreement.kappa import cohen_kappa, confusions, mean_pairwise, pairwise
from datasets.agreement.reading import read_judgements
from datasets.agreement.split_half import all_splits, random_splits, same_panel
from datasets.agreement.transitivity import Edge, Transitivity, transitivity
from measures.arrays import Floats


def rows(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    if not path.is_file():
        pytest.skip(f"{path.name} is not in {path.parent}")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@pytest.fixture(scope="module")
def tr9856(data_dir: Path) -> Judgements:
    path = data_dir / "tr9856" / "tr9856.json"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    return read_judgements(path, "binary").judgements


@pytest.fixture(scope="module")
def bird(data_dir: Path) -> list[dict[str, str]]:
    return rows(data_dir / "bird" / "BiRD.txt", "\t")


@pytest.fixture(scope="module")
def word(data_dir: Path) -> list[dict[str, str]]:
    return rows(data_dir / "word" / "word_train.csv")


# TR9856 (Levy et al. 2015)


def test_tr9856_counts(tr9856: Judgements) -> None:
    assert len(tr9856.items) == 9_856
    assert len(tr9856.annotators) == 22
    assert (tr9856.each() == 10).all()
    assert len({item.topic for item in tr9856.items}) == 47
    assert len({term for item in tr9856.items for term in item[1:3]}) == 2_457
    assert len({(item.topic, term) for item in tr9856.items for term in item[1:3]}) == 2_626


def test_tr9856_answers_of_labelers(tr9856: Judgements) -> None:
    each = np.bincount(tr9856.annotator)
    assert (each.mean(), each.min(), each.max()) == (4_480, 36, 9_856)
    related = np.sort(np.bincount(tr9856.annotator, tr9856.value) / each)
    shown = [related.mean(), related[0], related[-1], related[-2]]
    assert [round(share, 3) for share in shown] == [0.522, 0.362, 0.885, 0.679]
    assert each[np.argmax(np.bincount(tr9856.annotator, tr9856.value) / each)] == 165


def test_tr9856_words_and_scores(tr9856: Judgements) -> None:
    single = sum(not re.search(r"\s", item.left + item.right) for item in tr9856.items)
    assert (single, 9_856 - single) == (1_489, 8_367)
    scores = np.round(tr9856.means(), 6)
    assert (int((scores >= 0.8).sum()), int((scores <= 0.2).sum())) == (3_091, 3_250)


def test_tr9856_table_1(tr9856: Judgements) -> None:
    printed = {
        ("copyright", "wipo"): 1.0,
        ("grand theft auto", "violent video games"): 1.0,
        ("video game sales", "violent video games"): 0.7,  # in print "video games sales"
        ("civil rights", "affirmative action"): 0.6,
        ("rights", "public property"): 0.5,
        ("nation of islam", "affirmative action"): 0.1,
        ("racial", "sex discrimination"): 0.1,
    }
    scores = {item[1:3]: score for item, score in zip(tr9856.items, tr9856.means(), strict=True)}
    for (left, right), score in printed.items():
        assert scores.get((left, right), scores.get((right, left))) == pytest.approx(score)


def test_tr9856_split_half_of_the_same_ten_labelers(tr9856: Judgements) -> None:
    who, what = same_panel(tr9856, 10)
    found = all_splits(tr9856.matrix()[np.ix_(what, who)])
    assert (found.splits, found.items, found.judgements) == (126, 2_880, 5)
    assert found.mean == pytest.approx(0.797, abs=5e-4)
    assert random_splits(tr9856).mean == pytest.approx(0.797, abs=2e-3), "and of all pairs"


def test_tr9856_kappa_of_every_two_labelers(tr9856: Judgements) -> None:
    kappa = cohen_kappa(confusions(tr9856), overlap=50)
    assert len(pairwise(kappa)) == 149
    assert mean_pairwise(kappa) == pytest.approx(0.425, abs=5e-4)


def test_words_filter_leaves_out_the_outlier_of_the_release_notes(tr9856: Judgements) -> None:
    """The labeler who said Related of 88 % of 165 pairs, and the one who judged 36."""
    found = word_filter(tr9856)
    out = {
        (name, why, given)
        for name, why, given in zip(found.annotators, found.reasons, found.judged.tolist(), strict=True)
        if why != "kept"
    }
    assert out == {("8", "kappa", 165), ("4", "common", 36)}
    assert len(found.kept.items) == 9_856
    assert found.kappa == pytest.approx(0.447, abs=5e-4)


def triangles(judgements: Judgements, **settings: Any) -> Transitivity:
    edges = [
        Edge(item.left, item.right, round(float(score), 6), item.topic)
        for item, score in zip(judgements.items, judgements.means(), strict=True)
    ]
    return transitivity(edges, **settings)


def test_tr9856_figure_1(tr9856: Judgements) -> None:
    found = triangles(tr9856, repeated="last")
    assert found.triangles == 13_228
    means = [0.479, 0.433, 0.392, 0.383, 0.355, 0.352, 0.331, 0.314, 0.286, 0.252, 0.200]
    assert found.level.tolist() == pytest.approx([tenth / 10 for tenth in range(11)])
    assert found.mean == pytest.approx(means, abs=5.1e-4)
    assert found.spearman == pytest.approx(-1)
    assert found.pearson == pytest.approx(-0.981, abs=5e-4)
    assert found.p_value == pytest.approx(9.6e-8, rel=0.01)


def test_tr9856_figure_1_with_the_mean_of_repeated_pairs(tr9856: Judgements) -> None:
    found = triangles(tr9856)
    assert found.triangles == 13_228
    assert found.spearman == pytest.approx(-1)
    assert found.pearson == pytest.approx(-0.984, abs=5e-4)


def steps(data_dir: Path) -> dict[str, list[dict[str, str]]]:
    """The rows by the step that made them, told by their order: what was released does not name it.

    The first pairs of a topic are those of its own terms: with S_top, whose terms have one word, then two,
    then three, and with S_misc, which begins with one word again. Random pairs follow. A few rows stand
    elsewhere in the file, apart from their topic, and are left out.
    """
    found: dict[str, list[dict[str, str]]] = {"top": [], "miscellaneous": [], "random": []}
    table = rows(data_dir / "tr9856" / "tr9856_inferred_topics.tsv", "\t")
    seen = set()
    for topic, run in groupby(table, key=lambda row: row["inferred_topic_id"]):
        of_topic = list(run)
        if topic in seen or len(of_topic) < 50:
            continue
        seen.add(topic)
        own = set(of_topic[0]["inferred_topic_key_terms"].split("; "))
        step, before = "top", of_topic[0]["term1"]
        for row in of_topic:
            shorter = len(row["term1"].split()) < len(before.split())
            if row["term2"] not in own or (shorter and step == "miscellaneous"):
                step = "random"
            elif shorter and step == "top":
                step = "miscellaneous"
            before = row["term1"]
            found[step].append(row)
    assert len(seen) == 47
    return found


def test_tr9856_scores_fall_with_the_steps_that_made_the_pairs(data_dir: Path) -> None:
    """In print .66, .51 and .41. Random pairs without a term of the definition are .408."""
    of_steps = steps(data_dir)
    means = {step: fmean(float(row["score"]) for row in found) for step, found in of_steps.items()}
    assert {step: len(found) for step, found in of_steps.items()} == {
        "top": 2_509,
        "miscellaneous": 2_166,
        "random": 5_116,
    }
    assert means == pytest.approx({"top": 0.656, "miscellaneous": 0.505, "random": 0.412}, abs=5.1e-4)
    without = [
        float(row["score"])
        for row in of_steps["random"]
        if not {row["term1"], row["term2"]} & set(row["inferred_topic_key_terms"].split("; "))
    ]
    assert fmean(without) == pytest.approx(0.408, abs=5e-4)


# BiRD (Asaadi, Mohammad & Kiritchenko 2019)

SOURCES = {
    "Wikipedia_transposed": ((80, 330), (0.669, 0.118)),
    "WordNet_synonym": ((18, 70), (0.640, 0.194)),
    "WordNet_is-a": ((49, 220), (0.550, 0.177)),
    "WordNet_part-whole": ((7, 30), (0.453, 0.193)),
    "PhraseTable_co-aligned": ((440, 2_101), (0.463, 0.189)),
}
"""By source: of Table 1 the adjective-noun and noun-noun pairs, of Table 3 the mean and the deviation."""


def scores_of(bird: list[dict[str, str]]) -> Floats:
    return np.array([float(row["relatedness score"]) for row in bird])


def test_bird_table_1(bird: list[dict[str, str]]) -> None:
    found = Counter((row["source"], row["pos"]) for row in bird)
    for source, ((adjectives, nouns), _) in SOURCES.items():
        assert (found[source, "a-n"], found[source, "n-n"]) == (adjectives, nouns), source
    assert sum(found.values()) == 3_345


def test_bird_table_3(bird: list[dict[str, str]]) -> None:
    scores = defaultdict(list)
    for row in bird:
        scores[row["source"]].append(float(row["relatedness score"]))
    for source, (_, (mean, deviation)) in SOURCES.items():
        assert fmean(scores[source]) == pytest.approx(mean, abs=6e-4), source
        assert stdev(scores[source]) == pytest.approx(deviation, abs=1.1e-3), source


def test_bird_groups_are_those_of_the_report(bird: list[dict[str, str]]) -> None:
    """Table 3 as the report on agreement has it, of scores as single judgements."""
    of_items = spread(Judgements.of_matrix(scores_of(bird)[:, np.newaxis]))
    for found in by_group(of_items, [row["source"] for row in bird]):
        mean, deviation = SOURCES[found.group][1]
        assert (found.mean, found.deviation) == pytest.approx((mean, deviation), abs=1.1e-3)


def test_bird_terms_and_scores(bird: list[dict[str, str]]) -> None:
    kinds = Counter(row["term2: unigram or bigram"] for row in bird)
    assert (kinds["unigram"], kinds["bigram"]) == (1_718, 1_627)
    pairs = Counter(row["term1"] for row in bird)
    assert (len(pairs), min(pairs.values()), sum(count == 2 for count in pairs.values())) == (410, 2, 39)
    scores = scores_of(bird)
    shown = [round(float(of), 4) for of in (scores.min(), scores.max(), scores.mean())]
    assert shown == [0.026, 0.936, 0.4998]


# WORD (Ein-Dor et al. 2018)


def test_word_scores(word: list[dict[str, str]]) -> None:
    scores = np.array([float(row["score"]) for row in word])
    assert len(scores) == 12_969
    assert round(100 * float((scores > 0).mean()), 1) == 53.2
    assert round(100 * float((scores > 0.5).mean()), 1) == 14.7


def test_word_topics_and_their_own_pairs(word: list[dict[str, str]]) -> None:
    own = Counter(row["source_article"] for row in word if row["source_article"] == row["concept2"])
    topics = {row["source_article"] for row in word}
    assert len(topics) == 82
    assert round(100 * sum(own.values()) / len(word), 2) == 24.97
    assert max(own.values()) == 40


def test_word_multiword_concepts(word: list[dict[str, str]]) -> None:
    words = [
        len(re.findall(r"[^\W_]+", title))
        for title in {title for row in word for title in (row["concept1"], row["concept2"])}
    ]
    several = [count for count in words if count > 1]
    assert round(100 * len(several) / len(words), 1) == 65.8
    assert round(100 * several.count(2) / len(several), 1) == 64.1


# Zesch & Gurevych (2006)


def german(data_dir: Path) -> list[list[str]]:
    path = data_dir / "zesch_gurevych" / "wortpaare222.gold.pos.txt"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split(":") for line in lines if line and not line.startswith("#")]


def test_german_scores_are_means_of_21_subjects(data_dir: Path) -> None:
    scores = [float(row[2]) for row in german(data_dir)]
    assert len(scores) == 222
    assert all(abs(score * 21 - round(score * 21)) < 0.11 for score in scores)


def test_german_parts_of_speech(data_dir: Path) -> None:
    pairs = Counter("".join(sorted((row[3], row[4]), key="nva".index)).upper() for row in german(data_dir))
    shares = {kind: round(count / 222, 2) for kind, count in pairs.items()}
    assert shares == {"NN": 0.54, "NV": 0.12, "NA": 0.22, "VV": 0.03, "VA": 0.06, "AA": 0.04}


def test_german_intra_subject_summary() -> None:
    assert fisher_mean(np.array([0.670, 0.623])) == pytest.approx(0.647, abs=5e-4)


# WordSim-353, whose raters were released


@pytest.mark.parametrize(("number", "pairs", "raters"), [(1, 153, 13), (2, 200, 16)])
def test_wordsim_scores_are_the_means_of_their_raters(
    data_dir: Path, number: int, pairs: int, raters: int
) -> None:
    path = data_dir / "term_pairs" / f"wordsim353_set{number}.json"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    judgements = read_judgements(path, "graded").judgements
    assert (len(judgements.items), len(judgements.annotators)) == (pairs, raters)
    given = [row["value"] for row in json.loads(path.read_text())]
    assert judgements.means() == pytest.approx(given, abs=0.0051)
