"""The process that starts several workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import until, wort_serve


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell what is open")
def test_it_keeps_nothing_of_what_it_looked_at_open(tmp_path: Path) -> None:
    with wort_serve(tmp_path, workers=2) as served:
        until(lambda: len(served.workers()) == 2)
        process, snapshot = Path(f"/proc/{served.process.pid}"), tmp_path / "snapshot"
        assert snapshot.is_dir()
        assert not [path for path in (process / "fd").iterdir() if snapshot in path.resolve().parents]
        assert str(snapshot) not in (process / "maps").read_text()
