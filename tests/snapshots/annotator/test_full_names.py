"""Surnames behind full names, with the starter: whether they mean who was named before."""

from __future__ import annotations

import pytest

from snapshots.annotator import Annotator
from snapshots.annotator.doubting.full_names import FullNames
from snapshots.annotator.doubting.longer_before import SaidOf
from snapshots.annotator.leads import no_cosines
from tests.support.annotated import starter_annotator, titles_in


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


@pytest.mark.parametrize(
    ("text", "surname", "title"),
    [
        ("Robin Williams starred in Jumanji. Williams was a comedian.", "Williams", "Robin Williams"),
        ("Samuel Adams brewed beer. Adams signed the declaration.", "Adams", "Samuel Adams"),
        ("Jeb Bush was governor of Florida. Bush lost the primary.", "Bush", "Jeb Bush"),
        ("Hillary Clinton ran for office. In the end Clinton lost.", "Clinton", "Hillary Clinton"),
        # A state and a country that fit the words around less.
        (
            "George Washington was a general. Washington crossed the Delaware.",
            "Washington",
            "George Washington",
        ),
        ("Michael Jordan played basketball. Jordan scored thirty points.", "Jordan", "Michael Jordan"),
    ],
)
def test_a_surname_means_who_was_named_in_full(
    starter: Annotator, text: str, surname: str, title: str
) -> None:
    """Its numbers are those of the full name, too."""
    full, said = (one for one in starter.annotate(text) if text[: one.end].endswith(surname))
    assert titles_in(starter, text)[surname] == title
    assert said.rho == full.rho
    assert said.mention != full.mention


@pytest.mark.parametrize(
    ("text", "surname", "title"),
    [
        ("George W. Bush and Jeb Bush are brothers. Bush was president.", "Bush", "George W. Bush"),
        ("Bush was president. Jeb Bush was governor of Florida.", "Bush", "George W. Bush"),
        ("Michael Jordan flew to Jordan.", "Jordan", "Jordan"),
        ("Michael Jordan played there. Jordan borders Iraq and Syria.", "Jordan", "Jordan"),
    ],
)
def test_a_surname_without_one_full_name_keeps_its_sense(
    starter: Annotator, text: str, surname: str, title: str
) -> None:
    """Where several have it, where it comes first, and where it is a place that fits as well."""
    assert surname in titles_in(starter, text)
    said = [one for one in starter.annotate(text) if text[one.start : one.end] == surname]
    assert starter.doubts is not None
    titles = starter.doubts._surnames.names.titles
    assert [titles[one.concept] for one in said] == [title]


def test_somebody_else_with_the_surname_takes_it_along(starter: Annotator) -> None:
    """Whom the snapshot does not have may be meant as well."""
    text = "Samuel Adams brewed beer. Later he met Frank Adams in town. Adams signed the declaration."
    assert titles_in(starter, text).get("Adams") != "Samuel Adams"


def test_without_prepositions_of_its_language_no_place_is_a_person(starter: Annotator) -> None:
    text = "Michael Jordan scored. Jordan won."
    full, place = starter.annotate("Michael Jordan")[0], starter.annotate("Jordan")[0]
    chosen = [SaidOf(text, 0, 14, full.concept), SaidOf(text, 23, 29, place.concept)]
    assert starter.doubts is not None
    known = starter.doubts._full_names
    assert FullNames(known._surnames, known._concepts, "gd").places(chosen, no_cosines) == {}
