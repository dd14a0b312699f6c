"""Searching for concepts: what is typed wrongly finds what was meant, whatever is typed is answered."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import marisa_trie
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.serving.starter import snapshot_path
from building.names_writer import write_names
from building.writer import SnapshotWriter
from snapshots.naming.aliases import Aliases
from snapshots.naming.hits import SearchHit
from snapshots.naming.names import ARTICLE, DISAMBIGUATION, FILE, RECORD, REDIRECT, Names
from snapshots.naming.resolver import Resolver
from snapshots.naming.search import TitleSearch
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from tests.oracles.spelling import Titles, all_titles, mistyped
from wiki.folding import fold

TITLES = ("Atheism", "Theism", "Iron Man (2008 film)", "Афины", "東京", "Łódź", "100 % (song)", "C")
REDIRECTS = {"Godlessness": 0, "Athéisme": 0, "Athens": 3, "Tōkyō": 4}


def search_of(folder: Path, titles: tuple[str, ...], redirects: dict[str, int], **limits: int) -> TitleSearch:
    """The search over some names, each title linked less than the one before it."""
    rows: list[dict[str, Any]] = [
        {"title": title, "kind": ARTICLE, "concept": row, "in_links": 100 - row}
        for row, title in enumerate(titles)
    ]
    rows += [
        {"title": title, "kind": REDIRECT, "concept": row, "in_links": 100 - row}
        for title, row in redirects.items()
    ]
    rows.append({"title": "Atheist", "kind": DISAMBIGUATION, "concept": -1, "in_links": 0})
    writer = SnapshotWriter(folder)
    write_names(writer, lambda: rows, lambda: [], lambda: [])
    variants = marisa_trie.RecordTrie(RECORD).mmap(str(writer.folder / "title_variants.marisa"))
    names = Names(writer.folder / FILE, **limits)
    return TitleSearch(names, variants, StringTable.of(titles), Aliases.none())


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> TitleSearch:
    return search_of(tmp_path_factory.mktemp("search") / "names", TITLES, REDIRECTS)


def test_beginnings_come_before_what_is_near(search: TitleSearch) -> None:
    # Who has begun to write "Theism" has not begun to write "Atheism".
    assert search.find("thei", 10) == [SearchHit(1, "Theism", "prefix")]
    assert search.find("theis", 10) == [SearchHit(1, "Theism", "prefix")]
    assert search.find("theism", 10) == [SearchHit(1, "Theism", "prefix"), SearchHit(0, "Atheism", "near")]
    assert search.find("theism", 1) == [SearchHit(1, "Theism", "prefix")]


def test_the_redirect_that_matched_is_named(search: TitleSearch) -> None:
    assert search.find("godl", 10) == [SearchHit(0, "Atheism", "prefix", "Godlessness")]
    assert search.find("godlesnes", 10) == [SearchHit(0, "Atheism", "near", "Godlessness")]
    assert search.find("athe", 10)[0] == SearchHit(0, "Atheism", "prefix")


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("Theims", "Theism"),
        ("rAtheism", "Atheism"),
        ("atheizm", "Atheism"),
        ("ahteizm", "Atheism"),
        ("arheis", "Atheism"),
        ("афниы", "Афины"),
        ("lodz", "Łódź"),
        ("100 & (somg", "100 % (song)"),
        ("tokio", "東京"),
        ("Iron man (2008 movie)", "Iron Man (2008 film)"),
    ],
)
def test_what_is_typed_wrongly_finds_what_was_meant(search: TitleSearch, typed: str, title: str) -> None:
    first = search.find(typed, 10)[0]
    assert (first.title, first.match) == (title, "near")


@pytest.mark.parametrize("typed", ["", "  ", "x", "zz", "\ud800", "%", "_", '"', "\x00", "東西", "zzzzzzzz"])
def test_what_is_near_nothing_finds_nothing(search: TitleSearch, typed: str) -> None:
    assert search.find(typed, 10) == []


def titles_found(search: TitleSearch | Resolver, typed: str) -> list[str]:
    found = search.find(typed, 10) if isinstance(search, TitleSearch) else search.search(typed, 10)
    return [hit.title for hit in found]


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> TitleSearch:
    titles = ("Dog", "Dogma", "Go", "Afghanistan", "1948 war", "Apollo 11", "Area 51", "Bologna", "ABA")
    return search_of(tmp_path_factory.mktemp("short") / "names", titles, {})


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        # Of three letters two neighbours may be exchanged, of a whole title; nothing else is near.
        ("Dgo", ["Dog"]),
        ("odg", ["Dog"]),
        ("dpg", []),
        ("baa", ["ABA"]),
        # Of six letters two may be wrong of a whole title, of nine of its beginning.
        ("asdfgh", []),
        ("bolpgma", ["Bologna"]),
        ("afggzni", []),
        ("afhganisfa", ["Afghanistan"]),
        # Other numbers are other things.
        ("1984", []),
        ("1948 wra", ["1948 war"]),
        ("apolo 11", ["Apollo 11"]),
        ("apollo 12", ["Apollo 11"]),  # as half of the words are the same
        ("area 52", ["Area 51"]),  # likewise
        ("arae 52", []),
        ("apolo", ["Apollo 11"]),
        # Few letters are no beginning with an error, but of whole words; nor is the first another.
        ("bolag", []),
        ("apola", []),
        ("zfgha", []),
        ("rea 51", ["Area 51"]),
    ],
)
def test_what_is_near_enough(short: TitleSearch, typed: str, titles: list[str]) -> None:
    assert titles_found(short, typed) == titles


@pytest.mark.parametrize(
    ("typed", "title"),
    [("Dgo", "Dog"), ("Cristianity", "Christianity"), ("Jzaz", "Jazz"), ("Athism", "Atheism")],
)
def test_the_starter_has_what_was_meant_first(typed: str, title: str) -> None:
    assert titles_found(Resolver.open(Snapshot.open(snapshot_path())), typed)[0] == title


def test_the_starter_has_nothing_where_nothing_is_near_enough() -> None:
    resolver = Resolver.open(Snapshot.open(snapshot_path()))
    assert titles_found(resolver, "asdfgh") == []
    assert all("1984" in title for title in titles_found(resolver, "1984"))


def test_titles_that_are_ambiguous_are_no_concepts(search: TitleSearch) -> None:
    assert all(found.redirect != "Atheist" for found in search.find("atheist", 10))


@pytest.mark.parametrize(
    ("typed", "never"),
    [
        ("covid", {"Ovid", "Corvidae"}),
        ("Hund", {"Hand", "Huns"}),  # a word in the starter, of another language
        ("tailor", {"Sailor"}),
        ("perro", {"Petroleum"}),
    ],
)
def test_a_word_that_is_only_spelt_alike_is_not_found(typed: str, never: set[str]) -> None:
    resolver = Resolver.open(Snapshot.open(snapshot_path()))
    assert never.isdisjoint((*titles_found(resolver, typed), *resolver.resolve(typed).suggestions))


def test_of_namesakes_the_best_known_comes_first() -> None:
    # More articles link to the programming language, and none that it links to.
    titles = titles_found(Resolver.open(Snapshot.open(snapshot_path())), "merc")
    mercuries = [title for title in titles if title.startswith("Mercury")]
    assert mercuries[0] == "Mercury (planet)"
    assert mercuries[-1] == "Mercury (programming language)"


@pytest.mark.parametrize("typed", ["Mer", "Merc", "Mercury", "Eris", "Jura", "Euro", "mercury (p"])
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 10])
def test_the_best_known_namesake_is_never_cut(typed: str, limit: int) -> None:
    resolver = Resolver.open(Snapshot.open(snapshot_path()))
    found = [hit.title for hit in resolver.search(typed, limit)]
    assert found == [hit.title for hit in resolver.search(typed, 60)[:limit]]
    assert all(fold(title).startswith(typed.lower()) for title in found if "(" in typed)


@settings(deadline=None, max_examples=300)
@given(st.text() | st.text("atheism (2008", max_size=300), st.integers(1, 50))
def test_any_text_is_answered(search: TitleSearch, text: str, limit: int) -> None:
    found = search.find(text, limit)
    assert len(found) <= limit
    assert len({each.concept for each in found}) == len(found)
    assert all(each.title == TITLES[each.concept] for each in found)
    matches = [each.match for each in found]
    assert matches == sorted(matches, key=["prefix", "words", "near"].index)
    for each in found:
        if each.match == "prefix":
            assert fold(each.redirect or each.title).startswith(fold(text[:255]))


def test_of_many_near_ones_the_most_linked_are_found(tmp_path: Path) -> None:
    """However few of those that begin so are read one by one."""
    titles = tuple(f"Title {number}" for number in range(300))
    found = search_of(tmp_path / "names", titles, {}, completions=7, popular=50).find("titel", 10)
    assert [each.title for each in found] == [f"Title {number}" for number in range(10)]


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("einstien", "Albert Einstein"),
        ("Shakespere", "William Shakespeare"),
        ("beethovn symphony", "Symphony No. 9 (Beethoven)"),
        ("leonardo da vinchi", "Leonardo da Vinci"),
    ],
)
def test_a_word_of_a_title_may_have_a_typing_error(typed: str, title: str) -> None:
    first = Resolver.open(Snapshot.open(snapshot_path())).search(typed, 5)[0]
    assert (first.title, first.match) == (title, "near")


def test_two_words_that_no_title_has_are_no_typing_error() -> None:
    titles = [
        hit.title for hit in Resolver.open(Snapshot.open(snapshot_path())).search("beethovn simphony", 5)
    ]
    assert "Symphony No. 9 (Beethoven)" not in titles


@pytest.mark.slow
@pytest.mark.parametrize(("errors", "floor"), [(1, 0.99), (2, 0.93)])
def test_the_starter_snapshot_forgives_typing_errors(errors: int, floor: float) -> None:
    """Of the titles that comparing with all of them would show among ten, this share is shown."""
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    snapshot = Snapshot.open(snapshot_path())
    resolver = Resolver.open(snapshot)
    titles = all_titles(snapshot.concept_titles)
    oracle = Titles([fold(title) for title in titles])
    in_links = snapshot.csr("in_links").sizes(range(snapshot.concepts))
    chance = random.Random(1)
    shown = meant = 0
    for concept in chance.sample(range(snapshot.concepts), 150):
        typed = fold(titles[concept])
        for _ in range(errors):
            typed = mistyped(typed, chance)
        distances = oracle.distances(typed)
        better = (distances < distances[concept]) | (
            (distances == distances[concept]) & (in_links > in_links[concept])
        )
        if len(typed) >= 6 and distances[concept] <= errors and better.sum() < 10:
            meant += 1
            shown += any(found.concept == concept for found in resolver.search(typed, 10))
    assert meant > 100
    assert shown / meant >= floor
