"""Concepts, redirects, links, categories and names, on a wiki small enough to see the answer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pyarrow.dataset as ds
import pytest

from building.engines.local import LocalRunner
from building.stage import Build
from building.stages import categories, concepts, links
from building.stages import names as naming
from snapshots.arrays import map_array, map_csr
from snapshots.settings import BuildSettings
from tests.support.building import ROOM
from tests.support.pages import page, write_pages
from wiki.siteinfo import Namespace, Siteinfo

SITEINFO = Siteinfo(
    "Toy",
    "toywiki",
    "en",
    "first-letter",
    (Namespace(0, ""), Namespace(10, "Template"), Namespace(14, "Category")),
)

ROWS = [
    page(40, "Sun", "Planet", "Planet|planets", "Sun", "Nowhere", "Erde", "Mercury"),
    page(30, "Earth", "Sun|the star",
         categories=["Planets", "Articles with dead links from May 2017", "Tidy"]),
    page(20, "Planet", "Sun", "Earth", "Tellus", categories=["Planets"]),
    page(10, "Mercury (planet)", "Sun", categories=["Planets", "Hidden by template"]),
    page(11, "Mercury (element)", categories=["Planets"]),
    page(12, "Mercury", "Mercury (element)", "Mercury (planet)|planet", disambiguation=True,
         paragraphs=["Mercury (element)", "planet near the Sun"],
         links=[{"target": "Mercury (element)", "anchor": "Mercury (element)", "paragraph": 0, "start": 0},
                {"target": "Mercury (planet)", "anchor": "planet", "paragraph": 1, "start": 0},
                {"target": "Sun", "anchor": "Sun", "paragraph": 1, "start": 16}]),
    page(13, "Venus", templates=["Local disambiguation"]),
    page(50, "Erde", redirect="Tellus"),
    page(51, "Tellus", redirect="Terra"),
    page(52, "Terra", redirect="Earth"),
    page(53, "Loop", redirect="Pool"),
    page(54, "Pool", redirect="Loop"),
    page(55, "Lost", redirect="Nowhere"),
    page(56, "Quicksilver?", redirect="Mercury"),
    page(57, "Self", redirect="Self"),
    page(58, "Planets redirect", redirect="Category:Planets"),
    page(60, "Template:Local disambiguation", disambiguation=True),
    page(61, "Template:Hides", hidden_category=True),
    page(70, "Category:Planets"),
    page(71, "Category:Tidy", hidden_category=True),
    page(72, "Category:Hidden by template", templates=["Hides"]),
    page(99, "Broken", problem="the text cannot be parsed"),
]  # fmt: skip


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    work = tmp_path_factory.mktemp("graph")
    write_pages(work, ROWS)
    with LocalRunner(1, ROOM, work / "scratch") as runner:
        dump: Any = SimpleNamespace(siteinfo=SITEINFO)
        build = Build(dump, work, runner, BuildSettings())
        for stage in (concepts, links, categories, naming):
            build.folder(stage.STAGE.name).mkdir()
            stage.STAGE.run(build)
    return build


def rows(build: Build, *path: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = ds.dataset(build.work.joinpath(*path)).to_table().to_pylist()
    return listed


TITLES = ["Mercury (planet)", "Mercury (element)", "Planet", "Earth", "Sun"]


def test_concepts_are_articles_by_page_id(build: Build) -> None:
    assert [row["title"] for row in rows(build, "concepts", "articles")] == TITLES
    assert map_array(build.folder("concepts") / "page_ids.npy").tolist() == [10, 11, 20, 30, 40]


def test_pages_that_were_not_understood_are_listed(build: Build) -> None:
    assert [row["title"] for row in rows(build, "concepts", "problems")] == ["Broken"]


def test_pages_are_counted_by_what_they_are(build: Build) -> None:
    assert msgspec.json.decode((build.folder("concepts") / "counts.json").read_bytes()) == {
        "problems": 1,
        "redirects": 9,
        "redirect_loops": 3,
        "redirects_dangling": 1,
        "disambiguations": 2,
    }


def test_redirects_are_followed_and_the_others_reported(build: Build) -> None:
    found = {row["title"]: (row["leads_to"], row["concept"]) for row in rows(build, "concepts", "redirects")}
    assert found == {
        "Erde": ("article", 3),
        "Tellus": ("article", 3),
        "Terra": ("article", 3),
        "Loop": ("loop", -1),
        "Pool": ("loop", -1),
        "Self": ("loop", -1),
        "Lost": ("dangling", -1),
        "Quicksilver?": ("disambiguation", -1),
        "Planets redirect": ("other namespace", -1),
    }


def test_names_lead_to_concepts(build: Build) -> None:
    names = {row["title"]: (row["kind"], row["concept"]) for row in rows(build, "concepts", "names")}
    assert names == {
        **{title: (0, concept) for concept, title in enumerate(TITLES)},
        **dict.fromkeys(("Erde", "Tellus", "Terra"), (1, 3)),
        **dict.fromkeys(("Mercury", "Venus", "Quicksilver?"), (2, -1)),
    }


def test_links_follow_redirects_and_count_once(build: Build) -> None:
    folder = build.folder("links")
    edges = {4: [2, 3], 3: [4], 2: [3, 4], 0: [4], 1: []}
    assert {source: map_csr(folder, "out_links").row(source).tolist() for source in range(5)} == edges
    reverse = {t: sorted(s for s in edges if t in edges[s]) for t in range(5)}
    assert {target: map_csr(folder, "in_links").row(target).tolist() for target in range(5)} == reverse
    assert {c: map_csr(folder, "links").row(c).tolist() for c in range(5)} == {
        c: sorted({*edges[c], *reverse[c]}) for c in range(5)
    }


def test_every_occurrence_of_a_link_is_kept(build: Build) -> None:
    found = sorted(
        (row["source"], row["target"], row["anchor"], row["start"])
        for row in rows(build, "links", "occurrences")
        if row["source"] == 4
    )
    assert found == [(4, 2, "Planet", 0), (4, 2, "planets", 7), (4, 3, "Erde", 27)]


def test_hidden_categories_are_marked_and_do_not_count(build: Build) -> None:
    hidden = {row["title"]: row["hidden"] for row in rows(build, "categories", "titles")}
    assert hidden == {
        "Planets": False,
        "Tidy": True,
        "Hidden by template": True,
        "Articles with dead links from May 2017": True,
    }
    table = map_csr(build.folder("categories"), "categories")
    planets = sorted(hidden).index("Planets")
    assert [table.row(c).tolist() for c in range(5)] == [[planets]] * 4 + [[]]


def test_ambiguous_titles_have_their_senses(build: Build) -> None:
    senses = {(row["title"], row["rank"]): row["concept"] for row in rows(build, "names", "senses")}
    assert senses == {
        ("Mercury", 0): 0,
        ("Mercury", 1): 1,
        ("Quicksilver?", 0): 0,
        ("Quicksilver?", 1): 1,
    }
