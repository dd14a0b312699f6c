"""A served process loads what serving needs and no more."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx

from tests.served import toy_files

FORBIDDEN = ("sklearn", "mwparserfromhell", "wiki.wikitext", "lxml", "duckdb", "gensim", "training")


def test_a_served_process(tmp_path: Path) -> None:
    snapshot, model = toy_files(tmp_path)
    # The interpreter itself reports every import to standard error.
    command = [sys.executable, "-X", "importtime", "-m", "app.cli", "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--snapshot", str(snapshot), "--model", str(model)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        reported: list[str] = []
        reading = threading.Thread(target=reported.extend, args=(process.stderr,))
        reading.start()
        address = process.stdout.readline().split()[-1]
        body = {
            "pairs": [{"left": "Cat", "right": "Dog"}, {"left": "Catt", "right": "Mouse"}],
            "explain": True,
        }
        with httpx.Client(base_url=address, timeout=60) as http:
            assert http.post("/relatedness", json=body).status_code == 200
            assert http.get("/", params={"left": "Cat", "right": "Dog"}).status_code == 200
            assert http.get("/concepts/search", params={"q": "c"}).status_code == 200
            assert http.get("/docs").status_code == http.get("/openapi.json").status_code == 200
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        reading.join()
    found = (re.match(r"import time: +\d+ \| +\d+ \| +([\w.]+)$", line) for line in reported)
    imported = {match[1] for match in found if match is not None}
    assert {"fastapi", "features.extract", "tables.resolver", "wiki.titles"} <= imported
    loaded = {name for name in imported if name.startswith(FORBIDDEN)}
    assert not loaded
