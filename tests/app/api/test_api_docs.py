"""What is said about the interface is what it does: the OpenAPI document and the pages in ``docs/``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic_core import PydanticUndefined

from app.api.examples import EXAMPLES
from app.batch.files.formats import Format
from app.batch.results import ConceptRowScorer, TermRowScorer
from app.cli.score import score
from app.settings import Settings
from app.web.problems import KINDS
from tests.conftest import ROOT
from tests.support.served import serving, toy_app


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    app = toy_app(tmp_path_factory.mktemp("docs"), max_pairs=77, max_body=7777)
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def document(http: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = http.get("/openapi.json").json()
    return found


def stated(document: dict[str, Any], operation: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The responses of an operation, those too that the document has for several."""
    shared = document["components"]["responses"]
    return {
        status: shared[response["$ref"].rpartition("/")[2]] if "$ref" in response else response
        for status, response in operation["responses"].items()
    }


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def every(value: Any) -> Iterator[dict[str, Any]]:
    """Every object within a JSON value."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from every(inner)


def test_references_lead_somewhere(document: dict[str, Any]) -> None:
    references = {found["$ref"] for found in every(document) if "$ref" in found}
    there = {
        f"#/components/{kind}/{name}"
        for kind in ("schemas", "responses")
        for name in document["components"][kind]
    }
    assert references <= there
    assert len(there) > 10


def test_a_search_is_said_to_find_more_than_beginnings(document: dict[str, Any]) -> None:
    search = document["paths"]["/v1/concepts/search"]["get"]
    assert search["summary"] == "Find concepts by what was typed of their names"
    assert "has the words of `q`" in search["description"]


def test_everything_has_words(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        assert operation["summary"]
        for status, response in stated(document, operation).items():
            assert response["description"]
            # What is unchanged is not sent.
            assert status == "304" or "schema" in next(iter(response["content"].values()))
        for parameter in operation.get("parameters", ()):
            assert parameter["description"]
    for schema in document["components"]["schemas"].values():
        assert schema["description"]


def test_limits_are_stated(document: dict[str, Any]) -> None:
    operation = document["paths"]["/v1/relatedness"]["post"]
    assert "77 pairs and 7,777 bytes" in operation["description"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert {"properties": {"pairs": {"maxItems": 77}}} in schema["allOf"]


def test_every_example_runs(http: httpx.Client) -> None:
    for example in EXAMPLES.values():
        answer = http.post("/relatedness", json=example["value"])
        assert answer.status_code == 200
        assert len(answer.json()["results"]) == len(example["value"]["pairs"])


def text(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def test_every_route_is_documented(document: dict[str, Any]) -> None:
    documented = set(re.findall(r"^\| `(\w+ /\S*)` \|", text("api.md"), re.MULTILINE))
    assert documented == {f"{method} {path}" for method, path, _ in operations(document)}


def test_every_problem_is_documented() -> None:
    documented = re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \| (.+) \|$", text("api.md"), re.MULTILINE)
    assert documented == [(kind.name, str(kind.status), kind.occurs) for kind in KINDS]


def test_every_field_is_documented(document: dict[str, Any]) -> None:
    page = text("api.md")
    for name in (
        "RelatednessRequest",
        "Reference",
        "PairResult",
        "Resolved",
        "Side",
        "Alternative",
        "RelatednessResponse",
        "SnapshotInfo",
        "ModelInfo",
        "TermsRequest",
        "AskedTerms",
        "TermResult",
        "TermSide",
        "Sense",
        "AnnotateRequest",
        "TextAnnotation",
        "AnnotateResponse",
        "DocumentsRequest",
        "Match",
        "DocumentConcept",
        "DocumentSide",
        "DocumentsResponse",
        "SearchResponse",
        "FoundConcept",
        "ConceptDetails",
        "Redirects",
        "Degrees",
        "RelatedConcepts",
        "RelatedConcept",
        "NamedConcept",
        "ModelsResponse",
        "Served",
        "OfferedModel",
        "Interval",
        "ReleaseInfo",
        "Following",
        "Refused",
    ):
        schema = document["components"]["schemas"][name]
        for field in {field for part in every(schema) for field in part.get("properties", ())}:
            assert re.search(rf"[`\"]{field}[`\"]", page) or field == "explanation", f"{name}.{field}"


def test_every_setting_is_documented() -> None:
    expected = []
    for variable, field in zip(Settings.variables(), Settings.model_fields.values(), strict=True):
        default = "" if field.default in (None, PydanticUndefined) else f"`{field.default}` "
        about = " ".join((field.description or "").split())
        expected.append(f"| `{variable}` | {default}| {about} |")
    assert [line for line in text("settings.md").splitlines() if line.startswith("| `WORT_")] == expected


def test_the_commands_run_with_any_curl() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", text("api.md"), re.DOTALL)
    commands = [block for block in blocks if "curl" in block]
    assert len(commands) > 8
    for command in commands:
        # Only a curl of 2022 and later has --json; without it, a type has to be said.
        assert "--json" not in command
        assert ("-d '" in command) == ("-H 'Content-Type: application/json'" in command)


def test_every_option_of_score_is_documented() -> None:
    page = text("scoring-files.md")
    names = [
        name.replace("_", "-") for name in score.__annotations__ if name not in ("pairs", "form", "return")
    ]
    assert len(names) > 10
    for name in names:
        assert f"`--{'no-header' if name == 'header' else name}`" in page, name
    for column in (*ConceptRowScorer.columns, *TermRowScorer.columns):
        assert f"`{column}`" in page
    for form in Format:
        assert f"| `{form}` |" in page


def test_the_page_of_the_interface_needs_no_other_host() -> None:
    web = ROOT / "app" / "pages"
    ours: list[Path] = [*web.glob("templates/*"), *web.glob("static/*.*")]
    assert len(ours) >= 6
    for path in ours:
        loaded = re.findall(
            r"(?:src|href|url|fetch)\s*[=(:]\s*[\"'`]?(?:https?:)?//[^\s\"']+", path.read_text()
        )
        assert not loaded, path
