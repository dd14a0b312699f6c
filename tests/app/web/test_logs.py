"""What a failing request leaves in the log: where it failed, and nothing of what was asked."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.logs import configure
from app.scoring.concepts import Scorer
from tests.support.logs import logged_by_the_library
from tests.support.served import serving, toy_app

KEY, TITLE, SEARCHED = "sekretKEY123", "A confidential title", "a confidential beginning"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The logging of the process is put back."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    logged_by_the_library()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.parametrize("form", ["console", "json"])
def test_a_failure_is_logged_without_what_was_asked(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: Scorer, pairs: Any, *__: Any, **___: Any) -> Any:
        confidential = f"local {pairs}"
        raise RuntimeError(f"a fault of {len(confidential) and 'ours'}")

    monkeypatch.setattr(Scorer, "score", fails)
    app = toy_app(tmp_path)
    app.state.ready = True
    configure("debug", form)
    with serving(app, warm=False) as address:
        page = httpx.get(f"{address}/?left=Cat&right=Dog", headers={"X-Request-ID": "for-a-page"})
        answer = httpx.post(
            f"{address}/relatedness",
            headers={"Authorization": f"Bearer {KEY}", "X-Request-ID": "failing", "Referer": SEARCHED},
            json={"pairs": [{"left": TITLE, "right": "Cat"}]},
        )
    assert answer.status_code == page.status_code == 500
    assert answer.json()["request_id"] == "failing"
    assert page.headers["content-type"].startswith("text/html")
    assert "its log has more under this request&#39;s id. that is for-a-page." in page.text.lower()
    logged = capsys.readouterr().err
    plain = re.sub(r"\x1b\[[0-9;]*m", "", logged)
    assert "failing" in plain
    assert plain.count("request failed") == 2
    assert "RuntimeError: a fault of ours" in plain
    assert "test_logs.py" in plain
    for confidential in (KEY, TITLE, SEARCHED):
        assert confidential not in plain
