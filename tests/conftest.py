"""What tests share: where the data is, and settings that keep runs reproducible."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.logs import logged_by_the_library
from tests.support.patience import patient_clients

ROOT = Path(__file__).parent.parent

_OF_THE_TESTS = {
    "WORT_ATTACK_URL",
    "WORT_DATA_DIR",
    "WORT_TEST_PATIENCE",
    "WORT_TEST_POSTGRES",
    "WORT_ENCODER",
}
"""The variables that tests read; the others would set what is tested."""

settings.register_profile(
    "wort", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("wort")

logged_by_the_library()


@pytest.fixture(autouse=True, scope="session")
def no_registry_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the person who runs the tests has promoted from being what the tests are answered by."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        for variable in [name for name in os.environ if name.startswith("WORT_")]:
            if variable not in _OF_THE_TESTS:
                patch.delenv(variable)
        yield


@pytest.fixture(autouse=True, scope="session")
def patience() -> Iterator[None]:
    """Keep requests of the tests from ending by the clock of a library."""
    with patient_clients():
        yield


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real dumps and benchmarks; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("WORT_DATA_DIR", ROOT.parent / "shared" / "data"))
    if not (folder / "wiki").is_dir():
        pytest.skip(f"no data in {folder}; set WORT_DATA_DIR to the folder that holds it")
    return folder
