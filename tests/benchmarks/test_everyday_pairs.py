"""Fifty everyday pairs: what anybody would sign, and what the models that come with wort say."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from app.scoring.concepts import Scorer
from app.scoring.offered import WORT, WORT_PLUS, concept_models, concept_trouble, reads_encoder, term_models
from app.scoring.terms import TermScorer
from app.serving.starter import snapshot_path
from benchmarks.everyday_pairs import (
    EverydayPair,
    PairColumns,
    columns_of,
    concepts_of,
    everyday_pairs,
    kinds_table,
    pairs_table,
    term_models_for,
    term_scores,
)
from encoders.encoder import TextEncoder, open_encoder
from encoders.shipped import shipped_encoder
from features.terms.extract import TermPair
from measures.arrays import Floats
from models.shipped import shipped_models
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot

PAIRS = everyday_pairs()

KNOWN: dict[str, dict[tuple[str, str], str]] = {
    WORT: {
        (
            "Boxing",
            "Brain damage",
        ): "0.04: texts and titles differ (ESA 0), and mentions together are too few (NPMI1_C 0)",
        ("Gambling", "Addiction"): "0.36: both texts are of other things (ESA 0.05)",
        ("Apple", "Microsoft"): "0.55: links to the fruit meant the company (INLINK-PMI 0.47, ESA 0.02)",
        ("Atheism", "Pope"): "0.0994: their words occur among others (W2V 0)",
    },
    WORT_PLUS: {
        (
            "Barack Obama",
            "United States",
        ): "0.49: a hub, whose title says nothing of the other (ENC-TITLE 0.35)",
        (
            "Boxing",
            "Brain damage",
        ): "0.08: as by wort, and the titles are of different things (ENC-TITLE 0.18)",
        ("Gambling", "Addiction"): "0.43: both texts are of other things (ENC-TITLE 0.42)",
        ("Apple", "Microsoft"): "0.55: to the encoder Apple is the company, too (ENC-TITLE 0.61)",
    },
}
"""Where a model is known to be beyond the bounds, and why. A pair that comes within leaves the list."""


@pytest.fixture(scope="module")
def starter() -> Snapshot:
    return Snapshot.open(snapshot_path())


@pytest.fixture(scope="module")
def scores(starter: Snapshot) -> dict[str, Floats]:
    models = {
        name: shipped.model
        for name, shipped in concept_models(starter.id).items()
        if name == WORT or concept_trouble(starter, shipped.model) is None
    }
    return columns_of(starter, models, PAIRS).scores


@pytest.fixture(scope="module")
def encoder() -> TextEncoder:
    pytest.importorskip("onnxruntime")
    folder = shipped_encoder()
    if folder is None:
        pytest.skip("no encoder comes with this copy of wort")
    return open_encoder(folder)


def cases() -> list[object]:
    found: list[object] = []
    for name, known in KNOWN.items():
        for place, pair in enumerate(PAIRS):
            why = known.get((pair.left, pair.right))
            marks = () if why is None else (pytest.mark.xfail(reason=why, strict=True),)
            found.append(pytest.param(name, place, id=f"{name}: {pair.titles}", marks=marks))
    return found


@pytest.mark.parametrize(("name", "place"), cases())
def test_a_model_keeps_to_the_bounds(name: str, place: int, scores: dict[str, Floats]) -> None:
    if name not in scores:
        pytest.skip(f"no {name} comes with wort for the starter")
    pair, score = PAIRS[place], float(scores[name][place])
    assert pair.low <= score <= pair.high


def test_the_known_exceptions_are_pairs_of_the_file() -> None:
    named = {(pair.left, pair.right) for pair in PAIRS}
    assert all(set(known) <= named for known in KNOWN.values())


def test_there_are_fifty_different_pairs_that_the_starter_has(starter: Snapshot) -> None:
    left, right = concepts_of(Resolver.open(starter), PAIRS)
    both = {frozenset(pair) for pair in zip(left.tolist(), right.tolist(), strict=True)}
    assert (len(PAIRS), len(both)) == (50, 50)
    assert all(len(pair) == 2 for pair in both)


def test_the_bounds_say_something() -> None:
    for pair in PAIRS:
        assert 0.0 <= pair.low < pair.high <= 1.0
        assert pair.high - pair.low < 0.75, pair
    kinds = Counter(pair.kind for pair in PAIRS)
    assert kinds["unrelated"] + kinds["hub and unrelated"] >= 10
    assert kinds["antonyms"] >= 5


def test_an_article_that_a_snapshot_lacks_is_named(starter: Snapshot) -> None:
    strange = EverydayPair("unrelated", "Cat", "Zyzzyvaphone", 0.0, 0.2)
    with pytest.raises(LookupError, match="Zyzzyvaphone"):
        concepts_of(Resolver.open(starter), [strange])


def test_the_tables_count_what_is_within() -> None:
    pairs = [EverydayPair("a", "x", "y", 0.5, 1.0), EverydayPair("b", "u", "v", 0.0, 0.2)]
    said = PairColumns({"m": np.array([0.5, 0.25])}, np.array([-0.1, 0.3]))
    assert kinds_table(pairs, said).rows == [("a", 1, 1), ("b", 1, 0), ("all", 2, 1)]
    table = pairs_table(pairs, said)
    assert table.columns == ("pair", "kind", "bounds", "m", "ENC-TITLE")
    assert [row[3:] for row in table.rows] == [("0.50", "−0.10"), ("**0.25**", "0.30")]
    assert kinds_table(pairs, said._replace(cosine=None)).columns == ("kind", "pairs", "m")


def test_models_of_terms_have_columns_of_their_own() -> None:
    pairs = [EverydayPair("a", "x", "y", 0.5, 1.0), EverydayPair("b", "u", "v", 0.0, 0.2)]
    of_terms = {"m": np.array([0.6, 0.1]), "n": np.array([0.4, 0.3])}
    said = PairColumns({"m": np.array([0.5, 0.25])}, np.array([-0.1, 0.3]), of_terms)
    assert kinds_table(pairs, said).columns == ("kind", "pairs", "m", "m, terms", "n, terms")
    assert kinds_table(pairs, said).rows[-1] == ("all", 2, 1, 2, 0)
    table = pairs_table(pairs, said)
    assert table.columns == ("pair", "kind", "bounds", "m", "m, terms", "n, terms", "ENC-TITLE")
    assert table.rows[0][3:] == ("0.50", "0.60", "**0.40**", "−0.10")


def test_terms_are_scored_as_the_service_does_where_it_asks_their_model(
    starter: Snapshot, encoder: TextEncoder
) -> None:
    """Where a term names no article, a server asks the same model."""
    concepts = Scorer(starter, Resolver.open(starter), concept_models(starter.id)[WORT].model)
    pairs = [
        EverydayPair("terms", left, right, 0.0, 1.0)
        for left, right in (("cute cats", "angry dogs"), ("renewable power", "wind energy plants"))
    ]
    models = term_models_for(starter, [], encoder)
    assert set(models) >= {WORT, WORT_PLUS}
    for name, scores in term_scores(starter, models, pairs, encoder).items():
        served = TermScorer(concepts, models[name], encoder)
        results = served.score([TermPair(pair.left, pair.right) for pair in pairs])
        assert [result.model for result in results] == [models[name].name] * 2
        assert scores.tolist() == [result.score for result in results]


def test_models_of_terms_that_need_an_encoder_are_left_out_without_one(starter: Snapshot) -> None:
    assert set(term_models_for(starter, [], None)) == {
        name for name, shipped in term_models(starter.id).items() if not reads_encoder(shipped.model)
    }
    (file,) = (path for path in shipped_models("") if path.stem == "terms-starter")
    (name,) = term_models_for(starter, [file], None)
    assert name == "terms-starter"


def test_terms_that_have_nothing_in_common_score_lowest(starter: Snapshot, encoder: TextEncoder) -> None:
    scores = term_scores(starter, term_models_for(starter, [], encoder), PAIRS, encoder)
    apart = np.array(["unrelated" in pair.kind for pair in PAIRS])
    for name, column in scores.items():
        assert column[apart].max() < np.quantile(column[~apart], 0.25), name
    assert scores[WORT_PLUS][apart].max() < 0.1
