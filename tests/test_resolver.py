"""Resolving: titles as people write them, redirects, page ids, URLs; what is unknown or ambiguous."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.names import ARTICLE, DISAMBIGUATION, FILE, REDIRECT, Names
from tables.names_writer import write_names
from tables.resolver import Resolution, Resolver
from tables.snapshot import Snapshot, SnapshotWriter
from wiki.siteinfo import Namespace, Siteinfo

SITEINFO = Siteinfo("Toy", "toywiki", "en", "first-letter", (Namespace(0, ""), Namespace(14, "Category")))
TITLES = ["Pokémon", "Atheism", "AC/DC", "Polish", "polish", "2001: A Space Odyssey", "Mercury (planet)"]
IN_LINKS = [5, 9, 3, 2, 1, 4, 7]


def name(title: str, kind: int, concept: int) -> dict[str, Any]:
    return {"title": title, "kind": kind, "concept": concept, "in_links": max(0, IN_LINKS[concept])}


NAMES = [
    *(name(title, ARTICLE, concept) for concept, title in enumerate(TITLES)),
    name("Pocket Monsters", REDIRECT, 0),
    name("Godlessness", REDIRECT, 1),
    name("GODLESSNESS!", REDIRECT, 2),
    name("Mercury", DISAMBIGUATION, -1),
]
SENSES = [
    {"title": "Mercury", "rank": 1, "concept": 2},
    {"title": "Mercury", "rank": 0, "concept": 6},
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    writer = SnapshotWriter(tmp_path_factory.mktemp("resolver") / "toy")
    writer.array("page_ids", np.arange(10, 80, 10))
    writer.strings("concept_titles", TITLES)
    categories = [{"category": 0, "title": "Planets", "hidden": 0}]
    write_names(writer, lambda: NAMES, lambda: SENSES, lambda: categories)
    counts = {"concepts": 7, "universe": 7, "sentences": 0, "paragraphs": 0}
    return writer.finish(
        lambda digest: {
            "id": digest,
            "wiki": "toywiki",
            "language": "en",
            "dump_date": "",
            "siteinfo": SITEINFO.to_json(),
            "sources": [],
            "settings": {},
            "counts": counts,
            "licence": "",
            "attribution": "",
        }
    )


@pytest.fixture(scope="module")
def resolver(snapshot: Snapshot) -> Resolver:
    return Resolver.open(snapshot)


@pytest.mark.parametrize(
    ("reference", "concept", "matched"),
    [
        ("Atheism", 1, "title"),
        ("atheism", 1, "title"),
        (" _Atheism__ ", 1, "title"),
        ("Atheism#History", 1, "title"),
        (":Atheism", 1, "title"),
        ("ATHEISM", 1, "variant"),
        ("pokemon", 0, "variant"),
        ("Poke\u0301mon", 0, "title"),
        ("pocket monsters", 0, "variant"),
        ("Pocket monsters", 0, "variant"),
        ("Pocket Monsters", 0, "redirect"),
        ("AC/DC", 2, "title"),
        ("2001: A Space Odyssey", 5, "title"),
        ("https://en.wikipedia.org/wiki/AC/DC", 2, "title"),
        ("https://en.m.wikipedia.org/wiki/Pok%C3%A9mon#Games", 0, "title"),
        ("en.wikipedia.org/w/index.php?title=Godlessness", 1, "redirect"),
        (20, 1, "page_id"),
    ],
)
def test_found(resolver: Resolver, reference: str | int, concept: int, matched: str) -> None:
    page_id = 10 * concept + 10
    assert resolver.resolve(reference) == Resolution("ok", concept, TITLES[concept], page_id, matched)  # type: ignore[arg-type]


def test_ambiguous_titles_show_their_senses(resolver: Resolver) -> None:
    found = resolver.resolve("Mercury")
    assert (found.status, found.concept, found.candidates) == ("ambiguous", -1, ("Mercury (planet)", "AC/DC"))


def test_unknown_titles_get_suggestions(resolver: Resolver) -> None:
    found = resolver.resolve("Athiesm")
    assert (found.status, found.title, found.suggestions) == ("unknown", "Athiesm", ("Atheism",))


@pytest.mark.parametrize("page_id", [0, -1, 15, 2**63, 2**70, -(2**70)])
def test_unknown_page_ids(resolver: Resolver, page_id: int) -> None:
    assert resolver.resolve(page_id) == Resolution("unknown")


@pytest.mark.parametrize("reference", ["", "  ", "[[x]]", "a|b", "fr:Athéisme", "\ud800", "x" * 300])
def test_what_cannot_be_a_title_is_invalid(resolver: Resolver, reference: str) -> None:
    assert resolver.resolve(reference).status == "invalid"


def test_other_namespaces_are_no_concepts(resolver: Resolver) -> None:
    assert resolver.resolve("Category:Planets") == Resolution("unknown", title="Category:Planets")


@given(st.text())
def test_any_text_is_answered(resolver: Resolver, text: str) -> None:
    found = resolver.resolve(text)
    assert (found.status == "ok") == (found.concept >= 0)
    assert found.status != "ok" or found.title == TITLES[found.concept]


@given(st.sampled_from(TITLES))
def test_a_title_finds_itself(resolver: Resolver, title: str) -> None:
    # "polish" is "Polish" on a wiki that raises first letters.
    assert resolver.resolve(title).title == title[0].upper() + title[1:]


def test_many_are_resolved_as_one_is(resolver: Resolver) -> None:
    references: list[str | int] = ["Atheism", "nothing", 20, "Atheism", "Mercury"]
    found = resolver.resolve_many(references, suggest=9)
    assert found == [resolver.resolve(reference) for reference in references]


def test_only_the_first_unknown_titles_get_suggestions(resolver: Resolver) -> None:
    found = resolver.resolve_many(["Athiesm", "Atheism", "Athiesm", "Athisme", "Polih"], suggest=2)
    assert [bool(resolution.suggestions) for resolution in found] == [True, False, True, True, False]
    assert not any(resolution.suggestions for resolution in resolver.resolve_many(["Athiesm", "Polih"]))


def test_search_finds_beginnings_most_linked_first(resolver: Resolver) -> None:
    assert resolver.search("p") == ["Pokémon", "Polish", "polish"]
    assert resolver.search("POKE") == ["Pokémon"]
    assert resolver.search("god") == ["Godlessness", "GODLESSNESS!"]
    assert resolver.search("p", limit=1) == ["Pokémon"]
    assert resolver.search("") == resolver.search("zzz") == []


@given(st.text())
def test_search_takes_any_text(resolver: Resolver, text: str) -> None:
    assert len(resolver.search(text)) <= 10


def test_redirects_and_categories_are_listed(snapshot: Snapshot) -> None:
    names = Names(snapshot.folder / FILE)
    assert names.redirects(0) == ["Pocket Monsters"]
    assert names.category_titles([0]) == ["Planets"]


def test_the_file_of_names_cannot_be_written(snapshot: Snapshot) -> None:
    from sqlalchemy import text
    from sqlalchemy.exc import OperationalError

    engine = Names(snapshot.folder / FILE)._engine
    with engine.connect() as connection, pytest.raises(OperationalError):
        connection.execute(text("DELETE FROM names"))
