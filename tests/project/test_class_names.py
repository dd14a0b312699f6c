"""One word for one thing: no two classes at the top of a module are called the same."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.project.test_architecture import ROOT, SOURCES

IN_TWO_INTERFACES = "the documents of HTTP and those of the assistants' tools both show it"
OPENED = "a protocol that the client declares, and what keeps it in process, whose name people see printed"

TWICE: dict[str, str] = {
    "FeatureTable": OPENED,
    "FoundConcept": IN_TWO_INTERFACES,
    "NamedConcept": IN_TWO_INTERFACES,
    "Pair": IN_TWO_INTERFACES,
    "Refused": "an error that applications catch, and a schema in the document of HTTP",
    "RelatedConcept": IN_TWO_INTERFACES,
    "Wort": OPENED,
}
"""What two interfaces call so already, and why neither can be renamed."""


def classes_by_name(sources: Iterable[Path]) -> dict[str, list[str]]:
    """The modules that have a class of each name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sources:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_no_two_classes_are_called_the_same() -> None:
    twice = {name: where for name, where in classes_by_name(SOURCES).items() if len(where) > 1}
    assert sorted(twice) == sorted(TWICE), twice
    assert all(len(where) == 2 for where in twice.values()), twice


def test_a_class_that_stands_twice_is_found() -> None:
    (path,) = (path for path in SOURCES if path.relative_to(ROOT).as_posix() == "wort/errors.py")
    assert classes_by_name([path, path])["Refused"] == ["wort/errors.py"] * 2
