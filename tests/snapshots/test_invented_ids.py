"""Page ids that a dump made up are neither shown nor accepted, and its works are named wherever it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import numpy as np
import pyarrow.parquet as pq
import pytest
from mcp.server.mcpserver.exceptions import ToolError
from typer.testing import CliRunner

import wort
from app.assistant.tools import Tools
from app.cli import command_line
from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.source import Source
from app.settings import Settings
from building.excerpt import ExcerptSettings, write_excerpt
from snapshots.naming.resolver import Resolver
from snapshots.page_ids import PageIds
from snapshots.snapshot import Snapshot
from tests.conftest import ROOT
from tests.support.dumps import write_dump
from tests.support.served import page_id, served_snapshot, serving, toy_model
from tests.support.shipped import SHIPPED
from tests.wikis.toy import TITLES
from wiki.page import RawPage

FROM = page_id("Dog")
"""All but the toy's first article have an id that is made up."""

WORKS = ["Toy Wikipedia (May 2015)", "The Toy Selection (2007)"]
ATTRIBUTION = f"Computed from {'; '.join(WORKS)}."


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("invented")
    facts: dict[str, Any] = {"invented_ids_from": FROM, "works": WORKS, "attribution": ATTRIBUTION}
    snapshot = served_snapshot(folder / "snapshot", **facts)
    return snapshot, toy_model(folder / "model.json", Snapshot.open(snapshot).id)


@pytest.fixture(scope="module")
def scorer(files: tuple[Path, Path]) -> Scorer:
    return Scorer.open(*files)


@pytest.fixture(scope="module")
def address(scorer: Scorer) -> Iterator[str]:
    with serving(create_app(Settings(), scorer)) as address:
        yield address


def shown(answer: Any) -> dict[str, set[int | None]]:
    """Every title of an answer that has a page id beside it, and which."""
    found: dict[str, set[int | None]] = {}
    for part in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
        for title, ids in shown(part).items():
            found.setdefault(title, set()).update(ids)
    if isinstance(answer, dict) and "page_id" in answer and answer["title"] in TITLES:
        found.setdefault(answer["title"], set()).add(answer["page_id"])
    return found


PAIRS = {"pairs": [{"left": "Cat", "right": "Dog"}, {"left": "Mouse", "right": "Computer"}]}
QUESTIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "pairs": ("POST", "relatedness", {**PAIRS, "explain": True, "ambiguous": "resolve"}),
    "matrix": ("POST", "relatedness/matrix", {"concepts": ["Cat", "Dog", "Pet"]}),
    "search": ("GET", "concepts/search", {"q": "Do"}),
    "concept": ("GET", "concepts", {"title": "Dog"}),
    "related": ("GET", "concepts/related", {"title": "Dog", "k": 5}),
    "related by id": ("GET", f"concepts/{page_id('Cat')}/related", {"k": 5}),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_id_that_is_made_up_is_never_shown(address: str, question: str) -> None:
    method, path, asked = QUESTIONS[question]
    how = {"params": asked} if method == "GET" else {"json": asked}
    answer = httpx.request(method, f"{address}/v1/{path}", timeout=60, **how)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    found = shown(answer.json())
    assert set(found) - {"Cat"}
    for title, ids in found.items():
        assert ids == {page_id("Cat") if title == "Cat" else None}, title


def test_an_id_that_is_made_up_is_not_accepted(address: str, scorer: Scorer) -> None:
    made_up = page_id("Dog")
    for path in (f"concepts/{made_up}", f"concepts/{made_up}/related"):
        answer = httpx.get(f"{address}/v1/{path}")
        assert answer.status_code == 404
        assert answer.json()["type"] == "urn:wort:problem:not-found"
    for reference in (made_up, f"https://en.wikipedia.org/w/index.php?curid={made_up}"):
        (result,) = scorer.score([("Cat", reference)])
        assert (result.status, result.resolved.right.title) == ("unknown", None)
    assert scorer.resolver.resolve(page_id("Cat")).title == "Cat"


@pytest.mark.parametrize("written", ["Felis catus", "cat", "https://en.wikipedia.org/wiki/Cat", "Cat"])
def test_the_routes_of_titles_answer_as_those_of_ids(address: str, written: str) -> None:
    for rest in ("", "/related"):
        by_id = httpx.get(f"{address}/v1/concepts/{page_id('Cat')}{rest}")
        by_title = httpx.get(f"{address}/v1/concepts{rest}", params={"title": written})
        assert by_title.status_code == 200
        assert by_title.content == by_id.content
        again = {"If-None-Match": by_title.headers["ETag"]}
        assert httpx.get(by_title.url, headers=again).status_code == 304


@pytest.mark.parametrize(
    ("title", "told"),
    [("Dogg", "has the title 'Dogg'"), ("Mouse", "House mouse; Computer mouse"), ("<", "the title '<'")],
)
def test_a_title_of_no_concept_is_not_found(address: str, title: str, told: str) -> None:
    for path in ("concepts", "concepts/related"):
        answer = httpx.get(f"{address}/v1/{path}", params={"title": title})
        assert answer.status_code == 404
        assert told in answer.json()["detail"]
    assert httpx.get(f"{address}/v1/concepts").status_code == 422


def test_the_client_asks_by_title_where_there_is_no_id(address: str) -> None:
    with wort.Client(address) as client:
        about = client.concept("dog")
        assert (about.title, about.page_id) == ("Dog", None)
        found = client.related("Dog", 3)
        assert found.concept.page_id is None
        assert len(found.related) == 3
        with pytest.raises(wort.NotFound):
            client.related(page_id("Dog"))
        with pytest.raises(wort.Unresolved):
            client.concept("Mouse")
        assert client.snapshot().works == tuple(WORKS)


