"""What the documents show of percentiles, evidence and matrices is what the starter answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from app.scoring.in_words import percent_below
from app.scoring.percentiles import SAMPLE
from app.scoring.reasons import SHOWN
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.conftest import ROOT
from tests.support.served import serving
from wort.schemas import evidence, matrix

PAGE = (ROOT / "docs" / "api.md").read_text()


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    with (
        serving(create_app(Settings(), open_scorer(None, None))) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def run(http: httpx.Client, text: str) -> dict[str, Any]:
    """What the section's one command answers."""
    ((path, body),) = re.findall(
        r"^curl http://127\.0\.0\.1:8000(\S+) \\\n  -H 'Content-Type: application/json' \\\n  -d '(.*)'$",
        text,
        re.MULTILINE,
    )
    answer: dict[str, Any] = http.post(
        path, content=body, headers={"Content-Type": "application/json"}
    ).json()
    return answer


def shown(text: str) -> Any:
    (block,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    return json.loads(block)


def judge(found: Any, expected: Any) -> None:
    """Compare what was found with what is shown: figures to some digits, lists as far as they are shown."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for name, value in expected.items():
            judge(found[name], value)
    elif isinstance(expected, list):
        assert len(found) >= len(expected)
        for one, value in zip(found, expected, strict=False):
            judge(one, value)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=0.005)
    else:
        assert found == expected


def test_the_evidence(http: httpx.Client) -> None:
    text = section("Evidence")
    (result,) = run(http, text)["results"]
    expected = shown(text)
    judge(result["evidence"], expected)
    for part in ("in_links", "out_links", "esa"):
        assert len(result["evidence"][part]["strongest"]) == SHOWN
        assert len(expected[part]["strongest"]) == 2


def test_the_matrix(http: httpx.Client) -> None:
    text = section("Matrices")
    answer = run(http, text)
    expected = shown(text)
    judge({name: answer[name] for name in expected}, expected)
    assert {len(answer[name]) for name in ("concepts", "scores")} == {3}


def test_the_percentiles(http: httpx.Client) -> None:
    text = section("Percentiles")
    rows = re.findall(r"^\| ([^,|]+), ([^,|]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    assert len(rows) == 3
    for left, right, score, random, linked in rows:
        (result,) = http.post("/v1/relatedness", json={"pairs": [{"left": left, "right": right}]}).json()[
            "results"
        ]
        assert result["score"] == pytest.approx(float(score), abs=0.005)
        assert result["percentiles"]["random"] == pytest.approx(float(random), abs=1)
        assert result["percentiles"]["linked"] == pytest.approx(float(linked), abs=1)
    assert f"{SAMPLE:,} pairs" in text
    # The first of them has the most that there is, which the pages do not say of any pair.
    assert float(rows[0][3]) == 100.0
    assert f"none of the {SAMPLE:,} scores as much" in text
    assert f'"higher than {percent_below(float(rows[0][3]))} %"' in text
    one_pair = round(100 / SAMPLE, 2)
    assert f"one of these\npairs is {one_pair}." in text


def test_every_field_has_words() -> None:
    text = "".join(section(title) for title in ("Percentiles", "Evidence", "Matrices"))
    kinds = [
        kind
        for module in (evidence, matrix)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
    ]
    assert len(kinds) >= 12
    for kind in kinds:
        for field in msgspec.structs.fields(kind):
            assert re.search(rf"[`\"]{field.name}[`\"]", text), f"{kind.__name__}.{field.name}"
