"""What ``wort.open`` opens says what is wrong with what it is given, before NumPy does."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import wort.in_process
from tests.app.test_in_process import IDS
from tests.support.served import toy_files
from wort import Reference, SideReference, UnscoredWarning


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[wort.in_process.Wort]:
    with wort.open(*toy_files(tmp_path_factory.mktemp("toy"))) as opened:
        yield opened


class LazyFrame:
    """As Polars has one: it has no rows yet."""


class ArrowTable:
    """As Arrow has one: nobody can go through it."""

    column_names = ("left", "right")


@pytest.mark.parametrize(
    ("pairs", "error", "told"),
    [
        (["Cat", "Dog"], ValueError, "Row 0 is no pair: 'Cat'"),
        ([("Cat", "Dog", "Mouse")], ValueError, "Row 0 is no pair"),
        ([("Cat", "Dog"), 7], ValueError, "Row 1 is no pair: 7"),
        ([{"left": "Cat", "right": "Dog"}], ValueError, "Row 0 is no pair: {'left'.* Take them out of each"),
        ([{"cat": "Dog", "dog": "Cat"}], ValueError, "Row 0 is no pair: {'cat'"),
        ([{"Cat", "Dog"}], ValueError, "Row 0 is no pair: {"),
        (7, TypeError, "not as 7"),
        (LazyFrame(), TypeError, r"not computed yet. Give frame.collect\(\)"),
        (ArrowTable(), TypeError, r"Give two of its columns: score\(table\['left'\]"),
        (np.array(["Cat", "Dog"]), ValueError, r"shape is \(2,\)"),
        (np.array([[1, 2, 3]]), ValueError, r"shape is \(1, 3\)"),
        (np.array([[1.0, np.nan]]), TypeError, "Row 0 of right is a gap, .* leave the gaps out"),
        (np.array([[1.0, 2.0]]), TypeError, "Row 0 of left is 1.0"),
        ([(b"ab")], ValueError, "Row 0 is no pair: b'ab'"),
        (("Cat", "Dog"), ValueError, "Row 0 is no pair: 'Cat'.* For one pair there is relatedness"),
        ("Cat", TypeError, "not as 'Cat'. For one pair there is relatedness"),
        ([("Cat", None)], TypeError, "Row 0 of right is None, and names no concept"),
        ([(True, "Cat")], TypeError, "Row 0 of left is True"),
        ([(b"Cat", "Cat")], TypeError, "Row 0 of left is b'Cat'"),
        ([(Reference(id="Cat"), "Cat")], ValueError, "Expected `int`"),  # type: ignore[arg-type]
    ],
)
def test_what_are_no_pairs(here: wort.in_process.Wort, pairs: Any, error: type[Exception], told: str) -> None:
    for method in (here.score, here.features, here.results, here.unscored):
        with pytest.raises(error, match=told):
            method(pairs)


def test_what_is_no_snapshot_is_told_of_by_its_name() -> None:
    with pytest.raises(TypeError, match="Give the path of a file or a folder for snapshot: it is 5"):
        wort.open(5)  # type: ignore[arg-type]


def test_who_names_a_side_as_json_does_is_told_what_does_it_here(here: wort.in_process.Wort) -> None:
    with pytest.raises(TypeError, match=r"there is wort\.SideReference\(text=…, description=…\)\."):
        here.relatedness({"text": "cars", "description": "that drive"}, "Cat")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"there is wort\.Reference\(id=…\)\."):
        here.relatedness({"id": 7}, "Cat")  # type: ignore[arg-type]


def test_what_are_no_columns(here: wort.in_process.Wort) -> None:
    with pytest.raises(TypeError, match="Give left and right as columns, such as lists of titles"):
        here.score("Cat", "Dog")
    with pytest.raises(TypeError, match=r"For one pair there is relatedness\(left, right\)"):
        here.results("Cat", "Dog")
    with pytest.raises(ValueError, match="1 left sides and 2 right ones"):
        here.score(["Cat"], ["Dog", "Dog"])
    with pytest.raises(ValueError, match=r"left is one column, and this one's shape is \(3, 2\)"):
        here.score(IDS, IDS)
    with pytest.raises(TypeError, match="Texts are compared in pairs"):
        here.matrix(["Cat", SideReference(text="dogs")])
    with pytest.raises(TypeError, match="Row 1 of context is None, and names no concept"):
        here.annotate("Cats and dogs.", context=["Cat", None])  # type: ignore[list-item]
    # No request can hold a half of a letter. It names nothing.
    with pytest.warns(UnscoredWarning, match="1 invalid"):
        assert np.isnan(here.score([("Cat", "\ud800")])).all()


WRONG: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "a limit below 0": (lambda here: here.search("cat", limit=-1), ValueError, "limit is .* 1 at least"),
    "a limit of 0": (lambda here: here.search("cat", limit=0), ValueError, "limit is .* not 0"),
    "a query": (lambda here: here.search(None), TypeError, "Give a string for query: it is None"),
    "a k of text": (
        lambda here: here.related("Cat", k="3"),
        TypeError,
        "k is .* a whole number, and not '3'",
    ),
    "a k of floats": (
        lambda here: here.related("Cat", k=3.0),
        TypeError,
        "k is .* a whole number, and not 3.0",
    ),
    "a high score": (lambda here: here.related("Cat", min_score=2), ValueError, "min_score is from 0 to 1"),
    "no score": (lambda here: here.related("Cat", min_score="a"), TypeError, "min_score is .* and not 'a'"),
    "a category": (
        lambda here: here.related("Cat", category=3),
        TypeError,
        "Give a string for category: it is 3",
    ),
    "another category": (
        lambda here: here.related("Cat", category="Nope"),
        LookupError,
        r"No category here has the title 'Nope'\. `explain\(left, right\)\.evidence\.categories` has",
    ),
    "reasons": (
        lambda here: here.results([("Cat", "Dog")], explain="no"),
        TypeError,
        "explain is True or False, and not 'no'",
    ),
    "wanted features": (
        lambda here: here.results([], features=None),
        TypeError,
        "features is True or False, and not None",
    ),
    "a text": (lambda here: here.annotate(None), TypeError, "Give a string for text: it is None"),
    "a context": (lambda here: here.annotate("a", context=None), TypeError, "Give a column for context"),
    "letters": (lambda here: here.annotate("a", context="Cat"), TypeError, "Give a column for context"),
    "a rho": (lambda here: here.annotate("a", min_rho="a"), TypeError, "min_rho is a number from 0 to 1"),
    "a name": (lambda here: here.features([("Cat", "Dog")], names="MW"), TypeError, r"Give \['MW'\]"),
    "no names": (
        lambda here: here.features([("Cat", "Dog")], names=7),
        TypeError,
        "names of features, and not 7",
    ),
    "a process": (pickle.dumps, TypeError, r"cannot be pickled.* Call wort.open\(\) in each process"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_told_of_by_their_names(here: wort.in_process.Wort, name: str) -> None:
    ask, error, told = WRONG[name]
    with pytest.raises(error, match=told):
        ask(here)


def test_what_to_do_with_a_title_of_several_is_one_of_two(here: wort.in_process.Wort) -> None:
    wrong: Any = "Resolve"
    for ask in (here.relatedness, here.explain):
        with pytest.raises(ValueError, match='must be "report" or "resolve"'):
            ask("Cat", "Dog", ambiguous=wrong)
    for column in (here.score, here.features, here.unscored, here.matrix, here.resolve):
        with pytest.raises(ValueError, match="ambiguous is 'Resolve'"):
            column(["Cat", "Dog"] if column in (here.matrix, here.resolve) else [("Cat", 1)], ambiguous=wrong)