def test_assistants_are_told_of_no_such_id(scorer: Scorer) -> None:
    source = SimpleNamespace(current=SimpleNamespace(scorer=scorer))
    tools = Tools(cast(Source, source))
    for answer in (tools.relatedness("Cat", "Dog"), tools.related("Dog"), tools.search("Do")):
        said = answer.structured_content
        assert said is not None
        assert all(ids <= {None, page_id("Cat")} for ids in shown(said).values())
        assert all(work in said["snapshot"] for work in WORKS)
    with pytest.raises(ToolError, match="no concept"):
        tools.related(page_id("Dog"))


def test_pages_name_the_works(address: str) -> None:
    for path in ("", "?left=Cat&right=Dog", "explore?concept=Dog", "files", "releases"):
        page = httpx.get(f"{address}/{path}")
        assert page.status_code == 200
        assert all(work in page.text for work in WORKS), path
    assert "Cat" in httpx.get(f"{address}/explore?concept=Dog").text


def test_scored_files_name_the_works(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(f"left,right\nCat,Dog\nCat,{page_id('Dog')}\n")
    output = tmp_path / "scored.parquet"
    named = ["--snapshot", str(files[0]), "--model", str(files[1])]
    done = CliRunner().invoke(
        command_line(["score"]), ["score", str(tmp_path / "pairs.csv"), "-o", str(output), *named]
    )
    assert done.exit_code == 0, done.output
    assert ATTRIBUTION in done.stderr
    table = pq.read_table(output)
    said = json.loads(table.schema.metadata[b"wort"])
    assert said["snapshot"]["works"] == WORKS
    assert said["snapshot"]["attribution"] == ATTRIBUTION
    assert said["model"]["name"] == "toy"
    assert table["status"].to_pylist() == ["ok", "unknown"]


@pytest.mark.slow
def test_a_build_is_told_of_them(tmp_path: Path) -> None:
    """And an id is in no table but that of page ids: the tables are the same without a word of it."""
    text = "Of [[Thing 5]] and [[Thing 8]]."
    pages = [RawPage(number, 0, f"Thing {number}", None, text) for number in range(5, 9)]
    dump = write_dump(tmp_path / "toywiki-20200203-pages-articles.xml", pages)
    told = ["--invented-ids-from", "7", "--made-of", WORKS[0], "--made-of", WORKS[1]]
    manifests = {}
    for name, options in (("told", told), ("plain", [])):
        command = ["build", str(dump), "-o", str(tmp_path / name), "--without", "word2vec", "--quiet"]
        done = CliRunner().invoke(command_line(["build"]), [*command, *options])
        assert done.exit_code == 0, done.output
        manifests[name] = Snapshot.open(tmp_path / name).manifest
    built, plain = manifests["told"], manifests["plain"]
    assert (built.works, built.invented_ids_from, built.counts["invented_ids"]) == (WORKS, 7, 2)
    assert (plain.works, plain.invented_ids_from, plain.counts["invented_ids"]) == ([], None, 0)
    assert built.attribution.startswith(f"Computed from {WORKS[0]}; {WORKS[1]}. The texts are by")
    assert plain.attribution.startswith("Computed from the enwiki dump of 2020-02-03")
    assert built.files == plain.files


def test_an_excerpt_keeps_and_counts_them(files: tuple[Path, Path], tmp_path: Path) -> None:
    parent = Snapshot.open(files[0])
    small = write_excerpt(parent, tmp_path / "small", np.array([0, 2, 5]), ExcerptSettings())
    manifest = small.manifest
    assert (manifest.invented_ids_from, manifest.counts["invented_ids"]) == (FROM, 2)
    assert (manifest.works, manifest.attribution) == (WORKS, ATTRIBUTION)
    assert [small.page_ids[concept] for concept in range(3)] == [page_id("Cat"), None, None]


@pytest.mark.parametrize("end", [None, 0, 5, 6, 1000, 2**62])
def test_page_ids(end: int | None) -> None:
    ids = np.array([5, 7, 900])
    known = PageIds(ids, end)
    for concept, number in enumerate(ids.tolist()):
        there = end is None or number < end
        assert known[concept] == (number if there else None)
        assert known.concept(number) == (concept if there else -1)
    assert known.invented == sum(known[concept] is None for concept in range(3))
    others = [-1, 0, 6, 901, 2**63, -(2**70)]
    assert {known.concept(number) for number in others} == {-1}
    asked = [*ids.tolist(), *others]
    assert known.concepts(asked) == [known.concept(number) for number in asked]


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_a_shipped_snapshot_names_what_the_notice_does(folder: Path) -> None:
    """And no concept of it is known by an id that its dump made up."""
    snapshot = Snapshot.open(folder)
    notice = " ".join((ROOT / "NOTICE").read_text().split())
    for source in ("English Wikipedia", "Simple English Wikipedia", "Wikispeedia"):
        assert source in notice
        assert any(source in work for work in snapshot.manifest.works)
        assert source in snapshot.manifest.attribution
    assert snapshot.manifest.counts["invented_ids"] == snapshot.page_ids.invented > 0
    resolver = Resolver.open(snapshot)
    for concept in (snapshot.concepts - snapshot.page_ids.invented, snapshot.concepts - 1):
        assert resolver.resolve(int(snapshot.array("page_ids")[concept])).status == "unknown"
        found = resolver.resolve(snapshot.concept_titles[concept])
        assert (found.concept, found.page_id) == (concept, None)
