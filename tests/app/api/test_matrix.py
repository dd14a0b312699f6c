"""What ``POST /relatedness/matrix`` answers: the scores of the pairs, all at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api import matrix
from app.scoring.batches import BatchSizes
from app.service import create_app
from app.serving.starter import open_scorer, snapshot_path
from app.settings import Settings
from snapshots.snapshot import Snapshot
from tests.support.served import page_id, serving, toy_app, toy_scorer
from tests.wikis.toy import TITLES
from wort.schemas.matrix import MatrixResponse

ASKED: tuple[Any, ...] = (*TITLES, "Felis catus", {"title": "mus"}, 100, {"id": 107}, "Mouse", "Catt", "")
_STARTER = Snapshot.open(snapshot_path())
KNOWN = [known for row in range(_STARTER.concepts) if (known := _STARTER.page_ids[row]) is not None]
"""The page ids of the starter."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return toy_app(tmp_path_factory.mktemp("matrix"), max_pairs=400)


@pytest.fixture(scope="module")
def http(toy: FastAPI) -> Iterator[httpx.Client]:
    with serving(toy) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def starter() -> Iterator[httpx.Client]:
    with (
        serving(create_app(Settings(), open_scorer(None, None))) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def ask(http: httpx.Client, **body: Any) -> dict[str, Any]:
    response = http.post("/v1/relatedness/matrix", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(answer, MatrixResponse))) == answer
    return answer


def pairs(http: httpx.Client, rows: Sequence[Any], columns: Sequence[Any]) -> list[list[float | None]]:
    """The same scores from the endpoint of pairs."""
    asked = [{"left": left, "right": right} for left, right in product(rows, columns)]
    found: list[float | None] = []
    for start in range(0, len(asked), 400):
        answer = http.post("/v1/relatedness", json={"pairs": asked[start : start + 400]})
        found += [result["score"] for result in answer.json()["results"]]
    return [found[row * len(columns) : (row + 1) * len(columns)] for row in range(len(rows))]


def test_a_square_is_the_scores_of_its_pairs(http: httpx.Client) -> None:
    answer = ask(http, concepts=ASKED)
    assert answer["scores"] == pairs(http, ASKED, ASKED)
    assert answer["scores"] == [list(column) for column in zip(*answer["scores"], strict=True)]
    diagonal = [row[place] for place, row in enumerate(answer["scores"])]
    assert diagonal == [1.0] * (len(ASKED) - 3) + [None] * 3
    assert answer["scores"][0][TITLES.index("Dog")] not in (None, 0.0, 1.0)
    assert {"rows", "columns"}.isdisjoint(answer)


def test_a_rectangle_is_the_scores_of_its_pairs(http: httpx.Client) -> None:
    rows, columns = ASKED[:3] + ASKED[-4:], ASKED[2:9]
    answer = ask(http, rows=rows, columns=columns)
    assert answer["scores"] == pairs(http, rows, columns)
    assert [side["asked"] for side in answer["rows"]] == [*TITLES[:3], 107, "Mouse", "Catt", ""]
    assert [side["title"] for side in answer["columns"]] == list(TITLES[2:9])
    assert "concepts" not in answer


def test_how_concepts_were_understood(http: httpx.Client) -> None:
    answer = ask(http, concepts=["Felis catus", "Catt", "Mouse", ""])
    assert answer["concepts"] == [
        {
            "asked": "Felis catus",
            "status": "ok",
            "title": "Cat",
            "page_id": page_id("Cat"),
            "matched": "redirect",
        },
        {
            "asked": "Catt",
            "status": "unknown",
            "title": "Catt",
            "page_id": None,
            "matched": None,
            "suggestions": ["Cat"],
        },
        {
            "asked": "Mouse",
            "status": "ambiguous",
            "title": "Mouse",
            "page_id": None,
            "matched": None,
            "candidates": ["House mouse", "Computer mouse"],
        },
        {"asked": "", "status": "invalid", "title": None, "page_id": None, "matched": None},
    ]
    assert answer["model"]["name"] == "toy"
    assert answer["snapshot"]["concepts"] == 12


def test_batches_change_nothing(http: httpx.Client, toy: FastAPI) -> None:
    whole = ask(http, concepts=ASKED), ask(http, rows=ASKED, columns=ASKED[3:])
    toy.state.batch_sizes = BatchSizes(matrix=7)
    assert (ask(http, concepts=ASKED), ask(http, rows=ASKED, columns=ASKED[3:])) == whole


def test_only_the_first_get_help_however_they_are_batched(http: httpx.Client, toy: FastAPI) -> None:
    toy.state.batch_sizes = BatchSizes(matrix=4)
    unknown = [f"Computer keyboar{letter}" for letter in "abcefghijklmnopqrstuvwxyz"]
    sides = ask(http, concepts=unknown)["concepts"]
    assert ["suggestions" in side for side in sides] == [True] * 20 + [False] * 5


