"""What the page of the client shows runs, and prints what the page says it prints."""

from __future__ import annotations

import inspect
import io
import re
from functools import partial
from typing import Any

import pytest

import wort
from app.scoring.naming.references import MentionReference
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.conftest import ROOT
from tests.support.served import serving

PAGE = (ROOT / "docs" / "client.md").read_text()
NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")


def test_the_examples_print_what_they_are_said_to_print() -> None:
    shown = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert len(shown) == PAGE.count("```python")
    names: dict[str, Any] = {}
    with serving(create_app(Settings(), open_scorer(None, None))) as url:
        for code, expected in shown:
            # Of its own: the server's thread writes logs to the standard one.
            printed = io.StringIO()
            names["print"] = partial(print, file=printed)
            exec(code.replace("http://127.0.0.1:8000", url), names)
            found = printed.getvalue()
            assert NUMBER.sub("#", found) == NUMBER.sub("#", expected)
            numbers = [float(number) for number in NUMBER.findall(found)]
            assert numbers == pytest.approx([float(number) for number in NUMBER.findall(expected)], rel=0.02)


def test_the_mentions_of_the_documents_are_known() -> None:
    """By the starter, over which the documents' other examples run."""
    api = (ROOT / "docs" / "api.md").read_text()
    mentions = set(re.findall(r'mention(?:": |=)"([^"]+)"', PAGE + api))
    assert {"the moon", "bass", "social security"} <= mentions
    scorer = open_scorer(None, None)
    for mention in mentions:
        (result,) = scorer.score([(MentionReference(mention), "Music")])
        assert result.resolved.left.status != "unknown", mention
    asked = MentionReference("bass", "The fisherman caught it in the river.")
    (result,) = scorer.score([(asked, "River")], ambiguous="resolve")
    assert result.resolved.left.title == "Bass (fish)"


def test_every_method_and_error_is_documented() -> None:
    public = [name for name, _ in inspect.getmembers(wort.Client, inspect.isfunction) if name[0] != "_"]
    documented = set(re.findall(r"`(\w+)\(", PAGE))
    assert documented == {*public, "AsyncClient", "Client", "Reference", "SideReference"} - {"close"}
    raised = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    errors = {
        name
        for name in wort.__all__
        if isinstance(kind := getattr(wort, name), type)
        and issubclass(kind, Exception)
        and not issubclass(kind, Warning)
    }
    assert raised == errors - {"WortError", "Refused"}
    assert {"`WortError`", "`Refused`"} <= set(re.findall(r"`\w+`", PAGE))
