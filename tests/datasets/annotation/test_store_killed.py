"""Processes that are killed while they answer: each acknowledged answer is there, once, and none twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from datasets.annotation.projects import Projects
from tests.conftest import ROOT
from tests.datasets.annotation.asked import joined, made
from tests.support.patience import PATIENCE

ANNOTATOR = """
import json, sys, uuid
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer
url, token, log = sys.argv[1:]
with Projects.open(url) as projects, open(log, "a", buffering=1) as written:
    while (desk := projects.desk(token)).state == "ask":
        shown = desk.shown[0]
        key = str(uuid.uuid4())
        written.write(json.dumps({"sent": key, "item": shown.item}) + "\\n")
        receipt = projects.submit(token, shown.item, shown.turn, Answer(float(shown.item % 2)), key)
        written.write(json.dumps({"acknowledged": key, "judgement": receipt.judgement}) + "\\n")
    written.write(json.dumps({"state": desk.state}) + "\\n")
"""


def lines(log: Path) -> list[dict[str, object]]:
    """What was written; a line that was cut off by the end of its writer is left out."""
    written = log.read_text().split("\n")[:-1] if log.exists() else []
    return [json.loads(line) for line in written]


def run_and_kill(url: str, tokens: list[str], folder: Path, items: int, kills: int) -> list[Path]:
    """A process an annotator, each killed some times in the midst of it, until all are done."""
    logs = [folder / f"{at}.jsonl" for at in range(len(tokens))]

    def start(at: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", ANNOTATOR, url, tokens[at], str(logs[at])], cwd=ROOT)

    running = {at: start(at) for at in range(len(tokens))}
    try:
        for kill in range(1, kills + 1):
            # Not by a clock: once so much was written, wherever in the next answer that finds the process.
            at = kill % len(tokens)
            while len(lines(logs[at])) < 2 * items * kill // (kills + 1) and running[at].poll() is None:
                time.sleep(0.02)
            running[at].send_signal(signal.SIGKILL)
            running[at].wait(timeout=PATIENCE)
            running[at] = start(at)
        for process in running.values():
            assert process.wait(timeout=PATIENCE) == 0
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    return logs


def check(url: str, project: int, logs: list[Path]) -> None:
    acknowledged: Counter[str] = Counter()
    sent: dict[str, object] = {}
    for log in logs:
        for line in lines(log):
            if "sent" in line:
                sent[str(line["sent"])] = line["item"]
            elif "acknowledged" in line:
                acknowledged[str(line["acknowledged"])] += 1
    with Projects.open(url) as projects:
        kept = Counter(one.judgement.key for one in projects.said(project))
        of = {one.judgement.key: one.item.id for one in projects.said(project)}
        given = [item.given for item in projects.items(project)]
        wanted = projects.project(project).settings.wanted
    assert set(acknowledged.values()) == {1}
    assert set(kept.values()) == {1}
    # One may be kept whose acknowledgement was killed; none is acknowledged and not kept.
    assert acknowledged.keys() <= kept.keys() <= sent.keys()
    assert {key: sent[key] for key in of} == of
    assert given == [wanted] * len(given)


@pytest.mark.slow
@pytest.mark.parametrize("annotators", [3])
def test_killed_annotators_lose_and_repeat_nothing(database: str, tmp_path: Path, annotators: int) -> None:
    with Projects.open(database) as projects:
        project = made(projects, count=15, wanted=annotators, hold=0)
        tokens = [joined(projects, project) for _ in range(annotators)]
    check(database, project.id, run_and_kill(database, tokens, tmp_path, items=15, kills=3))


@pytest.mark.slow
def test_many_killed_annotators_lose_and_repeat_nothing(database: str, tmp_path: Path) -> None:
    with Projects.open(database) as projects:
        project = made(projects, count=80, wanted=8, hold=0)
        tokens = [joined(projects, project) for _ in range(8)]
    check(database, project.id, run_and_kill(database, tokens, tmp_path, items=80, kills=24))
