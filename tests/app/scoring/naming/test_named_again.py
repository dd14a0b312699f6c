"""What two works of the starter name nearly alike is listed once, and what one work tells apart twice."""

from __future__ import annotations

import numpy as np
import pytest

from app.scoring.concepts import Scorer
from app.scoring.naming.named_again import first_of_each
from app.scoring.related import related
from app.serving.starter import open_scorer, snapshot_path


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    return open_scorer(None, None)


def listed(scorer: Scorer, title: str, k: int = 20) -> list[str]:
    return [one.title for one in related(scorer, scorer.resolver.article(title), k).related]


@pytest.mark.parametrize(
    ("title", "twins"),
    [
        ("Islam", {"Quran", "Qur'an"}),
        ("Muhammad", {"Quran", "Qur'an"}),
        ("Physics", {"Spacetime", "Space-time"}),
    ],
)
def test_one_thing_is_listed_once(scorer: Scorer, title: str, twins: set[str]) -> None:
    found = listed(scorer, title, 100)
    assert len(found) == 100
    assert len(twins & set(found)) == 1


def test_a_list_does_not_name_its_own_concept_again(scorer: Scorer) -> None:
    assert "Quran" not in listed(scorer, "Qur'an")
    assert "Qur'an" not in listed(scorer, "Quran")
    assert listed(scorer, "Islam", 5) == listed(scorer, "Islam", 10)[:5]


@pytest.mark.parametrize(
    ("title", "other", "is_kept"),
    [
        ("Nuremberg trials", "Nuremberg Trials", False),
        ("Tay–Sachs disease", "Tay-Sachs disease", False),
        ("Red Dwarf", "Red dwarf", True),
        ("Latex", "LaTeX", True),
        ("Airport", "AirPort", True),
        ("Malé", "Male", True),
        ("Supergirl", "Super Girl", True),
    ],
)
def test_what_is_told_apart_stays(scorer: Scorer, title: str, other: str, is_kept: bool) -> None:
    rows = [scorer.resolver.article(each) for each in (title, other, "Cat")]
    for first, second in (rows[:2], rows[1::-1]):
        kept = first_of_each(scorer.snapshot, first, np.array([second, rows[2]]))
        assert kept.tolist() == [is_kept, True]
        assert first_of_each(scorer.snapshot, rows[2], np.array([first, second])).tolist() == [True, is_kept]
