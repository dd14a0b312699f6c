"""Terms of the same words in another order: an encoder alone tells them apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.compare import _term_lines
from app.scoring.terms import TermScorer
from app.serving.encoder import EncoderPlace
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import open_scorer, snapshot_path
from features.terms.catalogue import EVERY_TERM_FEATURE, TERM_FEATURES
from features.terms.extract import TermPair
from features.terms.order import OF_ENCODER, read_of_order
from features.terms.reordered import is_reordered
from wort.schemas.terms import TermsResponse

NAMES = [feature.name for feature in EVERY_TERM_FEATURE]

REORDERED = [("law school", "school law"), ("hot dog", "dog hot"), ("dog house", "house dog")]


@pytest.fixture(scope="module")
def terms() -> TermScorer:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    return Serving(open_scorer(None, None), TermSettings(encoder=EncoderPlace(None))).terms()


@given(st.lists(st.sampled_from("abcd"), max_size=4), st.randoms(use_true_random=False))
def test_any_order_but_the_own_is_another(letters: list[str], random: object) -> None:
    other = list(letters)
    random.shuffle(other)  # type: ignore[attr-defined]
    assert is_reordered(" ".join(letters), " ".join(other)) == (letters != other)


@pytest.mark.parametrize(
    ("left", "right"), [("law school", "law"), ("law", "law law"), ("a b", "a c"), ("", "")]
)
def test_other_words_are_no_order(left: str, right: str) -> None:
    assert not is_reordered(left, right)


def test_what_an_encoder_says_is_left(terms: TermScorer) -> None:
    pairs = [TermPair(*pair) for pair in (*REORDERED, ("law school", "university"))]
    values = np.arange(1.0, 1 + len(pairs) * len(NAMES)).reshape(len(pairs), -1)
    read = read_of_order(values, NAMES, pairs)
    of_encoder = [column for column, name in enumerate(NAMES) if name in OF_ENCODER]
    others = [column for column in range(len(NAMES)) if column not in of_encoder]
    text = NAMES.index("TEXT")
    assert (read[:-1, of_encoder] == values[:-1, [text]]).all()
    assert not read[:-1, others].any()
    assert (read[-1] == values[-1]).all()


def test_it_is_said_on_a_terminal(terms: TermScorer) -> None:
    results = terms.score([TermPair("law school", "school law")], explain=True)
    answer = TermsResponse(results, terms.model_info, terms.snapshot_info)
    assert "They have the same words in another order, which only the encoder" in "\n".join(
        _term_lines(answer, False, terms)
    )


def test_without_an_encoder_nothing_is_left_out() -> None:
    names = [feature.name for feature in TERM_FEATURES]
    values = np.ones((1, len(names)))
    assert (read_of_order(values, names, [TermPair("law school", "school law")]) == values).all()


def test_a_score_says_what_it_rests_on(terms: TermScorer) -> None:
    results = terms.score([TermPair(*pair) for pair in REORDERED], explain=True)
    for result in results:
        assert result.used == ("encoder",)
        assert result.score is not None
        assert result.score < 0.97
        assert result.explanation is not None
        assert all(
            entry.contribution == 0
            for entry in result.explanation.contributions
            if entry.feature not in OF_ENCODER
        )
    turned = terms.score([TermPair(right, left) for left, right in REORDERED])
    assert [result.score for result in turned] == [result.score for result in results]
