"""Titles that have a name before a comma, in texts, with the starter and by hand."""

from __future__ import annotations

import pytest

from snapshots.annotator import Annotator
from snapshots.annotator.names.placed_titles import PlacedTitles
from snapshots.naming.names import ARTICLE, REDIRECT
from tests.support.annotated import starter_annotator, titles_in
from tests.support.leading import leading_and_links


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Washington is the capital of the United States.", "Washington, D.C."),
        ("Tensions rose between Beijing and Washington.", "Washington, D.C."),
        ("Protesters marched in Washington near the White House.", "Washington, D.C."),
        ("Obama flew from Chicago to Washington.", "Washington, D.C."),
        # The nearest by its words is the general, who is no place.
        ("Congress met in Washington.", "Washington, D.C."),
        ("Mount Rainier is a volcano in Washington.", "Washington (state)"),
        ("The state of Washington borders Oregon.", "Washington (state)"),
        ("The Columbia River flows through Washington.", "Washington (state)"),
    ],
)
def test_the_city_is_a_sense_of_its_name(starter: Annotator, text: str, title: str) -> None:
    assert titles_in(starter, text)["Washington"] == title


def test_no_person_is_meant_behind_a_preposition_of_place(starter: Annotator) -> None:
    """Nor is the place doubted for such a namesake."""
    assert titles_in(starter, "I flew to Paris.") == {"Paris": "Paris"}


def test_a_title_with_a_comma_has_its_share_of_the_links() -> None:
    titles = ["Bath", "Bath, Ohio", "Bath, Maine", "Bath, Lake & Co", "Bath, Old", "Bath Spa, Ohio"]
    kinds = [ARTICLE, ARTICLE, ARTICLE, ARTICLE, REDIRECT, ARTICLE]
    placed = PlacedTitles(*leading_and_links(titles, kinds, [29, 9, 0, 20, 20, 20]))
    (ohio,) = placed.senses("bath", [0])
    assert ohio.concept == 1
    assert ohio.share == pytest.approx(10 / 41)
    assert placed.senses("bath", [0, 1]) == []
    assert placed.senses("bath", []) == []
    assert placed.senses("bath spa", [0]) == []
