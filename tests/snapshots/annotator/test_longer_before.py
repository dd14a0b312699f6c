"""Short names behind their long ones, with the starter: whether they mean what was named before."""

from __future__ import annotations

import pytest

from snapshots.annotator import Annotator
from snapshots.annotator.doubting.longer_before import LongerBefore, SaidOf
from snapshots.annotator.leads import no_cosines
from tests.support.annotated import starter_annotator, titles_in


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


@pytest.mark.parametrize(
    ("text", "short", "title"),
    [
        ("A computer mouse moves the cursor. The mouse has a wheel.", "mouse", "Computer mouse"),
        ("I bought a computer mouse. My mouse is wireless and has two buttons.", "mouse", "Computer mouse"),
        ("The computer virus spread by e-mail. The virus deleted files.", "virus", "Computer virus"),
        ("The Utah Jazz lost to Boston. The Jazz missed ten shots in the NBA game.", "Jazz", "Utah Jazz"),
        ("The Utah Jazz lost to Boston. Later the Jazz won.", "Jazz", "Utah Jazz"),
        ("The New York Yankees lost; the Yankees are last.", "Yankees", "New York Yankees"),
        ("The European Union agreed. The Union said so.", "Union", "European Union"),
        ("The Royal Navy fought. The Navy won at Trafalgar.", "Navy", "Royal Navy"),
    ],
)
def test_a_short_name_means_what_was_named_in_full(
    starter: Annotator, text: str, short: str, title: str
) -> None:
    """Its numbers are those of the long one, too."""
    long, said = (one for one in starter.annotate(text) if text[: one.end].endswith(short))
    assert titles_in(starter, text)[short] == title
    assert said.rho == long.rho
    assert said.mention != long.mention


@pytest.mark.parametrize(
    ("text", "short", "title"),
    [
        ("The University of Oxford is old. The Oxford that we know is large.", "Oxford", "Oxford"),
        ("Boxing Day is a holiday, and boxing is a sport.", "boxing", "Boxing"),
        ("World War II ended in 1945. The war killed millions.", "war", "War"),
        ("New York City is large. The city has five boroughs.", "city", "City"),
        ("The Second World War changed the world.", "world", "World"),
        ("South Korea borders the sea. Korea was divided in 1945.", "Korea", "Korea"),
        ("The electric guitar is loud. The guitar has six strings.", "guitar", "Guitar"),
        ("A computer mouse lay near the cage. The mouse in it ate cheese.", "mouse", "Mouse"),
        ("Beside a computer mouse, a mouse ate cheese.", "mouse", "Mouse"),
        ("The Byzantine Empire and the Roman Empire differ; the Empire was large.", "Empire", "Empire"),
        ("The Roman Empire fell. The Empire of China was large.", "Empire", "Empire"),
        ("The Empire was large. The Roman Empire fell.", "Empire", "Empire"),
        ("British English has a zed. The English names of letters are old.", "English", "English language"),
        ("Queen Victoria reigned long. Victoria married Albert.", "Victoria", "Queen Victoria"),
    ],
)
def test_a_word_with_a_sense_of_its_own_keeps_it(
    starter: Annotator, text: str, short: str, title: str
) -> None:
    """Kinds in small letters do, names without an article, and what nothing or too much was named like."""
    assert titles_in(starter, text)[short] == title


def test_nothing_is_told_where_a_language_is_not_known(starter: Annotator) -> None:
    text = "The Royal Navy fought. The Navy won."
    long, navy = starter.annotate("Royal Navy"), starter.annotate("Navy")
    chosen = [SaidOf(text, 4, 14, long[0].concept), SaidOf(text, 27, 31, navy[0].concept)]
    assert [one.written for one in chosen] == ["Royal Navy", "Navy"]
    assert starter.doubts is not None
    known = starter.doubts._longer_before
    other = LongerBefore(known._cases, known._surnames, known._concepts, "gd")
    assert known.places(chosen, no_cosines) == {1: 0}
    assert other.places(chosen, no_cosines) == {}
