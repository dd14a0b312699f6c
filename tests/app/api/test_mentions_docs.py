"""The choice of senses that the pages show is the choice that is made."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.json import Decoder

from app.api.examples import EXAMPLES
from app.scoring.concepts import Scorer
from app.scoring.naming.references import MentionReference, named
from app.serving.starter import open_scorer, snapshot_path
from app.web.requests.body import parsed
from tests.conftest import ROOT
from wort.schemas.relatedness import RelatednessRequest
from wort.schemas.sides import Side


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    return open_scorer(None, None, strict=True)


def test_the_choice_in_the_documents(scorer: Scorer) -> None:
    section = (ROOT / "docs" / "api.md").read_text().partition("### Ambiguity\n")[2].partition("\n## ")[0]
    ((request,), (block,)) = (
        re.findall(pattern, section, re.DOTALL) for pattern in (r"-d '(.*?)'\n", r"```json\n(.*?)```")
    )
    asked = parsed(request.encode(), Decoder(RelatednessRequest))
    (result,) = scorer.score(
        [(named(pair.left), named(pair.right)) for pair in asked.pairs], ambiguous=asked.ambiguous
    )
    shown: dict[str, Any] = json.loads(block)
    assert result.score == pytest.approx(shown["score"], abs=0.005)
    for name, side in shown["resolved"].items():
        told: Side = getattr(result.resolved, name)
        for field in ("asked", "status", "title", "page_id", "matched"):
            assert getattr(told, field) == side[field]
        assert told.prior == (pytest.approx(side["prior"], abs=0.0001) if "prior" in side else None)
        for other, expected in zip(told.alternatives, side.get("alternatives", ()), strict=True):
            assert (other.title, other.page_id) == (expected["title"], expected["page_id"])
            assert other.prior == pytest.approx(expected["prior"], abs=0.0001)
    (beside,) = scorer.score([(MentionReference("social security"), "Welfare")], ambiguous="resolve")
    assert beside.resolved.left.title == "Social security"


def test_the_example_of_the_interface_chooses(scorer: Scorer) -> None:
    value = EXAMPLES["mentions"]["value"]
    asked = parsed(json.dumps(value).encode(), Decoder(RelatednessRequest))
    results = scorer.score(
        [(named(pair.left), named(pair.right)) for pair in asked.pairs], ambiguous=asked.ambiguous
    )
    titles = ["Social Security (United States)", "Social security"]
    assert [result.resolved.left.title for result in results] == titles
    assert {result.resolved.left.matched for result in results} == {"sense"}
