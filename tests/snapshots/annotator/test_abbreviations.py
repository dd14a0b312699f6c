"""Abbreviations that are spelt as stop words."""

from __future__ import annotations

import pytest

from app.serving.starter import snapshot_path
from snapshots.annotator import Annotator
from snapshots.annotator.names.abbreviations import is_abbreviation
from snapshots.snapshot import Snapshot

STOPS = frozenset(["us", "it", "who", "the", "is", "now", "s"])


@pytest.mark.parametrize(
    ("text", "abbreviated"),
    [
        ("US troops left.", True),
        ("They moved to the US.", True),
        ("US Troops Leave Iraq", True),
        ("US and UK officials met.", True),
        ("The US GDP rose.", True),
        ("They moved to us, and to the U.S.", False),
        ("THEY MOVED TO THE US", False),
        ("US", False),
        ("Tell US NOW, please.", False),
        ("The MARINES US won.", False),
        ("US IS a word.", False),
        ("Us, and what is ours.", False),
    ],
)
def test_capitals_tell(text: str, abbreviated: bool) -> None:
    start = text.lower().index("us")
    assert is_abbreviation(text, start, start + 2, STOPS.__contains__) == abbreviated


def test_no_letter_and_no_other_word_is_one() -> None:
    assert not is_abbreviation("Class S cars", 6, 7, STOPS.__contains__)
    assert not is_abbreviation("The UN met", 4, 6, STOPS.__contains__)


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return Annotator.of_snapshot(Snapshot.open(snapshot_path()))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("US troops left Iraq.", {"US": "United States", "Iraq": "Iraq"}),
        ("He moved to the US.", {"US": "United States"}),
        ("US and UK officials met.", {"US": "United States", "UK": "United Kingdom"}),
        ("The WHO declared a pandemic.", {"WHO": "World Health Organization", "pandemic": "Pandemic"}),
        ("The IT department fixed it.", {"IT": "Information technology"}),
        ("Listen to The Who on the radio.", {"The Who": "The Who", "radio": "Radio"}),
        ("She told us who saw it.", {}),
        # What few articles link to is not meant: International Sign, amplitude modulation.
        ("This IS so, and I DID it at 8 AM.", {}),
    ],
)
def test_what_the_starter_reads(starter: Annotator, text: str, found: dict[str, str]) -> None:
    titles = Snapshot.open(snapshot_path()).concept_titles
    assert {text[one.start : one.end]: titles[one.concept] for one in starter.annotate(text)} == found
