"""Searching by words and other names: what is written right comes before what is nearly so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, text

from app.serving.starter import snapshot_path
from building.excerpt import ExcerptSettings, write_excerpt
from snapshots.errors import DamagedSnapshot
from snapshots.naming.names import FILE, Names
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from snapshots.text import words
from tests.snapshots.naming.test_search import search_of
from wiki.folding import fold

TITLES = (
    *("United States", "Salt", "Cathedral", "Cat", "Musician", "Music", "Barack Obama", "Michelle Obama"),
    *("United States Constitution", "Constitution", "Atheism", "Gunpowder", "Sun", "State (polity)"),
)
REDIRECTS = {"US": 0, "Constitution of the United States": 8, "Presidency of Obama": 6}


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("cat", ["Cat", "Cathedral"]),
        ("Music", ["Music", "Musician"]),
        ("Obama", ["Barack Obama", "Michelle Obama"]),
        ("obama michelle", ["Michelle Obama"]),
        ("constitution united states", ["United States Constitution"]),
        ("states unit", ["United States", "United States Constitution"]),
        ("Atheism xyz", ["Atheism"]),
        ("xyz Atheism", ["Atheism"]),
        ("polity", ["State (polity)"]),
        ("USA", []),
        ("gun", ["Gunpowder"]),
    ],
)
def test_what_is_written_right_comes_first(tmp_path: Path, typed: str, titles: list[str]) -> None:
    found = search_of(tmp_path / "names", TITLES, REDIRECTS).find(typed, 10)
    assert [each.title for each in found][: len(titles) or None] == titles


def test_the_redirect_that_has_the_words_is_named(tmp_path: Path) -> None:
    (found,) = search_of(tmp_path / "names", TITLES, REDIRECTS).find("obama presidency", 10)
    assert (found.title, found.match, found.redirect) == ("Barack Obama", "words", "Presidency of Obama")


def test_of_a_frequent_word_the_most_linked_concepts_are_looked_at(tmp_path: Path) -> None:
    titles = tuple(f"Thing {number} common" for number in range(200))
    found = search_of(tmp_path / "names", titles, {}, few=5, walked=20).find("common", 3)
    assert [each.title for each in found] == ["Thing 0 common", "Thing 1 common", "Thing 2 common"]


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Resolver:
    """The names of the shipped snapshot, written anew."""
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    shipped = Snapshot.open(snapshot_path())
    target = tmp_path_factory.mktemp("starter") / "anew"
    return Resolver.open(write_excerpt(shipped, target, np.arange(shipped.concepts), ExcerptSettings()))


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("music", "Music"),
        ("cat", "Cat"),
        ("atheism xyz", "Atheism"),
        ("gun", "Gun"),
        ("dogs", "Dog"),
        ("constitution united states", "United States Constitution"),
    ],
)
def test_the_starter_finds_what_people_type(starter: Resolver, typed: str, first: str) -> None:
    if starter.article(first) < 0:
        assert all(each.title != "United States" for each in starter.search(typed, 1))
    else:
        assert starter.search(typed, 10)[0].title == first


@pytest.mark.parametrize(
    ("typed", "title"),
    [("Dogs", "Dog"), ("wolves", "Gray wolf"), ("Film", "Movie"), ("Roses", None), ("Doctors", None)],
)
def test_other_numbers_of_what_articles_call_themselves(
    starter: Resolver, typed: str, title: str | None
) -> None:
    """Nobody means a surname, or a title without its qualifier, by the plural of it."""
    found = starter.resolve(typed)
    assert (found.title if found.status == "ok" else None) == title


@pytest.mark.parametrize("typed", ["USA", "gun"])
def test_short_words_are_near_nothing(starter: Resolver, typed: str) -> None:
    assert all(each.match != "near" for each in starter.search(typed, 10))


def test_a_file_of_names_without_words_answers_as_before(tmp_path: Path) -> None:
    search_of(tmp_path / "names", TITLES, REDIRECTS)
    path = tmp_path / "names.partial" / FILE
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE words_of_names"))
    engine.dispose()
    names = Names(path)
    assert names.with_words(["obama"], 10) == []
    assert names.most_linked_with(["obama"], 10) == {}
    assert names.most_linked_with_both([("barack", "obama")], 10, 10) == [[]]
    assert names.words_begun("oba", 10) == []
    assert names.beginning_with("cat", 10)[0].title == "Cathedral"


def test_a_row_that_names_no_concept_is_damage(tmp_path: Path) -> None:
    search_of(tmp_path / "names", TITLES, REDIRECTS)
    path = tmp_path / "names.partial" / FILE
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO words_of_names VALUES ('wrong', -3, 99)"))
    engine.dispose()
    with pytest.raises(DamagedSnapshot):
        Names(path, len(TITLES)).with_words(["wrong"], 10)
    with pytest.raises(DamagedSnapshot):
        Names(path, len(TITLES)).most_linked_with(["wrong"], 10)
    with pytest.raises(DamagedSnapshot):
        Names(path, len(TITLES)).most_linked_with_both([("wrong", "wrong")], 10, 10)


def test_of_several_words_at_once_the_most_linked_concepts(tmp_path: Path) -> None:
    search_of(tmp_path / "names", TITLES, REDIRECTS)
    names = Names(tmp_path / "names.partial" / FILE, len(TITLES))
    for limit in (1, 10):
        asked = ["obama", "cat", "nowhere", "the"]
        expected = {word: names.with_words([word], limit) for word in asked}
        assert names.most_linked_with(asked, limit) == expected
    assert any(len(found) > 1 for found in expected.values())
    assert names.most_linked_with([], 10) == {}


def test_of_pairs_of_words_the_concepts_with_both(tmp_path: Path) -> None:
    search_of(tmp_path / "names", TITLES, REDIRECTS)
    names = Names(tmp_path / "names.partial" / FILE, len(TITLES))
    every = sorted({word for title in TITLES for word in words(fold(title))})
    pairs = [(first, second) for first in every for second in every if first != second]
    for limit in (1, 10):
        expected = [names.with_words(pair, limit) for pair in pairs]
        assert names.most_linked_with_both(pairs, 10, limit) == expected
    assert any(len(found) > 1 for found in expected)
    assert names.most_linked_with_both([], 10, 10) == []
    # Those of the first word that are linked less are not looked through.
    both = [pair for pair, found in zip(pairs, expected, strict=True) if found]
    assert any(not found for found in names.most_linked_with_both(both, 1, 10))


@pytest.mark.parametrize("typed", ["Cat\0", "\0Cat", "obama \0", "\xfa\0j\xe0\xc2\x84\xc2\xb3\xc2\xb9"])
def test_what_no_name_can_hold_is_not_looked_up(starter: Resolver, typed: str) -> None:
    assert starter.search(typed, 34) == []  # a trie would end the key there
    assert starter.resolve(typed).suggestions == ()
