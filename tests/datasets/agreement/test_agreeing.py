"""The whole report on files as small and odd as they come: numbers, dashes, or an error that says why."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.agreement.agreeing import agreement
from datasets.agreement.filtering import FilterSettings
from datasets.agreement.report import AgreementReport, AgreementSettings
from datasets.agreement.sections import page, sections
from training.errors import NotABenchmark, TooFewPairs

SMALL = AgreementSettings(overlap=2, splits=3)
LENIENT = FilterSettings(common=2, overlap=2, others=1, judgements=1, iterated=True)

ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4), st.sampled_from([0, 1, 1, 2, 2.5, None])),
    min_size=1,
    max_size=20,
)
ANSWERS = st.lists(st.tuples(st.integers(0, 2), st.permutations("abcd")), min_size=1, max_size=12)


def numbers(value: Any) -> list[float]:
    """All numbers in what JSON holds."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [number for one in inner for number in numbers(one)]
    return [value] if isinstance(value, float) else []


def check(report: AgreementReport) -> None:
    decoded = msgspec.json.decode(report.json())
    assert all(map(math.isfinite, numbers(decoded)))
    assert msgspec.convert(decoded, AgreementReport) == report


@settings(max_examples=60)
@given(rows=ROWS, filtered=st.booleans(), binary=st.booleans())
def test_any_judgements(
    tmp_path: Path, rows: list[tuple[int, int, float | None]], filtered: bool, binary: bool
) -> None:
    path = tmp_path / "judgements.csv"
    told = [(who, item, int(said > 0) if binary and said is not None else said) for who, item, said in rows]
    lines = [
        f"{who},left {item % 2},right {item},group {item % 2},{'' if said is None else said}"
        for who, item, said in told
    ]
    path.write_text("\n".join(["annotator,left,right,group,judgement", *lines]) + "\n")
    try:
        found = agreement(
            path, "binary" if binary else "graded", SMALL, settings=LENIENT if binary and filtered else None
        )
    except (NotABenchmark, TooFewPairs) as error:
        assert any(said in str(error) for said in ("no judgements", "Lower what", "Name the ends"))
        return
    check(found.report)
    assert len(found.items) == len(found.scores.score)
    assert sections(found.report, found.scores)


@settings(max_examples=30)
@given(answers=ANSWERS)
def test_any_answers(tmp_path: Path, answers: list[tuple[int, list[str]]]) -> None:
    path = tmp_path / "answers.csv"
    lines = [f"{who},{','.join(shown[:3])},{shown[0]},{shown[2]}" for who, shown in answers]
    path.write_text("\n".join(["annotator,item1,item2,item3,best,worst", *lines]) + "\n")
    found = agreement(path, "best-worst", SMALL)
    check(found.report)


def test_the_page_of_a_single_judgement(tmp_path: Path) -> None:
    path = tmp_path / "judgements.csv"
    path.write_text("annotator,left,right,judgement\n<b>Ann</b>,a,b,1\n")
    found = agreement(path, "binary", SMALL)
    assert "&lt;b&gt;Ann" in page(found.report, found.scores)


def test_a_scale_that_has_no_length_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "judgements.csv"
    path.write_text("annotator,item,judgement\nAnn,a,2\nBob,a,2\n")
    with pytest.raises(NotABenchmark, match="--low and --high"):
        agreement(path, "graded", SMALL)
    assert agreement(path, "graded", SMALL, scale=(0, 4)).report.high == 4
