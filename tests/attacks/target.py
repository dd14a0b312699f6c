"""The server that the attacks go to."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from app.serving.starter import model_path, snapshot_path
from tests.support.processes import wort_serve


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server answers: the one of WORT_ATTACK_URL, else one of its own.

    That serves what the package carries, which has all that any route reads.
    """
    elsewhere = os.environ.get("WORT_ATTACK_URL")
    if elsewhere:
        yield elsewhere.rstrip("/")
        return
    folder = tmp_path_factory.mktemp("attacked")
    with wort_serve(folder, snapshot=snapshot_path(), model=model_path()) as served:
        yield served.address
