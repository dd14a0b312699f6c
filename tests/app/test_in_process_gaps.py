"""What ``wort.open`` opens warns where NaN stands for scores, and says how many, why, and by which names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import wort.in_process
from tests.app.test_in_process import IDS, LEFT, RIGHT
from tests.support.served import toy_files
from wort import Reference, SideReference, UnscoredWarning


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[wort.in_process.Wort]:
    with wort.open(*toy_files(tmp_path_factory.mktemp("toy"))) as opened:
        yield opened


def test_gaps_are_warned_of_once_a_call(here: wort.in_process.Wort) -> None:
    pairs = [
        ("Cat", "Dog"),
        ("Cat", "Katze"),
        ("Mouse", "Dog"),
        ("Hund", "[x]"),
        ("Cat", "Katze"),
        ("Q", "V"),
    ]
    assert here.score(pairs[:1]) > 0
    with pytest.warns(UnscoredWarning) as told:
        scores = here.score(pairs)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert str(told[0].message).startswith(
        "5 of 6 pairs have no score, and NaN instead: 3 unknown, 1 ambiguous, 1 invalid "
        "('Katze', 'Mouse', 'Hund' and 3 more). `unscored` says why of each. "
    )
    assert np.isnan(scores).sum() == 5
    with pytest.warns(UnscoredWarning, match=r"^1 of 3 pairs has no score, .*: 1 unknown \(4\)\."):
        here.score(IDS)
    with pytest.warns(UnscoredWarning, match=r"^2 of 4 pairs have no score, .*: 1 unknown, 1 ambiguous"):
        here.score(LEFT, RIGHT)
    with pytest.warns(UnscoredWarning, match=r"^1 of 4 pairs has no score, .*: 1 unknown \('Katze'\)"):
        here.score(LEFT, RIGHT, ambiguous="resolve")
    with pytest.warns(UnscoredWarning, match=r"^2 of 4 pairs have no features, .* `unscored` says why"):
        here.features(LEFT, RIGHT)
    with pytest.warns(UnscoredWarning, match=r"^1 of 3 concepts has no score, .* `resolve` says why"):
        here.matrix(["Cat", "Dog", "Katze"])
    with pytest.warns(UnscoredWarning, match=r"^1 of 1 pair has no score, .* \('mouse'\)\."):
        here.score([("Cat", Reference(mention="mouse"))])
    # Whoever asks why knows, and two names of one concept are no gap, though their features are.
    assert here.unscored(pairs).keys() == {1, 2, 3, 4, 5}
    assert np.isnan(here.features([("Cat", "Cat")]).values).all()
    assert here.matrix(["Cat", "Dog"]).shape == (2, 2)


def test_texts_without_a_word_are_gaps_too() -> None:
    told = r"^1 of 2 pairs has no score, .*: 1 (unknown|invalid) \('!!!'\)"
    with wort.open() as starter, pytest.warns(UnscoredWarning, match=told):
        starter.score([(SideReference(text="!!!"), "Dog"), (SideReference(text="dogs"), "Dog")])
