"""docs/tutorial.md, done as it says: each block is run, and prints what stands below it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from app.cli.exit_codes import BAD_INPUT
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "tutorial.md").read_text()
BLOCKS: list[tuple[str, str, str]] = re.findall(
    r"```(sh|python)\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL
)
FOR_PEOPLE = re.compile(r"^wort (?:compare|matrix|annotate)\b.*$", re.MULTILINE)
"""Commands that print for people on a terminal, and JSON here unless they are told."""
SCORE = re.compile(r"\b[01]\.\d\d\b")
"""A score as it is printed; the encoder's differ by less than one such step between processors."""


def says(ours: str, theirs: str) -> bool:
    """Whether a line of output is the page's, where "…" stands for anything and a score may be 0.01 off."""
    scores = zip(SCORE.findall(ours), SCORE.findall(theirs), strict=False)
    near = all(abs(float(one) - float(other)) < 0.011 for one, other in scores)
    return near and fnmatchcase(
        SCORE.sub("0.00", ours), SCORE.sub("0.00", theirs).replace("[", "[[]").replace("…", "*")
    )


def test_what_the_page_may_leave_open() -> None:
    assert says("a – b: 0.46 of 1", "a – b: 0.45 of 1")
    assert says("[a] 0.46 and more", "[a] 0.46…")
    assert not says("a – b: 0.47 of 1", "a – b: 0.45 of 1")
    assert not says("a – c: 0.45 of 1", "a – b: 0.45 of 1")


@pytest.mark.slow
def test_it_goes_as_the_page_says(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    run = 0
    for language, code, printed in BLOCKS:
        if "make install" in code:
            continue
        shell = FOR_PEOPLE.sub(lambda command: f"{command[0]} --text", code)
        command = [sys.executable, "-c", code] if language == "python" else ["bash", "-ec", shell]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        # A command that asks back has no answer, and says so by its exit code, too.
        assert done.returncode == (BAD_INPUT if printed.startswith("wort: ") else 0), done.stdout
        shown = [line for line in done.stdout.splitlines() if "rows:" not in line]
        shown = [
            line
            for line in shown
            if not line.startswith(("wort: scored by", "wort: Computed", "wort: no concept"))
        ]
        expected = printed.splitlines()
        rest = expected[-1:] == ["…"]
        assert len(shown) == len(expected) or rest, (shown, expected)
        for ours, theirs in zip(shown, expected[: -1 if rest else None], strict=not rest):
            assert says(ours, theirs), (ours, theirs)
        run += 1
    assert run == PAGE.count("```sh") + PAGE.count("```python") - 1
