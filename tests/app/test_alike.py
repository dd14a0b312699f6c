"""What a client and what ``wort.open`` opens are both asked has the same names, arguments and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wort
import wort.in_process
from app.scoring.in_words import snapshot_name
from tests.support.served import serving, toy_app, toy_files
from wort import asking
from wort.in_process import Wort
from wort.schemas.sides import Side

SAME = ("relatedness", "explain", "matrix", "related", "search", "annotate")
ONLY_ASKED_OF_A_SERVER = {"model"}
EARLIER_NAMES = {("search", "text")}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wort]:
    with wort.open(*toy_files(tmp_path_factory.mktemp("alike"))) as opened:
        yield opened


@pytest.mark.parametrize("name", SAME)
def test_the_same_question_has_the_same_arguments(name: str) -> None:
    asked, answered = (inspect.signature(getattr(kind, name)).parameters for kind in (wort.Client, Wort))
    assert [
        (argument, of.kind) for argument, of in asked.items() if argument not in ONLY_ASKED_OF_A_SERVER
    ] == [(argument, of.kind) for argument, of in answered.items() if (name, argument) not in EARLIER_NAMES]
    for argument in set(asked) - ONLY_ASKED_OF_A_SERVER:
        if (name, argument) != ("search", "query"):  # which may have its earlier name
            assert asked[argument].default == answered[argument].default, argument


def test_every_question_is_listed_as_one_or_the_other() -> None:
    def public(kind: type) -> set[str]:
        return {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}

    assert public(wort.Client) & public(Wort) == {*SAME, "score", "close"}


def test_rows_and_columns_are_asked_for_as_of_a_client(here: Wort) -> None:
    rows, columns = ["Cat", "Dog"], ["Felis catus"]
    expected = here.matrix(rows, columns)
    assert np.array_equal(here.matrix(rows=rows, columns=columns), expected, equal_nan=True)
    wrong = "A matrix is of concepts, or of rows and columns"
    with pytest.raises(ValueError, match=wrong):
        here.matrix()
    with pytest.raises(ValueError, match=wrong):
        here.matrix(rows=rows)
    with pytest.raises(ValueError, match=wrong):
        here.matrix(rows, columns, rows=rows)


def test_a_client_takes_concepts_for_rows() -> None:
    rows, columns = ["Cat", "Dog"], ["Pet"]
    asked = asking.matrix(rows, None, columns, "report", None)
    assert asked.body == asking.matrix(None, rows, columns, "report", None).body
    assert "concepts" in (asking.matrix(rows, None, None, "report", None).body or {})


def test_names_and_defaults_of_both_are_taken(here: Wort) -> None:
    assert here.search(query="cat") == here.search("cat") == here.search(text="cat")
    with pytest.raises(ValueError, match="give one of the two"):
        here.search("cat", text="dog")
    assert here.related("Cat", min_score=None) == here.related("Cat")


WRONG: dict[str, Callable[[Any], object]] = {
    "what to do": lambda asked: asked.relatedness("Cat", "Dog", ambiguous="foo"),
    "what to do with many": lambda asked: list(asked.score([("Cat", "Dog")], ambiguous=None)),
    "what to do in a matrix": lambda asked: asked.matrix(["Cat", "Dog"], ambiguous="Resolve"),
    "a matrix of nothing": lambda asked: asked.matrix(),
    "a matrix of rows": lambda asked: asked.matrix(rows=["Cat"]),
    "a matrix of a title": lambda asked: asked.matrix("Cat"),
    "a text in a matrix": lambda asked: asked.matrix(["Cat", wort.SideReference(text="dogs")]),
    "a text by itself": lambda asked: asked.related(wort.SideReference(text="dogs")),
    "no side": lambda asked: asked.explain(None, "Cat"),
    "half a page id": lambda asked: asked.relatedness("Cat", 1.5),
    "half a pair": lambda asked: list(asked.score([("Cat",)])),
    "a pair by names": lambda asked: list(asked.score([{"left": "Cat", "right": "Dog"}])),
    "a pair without order": lambda asked: list(asked.score([("Cat", "Dog"), {"Cat", "Dog"}])),
    "reasons": lambda asked: asked.relatedness("Cat", "Dog", explain="no"),
    "features": lambda asked: asked.relatedness("Cat", "Dog", features=0),
    "a k of text": lambda asked: asked.related(wort.Reference(id=1), k="3"),
    "a limit of 0": lambda asked: asked.search("cat", limit=0),
    "a high score": lambda asked: asked.related(wort.Reference(id=1), min_score=2),
    "a long context": lambda asked: asked.annotate("Cats", context=["Cat"] * 21),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_told_of_alike(here: Wort, name: str) -> None:
    told = []
    with wort.Client("http://nobody.invalid") as client:
        for asked in (here, client):
            with pytest.raises((TypeError, ValueError)) as refused:
                WRONG[name](asked)
            told.append((type(refused.value), str(refused.value)))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "named", ["Mouse", "Dogg", "Qwxyzq", "Cat|Dog", "", "https://fr.wikipedia.org/wiki/Chat"]
)
def test_what_names_no_concept_is_told_of_alike(here: Wort, tmp_path: Path, named: str) -> None:
    with serving(toy_app(tmp_path)) as url, wort.Client(url) as client:
        with pytest.raises(wort.Unresolved) as asked:
            client.related(named)
        place = snapshot_name(client.snapshot())
    with pytest.raises(LookupError) as answered:
        here.related(named)
    told = str(answered.value).replace("Wort.search", "search()").replace(place, "the server's snapshot")
    assert str(asked.value) == told


def test_an_error_of_a_client_names_three_candidates_and_its_side_all() -> None:
    candidates = tuple(f"Mercury ({kind})" for kind in ("planet", "element", "mythology", "programme"))
    error = wort.Unresolved(Side("Mercury", "ambiguous", "Mercury", None, None, candidates=candidates))
    assert str(error) == (
        "'Mercury' may mean several concepts. Ask again with one of: Mercury (planet); Mercury (element); "
        "Mercury (mythology); or another of 4."
    )
    assert error.side.candidates == candidates


def test_the_same_faults_can_be_caught() -> None:
    assert issubclass(wort.Unresolved, LookupError)
    assert issubclass(wort.NotFound, LookupError)
    assert issubclass(wort.Closed, ValueError)
    assert issubclass(wort.InvalidRequest, ValueError)
