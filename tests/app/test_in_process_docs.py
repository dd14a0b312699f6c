"""docs/in-process.md and docs/in-process.ipynb run, and print about what they say they print."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest

import wort.in_process
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "in-process.md").read_text()
NOTEBOOK: dict[str, Any] = json.loads((ROOT / "docs" / "in-process.ipynb").read_text())
NUMBER = re.compile(r"\d+(?:\.\d*)?")

Shown = list[tuple[str, str]]
"""Code, and what it prints."""


def on_the_page() -> Shown:
    shown = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert len(shown) == PAGE.count("```python")
    return shown


def in_the_notebook() -> Shown:
    cells = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    return [
        ("".join(cell["source"]), "".join("".join(output["text"]) for output in cell["outputs"]))
        for cell in cells
    ]


@pytest.mark.filterwarnings("ignore::wort.UnscoredWarning")  # which the page tells of
@pytest.mark.parametrize("shown", [on_the_page(), in_the_notebook()], ids=["page", "notebook"])
def test_it_prints_what_it_is_said_to_print(shown: Shown) -> None:
    names: dict[str, Any] = {}
    for code, expected in shown:
        if "import pandas" in code:
            pytest.importorskip("pandas", reason="pandas is not installed")
        printed = StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        found = printed.getvalue()
        # Arrays are padded to their longest number.
        assert _without_numbers(found) == _without_numbers(expected)
        numbers = [float(number) for number in NUMBER.findall(found)]
        assert numbers == pytest.approx([float(number) for number in NUMBER.findall(expected)], rel=0.02)
    names["w"].close()


def _without_numbers(text: str) -> str:
    return re.sub(r"\s+(?=])|(?<=\[)\s+", "", re.sub(r"[ \n]+", " ", NUMBER.sub("#", text)))


def test_the_notebook_is_one() -> None:
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    assert NOTEBOOK["metadata"]["kernelspec"]["name"] == "python3"
    assert len({cell["id"] for cell in NOTEBOOK["cells"]}) == len(NOTEBOOK["cells"])
    for cell in NOTEBOOK["cells"]:
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source", *code}
        assert all(output["output_type"] == "stream" for output in cell.get("outputs", ()))


def test_every_error_is_documented() -> None:
    raised: set[str] = set()
    for of in (*vars(wort.in_process.Wort).values(), *vars(wort.in_process.FeatureTable).values(), wort.open):
        told = (getattr(of, "__doc__", None) or "").partition("Raises:\n")[2]
        for names in re.findall(r"^ +((?:[\w.]+, )*[\w.]*[A-Z]\w+):", told, re.MULTILINE):
            raised |= set(names.split(", "))
    assert {"KeyError", "LookupError", "wort_server.NamesTaken"} <= raised
    rows = re.findall(r"^\| (.*?) \|", PAGE.partition("## What can go wrong")[2], re.MULTILINE)
    assert raised == set(re.findall(r"`([\w.]+)`", " ".join(rows)))


def test_every_method_is_documented() -> None:
    public = {name for name in vars(wort.in_process.Wort) if name[0] != "_"} - {"snapshot", "model"}
    documented = set(re.findall(r"\bw\.(\w+)\(", PAGE)) | set(re.findall(r"`(\w+)(?:\([^`]*\))?`", PAGE))
    assert public <= documented
