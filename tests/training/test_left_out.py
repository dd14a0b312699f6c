"""Left-out cosines in training: they stand where the encoder's own were, and whole folds are left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

import training.train
from encoders.card import TunedOn, write_card
from encoders.left_out import COLUMNS, pair_digest, topic_digest
from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats, Ints
from tests.support.encoders import write_encoder
from training.benchmarks.judgements import Benchmark, Judgement
from training.coverage import Coverage, CoveredPairs
from training.design import Design
from training.errors import MissingEncoder, TooFewPairs
from training.evaluation.columns import Sampling
from training.left_out import (
    Pair,
    check_encoder,
    check_text_encoder,
    keys_of,
    left_out_of,
    replaced,
)
from training.terms.design import TERM_DESIGNS
from training.train import train_concept_model

TOPICS, EACH, FOLDS = 12, 25, 4
NAMES = ("ESA", "ENC-TITLE", "ENC-CROSS", "ENC-LEAD")


@dataclass(frozen=True)
class Known:
    """Cosines by pair, as a file has them, and its fold."""

    values: dict[Pair, tuple[float, float, float]]
    fold: dict[str, int]

    def cosines(self, pairs: Sequence[Pair]) -> Floats:
        return np.array([self.values[pair] for pair in pairs])

    def folds(self, pairs: Sequence[Pair]) -> Ints:
        return np.array([self.fold[topic] for _, _, topic in pairs], np.int64)


def judgements(scores: Floats) -> tuple[Judgement, ...]:
    return tuple(
        Judgement(f"L{place}", f"R{place}", score, f"topic {place % TOPICS}", place + 2)
        for place, score in enumerate(scores.tolist())
    )


def known(rows: Sequence[Judgement], title: Floats) -> Known:
    keys = keys_of(rows)
    values = {
        key: (cosine, cosine / 2, round(0.3 * cosine, 3))
        for key, cosine in zip(keys, title.tolist(), strict=True)
    }
    return Known(values, {f"topic {number}": number % FOLDS for number in range(TOPICS)})


def test_they_are_taken_where_the_encoder_saw_the_benchmark(tmp_path: Path) -> None:
    rows = judgements(np.zeros(2))
    digests = [(pair_digest(key), topic_digest(key[2])) for key in keys_of(rows)]
    lines = [f"{pair},{topic},0,0.25,0.5,0.75" for pair, topic in digests]
    content = "\n".join([",".join(COLUMNS), *lines, ""])
    card = write_encoder(tmp_path / "tuned", more={"left_out.csv": content.encode()})
    write_card(tmp_path / "tuned", replace(card, data=[TunedOn("seen", len(rows), "its checksum")]))
    found = left_out_of(tmp_path / "tuned", Benchmark("seen", "its checksum", rows))
    assert found is not None
    assert found.cosines(keys_of(rows)).tolist() == [[0.25, 0.5, 0.75]] * 2
    assert left_out_of(tmp_path / "tuned", Benchmark("other form", "another checksum", rows[1:])) is not None
    others = tuple(dataclasses.replace(row, topic="another") for row in rows)
    assert left_out_of(tmp_path / "tuned", Benchmark("other", "another checksum", others)) is None


def test_they_stand_where_the_features_were() -> None:
    rows = judgements(np.zeros(3))
    values = np.arange(12.0).reshape(3, 4)
    before = values.copy()
    found = replaced(values, NAMES, keys_of(rows), known(rows, np.array([0.1, 0.2, -0.3])))
    assert found.tolist() == [[0, 0.1, 0.05, 0.03], [4, 0.2, 0.1, 0.06], [8, -0.3, -0.15, -0.09]]
    assert (values == before).all()
    titles = replaced(values[:, :2], ("TEXT", "ESA"), keys_of(rows), known(rows, np.array([0.1, 0.2, -0.3])))
    assert titles.tolist() == [[0.1, 1.0], [0.2, 5.0], [-0.3, 9.0]]


def test_where_a_lead_was_not_known_concepts_have_no_evidence() -> None:
    rows = judgements(np.zeros(3))
    cosines = Known(dict.fromkeys(keys_of(rows), (0.5, 0.25, np.nan)), {})
    found = replaced(np.ones((3, 4)), NAMES, keys_of(rows), cosines)
    assert found.tolist() == [[1.0, 0.5, 0.0, 0.0]] * 3


def test_terms_take_the_text_where_either_knows_no_lead() -> None:
    rows = judgements(np.zeros(3))
    keys = keys_of(rows)
    own = np.array([[0.9, 0.8], [0.9, 0.9], [0.9, 0.8]])  # the second names no article here
    cosines = Known(dict(zip(keys, [(0.5, 0.25, np.nan)] * 2 + [(0.5, np.nan, np.nan)], strict=True)), {})
    found = replaced(own, ("TEXT", "TEXT-CROSS"), keys, cosines)
    assert found.tolist() == [[0.5, 0.25], [0.5, 0.5], [0.5, 0.5]]


def test_a_snapshot_without_an_encoder_keeps_its_features() -> None:
    rows = judgements(np.zeros(2))
    values = np.ones((2, len(FEATURE_NAMES)))
    names = [name for name in FEATURE_NAMES if not name.startswith("ENC-")]
    values = values[:, : len(names)]
    assert (replaced(values, names, keys_of(rows), known(rows, np.zeros(2))) == values).all()


def test_pairs_without_a_topic_are_an_error() -> None:
    with pytest.raises(TooFewPairs, match="line 7 has no topic"):
        keys_of([Judgement("a", "b", 0.5, None, 7)])


def trained_on(
    monkeypatch: pytest.MonkeyPatch, scores: Floats, own: Floats, title: Floats
) -> tuple[Floats, Floats, str]:
    """Predictions and people's scores of a training on made-up pairs, and how they came about.

    ``own``: the feature of the snapshot, ENC-TITLE; ``title``: what is left out in its place.
    """
    rows = judgements(scores)
    pairs = len(rows)
    topic = np.arange(pairs) % TOPICS
    names = tuple(f"topic {number}" for number in range(TOPICS))
    covered = CoveredPairs(np.arange(pairs), np.arange(pairs) + pairs, scores, topic, names, rows)
    values = np.zeros((pairs, len(FEATURE_NAMES)))
    values[:, FEATURE_NAMES.index("ENC-TITLE")] = own
    monkeypatch.setattr(training.train, "cover", lambda *_: (covered, Coverage(pairs, pairs, 0, 0, ())))
    monkeypatch.setattr(training.train, "extract", lambda *_: values)
    monkeypatch.setattr("training.train.Resolver.open", lambda _: None)

    class Unread:
        id = "none"

    _, report, predictions = train_concept_model(
        Benchmark("toy", "00", rows),
        Unread(),  # type: ignore[arg-type]
        Design((("ENC-TITLE", "identity"),), method="log-logistic"),
        sampling=Sampling(10),
        cosines=known(rows, title),
    )
    return predictions.predicted, predictions.gold, report.predictions


def test_no_label_reaches_a_prediction_where_cosines_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that saw shuffled scores knows them by heart; of those that did not, nothing is learnt."""
    generator = np.random.default_rng(3)
    scores = generator.permutation(np.repeat(np.arange(10) / 10, TOPICS * EACH // 10))
    honest = generator.random(len(scores))
    predicted, gold, how = trained_on(monkeypatch, scores, scores.copy(), honest)
    assert how == "topic-folds"
    assert abs(np.corrcoef(predicted, gold)[0, 1]) < 0.15
    leaking, _, _ = trained_on(monkeypatch, scores, scores.copy(), scores.copy())
    assert np.corrcoef(leaking, gold)[0, 1] > 0.95


def test_whole_folds_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What people said of a topic changes no prediction of another topic of its fold."""
    generator = np.random.default_rng(4)
    cosines = generator.random(TOPICS * EACH)
    scores = np.round(cosines * 0.8 + generator.random(len(cosines)) * 0.2, 1)
    topic = np.arange(len(scores)) % TOPICS
    changed = np.where(topic == 1, 1.0 - scores, scores)
    before, _, _ = trained_on(monkeypatch, scores, cosines, cosines)
    after, _, _ = trained_on(monkeypatch, changed, cosines, cosines)
    together = topic % FOLDS == 1
    assert before[together].tolist() == after[together].tolist()
    assert (before[~together] != after[~together]).all()


class _Snapshot:
    """A snapshot as far as its manifest says which encoder its vectors are of."""

    def __init__(self, encoder: dict[str, str] | None) -> None:
        self.manifest = SimpleNamespace(settings={} if encoder is None else {"encoder": encoder})


def checked(encoder: dict[str, str] | None, design: Design, folder: Path | None) -> None:
    check_encoder(_Snapshot(encoder), design, folder)  # type: ignore[arg-type]


def test_an_encoder_whose_cosines_are_learnt_from_is_named(tmp_path: Path) -> None:
    """Of an encoder that nothing is known of, nothing says whether it had seen the pairs."""
    card = write_encoder(tmp_path / "tuned")
    of = {"name": card.name, "digest": card.digest, "kind": "onnx"}
    weighing = Design((("ENC-TITLE", "identity"),))
    with pytest.raises(MissingEncoder, match="--encoder"):
        checked(of, weighing, None)
    with pytest.raises(MissingEncoder, match="the snapshot was built with"):
        checked(of | {"digest": "0" * 16}, weighing, tmp_path / "tuned")
    checked(of, weighing, tmp_path / "tuned")
    checked(of, Design((("ESA", "identity"),)), None)
    checked(None, weighing, None)


def test_a_design_of_terms_that_compares_texts_takes_an_encoder() -> None:
    plus = TERM_DESIGNS["plus"]
    with pytest.raises(MissingEncoder, match="`log-logistic` is without"):
        check_text_encoder(plus, there=False)
    check_text_encoder(plus, there=True)
    check_text_encoder(TERM_DESIGNS["log-logistic"], there=False)
    assert {name for name, _ in plus.addends} - {
        name for name, _ in TERM_DESIGNS["log-logistic"].addends
    } == {
        "TEXT",
        "TEXT-CROSS",
    }
