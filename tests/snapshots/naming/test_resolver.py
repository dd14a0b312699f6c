"""Resolving: titles as people write them, redirects, page ids, URLs; what is unknown or ambiguous."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text as sql
from sqlalchemy.exc import OperationalError

from building.names_writer import write_names
from building.writer import SnapshotWriter
from snapshots.errors import DamagedSnapshot, NotASnapshot
from snapshots.naming.name_queries import WALKED_DOWN
from snapshots.naming.names import ARTICLE, CATEGORIES, DISAMBIGUATION, FILE, REDIRECT, Names
from snapshots.naming.resolution import Resolution, WantedHelp
from snapshots.naming.resolver import CANDIDATES, Resolver
from snapshots.snapshot import Snapshot
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


def write(
    target: Path, more: Sequence[dict[str, Any]] = (), senses: Sequence[dict[str, Any]] = ()
) -> Snapshot:
    writer = SnapshotWriter(target)
    writer.array("page_ids", np.arange(10, 80, 10))
    writer.strings("concept_titles", TITLES)
    categories = [{"category": 0, "title": "Planets", "hidden": 0}]
    write_names(writer, lambda: [*NAMES, *more], lambda: [*SENSES, *senses], lambda: categories)
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
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return write(tmp_path_factory.mktemp("resolver") / "toy")


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
        ("https://toy.wikipedia.org/wiki/Atheism", 1, "title"),
        ("https://www.wikipedia.org/wiki/Atheism", 1, "title"),
        ("https://wikipedia.org/wiki/Atheism", 1, "title"),
        ("https://en.wikipedia.org/?curid=20", 1, "page_id"),
        (20, 1, "page_id"),
    ],
)
def test_found(resolver: Resolver, reference: str | int, concept: int, matched: str) -> None:
    page_id = 10 * concept + 10
    assert resolver.resolve(reference) == Resolution("ok", concept, TITLES[concept], page_id, matched)  # type: ignore[arg-type]


@pytest.mark.parametrize(("plural", "title"), [("Atheisms", "Atheism"), ("pokémons", "Pokémon")])
def test_the_plural_of_a_title_that_is_nothing_else(resolver: Resolver, plural: str, title: str) -> None:
    found = resolver.resolve(plural)
    assert (found.status, found.title, found.matched, found.alias) == ("ok", title, "alias", ("inflected",))
    assert resolver.search(plural)[0].title == title
    assert resolver.resolve(plural, aliases=False).status == "unknown"


def test_a_redirect_and_an_ambiguous_title_are_not_inflected(tmp_path: Path) -> None:
    more = [name("Atheisms", REDIRECT, 2), name("Polishes", DISAMBIGUATION, -1)]
    resolver = Resolver.open(write(tmp_path / "toy", more))
    assert resolver.resolve("Atheisms").title == "AC/DC"
    assert resolver.resolve("Polishes").status == "ambiguous"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Levi\u2019s", "Levi's"),
        ("LEVI\u02bcS", "Levi's"),
        ("Run-Dog", "Run\u2013Dog"),
        ("Run\u2014Dog", "Run\u2013Dog"),
        ("Jay\u2212Z", "Jay-Z"),
        ("Wall's end", "Wall\u2019s end"),
        ("St Ives", "St. Ives"),
        ("Mr. Bean", "Mr Bean"),
        ("the Levi\u2019s", "Levi's"),
    ],
)
def test_signs_that_are_printed_otherwise(tmp_path: Path, written: str, title: str) -> None:
    titles = ("Levi's", "Run\u2013Dog", "Jay-Z", "Wall\u2019s end", "St. Ives", "Mr Bean")
    more = [name(other, REDIRECT, concept) for concept, other in enumerate(titles)]
    resolver = Resolver.open(write(tmp_path / "toy", more))
    found = resolver.resolve(written)
    assert (found.status, found.title, found.matched) == ("ok", TITLES[titles.index(title)], "variant")
    needs_letters = written.startswith("the ")
    assert (resolver.resolve(written, aliases=False).status == "ok") != needs_letters


@pytest.mark.parametrize(
    "link", ["[[Atheism]]", " [[atheism|the godless]] ", "[[:Atheism]]", "[[Atheism#History|]]"]
)
def test_a_link_that_was_copied_from_an_article_names_what_it_leads_to(resolver: Resolver, link: str) -> None:
    found = resolver.resolve(link)
    assert (found.status, found.title, found.matched) == ("ok", "Atheism", "title")


def test_a_copied_link_of_no_article_is_named_without_its_brackets(resolver: Resolver) -> None:
    found = resolver.resolve("[[Athism|it]]")
    assert (found.status, found.title, found.suggestions) == ("unknown", "Athism", ("Atheism",))


def test_what_has_its_own_signs_is_no_other(tmp_path: Path) -> None:
    more = [name("A-B", REDIRECT, 1), name("A\u2013B", REDIRECT, 2), name("St X", REDIRECT, 0)]
    resolver = Resolver.open(write(tmp_path / "toy", [*more, name("St. X", REDIRECT, 5)]))
    titles = [resolver.resolve(written).title for written in ("A-B", "A\u2013B", "St X", "St. X")]
    assert titles == ["Atheism", "AC/DC", "Pokémon", "2001: A Space Odyssey"]


def test_ambiguous_titles_show_their_senses(resolver: Resolver) -> None:
    found = resolver.resolve("Mercury")
    assert (found.status, found.concept, found.candidates) == ("ambiguous", -1, ("Mercury (planet)", "AC/DC"))


def test_candidates_are_limited(tmp_path: Path) -> None:
    senses = [{"title": "Thing", "rank": rank, "concept": rank % 7} for rank in range(50)]
    found = Resolver.open(write(tmp_path / "toy", [name("Thing", DISAMBIGUATION, -1)], senses)).resolve(
        "Thing"
    )
    assert found.candidates == tuple(TITLES[rank % 7] for rank in range(CANDIDATES))


def test_unknown_titles_get_suggestions(resolver: Resolver) -> None:
    found = resolver.resolve("Athiesm")
    assert (found.status, found.title, found.suggestions) == ("unknown", "Athiesm", ("Atheism",))


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("x#", "X#"),
        ("x# ", "X#"),
        ("x# (language)", "X# (language)"),
        ("x_y##", "X y##"),
        ("x#History", "X"),
        ("x&#39;y", "X'y"),
        ("x#\ud800", "X"),
        (f"x#{'.' * 999}", f"X#{'.' * 255}"),
        ("https://en.wikipedia.org/wiki/x#", "X"),
    ],
)
def test_a_sign_that_begins_no_section_is_part_of_an_unknown_name(
    resolver: Resolver, asked: str, title: str
) -> None:
    found = resolver.resolve(asked)
    assert (found.status, found.title) == ("unknown", title)
    assert resolver.resolve("Atheism#").title == "Atheism"


@pytest.mark.parametrize("page_id", [0, -1, 15, 2**63, 2**70, -(2**70)])
def test_unknown_page_ids(resolver: Resolver, page_id: int) -> None:
    assert resolver.resolve(page_id) == Resolution("unknown")


@pytest.mark.parametrize(
    "reference", ["", "  ", "[x]", "[[]]", "[[a]] b", "a|b", "fr:Athéisme", "\ud800", "x" * 300]
)
def test_what_cannot_be_a_title_is_invalid(resolver: Resolver, reference: str) -> None:
    assert resolver.resolve(reference).status == "invalid"


def test_other_namespaces_are_no_concepts(resolver: Resolver) -> None:
    expected = Resolution("unknown", title="Category:Planets")
    assert resolver.resolve("Category:Planets") == expected
    assert resolver.resolve("https://en.wikipedia.org/wiki/category:Planets") == expected


@pytest.mark.parametrize("host", ["de.wikipedia.org", "fr.m.wikipedia.org", "simple.wikipedia.org"])
def test_an_address_on_another_wiki_names_no_concept_of_this_one(resolver: Resolver, host: str) -> None:
    assert resolver.resolve(f"https://{host}/wiki/Atheism") == Resolution("unknown")


@given(st.text())
def test_any_text_is_answered(resolver: Resolver, text: str) -> None:
    found = resolver.resolve(text)
    assert (found.status == "ok") == (found.concept >= 0)
    assert found.status != "ok" or found.title == TITLES[found.concept]


WRITTEN = st.builds(
    lambda title, change: change(title),
    st.sampled_from(TITLES),
    st.sampled_from(
        (
            *(str, str.lower, str.upper, quote),
            lambda title: title[0].lower() + title[1:],
            lambda title: title.replace(" ", "_"),
        )
    ),
)
"""Titles as people write them."""


@given(st.text(st.characters(exclude_categories=())) | WRITTEN | st.builds(str.__add__, WRITTEN, st.text()))
def test_a_title_that_needs_no_parsing_is_found_as_any_other(resolver: Resolver, text: str) -> None:
    assert resolver.resolve(text) == resolver._by_text(
        text, WantedHelp(suggestions=True, candidates=True, aliases=True)
    )


@given(st.sampled_from(TITLES))
def test_a_title_finds_itself(resolver: Resolver, title: str) -> None:
    # "polish" is "Polish" on a wiki that raises first letters.
    assert resolver.resolve(title).title == title[0].upper() + title[1:]


def test_many_are_resolved_as_one_is(resolver: Resolver) -> None:
    references: list[str | int] = ["Atheism", "nothing", 20, "Atheism", "Mercury"]
    found = resolver.resolve_many(references, suggest=9)
    assert found == [resolver.resolve(reference) for reference in references]


REFERENCES = (
    WRITTEN | st.sampled_from(["Godlessness", "Mercury", "nothing"]) | st.text() | st.integers(-10, 90)
)


@given(st.lists(REFERENCES | st.sampled_from([2**63, -(2**70)])))
def test_articles_are_found_together_as_each_by_itself(
    resolver: Resolver, references: list[str | int]
) -> None:
    alone = {reference: resolver.resolve(reference) for reference in references}
    together = resolver.articles.find([*references, None])
    assert together == {reference: alone[reference] for reference in together}
    ids = {reference for reference in references if isinstance(reference, int)}
    known = {page_id for page_id in ids if alone[page_id].status == "ok"}
    # An address has a slash, too.
    assert together.keys() >= known | set(TITLES).intersection(references) - {"AC/DC"}


@given(st.lists(st.lists(REFERENCES | st.sampled_from(TITLES), max_size=6), max_size=6))
def test_what_was_found_lately_is_found_again(
    snapshot: Snapshot, resolver: Resolver, requests: list[list[str | int]]
) -> None:
    forgetful = Resolver.open(snapshot, most_kept=3)
    for references in requests:
        found = forgetful.articles.find(references)
        assert found == {reference: resolver.resolve(reference) for reference in found}
        assert found == Resolver.open(snapshot, most_kept=0).articles.find(references)
        assert forgetful.kept <= 3
        if 0 < len(found) <= 3:
            assert forgetful.kept > 0


def test_only_the_first_unknown_titles_get_suggestions(resolver: Resolver) -> None:
    found = resolver.resolve_many(["Athiesm", "Atheism", "Athiesm", "Athisme", "Polih"], suggest=2)
    assert [bool(resolution.suggestions) for resolution in found] == [True, False, True, True, False]
    assert not any(resolution.suggestions for resolution in resolver.resolve_many(["Athiesm", "Polih"]))


def test_only_the_first_ambiguous_titles_get_candidates(resolver: Resolver) -> None:
    asked = ["Mercury", "Mercury#1", "Mercury", "Mercury#2"]
    found = resolver.resolve_many(asked, candidates=2)
    assert [bool(resolution.candidates) for resolution in found] == [True, True, True, False]
    assert all(resolution.candidates for resolution in resolver.resolve_many(asked))


def found(resolver: Resolver, text: str, limit: int = 10) -> list[str]:
    """The titles that match, redirects as they are."""
    return [each.redirect or each.title for each in resolver.search(text, limit) if each.match == "prefix"]


def test_search_finds_beginnings_most_linked_first(resolver: Resolver) -> None:
    assert found(resolver, "p") == ["Pokémon", "Polish", "polish"]
    assert found(resolver, "POKE") == ["Pokémon"]
    assert found(resolver, "god") == ["Godlessness", "GODLESSNESS!"]
    assert found(resolver, "p", limit=1) == ["Pokémon"]
    assert found(resolver, "") == found(resolver, "zzz") == []


@pytest.mark.parametrize(("few", "walked"), [(5, 5000), (5000, 5000), (107, 3)])
def test_many_redirects_hide_no_concept(tmp_path: Path, few: int, walked: int) -> None:
    """Whether a prefix has few names or many, and whether these are among the most linked."""
    more = [name(f"Poly {number}", REDIRECT, 1) for number in range(100)]
    names = Names(write(tmp_path / "toy", more).folder / FILE, few=few, walked=walked)
    for beginning, titles in (
        ("po", ["Poly 0", "Pokémon", "Polish", "polish"]),
        ("p", ["Poly 0", "Pokémon"]),
    ):
        assert [name.title for name in names.beginning_with(beginning, len(titles))] == titles


def test_a_prefix_of_many_names_reads_few_of_them(tmp_path: Path) -> None:
    """From the most linked name down, in the index: nothing is sorted, and only rows that match are read."""
    engine = Names(write(tmp_path / "toy").folder / FILE)._engine
    with engine.connect() as connection:
        bounds = {"first": "a", "last": "b", "walked": 9}
        plan = connection.execute(sql(f"EXPLAIN QUERY PLAN {WALKED_DOWN}"), bounds)
        assert [row.detail for row in plan] == [
            "CO-ROUTINE walked",
            "SCAN names USING COVERING INDEX names_by_links",
            "SCAN walked",
            "SEARCH names USING INTEGER PRIMARY KEY (rowid=?)",
        ]


@given(st.text())
def test_search_takes_any_text(resolver: Resolver, text: str) -> None:
    assert len(resolver.search(text)) <= 10


def test_redirects_and_categories_are_listed(snapshot: Snapshot) -> None:
    names = Names(snapshot.folder / FILE)
    assert names.redirects(0) == ["Pocket Monsters"]
    assert names.redirects(0, limit=0) == []
    assert (names.redirect_count(0), names.redirect_count(6)) == (1, 0)
    assert next(names.rows(CATEGORIES))["title"] == "Planets"


@pytest.mark.parametrize("folder", ["a#b", "a?b", "a%41b", "a b&c=d", "ä"])
def test_any_folder_can_hold_a_snapshot(tmp_path: Path, folder: str) -> None:
    resolver = Resolver.open(write(tmp_path / folder / "toy"))
    assert found(resolver, "god") == ["Godlessness", "GODLESSNESS!"]
    assert [path.name for path in tmp_path.iterdir()] == [folder]


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"no data base " * 1000])
def test_a_file_of_names_that_cannot_be_read_is_found_at_once(tmp_path: Path, content: bytes) -> None:
    snapshot = write(tmp_path / "toy")
    (snapshot.folder / FILE).write_bytes(content)
    with pytest.raises(DamagedSnapshot, match=FILE):
        Resolver.open(snapshot)


@pytest.mark.parametrize("siteinfo", [{}, SITEINFO.to_json() | {"namespaces": [{}]}, {"namespaces": 3}])
def test_a_manifest_that_does_not_describe_its_wiki(snapshot: Snapshot, siteinfo: dict[str, Any]) -> None:
    manifest = msgspec.structs.replace(snapshot.manifest, siteinfo=siteinfo)
    with pytest.raises(NotASnapshot, match="siteinfo"):
        Resolver.open(Snapshot(snapshot.folder, manifest))


def test_the_file_of_names_cannot_be_written(snapshot: Snapshot) -> None:
    engine = Names(snapshot.folder / FILE)._engine
    with engine.connect() as connection, pytest.raises(OperationalError):
        connection.execute(sql("DELETE FROM names"))
