"""First names: by themselves, and before words that concepts are called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import marisa_trie
import pytest

from app.serving.starter import snapshot_path
from snapshots.annotator import Annotator
from snapshots.annotator.doubting.first_names import FirstNames
from snapshots.annotator.doubting.surnames import Surnames
from snapshots.annotator.names.known_names import KnownNames
from snapshots.naming.aliases import Aliases
from snapshots.naming.given_names import MANY
from snapshots.naming.names import ARTICLE, RECORD
from snapshots.naming.word_counts import WordCounts
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable

BERLIN, BERLIN_MAN, BISHOP, DAVID, EMMA, SYDNEY, STONE = range(7)
TITLES = ["Berlin", "Isaiah Berlin", "William (bishop)", "David", "Emma (novel)", "Sydney", "Will Stone"]
FIRST = frozenset(["The", "William", "David", "Irving", "Sydney", "Lincoln", "Emma"])
NAMED = {
    "Lincoln": [SimpleNamespace(concept=SYDNEY, kinds=("unqualified",))],
    "Stone": [SimpleNamespace(concept=STONE, kinds=("surname",))],
}


def first_names(language: str = "en") -> FirstNames:
    people = [f"{first} Name{number}" for first in ("William", "David") for number in range(MANY)]
    records = [(title, (ARTICLE, number)) for number, title in enumerate([*TITLES, *people])]
    aliases = SimpleNamespace(
        named=lambda name: NAMED.get(name, []),
        is_surname=lambda name, concept: (name.lower(), concept) in (("stone", STONE), ("o'hara", STONE)),
    )
    counted = SimpleNamespace(is_stop=frozenset(["the"]).__contains__)
    leading = marisa_trie.RecordTrie(RECORD, records)
    names = KnownNames(StringTable.of(TITLES), leading, cast(Aliases, aliases), cast(WordCounts, counted))
    return FirstNames(names, cast(Surnames, SimpleNamespace(is_first=FIRST.__contains__)), language)


def test_one_of_several_who_have_a_first_name_alone() -> None:
    titles = [
        "David",
        "David Stone",
        "David Hill",
        "Sydney",
        "Sydney Stone",
        "Sydney Hill",
        "David Rock",
        "Emma",
    ]
    surnames = {"Stone": (1, 4), "Hill": (2, 5)}
    aliases = SimpleNamespace(
        named=lambda name: [
            SimpleNamespace(concept=each, kinds=("surname",)) for each in surnames.get(name, ())
        ]
    )
    counted = SimpleNamespace(sentences=lambda word: 2000 if word == "sydney" else 400)
    leading = marisa_trie.RecordTrie(RECORD, [(title, (ARTICLE, at)) for at, title in enumerate(titles)])
    names = KnownNames(StringTable.of(titles), leading, cast(Aliases, aliases), cast(WordCounts, counted))
    first = FirstNames(names, cast(Surnames, SimpleNamespace(is_first=FIRST.__contains__)), "en")
    assert first.is_one_of_several("David", 0)
    assert first.is_one_of_several("David", 0)  # remembered
    assert not first.is_one_of_several("david", 0)
    assert not first.is_one_of_several("David", 1)  # who has a surname
    assert not first.is_one_of_several("Sydney", 3)  # which stands in many sentences
    assert not first.is_one_of_several("Emma", 7)  # nobody else


@pytest.mark.parametrize(
    ("text", "concept", "part"),
    [
        ("Irving Berlin sang.", BERLIN, True),
        ("There William Berlin sang.", BERLIN, True),
        ("Isaiah Berlin sang.", BERLIN, False),  # no first name here
        ("Irving Berlin sang.", BERLIN_MAN, False),
        ("the Irving Berlin", BERLIN, False),
        ("Sydney Berlin", BERLIN, False),  # Sydney is a city
        ("Lincoln Berlin", BERLIN, False),
        ("irving Berlin", BERLIN, False),
        ("IRVING BERLIN", BERLIN, False),
        ("Irving, Berlin", BERLIN, False),
        ("The Berlin", BERLIN, False),
        ("Berlin", BERLIN, False),
    ],
)
def test_a_word_behind_a_first_name(text: str, concept: int, part: bool) -> None:
    word = "BERLIN" if text.isupper() else "Berlin"
    start = text.index(word)
    assert first_names().has(text, start, start + len(word), concept) == part


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Irving Stone wrote.", True),
        ("There David Stone wrote.", True),
        ("There Irving O'Hara wrote.", True),
        ("Stone wrote.", False),
        ("Will Stone wrote.", False),
        ("William Stone wrote.", False),  # for short he is Will
        ("Will Irving Stone wrote.", False),  # a middle name
        ("Sydney Stone wrote.", False),  # of Sydney, maybe
        ("The Stone wrote.", False),
        ("General Stone wrote.", False),
        ("Irving, Stone", False),
        ("IRVING Stone", False),
        ("Irving stone", False),
    ],
)
def test_a_surname_behind_the_first_name_of_another(text: str, others: bool) -> None:
    word = next(word for word in ("Stone", "O'Hara", "stone") if word in text)
    start = text.index(word)
    assert first_names().has(text, start, start + len(word), STONE) == others
    assert not first_names().has(text, start, start + len(word), BERLIN_MAN)


@pytest.mark.parametrize(
    ("text", "language", "part"),
    [
        ("Emma Stone won.", "en", True),
        ("Emma won.", "en", False),
        ("Emma, Stone won.", "en", False),
        ("Emma Novel won.", "en", False),
        ("Emma Stone won.", "de", False),  # whose qualifiers are others
    ],
)
def test_a_work_before_a_name(text: str, language: str, part: bool) -> None:
    assert first_names(language).has(text, 0, 4, EMMA) == part


def test_one_of_many_who_are_called_so() -> None:
    names = first_names()
    assert names.is_one_of_many("William", BISHOP)
    assert not names.is_one_of_many("william", BISHOP)
    assert not names.is_one_of_many("David", DAVID)
    assert not names.is_one_of_many("Emma", EMMA)


def test_a_name_that_many_have() -> None:
    names = first_names()
    assert names.is_one_of_many("William Stone", BISHOP)  # as others may be called as well
    assert not names.is_one_of_many("William Stone", STONE)  # it is that one's surname
    assert not names.is_one_of_many("William Wong", BISHOP)  # nobody else has the surname
    assert not names.is_one_of_many("Emma Stone", BISHOP)  # not many are called so first
    assert not names.is_one_of_many("William stone", BISHOP)


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return Annotator.of_snapshot(Snapshot.open(snapshot_path()))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Prince William visited Australia.", {"Australia"}),
        ("William went to school.", {"School"}),
        ("Emma Stone won an award.", {"Award"}),
        ("Vincent Price was an actor.", {"Actor"}),
        ("Irving Berlin wrote songs.", {"Song"}),
        ("Denzel Washington won.", set()),
        ("Robert Shaw was an actor.", {"Actor"}),
        ("Once a court heard Frank O'Connor. O'Connor was a judge of the court.", {"Court", "Judge"}),
        ("There Martin Sheen played a general.", set()),
        ("James and John, the apostles of Jesus.", {"James (son of Zebedee)", "Jesus"}),
        ("David slew Goliath in the Bible.", {"David", "Bible"}),
        ("The Vikings sailed to England.", {"Vikings", "England"}),
        ("William Shakespeare wrote Hamlet.", {"William Shakespeare", "Hamlet"}),
    ],
)
def test_what_the_starter_reads(starter: Annotator, text: str, found: set[str]) -> None:
    titles = Snapshot.open(snapshot_path()).concept_titles
    assert {titles[one.concept] for one in starter.annotate(text)} == found
