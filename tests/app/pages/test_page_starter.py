"""Pages over what comes with wort, whose models read texts by an encoder and give intervals."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.support.browser import text_of
from tests.support.served import serving


@pytest.fixture(scope="module")
def starter() -> Iterator[str]:
    """The address of a server as it is started without any settings."""
    with serving(create_app(Settings(), open_scorer(None, None))) as address:
        yield address


@pytest.mark.parametrize(
    ("left", "right", "answered"),
    [
        ("blockchain", "Beer", True),
        ("Beer", "blockchain", True),
        ("blockchain", "beer brewing", True),
        # Letters beside letters have no answer, nor has what has no word.
        ("blockchain", "qqqq", False),
        ("!!!", "Beer", False),
        ("x" * 256, "Beer", False),
    ],
)
def test_comparing_as_terms_is_offered_where_that_answers(
    starter: str, left: str, right: str, answered: bool
) -> None:
    body = {"pairs": [{"left": left, "right": right}]}
    (result,) = httpx.post(f"{starter}/v1/terms/relatedness", json=body).json()["results"]
    assert (result["score"] is not None) == answered
    assert ("Compare them as terms" in text_of(starter, left=left, right=right).text) == answered
