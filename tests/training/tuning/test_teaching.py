"""An encoder learns from a larger one: before it is tuned, and while it is."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.training.tuning.conftest import WORDS
from training.benchmarks.judgements import Benchmark
from training.tuning.checkpoint import Checkpoint
from training.tuning.cosines import Cosines
from training.tuning.encoder import Encoder, open_encoder, vectors
from training.tuning.recipe import School
from training.tuning.settings import Tuning
from training.tuning.teaching import (
    Teaching,
    lessons_of,
    reduced,
    teach,
    turned,
    unit_vectors,
)
from training.tuning.tune import Tuned, tune_encoder

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]
"""The libraries warn of their own, and take seconds to be imported."""

TEXTS = [" ".join(words) for words in product(WORDS, WORDS)]
TEACHING = Teaching(steps=150, batch=32, rate=2e-3)
SETTINGS = Tuning(passes=4, rate=1e-3, batch=8, tokens=16, kept=0.0)


def _cosines(encoder: Encoder, texts: list[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    rows = vectors(encoder, texts)
    return (rows @ rows.T)[np.triu_indices(len(texts), 1)]


def test_what_a_teacher_knows_is_learnt_of_texts_that_were_not_shown(
    tiny_encoder: Path, tiny_teacher: Path, tmp_path: Path
) -> None:
    teacher, encoder = open_encoder(tiny_teacher), open_encoder(tiny_encoder)
    shown, others = TEXTS[::2], TEXTS[1::2]
    before = np.corrcoef(_cosines(encoder, others), _cosines(teacher, others))[0, 1]
    wanted = unit_vectors(teacher, shown)
    teach(encoder, lessons_of(shown, wanted), wanted, TEACHING, 1, Checkpoint(tmp_path / "state", "key"))
    after = np.corrcoef(_cosines(encoder, others), _cosines(teacher, others))[0, 1]
    assert before < 0.9
    assert after > 0.97


def test_a_killed_lesson_goes_on_to_the_same_end(
    tiny_encoder: Path, tiny_teacher: Path, tmp_path: Path
) -> None:
    wanted = unit_vectors(open_encoder(tiny_teacher), TEXTS)
    lessons, teaching = lessons_of(TEXTS, wanted), Teaching(steps=12, batch=16)

    def killed(done: int, total: int | None) -> None:
        if done == 7:
            raise KeyboardInterrupt

    whole, broken, resumed = (open_encoder(tiny_encoder) for _ in range(3))
    teach(whole, lessons, wanted, teaching, 1, Checkpoint(tmp_path / "whole", "key"))
    kept = Checkpoint(tmp_path / "state", "key")
    with pytest.raises(KeyboardInterrupt):
        teach(broken, lessons, wanted, teaching, 1, kept, killed, seconds=0.0)
    steps: list[int] = []
    teach(resumed, lessons, wanted, teaching, 1, kept, lambda done, _: steps.append(done))
    assert steps[0] == 7, "the sixth step's state was kept"
    assert np.array_equal(vectors(resumed, TEXTS), vectors(whole, TEXTS))


def test_a_group_is_of_texts_that_the_teacher_puts_near(tiny_teacher: Path) -> None:
    wanted = unit_vectors(open_encoder(tiny_teacher), TEXTS)
    lessons = lessons_of(TEXTS, wanted)
    rows = wanted.numpy()
    near = (rows[:, None, :] * rows[lessons.groups]).sum(2)
    assert np.allclose(near[:, 0], 1.0, atol=1e-5)
    assert (np.diff(near, axis=1) <= 1e-6).all()
    drawn = lessons.drawn(np.random.default_rng(1), 16, grouped=True)
    assert len(drawn) == len(set(drawn.tolist())) <= 16


def test_vectors_are_reduced_and_turned_without_changing_what_is_near() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: the extra `tune` asks for it")
    torch.manual_seed(1)
    plane = torch.nn.functional.normalize(torch.randn(50, 3) @ torch.randn(3, 8), dim=1)
    short = reduced(plane, 3)
    assert torch.allclose(short @ short.T, plane @ plane.T, atol=1e-5), "they lie in three dimensions"
    assert reduced(plane, 12).shape == (50, 12)
    rotation = torch.linalg.qr(torch.randn(8, 8)).Q
    assert torch.allclose(turned(plane @ rotation, plane), plane, atol=1e-4)


def _tuned(base: Path, teacher: Path, judged: Benchmark, work: Path, workers: int) -> Tuned:
    school = School(teacher, TEXTS, Teaching(steps=10, batch=16))
    return tune_encoder(judged, base, {}, work, SETTINGS, folds=3, school=school, workers=workers)


def _left_out(tuned: Tuned) -> Cosines:
    assert tuned.left_out is not None
    return tuned.left_out


def test_folds_tuned_at_once_are_those_tuned_one_by_one(
    tiny_encoder: Path, tiny_teacher: Path, judged: Benchmark, tmp_path: Path
) -> None:
    one = _tuned(tiny_encoder, tiny_teacher, judged, tmp_path / "one", workers=1)
    two = _tuned(tiny_encoder, tiny_teacher, judged, tmp_path / "two", workers=2)
    assert np.allclose(_left_out(one).title, _left_out(two).title, atol=1e-4)
    again = _tuned(tiny_encoder, tiny_teacher, judged, tmp_path / "one", workers=1)
    assert np.array_equal(_left_out(one).title, _left_out(again).title)


def test_an_encoder_that_was_taught_ends_nearer_to_its_teacher(
    tiny_encoder: Path, tiny_teacher: Path, judged: Benchmark, tmp_path: Path
) -> None:
    alone = tune_encoder(judged, tiny_encoder, {}, tmp_path / "alone", SETTINGS, folds=0)
    school = School(tiny_teacher, TEXTS, TEACHING)
    taught = tune_encoder(judged, tiny_encoder, {}, tmp_path / "taught", SETTINGS, folds=0, school=school)
    wanted = _cosines(open_encoder(tiny_teacher), TEXTS)
    nearer, near = (np.corrcoef(_cosines(tuned.encoder, TEXTS), wanted)[0, 1] for tuned in (taught, alone))
    assert nearer > near + 0.03
