"""A leaderboard of several models, several encoders and every single feature: its rows and its tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from app.cli.reports.board import MOST, tables
from app.scoring.concepts import Scorer
from encoders.card import TunedOn, write_card
from encoders.encoder import open_encoder
from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats
from models.linear import LinearModel
from tests.support.encoders import write_encoder
from tests.support.plus import plus_term_model
from tests.support.served import toy_scorer
from tests.support.toy_reports import entries, row
from training.benchmarks.judgements import Benchmark, Judgement
from training.evaluation.columns import Sampling, judge_columns
from training.evaluation.judges import Baseline, Judges, predict
from training.evaluation.judging import leaderboard
from training.evaluation.leaderboard import (
    BEST,
    CONCEPTS,
    MILNE_WITTEN,
    TERMS,
    is_model,
    of_feature,
    other_model,
)
from training.evaluation.report import Leaderboard, LeaderboardFigures
from training.reports.boards import board_tables
from training.reports.charts import standings
from training.reports.text import SEEN

SAMPLING = Sampling(resamples=20)
SCORES = {("Cat", "Dog"): 0.9, ("Cat", "Pet"): 0.7, ("Piano", "Noun"): 0.1, ("Cat", "Unicorn"): 0.5}
PAIRS = tuple(
    Judgement(left, right, score, None, line)
    for line, ((left, right), score) in enumerate(SCORES.items(), start=2)
)
TOY = Benchmark("toy", "00ff", PAIRS, title="A toy")


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("beside"))


def other(scorer: Scorer, name: str = "upside") -> LinearModel:
    """A model that says other things than the toy's."""
    assert isinstance(scorer.model, LinearModel)
    turned = tuple(
        msgspec.structs.replace(each, weight=0.02 if each.feature == "MW" else 0.0)
        for each in scorer.model.coefficients
    )
    return msgspec.structs.replace(scorer.model, name=name, coefficients=turned, intercept=0.3)


def rising(texts: Sequence[tuple[str, str]]) -> Floats:
    return np.arange(len(texts), dtype=np.float64)


def judges(scorer: Scorer, each_feature: bool = False) -> Judges:
    baselines = (Baseline("encoder tuned", rising), Baseline("encoder untuned", lambda texts: -rising(texts)))
    return Judges(
        scorer.snapshot,
        scorer.resolver,
        scorer.model,
        baselines=baselines,
        encoders=("tuned", "untuned"),
        others=(other(scorer),),
        each_feature=each_feature,
    )


def test_models_and_encoders_stand_side_by_side(scorer: Scorer) -> None:
    asked = judges(scorer)
    predictions = predict(asked, TOY)
    board = leaderboard(asked, [predictions], sampling=SAMPLING)
    assert (board.others, board.encoder) == (("upside",), "tuned, untuned")
    assert msgspec.json.decode(board.json(), type=Leaderboard) == board
    (judged,) = board.rows
    assert [entry.role for entry in judged.covered.entries] == [
        CONCEPTS,
        other_model("upside"),
        BEST,
        MILNE_WITTEN,
        "encoder tuned",
        "encoder untuned",
    ]
    second = judged.all_pairs.of(other_model("upside"))
    assert second is not None
    assert second.name == "upside"
    # The pair that the snapshot does not cover counts as 0, as of the first model.
    said = [*np.clip(0.3 + 0.02 * predictions.values[:, FEATURE_NAMES.index("MW")], 0, 1), 0.0]
    (expected,) = judge_columns([np.array(said)], predictions.gold, SAMPLING)
    assert second.pearson == expected["pearson"].pooled
    assert second.spearman == expected["spearman"].pooled


def test_every_single_feature_has_its_figures(scorer: Scorer) -> None:
    asked = judges(scorer, each_feature=True)
    predictions = predict(asked, TOY)
    (judged,) = leaderboard(asked, [predictions], sampling=SAMPLING).rows
    roles = [entry.role for entry in judged.all_pairs.entries]
    assert roles[6:] == [of_feature(name) for name in FEATURE_NAMES]
    alone, mw = judged.all_pairs.of(of_feature("MW")), judged.all_pairs.of(MILNE_WITTEN)
    assert alone is not None and mw is not None
    assert (alone.pearson, alone.spearman) == (mw.pearson, mw.spearman)


def test_two_of_one_name_are_refused(scorer: Scorer) -> None:
    with pytest.raises(ValueError, match=f"models of concepts are called {scorer.model.name}"):
        Judges.open(scorer.snapshot, scorer.model, others=[other(scorer, scorer.model.name)])
    with pytest.raises(ValueError, match="encoders are called same"):
        Judges.open(scorer.snapshot, scorer.model, encoders=[Path("one/same"), Path("other/same")])


