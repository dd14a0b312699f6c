"""Tuning a tiny encoder: it learns, resumes to the same end, and writes what is read without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from encoders.encoder import open_encoder as open_without_torch
from encoders.left_out import read_left_out
from training.benchmarks.judgements import Benchmark
from training.errors import MissingEncoder, TooFewPairs
from training.statistics.correlation import pearson_spearman
from training.tuning import loop
from training.tuning.checkpoint import Checkpoint
from training.tuning.cosines import cosines
from training.tuning.encoder import open_encoder, vectors
from training.tuning.examples import JudgedTexts
from training.tuning.figures import out_of_fold
from training.tuning.folder import WEIGHTS_FOLDER, write_folder
from training.tuning.settings import Tuning
from training.tuning.tune import tune_encoder, tuning_key

SETTINGS = Tuning(passes=15, rate=1e-3, batch=8, tokens=16, kept=0.0, misses=50)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]
"""The libraries warn of their own, and take seconds to be imported."""


def test_an_encoder_learns_what_people_say(tiny_encoder: Path, judged: Benchmark, tmp_path: Path) -> None:
    pairs = JudgedTexts.of(judged, {})
    encoder = open_encoder(tiny_encoder)
    before = np.corrcoef(cosines(encoder, pairs).title, pairs.shares)[0, 1]
    loop.tune(encoder, pairs, SETTINGS, Checkpoint(tmp_path / "state", "key"))
    after = np.corrcoef(cosines(encoder, pairs).title, pairs.shares)[0, 1]
    assert after > 0.8
    assert after > before + 0.2


def test_a_share_of_the_first_weights_is_kept(tiny_encoder: Path, judged: Benchmark, tmp_path: Path) -> None:
    pairs = JudgedTexts.of(judged, {})

    def tuned(kept: float) -> dict[str, Any]:
        encoder = open_encoder(tiny_encoder)
        settings = Tuning(rate=1e-3, batch=8, tokens=16, kept=kept)
        loop.tune(encoder, pairs, settings, Checkpoint(tmp_path / f"{kept}", "key"))
        return {name: weights.detach().numpy() for name, weights in encoder.named_parameters()}

    none, some, every = (tuned(kept) for kept in (0.0, 0.25, 1.0))
    first = dict(open_encoder(tiny_encoder).named_parameters())
    for name, weights in some.items():
        assert np.array_equal(every[name], first[name].detach().numpy())
        assert np.allclose(weights, 0.75 * none[name] + 0.25 * every[name], atol=1e-6)
    assert any(not np.allclose(none[name], every[name], atol=1e-3) for name in none)


def test_a_killed_tuning_goes_on_to_the_same_end(
    tiny_encoder: Path, judged: Benchmark, tmp_path: Path
) -> None:
    pairs = JudgedTexts.of(judged, {})
    settings = Tuning(passes=2, rate=1e-3, batch=8, tokens=16)
    whole = open_encoder(tiny_encoder)
    loop.tune(whole, pairs, settings, Checkpoint(tmp_path / "whole", "key"))

    def killed(done: int, total: int | None) -> None:
        if done == 7:
            raise KeyboardInterrupt

    broken = open_encoder(tiny_encoder)
    with pytest.raises(KeyboardInterrupt):
        loop.tune(
            broken, pairs, settings, Checkpoint(tmp_path / "state", "key"), progress=killed, seconds=0.0
        )
    resumed = open_encoder(tiny_encoder)
    steps: list[int] = []
    loop.tune(
        resumed,
        pairs,
        settings,
        Checkpoint(tmp_path / "state", "key"),
        progress=lambda done, _: steps.append(done),
    )
    assert steps[0] == 7  # the sixth step's state was kept
    assert np.array_equal(vectors(resumed, pairs.left), vectors(whole, pairs.left))


def test_the_state_of_another_tuning_and_a_damaged_one_are_not_gone_on_from(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: the extra `tune` asks for it")
    kept = Checkpoint(tmp_path / "state", "key")
    assert kept.load() is None
    kept.save({"a": torch.ones(3)}, {"step": 4})
    found = kept.load()
    assert found is not None
    assert found[1] == {"step": 4}
    assert Checkpoint(tmp_path / "state", "other").load() is None
    (tmp_path / "state").write_bytes((tmp_path / "state").read_bytes()[:-5])
    assert kept.load() is None


def test_early_stopping_ends_with_the_best_weights(
    tiny_encoder: Path, judged: Benchmark, tmp_path: Path
) -> None:
    pairs = JudgedTexts.of(judged, {})
    held, learnt = pairs.only(pairs.topic == 0), pairs.only(pairs.topic != 0)
    encoder = open_encoder(tiny_encoder)
    curve = loop.tune(encoder, learnt, SETTINGS, Checkpoint(tmp_path / "state", "key"), held)
    assert len(curve) > 4
    best = max(point.pearson for point in curve)
    assert loop.judged(encoder, held, 0).pearson == pytest.approx(best, abs=1e-6)


def test_the_folder_is_read_without_torch_and_says_what_it_was_tuned_on(
    tiny_encoder: Path, judged: Benchmark, tmp_path: Path
) -> None:
    pytest.importorskip("onnx", reason="onnx is not installed: the extra `tune` of wort asks for it")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: the extra `encoder` asks for it")
    openings = {"red": "the rose of water", "roses": "plant of the sea"}
    tuned = tune_encoder(judged, tiny_encoder, openings, tmp_path / "work", SETTINGS, folds=3)
    card = write_folder(
        tmp_path / "tuned",
        tuned,
        name="toy",
        base=tiny_encoder,
        benchmark=judged,
        settings=SETTINGS,
        figures={"toy": out_of_fold(tuned)},
        texts=[*tuned.pairs.left, *tuned.pairs.right],
        licence="CC0-1.0",
        data_licence="CC BY 4.0",
        code_version="0",
    )
    assert (card.data[0].checksum, card.data[0].licence) == (judged.checksum, "CC BY 4.0")
    texts = ["red rose", "the Sea of greens", "plant"]
    torch_rows = vectors(tuned.encoder, texts)
    opened = open_without_torch(tmp_path / "tuned", "onnx")
    assert np.abs(opened.encode(texts) - torch_rows).max() < 0.02
    static = open_without_torch(tmp_path / "tuned", "static")
    assert (np.einsum("nd,nd->n", static.encode(texts), torch_rows) > 0.5).all()
    again = open_encoder(tmp_path / "tuned" / WEIGHTS_FOLDER)
    assert np.allclose(vectors(again, texts), torch_rows, atol=1e-6)

    left_out = read_left_out(tmp_path / "tuned")
    row = judged.judgements[0]
    kept = left_out.cosines([(row.left, row.right, str(row.topic))])[0]
    assert tuned.left_out is not None
    assert kept[0] == pytest.approx(tuned.left_out.title[0], abs=1e-5)
    known = [sum(side in openings for side in (row.left, row.right)) for row in judged.judgements]
    rows = [(row.left, row.right, str(row.topic)) for row in judged.judgements]
    written = np.isfinite(left_out.cosines(rows)).sum(1).tolist()
    assert written == [1 + beginnings for beginnings in known], "the title, then one more a beginning"
    assert set(known) == {0, 1, 2}


def test_cosines_out_of_fold_know_nothing_of_their_pairs(
    tiny_encoder: Path, judged: Benchmark, tmp_path: Path
) -> None:
    """With shuffled judgements what is learnt of a pair helps with that pair alone, and must not be seen."""
    shuffled = np.random.default_rng(3).permutation([row.score for row in judged.judgements])
    pairs = tuple(
        type(row)(f"{row.left} {row.topic}", f"{row.right} {row.topic}", float(share), row.topic, row.line)
        for row, share in zip(judged.judgements, shuffled, strict=True)
    )
    benchmark = Benchmark("noise", "11" * 32, pairs)
    tuned = tune_encoder(benchmark, tiny_encoder, {}, tmp_path / "work", SETTINGS, folds=6)
    seen = np.corrcoef(cosines(tuned.encoder, tuned.pairs).title, tuned.pairs.shares)[0, 1]
    assert tuned.left_out is not None
    unseen, _ = pearson_spearman(tuned.left_out.title, tuned.pairs.shares)
    assert seen > 0.5
    assert abs(unseen or 0.0) < 0.3


def test_other_pairs_of_the_same_file_are_another_tuning(tiny_encoder: Path, judged: Benchmark) -> None:
    turned = Benchmark(judged.name, judged.checksum, tuple(reversed(judged.judgements)))
    first, again, other = (
        tuning_key(JudgedTexts.of(each, {}), each, tiny_encoder, SETTINGS)
        for each in (judged, judged, turned)
    )
    assert first == again != other


def test_one_fold_is_refused_before_anything_is_tuned(
    tiny_encoder: Path, judged: Benchmark, tmp_path: Path
) -> None:
    with pytest.raises(TooFewPairs, match="two or more"):
        tune_encoder(judged, tiny_encoder, {}, tmp_path / "work", SETTINGS, folds=1)
    assert not (tmp_path / "work").exists()


def test_a_folder_that_is_no_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingEncoder, match="is not a folder"):
        open_encoder(tmp_path / "nowhere")
