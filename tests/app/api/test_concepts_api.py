"""Concepts over HTTP: found, described, related."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring.concepts import Scorer
from app.scoring.details import article_url, details
from app.scoring.related import MOST
from app.service import create_app
from app.serving.starter import open_scorer, snapshot_path
from app.settings import Settings
from features.catalogue import FEATURES
from features.extract import extract
from tests.support.served import REDIRECTS, page_id, serving, toy_app, toy_scorer
from tests.wikis.toy import CATEGORIES, LINKS, TITLES
from wort.schemas.concepts import ConceptDetails, RelatedConcepts, SearchResponse


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        serving(toy_app(tmp_path_factory.mktemp("concepts"))) as address,
        httpx.Client(base_url=f"{address}/v1", timeout=60) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("details"))


def problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["type"].removeprefix("urn:wort:problem:")


def test_search(http: httpx.Client) -> None:
    def found(q: str, **options: int) -> list[tuple[str, str, str | None]]:
        answer = http.get("/concepts/search", params={"q": q, **options})
        concepts = msgspec.json.decode(answer.content, type=SearchResponse).concepts
        assert all(concept.page_id == page_id(concept.title) for concept in concepts)
        return [(concept.title, concept.match, concept.redirect) for concept in concepts]

    assert found("comp") == [
        ("Computer", "prefix", None),
        ("Computer mouse", "prefix", None),
        ("Computer keyboard", "prefix", None),
    ]
    assert found("comp", limit=1) == [("Computer", "prefix", None)]
    assert found("felis") == [("Cat", "prefix", "Felis catus")]
    assert found("conputer m")[0] == ("Computer mouse", "near", None)
    assert found("%") == found("") == found("q") == found("\x00") == []


@given(st.text(max_size=255), st.integers(1, 50))
def test_any_query_is_answered(http: httpx.Client, q: str, limit: int) -> None:
    answer = http.get("/concepts/search", params={"q": q, "limit": limit})
    assert answer.status_code == 200
    concepts = msgspec.json.decode(answer.content, type=SearchResponse).concepts
    assert len(concepts) <= limit
    assert all(concept.title in TITLES for concept in concepts)


@pytest.mark.parametrize("title", TITLES)
def test_one_concept(http: httpx.Client, title: str) -> None:
    answer = http.get(f"/concepts/{page_id(title)}")
    found = msgspec.json.decode(answer.content, type=ConceptDetails)
    assert (found.title, found.page_id) == (title, page_id(title))
    assert found.redirects.titles == sorted(name for name, to in REDIRECTS.items() if to == title)
    assert found.redirects.count == len(found.redirects.titles)
    assert set(found.categories) == CATEGORIES.get(title, set())
    outward = set(LINKS[title].split(", ")) if title in LINKS else set()
    inward = {source for source, targets in LINKS.items() if title in targets.split(", ")}
    assert found.degrees.out_links == len(outward - {title})
    assert found.degrees.in_links == len(inward - {title})
    assert found.degrees.links == len((outward | inward) - {title})
    assert list(found.evidence) == [feature.name for feature in FEATURES]
    assert found.evidence["CATEGORY"] == (title in CATEGORIES)
    assert found.snapshot.wiki == "smallwiki"


def test_a_feature_without_evidence_has_its_absent_value(toy: Scorer) -> None:
    """For every concept of the toy with every other one."""
    known = set()
    for concept in range(len(TITLES)):
        evidence = details(toy, concept).evidence
        others = [other for other in range(len(TITLES)) if other != concept]
        values = extract(toy.snapshot, [concept] * len(others), others)
        for column, feature in enumerate(FEATURES):
            if not evidence[feature.name]:
                assert (values[:, column] == feature.absent).all(), (TITLES[concept], feature.name)
            else:
                known.add(feature.name)
    assert known == {feature.name for feature in FEATURES}
    assert not any(details(toy, TITLES.index("Zyzzyva")).evidence[name] for name in ("MW", "ESA", "NPMI1_C"))


def test_related(http: httpx.Client) -> None:
    answer = http.get(f"/concepts/{page_id('Cat')}/related", params={"k": 5})
    found = msgspec.json.decode(answer.content, type=RelatedConcepts)
    assert (found.concept.title, len(found.related), found.candidates) == ("Cat", 5, len(TITLES) - 1)
    pairs = [{"left": "Cat", "right": one.page_id} for one in found.related]
    results = http.post("/relatedness", json={"pairs": pairs}).json()["results"]
    assert [one.score for one in found.related] == [result["score"] for result in results]
    assert [one.title for one in found.related] == [
        result["resolved"]["right"]["title"] for result in results
    ]
    least = found.related[2].score
    best = http.get(f"/concepts/{page_id('Cat')}/related", params={"k": 5, "min_score": least}).json()
    assert [one["page_id"] for one in best["related"]] == [one.page_id for one in found.related[:3]]


@pytest.mark.parametrize("path", ["/concepts", "/concepts/related"])
def test_a_title_that_names_no_single_concept_is_answered_with_what_may_be_meant(
    http: httpx.Client, path: str
) -> None:
    for title, kind, field in (
        ("Mouse", "ambiguous-title", "candidates"),
        ("Catt", "not-found", "suggestions"),
    ):
        answer = http.get(path, params={"title": title})
        assert problem(answer) == (404, kind)
        pair = {"pairs": [{"left": title, "right": "Cat"}]}
        (result,) = http.post("/relatedness", json=pair).json()["results"]
        assert answer.json()[field] == result["resolved"]["left"][field]
        assert {"candidates", "suggestions"} & set(answer.json()) == {field}
    unknown = http.get(path, params={"title": "Qqqqqqq"}).json()
    assert not {"candidates", "suggestions"} & set(unknown)


def test_related_of_a_category(http: httpx.Client) -> None:
    params = {"category": "Domestic animals"}
    found = http.get(f"/concepts/{page_id('Cat')}/related", params=params).json()
    assert [one["title"] for one in found["related"]] == ["Dog"]
    assert found["candidates"] == 1
    answer = http.get(f"/concepts/{page_id('Cat')}/related", params={"category": "Nothing"})
    assert problem(answer) == (404, "not-found")
    assert "Nothing" in answer.json()["detail"]
    assert "`GET /v1/concepts/{id}`" in answer.json()["detail"]


@pytest.mark.parametrize("number", ["101", "-1", "0", str(10**30), str(2**63)])
@pytest.mark.parametrize("path", ["", "/related"])
def test_no_concept_has_the_page_id(http: httpx.Client, number: str, path: str) -> None:
    answer = http.get(f"/concepts/{number}{path}")
    assert problem(answer) == (404, "not-found")
    assert number in answer.json()["detail"]
    assert "`GET /v1/concepts/search`" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/concepts/cat",
        "/concepts/1.5/related",
        "/concepts/search",
        "/concepts/search?q=a&limit=0",
        "/concepts/search?q=a&limit=51",
        f"/concepts/search?q={'a' * 256}",
        "/concepts/100/related?k=0",
        f"/concepts/100/related?k={MOST + 1}",
        "/concepts/100/related?min_score=nan",
        "/concepts/100/related?min_score=1.1",
        "/concepts/100/related?min_score=-1",
    ],
)
def test_what_is_asked_wrongly(http: httpx.Client, path: str) -> None:
    assert problem(http.get(path)) == (422, "invalid-request")


@pytest.mark.parametrize("path", ["/concepts/search?q=c", "/concepts/100", "/concepts/100/related?k=2"])
def test_an_answer_that_the_client_has_is_not_sent_again(http: httpx.Client, path: str) -> None:
    first = http.get(path)
    again = http.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    other = http.get(path, headers={"If-None-Match": '"another"'})
    assert (other.status_code, other.content) == (200, first.content)


@pytest.mark.parametrize(
    "path", ["/concepts/101", "/concepts/101/related", "/concepts/100/related?category=x"]
)
def test_nothing_is_kept_of_what_there_is_not(http: httpx.Client, path: str) -> None:
    answer = http.get(f"/concepts{path}", headers={"If-None-Match": "*"})
    assert problem(answer) == (404, "not-found")


def test_where_articles_stand(toy: Scorer) -> None:
    def url(wiki: str, title: str, language: str = "en") -> str | None:
        of_wiki = msgspec.structs.replace(toy.snapshot_info, wiki=wiki, language=language)
        return article_url(of_wiki, title)

    assert url("enwiki", "AC/DC (a?#%)") == "https://en.wikipedia.org/wiki/AC/DC_(a%3F%23%25)"
    of_taiwan = url("zh_min_nanwiki", "Tâi-oân", "nan")
    assert of_taiwan == "https://zh-min-nan.wikipedia.org/wiki/T%C3%A2i-o%C3%A2n"
    assert url("roa_tarawiki", "a", "roa-tara") == "https://roa-tara.wikipedia.org/wiki/a"
    assert url("simplewiki", "a") == "https://simple.wikipedia.org/wiki/a"
    assert url("enwiktionary", "a") is url("wiki", "a") is url("a.bwiki", "a") is None


@pytest.mark.parametrize("wiki", ["my_wiki", "companywiki", "commonswiki", "dewiki"])
def test_no_address_is_made_up_for_other_wikis(toy: Scorer, wiki: str) -> None:
    # What is called as no language is, or as another one, is somebody's own.
    assert article_url(msgspec.structs.replace(toy.snapshot_info, wiki=wiki, language="en"), "Cat") is None


def test_the_starter_snapshot_answers() -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    with (
        serving(create_app(Settings(), open_scorer(None, None, strict=True))) as address,
        httpx.Client(base_url=f"{address}/v1", timeout=60) as http,
    ):
        (first, *_) = http.get("/concepts/search", params={"q": "Atheizm"}).json()["concepts"]
        assert (first["title"], first["match"]) == ("Atheism", "near")
        described: dict[str, Any] = http.get("/concepts", params={"title": first["title"]}).json()
        assert described["url"] == "https://en.wikipedia.org/wiki/Atheism"
        assert described["degrees"]["links"] > 0
        assert all(described["evidence"][name] for name in ("ESA", "MW", "PMI1", "W2V", "TFIDF-CS"))
        near = {"title": first["title"], "k": 10}
        found = http.get("/concepts/related", params=near).json()["related"]
        assert {"Religion", "God", "Agnosticism", "Theism"} & {one["title"] for one in found}
        scores = [one["score"] for one in found]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= one["percentiles"]["random"] <= 100 for one in found)


@pytest.mark.parametrize("path", ["/concepts", "/concepts/related"])
def test_a_title_that_is_empty_or_means_several_things(http: httpx.Client, path: str) -> None:
    told = http.get(path, params={"title": "Mouse"})
    assert told.status_code == 404
    assert told.json()["title"] == "The title names no concept by itself"
    assert told.json()["detail"].endswith("Ask again with one of these titles.")
    for empty in ("", " "):
        told = http.get(path, params={"title": empty})
        assert told.status_code == 422
        assert told.json()["detail"].startswith("The title is empty.")
    told = http.get(path, params={"title": "Qqqq"})
    assert (told.status_code, told.json()["title"]) == (404, "There is nothing here")
