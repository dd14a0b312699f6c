"""What the OpenAPI document says of the interface as a whole, and of every operation alike."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from typing import Any

import pytest

from app.api.concepts import RELATED
from app.api.examples import ANSWERS
from app.web.middleware.authority import is_open
from tests.app.api.test_api_docs import operations, stated
from tests.support.served import toy_app


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return toy_app(tmp_path_factory.mktemp("openapi")).openapi()


def test_what_it_is_the_document_of(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == version("wort-server")
    assert document["info"]["license"]["identifier"] == "Apache-2.0"
    # Relative, so that it holds behind any prefix.
    assert [server["url"] for server in document["servers"]] == ["./"]


def test_operations_have_names_that_code_can_have(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(names)) == len(names)
    for name in names:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", name), name
        assert not re.search(r"_v\d", name)


def test_groups_are_described_and_used(document: dict[str, Any]) -> None:
    described = {tag["name"]: tag["description"] for tag in document["tags"]}
    used = {tag for _, _, operation in operations(document) for tag in operation["tags"]}
    assert used == set(described)
    assert all(described.values())


def test_every_answer_that_an_operation_may_have_is_declared(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        responses = operation["responses"]
        expected = set() if is_open(path) else {"401", "403", "429", "503"}
        if "requestBody" in operation:
            expected |= {"400", "408", "413", "415"}
        if operation.get("parameters"):
            expected |= {"422"}
        assert expected <= set(responses), f"{method} {path}"
        assert "500" not in responses
        for status, response in stated(document, operation).items():
            assert "X-Request-ID" in response["headers"]
            assert ("Retry-After" in response["headers"]) == (status in ("429", "503"))
            # Said once, however many parts of the service add it.
            sentences = re.split(r"(?<=\.) (?=[A-Z])", response["description"])
            assert len(set(sentences)) == len(sentences), response["description"]


def test_what_operations_answer_alike_stands_once(document: dict[str, Any]) -> None:
    problems = [
        json.dumps([status, response], sort_keys=True)
        for _, _, operation in operations(document)
        for status, response in operation["responses"].items()
        if "application/problem+json" in response.get("content", {})
    ]
    shared = document["components"]["responses"]
    problems += [json.dumps([name[7:10], response], sort_keys=True) for name, response in shared.items()]
    assert len(set(problems)) == len(problems)
    named = [
        response["$ref"].rpartition("/")[2]
        for _, _, operation in operations(document)
        for response in operation["responses"].values()
        if "$ref" in response
    ]
    assert all(named.count(name) > 1 for name in shared)


def test_every_body_has_an_example(document: dict[str, Any]) -> None:
    bodies = [
        operation["requestBody"] for _, _, operation in operations(document) if "requestBody" in operation
    ]
    assert len(bodies) >= 7
    for body in bodies:
        for media_type in body["content"].values():
            # Bytes cannot be written in the document.
            binary = media_type["schema"].get("format") == "binary"
            assert binary or media_type.get("examples") or media_type.get("example")


def test_what_is_tried_first_can_be_tried(document: dict[str, Any]) -> None:
    related = document["paths"]["/v1/concepts/{id}/related"]["get"]
    (page_id,) = (each for each in related["parameters"] if each["in"] == "path")
    assert page_id["schema"]["example"] == 25414
    for operation, examples in (
        (related, RELATED),
        (document["paths"]["/v1/relatedness"]["post"], ANSWERS),
    ):
        shown = operation["responses"]["200"]["content"]["application/json"]["examples"]
        assert shown == examples


def test_a_reference_is_one_of_three_and_a_matrix_one_of_two(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    required = [variant["required"] for variant in schemas["Reference"]["oneOf"]]
    assert required == [["id"], ["title"], ["mention"]]
    required = [variant["required"] for variant in schemas["MatrixRequest"]["oneOf"]]
    assert required == [["concepts"], ["rows", "columns"]]


def test_what_may_be_kept_says_so(document: dict[str, Any]) -> None:
    kept = {path for method, path, operation in operations(document) if "304" in operation["responses"]}
    assert kept == {"/v1/snapshot", *(path for path in document["paths"] if path.startswith("/v1/concepts"))}