def test_a_model_that_has_seen_the_file_is_named_beside_others(scorer: Scorer) -> None:
    asked = judges(scorer)
    own = msgspec.structs.replace(scorer.model.trained_on, checksum="other")
    fresh = msgspec.structs.replace(other(scorer), trained_on=own)
    seen = Benchmark("own", scorer.model.trained_on.checksum, PAIRS)
    judged = Judges(asked.snapshot, asked.resolver, asked.model, others=(fresh,))
    (found,) = leaderboard(judged, [predict(judged, seen)], sampling=SAMPLING).rows
    assert found.seen == (scorer.model.name,)


def test_roles_of_models() -> None:
    assert [role for role in (CONCEPTS, other_model("m"), TERMS, BEST, "encoder", of_feature("MW"))
            if is_model(role)] == [CONCEPTS, other_model("m"), TERMS]  # fmt: skip


def test_more_measures_than_fit_stand_in_further_tables() -> None:
    names = [f"F{number}" for number in range(8)]
    judged = LeaderboardFigures(
        30,
        entries(
            ("concept model", "mine", 0.7),
            (other_model("yours"), "yours-of-all-articles", 0.6),
            ("best feature", "ESA", 0.6),
            *((of_feature(name), name, 0.3) for name in names),
            ("encoder tuned", "encoder tuned", 0.5),
        ),
    )
    shown = msgspec.structs.replace(row(), covered=judged, all_pairs=judged)
    first, second, *_ = found = tables([shown])
    headings = [column.heading for table in (first, second) for column in table.columns if column.heading]
    assert headings == ["mine", "yours-of-\nall-articles", "best single\nfeature", "encoder\ntuned", *names]
    assert max(len(table.columns) - 2 for table in found) == MOST
    assert [table.caption.endswith(", continued") for table in found] == [False, True, False, True]
    assert all("0." not in str(cell) for cell in first.on("terminal")[1][0])
    page = board_tables(
        Leaderboard(
            snapshot="s",
            model="mine",
            term_model=None,
            encoder="tuned",
            rows=(shown,),
            left_out=(),
            resampling=SAMPLING.described("pairs"),
            notes=(),
            created="now",
            code_version="0",
            others=("yours-of-all-articles",),
        )
    )
    assert {"concept model yours", "feature F7", "encoder tuned"} <= {
        column.heading for column in page[0].columns
    }


def test_one_model_is_headed_as_a_concept_model() -> None:
    headings = [column.heading for column in tables([row()])[0].columns]
    assert "concept\nmodel" in headings


def test_what_rests_on_an_encoder_that_was_tuned_on_the_file_is_marked(
    scorer: Scorer, tmp_path: Path
) -> None:
    card = write_encoder(tmp_path / "tuned")
    card = write_card(tmp_path / "tuned", replace(card, data=[TunedOn("Toys", 4, TOY.checksum, "")]))
    write_encoder(tmp_path / "untuned", seed=2)
    asked = Judges.open(
        scorer.snapshot,
        scorer.model,
        plus_term_model(scorer.snapshot.id),
        terms_of_concepts=True,
        encoders=[tmp_path / "tuned", tmp_path / "untuned"],
        each_feature=True,
        of_texts=open_encoder(tmp_path / "tuned"),
    )
    predictions = predict(asked, dataclasses.replace(TOY, judgements=3 * PAIRS))
    board = leaderboard(asked, [predictions], sampling=SAMPLING)
    (judged,) = board.rows
    assert judged.seen == ("toy-terms-plus", "encoder tuned", "TEXT", "TEXT-CROSS")
    assert sum("toy was tuned on this file" in note for note in board.notes) == 1
    shown = " ".join(
        str(cell) for table in board_tables(board) for row in table.on("page")[1] for cell in row
    )
    assert shown.count(SEEN) >= 2 * len(judged.seen)
    unread = dataclasses.replace(predictions, split="test")
    assert asked.seen(unread) == ()
    (found,) = leaderboard(asked, [unread], sampling=SAMPLING).rows
    assert found.seen == ()


def test_the_chart_has_every_model(scorer: Scorer) -> None:
    shown = entries(
        ("concept model", "mine", 0.7), (other_model("yours"), "yours", 0.6), ("best feature", "ESA", 0.5)
    )
    judged = msgspec.structs.replace(row(), covered=LeaderboardFigures(30, shown))
    chart = standings([judged], "covered", "covered pairs")
    assert chart is not None
    assert all(name in chart.svg for name in (">mine<", ">yours<", ">best feature<"))
    assert "Yours: from 0.500 to 0.500." in chart.says
