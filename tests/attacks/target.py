"""The server that the attacks go to."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.processes import wort_serve


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server answers: the one of WORT_ATTACK_URL, else one of its own over the toy wiki."""
    elsewhere = os.environ.get("WORT_ATTACK_URL")
    if elsewhere:
        yield elsewhere.rstrip("/")
        return
    with wort_serve(tmp_path_factory.mktemp("attacked")) as served:
        yield served.address
