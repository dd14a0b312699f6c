"""The times beside a bar say what they are."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from app.cli import progress


def test_times_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=io.StringIO(), width=120, force_terminal=True, color_system=None)
    monkeypatch.setattr(progress, "STDERR", console)
    times = [0.0]
    with progress.steps() as shown:
        shown._progress.live.auto_refresh = False
        shown._progress.get_time = lambda: times[-1]
        shown.begin("scoring", "bytes")
        task = shown._progress.tasks[0]
        assert not any("left" in line for line in _lines(shown))
        for time, done in ((10.0, 100), (20.0, 200)):
            times.append(time)
            shown.advance_to(done, 1000)
        assert task.time_remaining == 80
        (line,) = _lines(shown)
        assert "0:00:20 elapsed" in line
        assert "01:20 left" in line
        shown.end()
        (line,) = _lines(shown)
        assert "0:00:20 elapsed" in line
        assert "left" not in line


def _lines(shown: progress.TerminalSteps) -> list[str]:
    """What the bars show now."""
    console = Console(file=io.StringIO(), width=120)
    console.print(shown._progress.get_renderable())
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return [line for line in text.splitlines() if line.strip()]
