"""``wort serve``: when it says that it serves."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from app.cli.serve import _prepared
from app.serving.serving import Serving
from app.settings import Settings
from snapshots.errors import TableError
from tests.support.served import toy_files


@pytest.mark.parametrize("fails", [False, True])
def test_a_server_says_that_it_serves_once_it_is_warm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    done: list[str] = []

    def warm(_: Serving) -> None:
        done.append("warm")
        if fails:
            raise TableError("damaged")

    monkeypatch.setattr(Serving, "warm", warm)
    monkeypatch.setattr("app.cli.serve._announce", lambda *_: done.append("said"))
    snapshot, model = toy_files(tmp_path)
    run = _prepared(Settings(snapshot=snapshot, model=model, port=0))
    assert isinstance(run, partial)
    (listening,) = run.keywords["sockets"]
    listening.close()
    assert done == ["warm", "said"]
