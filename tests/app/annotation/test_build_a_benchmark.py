"""docs/build-a-benchmark.md, done as it says: from a dump to a model that the gate accepts.

Five simulated annotators judge in place of people: what comes first in a browser, by its keys, and the rest
by the requests that the page makes.
"""

from __future__ import annotations

import csv
import html
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

import wort
from datasets.annotation.records import Stimulus
from tests.conftest import ROOT
from tests.support.annotators import SimulatedAnnotator, simulated_panel
from tests.support.browser import chromium, window
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

PAGE = (ROOT / "docs" / "build-a-benchmark.md").read_text()
TITLES, *_ = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
STEPS: list[str] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
SELECT, ASK, SERVE, SHOW, AGREE, JUDGE, RETRAIN = STEPS

IN_BROWSER = 6
"""Pairs that each annotator judges in the browser."""

NAMED = re.compile(r'<p class="named"><span[^>]*>(.*?)</span></p>')

Pair = tuple[str, ...]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def truth_of(pairs: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], float]:
    """What is true for the annotators: what goes with the same words, more than what the model says."""
    with wort.open() as opened:
        features, scores = opened.features(pairs), np.array(opened.score(pairs))
        ranks = [np.argsort(np.argsort(features[name])) / len(pairs) for name in ("W2V", "PMI2_C")]
    taste = np.clip(1.6 * (np.mean(ranks, axis=0) - 0.35), 0, 1)
    return dict(zip(pairs, (0.1 * scores + 0.9 * taste).tolist(), strict=True))


def judged(annotator: SimulatedAnnotator, pair: Pair) -> int:
    """What an annotator says of a pair."""
    return int(annotator.answer("binary", [Stimulus(" – ".join(pair), ())]).value or 0)


def judge_in_browser(browser: Browser, address: str, invitation: str, annotator: SimulatedAnnotator) -> str:
    """Begin, and judge a few by keys: the path of the annotator's page."""
    with window(browser, address, invitation) as page:
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url(re.compile("/annotation/annotate/"))
        for number in range(1, IN_BROWSER + 1):
            expect(page.get_by_label("Answer by keys")).to_be_visible()
            pair = tuple(page.locator(".named").all_inner_texts())
            page.keyboard.press("y" if judged(annotator, pair) else "n")
            expect(page.locator("#given")).to_contain_text(f"{number} answered")
        return httpx.URL(page.url).path


def judge_the_rest(address: str, path: str, annotator: SimulatedAnnotator) -> int:
    """Judge until nothing is asked any more, as the page does: how many it were."""
    given = 0
    with httpx.Client(base_url=address, timeout=PATIENCE) as http:
        said = http.get(f"{path}/items").json()
        while said["state"] in {"ask", "rest", "break"} and said["cards"]:
            card = said["cards"][0]
            pair = tuple(map(html.unescape, NAMED.findall(card["html"])))
            sent = {"key": str(uuid.uuid4()), "item": card["item"], "turn": card["turn"]}
            taken = http.post(f"{path}/answers", json=sent | {"judgement": judged(annotator, pair)})
            assert taken.status_code == 200, taken.text
            given += 1
            said = http.get(f"{path}/items").json()
    return given


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_from_a_dump_to_a_better_model(data_dir: Path, tmp_path: Path, browser: Browser) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "WORT_DATA_DIR": str(data_dir),
        "WORT_ANNOTATION": "sqlite:///judgements.sqlite",
        "WORT_PORT": "0",
    }

    def run(step: str) -> str:
        done = subprocess.run(
            ["bash", "-ec", step], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    (tmp_path / "articles.txt").write_text(TITLES)
    (tmp_path / "enwiki.xml.bz2").symlink_to(data_dir / "wiki" / "enwiki-relinked-multistream.xml.bz2")
    run(SELECT)
    pairs = [(row["left"], row["right"]) for row in rows(tmp_path / "pairs" / "pairs.csv")]
    truth = truth_of(pairs)
    names = {" – ".join(pair): value for pair, value in truth.items()}
    panel = simulated_panel(5, names, leniency=0.1, noise=0.25)

    links = run(ASK)
    (invitation,) = re.findall(r"/annotation/invitation/\S+", links)
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(
            SERVE.split(), cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        ) as server,
    ):
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            for annotator in panel:
                path = judge_in_browser(browser, address, invitation, annotator)
                assert IN_BROWSER + judge_the_rest(address, path, annotator) == len(pairs)
        finally:
            server.terminate()
    run(SHOW)
    run(AGREE)

    scored = {(row["left"], row["right"]): float(row["score"]) for row in rows(tmp_path / "scores.csv")}
    for pair in pairs:
        expected = np.mean([judged(annotator, pair) for annotator in panel])
        assert scored[pair] == pytest.approx(expected), "each judgement is there once, of the one who gave it"
    assert len(rows(tmp_path / "judgements.csv")) == 5 * len(pairs)
    run(JUDGE)
    run(RETRAIN)
    assert "panel@1" in run("wort models list")
