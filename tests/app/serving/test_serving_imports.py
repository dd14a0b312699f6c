"""A served process loads what serving needs and no more."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx

from tests.support.patience import PATIENCE
from tests.support.promoted import OTHER, ToyRegistry
from tests.support.served import toy_term_model

FORBIDDEN = (
    "sklearn",
    "torch",
    "transformers",
    "sentence_transformers",
    "scipy.sparse",  # numba itself asks for scipy's version
    "scipy.stats",
    "alembic",
    "mako",
    "altair",
    "vl_convert",
    "mwparserfromhell",
    "wiki.wikitext",
    "lxml",
    "duckdb",
    "gensim",
    "mcp",
    "httpx",
    "tenacity",
    "building",
    "datasets",
    "papers",
    "training",
)


def test_a_served_process(tmp_path: Path) -> None:
    toy_registry = ToyRegistry(tmp_path)
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("one"), 0.1))
    terms = toy_term_model(tmp_path / "terms.json", "made up")
    # The interpreter itself reports every import to standard error.
    command = [sys.executable, "-X", "importtime", "-m", "app.cli", "serve", "--port", "0"]
    environment = {**os.environ, "WORT_DATABASE": toy_registry.url, "WORT_TERM_MODEL": str(terms)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
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
        with httpx.Client(base_url=address, timeout=PATIENCE) as http:
            assert http.post("/relatedness", json=body).status_code == 200
            of_terms = {"pairs": [{"left": "cat mouse", "right": "dog", "context": "pet"}], "explain": True}
            assert http.post("/terms/relatedness", json=of_terms).status_code == 200
            lines = {"Accept": "application/x-ndjson"}
            assert http.post("/relatedness", json=body, headers=lines).text.endswith('{"done":2}\n')
            table = {"Content-Type": "text/csv"}
            of_file = http.post("/relatedness/files", content="left,right\nCat,Dog\n", headers=table)
            assert of_file.headers["wort-rows"] == "1"
            assert http.get("/models").json()["served"]["release"]["number"] == 1
            toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2))
            while http.get("/models").json()["served"]["release"]["number"] != 2:
                time.sleep(0.05)
            assert http.get("/", params={"left": "Cat", "right": "Dog"}).status_code == 200
            pages = (
                "/explore?concept=Cat",
                "/files",
                "/sample.csv",
                "/releases",
                "/terms?left=cat&right=dog",
            )
            for page in (*pages, "/matrix?concepts=Cat%0ADog%0APiano", "/text", "/texts"):
                assert http.get(page).status_code == 200
            assert http.get("/concepts/search", params={"q": "c"}).status_code == 200
            assert http.get("/docs").status_code == http.get("/openapi.json").status_code == 200
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=PATIENCE)
        reading.join()
    found = (re.match(r"import time: +\d+ \| +\d+ \| +([\w.]+)$", line) for line in reported)
    imported = {match[1] for match in found if match is not None}
    assert {
        "fastapi",
        "features.extract",
        "features.terms.extract",
        "models.registry.registry",
        "snapshots.naming.resolver",
        "wiki.titles",
    } <= imported
    loaded = {name for name in imported if name.startswith(FORBIDDEN)}
    assert not loaded
