"""A command that may hold no more than it was given."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.confined import confined

ALLOWED = 100_000_000
HOLD = "import subprocess, sys; held = b'x' * int(sys.argv[1])"
HOLD_BY_ANOTHER = (
    f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {HOLD!r}, sys.argv[1]]) != 0)"
)
READ = """
import mmap, sys
with open(sys.argv[1], "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
    assert sum(held[::4096]) == 0
"""


OUTLIVED = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1)'])"


def run(*arguments: str) -> int:
    with confined(ALLOWED) as within:
        if within is None:
            pytest.skip("this process may not make control groups")
        return subprocess.run([*within, sys.executable, "-c", *arguments], check=False).returncode


@pytest.mark.parametrize("program", [HOLD, HOLD_BY_ANOTHER])
def test_who_holds_more_is_killed(program: str) -> None:
    assert run(program, str(ALLOWED // 2)) == 0
    assert run(program, str(ALLOWED * 2)) != 0


def test_a_larger_file_can_be_mapped(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("mapped") / "zeros"
    path.write_bytes(bytes(2 * ALLOWED))
    assert run(READ, str(path)) == 0


def test_what_outlives_the_command_is_waited_for() -> None:
    assert run(OUTLIVED) == 0