def test_an_ambiguous_name_has_one_sense_for_the_whole_matrix(http: httpx.Client) -> None:
    asked = ["Cat", "Mouse", {"title": "Mouse"}, "Computer", "Keyboard"]
    plain = ask(http, concepts=asked, ambiguous="report")
    assert plain == ask(http, concepts=asked)
    assert plain["scores"][1] == [None] * 5
    answer = ask(http, concepts=asked, ambiguous="resolve")
    sides = answer["concepts"]
    taken, other = sides[1], sides[1]["alternatives"]
    # As suits the others, among which a computer is.
    assert (taken["status"], taken["matched"], taken["title"]) == ("ok", "sense", "Computer mouse")
    assert [sense["title"] for sense in other] == ["House mouse"]
    beside_cat = ask(http, concepts=asked[:2], ambiguous="resolve")["concepts"][1]
    assert beside_cat["title"] == "House mouse"
    assert sides[2] == taken
    understood = [side["page_id"] for side in sides[:4]]
    assert [row[:4] for row in answer["scores"][:4]] == pairs(http, understood, understood)
    # A disambiguation page that names no article has no sense to take.
    assert sides[4]["status"] == "ambiguous"
    assert answer["scores"][4] == [None] * 5
    assert ask(http, rows=asked[:2], columns=asked[2:], ambiguous="resolve")["scores"] == [
        row[2:] for row in answer["scores"][:2]
    ]


@pytest.mark.parametrize(
    ("body", "pairs_asked"),
    [
        ({"concepts": ["Cat"] * 30}, 435),
        ({"rows": ["Cat"] * 20, "columns": ["Dog"] * 21}, 420),
        ({"rows": [], "columns": ["Dog"] * 401}, 401),
        ({"rows": ["Cat"] * 401, "columns": []}, 401),
    ],
)
def test_what_is_too_large_is_refused_with_the_limit(
    http: httpx.Client, body: dict[str, Any], pairs_asked: int
) -> None:
    response = http.post("/v1/relatedness/matrix", json=body)
    assert response.status_code == 413
    problem = response.json()
    assert (problem["type"], problem["limit"]) == ("urn:wort:problem:too-many-pairs", 400)
    assert f"{pairs_asked} pairs" in problem["detail"]


def test_the_largest_are_answered(http: httpx.Client) -> None:
    for body, shape in (
        ({"concepts": ["Cat"] * 28}, (28, 28)),
        ({"rows": ["Cat"] * 20, "columns": ["Dog"] * 20}, (20, 20)),
        ({"rows": ["Cat"], "columns": ["Dog"] * 400}, (1, 400)),
        ({"rows": [], "columns": ["Dog"] * 400}, (0, 0)),
        ({"rows": ["Dog"] * 3, "columns": []}, (3, 0)),
        ({"concepts": []}, (0, 0)),
        ({"concepts": ["Cat"]}, (1, 1)),
    ):
        scores = ask(http, **body)["scores"]
        assert (len(scores), len(scores[0]) if scores else 0) == shape


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"rows": ["Cat"]},
        {"columns": ["Cat"]},
        {"concepts": ["Cat"], "rows": ["Cat"], "columns": ["Cat"]},
        {"concepts": ["Cat"], "rows": ["Cat"]},
        {"concepts": None},
        {"concepts": [{"id": 1, "title": "Cat"}]},
        {"concepts": ["Cat"], "explain": True},
        {"concepts": ["Cat"], "ambiguous": "guess"},
        [],
    ],
)
def test_other_shapes_are_refused(http: httpx.Client, body: Any) -> None:
    response = http.post("/v1/relatedness/matrix", json=body)
    assert response.status_code == 422
    assert response.json()["type"] == "urn:wort:problem:invalid-request"


def test_the_examples_are_answered_by_the_starter(starter: httpx.Client) -> None:
    for example in matrix.EXAMPLES.values():
        answer = ask(starter, **example["value"])
        sides = [*answer.get("concepts", ()), *answer.get("rows", ()), *answer.get("columns", ())]
        for side in sides:
            assert side["status"] == ("unknown" if side["asked"] == "No such concept" else "ok")
        for row in answer["scores"]:
            assert all(score is None or 0 <= score <= 1 for score in row)
    document = starter.get("/openapi.json").json()
    asks = document["paths"]["/v1/relatedness/matrix"]["post"]["requestBody"]["content"]["application/json"]
    assert asks["examples"] == json.loads(json.dumps(matrix.EXAMPLES))
    limits = asks["schema"]["allOf"][1]["properties"]
    # 141 concepts have 9,870 pairs, 142 have 10,011.
    assert {name: part["maxItems"] for name, part in limits.items()} == {
        "concepts": 141,
        "rows": 10_000,
        "columns": 10_000,
    }


@settings(max_examples=15)
@given(st.data())
def test_any_concepts_of_the_starter_have_the_scores_of_their_pairs(
    starter: httpx.Client, data: st.DataObject
) -> None:
    some = st.lists(st.sampled_from(KNOWN), max_size=15)
    rows, columns = data.draw(some), data.draw(some)
    assert ask(starter, rows=rows, columns=columns)["scores"] == pairs(starter, rows, columns)
    assert ask(starter, concepts=rows)["scores"] == pairs(starter, rows, rows)


def test_a_client_that_has_left_ends_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = toy_scorer(tmp_path)
    app = create_app(Settings(), scorer, BatchSizes(matrix=5))
    done: list[int] = []
    relatedness = scorer.relatedness

    def counted(left: Any, right: Any) -> Any:
        done.append(len(left))
        return relatedness(left, right)

    monkeypatch.setattr(scorer, "relatedness", counted)
    body = json.dumps({"rows": TITLES, "columns": TITLES}).encode()
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if not sent:
            sent.append("body")
            return {"type": "http.request", "body": body, "more_body": False}
        if len(done) < 3:
            await asyncio.sleep(3600)  # Nothing more comes, and nobody has left.
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/v1/relatedness/matrix",
        "raw_path": b"/v1/relatedness/matrix",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    asyncio.run(app(scope, receive, send))
    assert done == [5, 5, 5]
    assert not [message for message in sent[1:] if message.get("body")]
