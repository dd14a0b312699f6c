"""What tests share: where the data is, and settings that keep runs reproducible."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent

settings.register_profile(
    "wort", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("wort")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real dumps and benchmarks; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("WORT_DATA_DIR", ROOT.parent / "shared" / "data"))
    if not (folder / "wiki").is_dir():
        pytest.skip(f"no data in {folder}; set WORT_DATA_DIR to the folder that holds it")
    return folder
