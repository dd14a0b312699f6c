"""Machine code is kept for the sources that it was made of, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jit.compiled import code_folder


def test_another_state_of_any_source_has_another_folder(tmp_path: Path) -> None:
    for name in ("jit/compiled.py", "features/kernels.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("one")
    before = code_folder(tmp_path)
    assert code_folder(tmp_path) == before
    (tmp_path / "features" / "kernels.py").write_text("another")
    assert code_folder(tmp_path) != before


@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_code_is_kept_where_the_user_says(tmp_path: Path, variable: str) -> None:
    program = (
        "from features.kernels import vector_dots\nimport numpy as np\n"
        "print(vector_dots(np.ones((2, 4), np.float32), np.array([0]), np.array([1]))[0])"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment | {variable: str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert float(done.stdout) == 4
    assert list(tmp_path.rglob("*vector_dots*.code"))


def test_what_numba_passes_over_is_not_loaded_and_is_whole_afterwards() -> None:
    program = (
        "import sys\nfrom features.kernels import vector_dots\nimport numpy as np\n"
        "vector_dots(np.ones((2, 4), np.float32), np.array([0]), np.array([1]))\n"
        "assert not {'scipy.linalg', 'cffi'} & set(sys.modules)\n"
        "import cffi, scipy.linalg.cython_blas, scipy.linalg\n"
        "print(scipy.linalg.solve(np.eye(1) * 2, np.ones(1))[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert float(done.stdout) == 0.5
