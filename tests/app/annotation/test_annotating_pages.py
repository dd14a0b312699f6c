"""The pages of annotators without a browser: by plain forms, and as their script asks."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from datasets.annotation.records import Answer, Kind, NewItem
from tests.app.annotation.projects import (
    Made,
    annotation_served,
    begun,
    fields,
    gold,
    make,
    pairs,
    submission,
    tuples,
)
from tests.support.databases import (
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.served import serving, toy_app

__all__ = ["database_fixture", "postgres_database_fixture", "postgres_fixture", "sqlite_fixture"]


@pytest.fixture(name="url", scope="module")
def url_fixture(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database for all tests: each makes a project of its own."""
    return f"sqlite:///{tmp_path_factory.mktemp('projects') / 'projects.sqlite'}"


@pytest.fixture(name="http", scope="module")
def http_fixture(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[httpx.Client]:
    with (
        annotation_served(tmp_path_factory.mktemp("wiki"), url) as address,
        httpx.Client(base_url=address) as client,
    ):
        yield client


def test_without_the_setting_there_is_no_such_page(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address:
        for path in ("new", "invitation/x", "annotate/x", "project/x"):
            assert httpx.get(f"{address}/annotation/{path}").status_code == 404


@pytest.mark.parametrize(
    ("kind", "items", "form", "expected"),
    [
        ("binary", pairs(1), {"judgement": "1"}, Answer(value=1)),
        ("binary", pairs(1), {"unknown": "1"}, Answer()),
        ("graded", pairs(1), {"judgement": "3"}, Answer(value=3)),
        ("best-worst", tuples(1), {"best": "2", "worst": "0"}, None),
    ],
)
def test_one_goes_from_the_invitation_to_the_end_by_forms(
    http: httpx.Client,
    url: str,
    kind: Kind,
    items: list[NewItem],
    form: dict[str, str],
    expected: Answer | None,
) -> None:
    # By itself a project asks one item in some a second time, a day later.
    made = make(url, kind, items, "Read me.\n\n- And me", repeat_share=0.0)
    page = http.get(f"/annotation/invitation/{made.invitation}").text
    assert "Read me." in page
    assert "<li>And me</li>" in page
    path = begun(http, made)
    shown = http.get(path)
    assert "Read me." in shown.text
    answered = http.post(path, data={**fields(shown.text), **form})
    assert answered.status_code == 303
    assert httpx.URL(str(answered.url)).join(answered.headers["location"]).path == path
    assert "That was all" in http.get(path).text
    ((who, what, key, said),) = made.stored()
    assert (who, what, key) == ("annotator 1", items[0].name, fields(shown.text)["key"])
    if expected is not None:
        assert said == expected
    else:
        # By what was shown: each annotator sees a tuple in an order of their own.
        names = _names(shown.text)
        own = [" and ".join(side.name for side in each.sides) for each in items[0].asked]
        assert said.best is not None
        assert said.worst is not None
        assert (own[said.best], own[said.worst]) == (names[2], names[0])


def _names(html: str) -> list[str]:
    return [
        part.split(": the most related")[0]
        for part in html.split('<span class="hidden">')
        if ": the most" in part
    ]


def test_a_form_that_is_sent_twice_counts_once_and_another_is_refused(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(2))
    path = begun(http, made)
    form = fields(http.get(path).text)
    first, again = (http.post(path, data={**form, "judgement": "1"}) for _ in range(2))
    assert first.status_code == again.status_code == 303
    other = http.post(path, data={**form, "key": str(uuid.uuid4()), "judgement": "0"})
    assert other.status_code == 409
    assert 'name="item"' in other.text  # what is to be judged next stands below
    # The page before, which was kept aside: the key is that of the first answer, what it says is another.
    assert http.post(path, data={**form, "judgement": "0"}).status_code == 422
    assert [said for *_, said in made.stored()] == [Answer(value=1)]


def test_a_form_without_an_answer_is_told_so(http: httpx.Client, url: str) -> None:
    made = make(url, "best-worst", tuples(2))
    path = begun(http, made)
    form = fields(http.get(path).text)
    for answer in (
        {},
        {"best": "1"},
        {"best": "1", "worst": "1"},
        {"best": "x", "worst": "0"},
        {"judgement": "1"},
    ):
        told = http.post(path, data={**form, **answer})
        assert told.status_code == 422
        assert 'name="best"' in told.text
    assert not made.stored()


def test_the_last_answer_is_taken_back_and_asked_again(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(3))
    path = begun(http, made)
    first = fields(http.get(path).text)
    http.post(path, data={**first, "judgement": "1"})
    page = http.get(path).text
    number = page.split('id="undo-form"')[1].split('value="')[1].split('"')[0]
    for _ in range(2):  # a second click takes back nothing else
        assert http.post(f"{path}/undo", data={"judgement": number}).status_code == 303
    again = fields(http.get(path).text)
    assert (again["item"], again["turn"]) == (first["item"], first["turn"])
    assert again["key"] != first["key"]
    http.post(path, data={**again, "judgement": "0"})
    assert [said for *_, said in made.stored()] == [Answer(value=0)]
    assert [said for *_, said in made.stored(undone=True)] == [Answer(value=1), Answer(value=0)]


def test_breaks_are_offered_and_taken(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(4), session=2)
    path = begun(http, made)
    led = []
    for _ in range(3):
        form = fields(http.get(path).text)
        led.append(http.post(path, data={**form, "judgement": "1"}).headers["location"].rpartition("/")[2])
    token = path.rpartition("/")[2]
    assert led == [token, "rest", token]
    page = http.get(f"{path}/rest").text
    assert "Time for a break" in page
    assert "3 answered, about 1 to go" in page


def test_known_answers_are_told_and_who_misses_too_many_is_refused(http: httpx.Client, url: str) -> None:
    questions = [gold(f"gold {place}", Answer(value=1), "Chess is a game.") for place in range(3)]
    made = make(url, "binary", [*pairs(2), *questions], gold_share=1.0, gold_minimum=2)
    path = begun(http, made)
    *_, late = http.get(f"{path}/items").json()["cards"]
    form = fields(http.get(path).text)
    right = [http.post(path, data={**form, "judgement": "1"}) for _ in range(2)]
    for page in right:  # loaded anew, it says the same
        assert page.status_code == 200
        assert "yours agrees with it. Chess is a game." in page.text
    wrong = http.post(path, data={**fields(right[0].text), "judgement": "0"})
    assert "The answer to that one was known: related. Chess is a game." in wrong.text
    assert "No further answers are taken" in wrong.text
    assert "No further answers are taken" in http.get(path).text
    refused = http.post(f"{path}/answers", json=submission(late, judgement=1))
    assert refused.status_code == 403
    assert refused.json()["type"] == "urn:wort:problem:annotator-refused"


def test_what_the_owner_asks_for_is_kept_and_nothing_else(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(1), details=("Native language", "Age"))
    page = http.get(f"/annotation/invitation/{made.invitation}").text
    assert "Native language" in page
    form = {"key": str(uuid.uuid4()), "detail-1": "English", "detail-3": "a name", "name": "a name"}
    for _ in range(2):  # a double click begins once
        assert http.post(f"/annotation/invitation/{made.invitation}", data=form).status_code == 303
    (one,) = made.ask(lambda projects: projects.progress(made.number)).annotators
    assert one.annotator.details == {"Native language": "English"}


def test_a_closed_project_asks_nothing(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(2))
    path = begun(http, made)
    form = fields(http.get(path).text)
    made.ask(lambda projects: projects.close(made.number))
    assert http.post(path, data={**form, "judgement": "1"}).status_code == 410
    assert "The project is closed" in http.get(path).text
    assert "This project is closed" in http.get(f"/annotation/invitation/{made.invitation}").text
    begin = http.post(f"/annotation/invitation/{made.invitation}", data={"key": str(uuid.uuid4())})
    assert begin.status_code == 410
    assert not made.stored()


def test_links_open_their_own_pages_alone_and_look_alike_where_they_do_not(
    http: httpx.Client, url: str
) -> None:
    made = make(url, "binary", pairs(2))
    own = begun(http, made).rpartition("/")[2]
    tokens = {"invitation": made.invitation, "annotate": own, "project": made.owner}
    told = set()
    for page in tokens:
        for token in (*(other for kind, other in tokens.items() if kind != page), "x" * 43, "%00", "é"):
            refused = http.get(f"/annotation/{page}/{token}")
            assert refused.status_code == 404, (page, token)
            told.add(refused.text)
    assert len(told) == 1
    for path in ("items", "answers", "answers/undo", "rest", "undo"):
        for method in ("GET", "POST"):
            answer = http.request(method, f"/annotation/annotate/{made.invitation}/{path}", json={})
            assert answer.status_code in {404, 405, 415, 422}


def test_no_page_is_kept_and_none_tells_where_it_stands(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(2))
    path = begun(http, made)
    for address in (path, f"{path}/items", f"/annotation/project/{made.owner}", "/annotation/annotate/x"):
        answer = http.get(address)
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in answer.headers
        if answer.headers["content-type"].startswith("text/html"):
            assert "default-src 'self'" in answer.headers["content-security-policy"]
            assert 'name="robots" content="noindex"' in answer.text


def test_a_script_gets_items_and_sends_answers(http: httpx.Client, url: str) -> None:
    made = make(url, "graded", pairs(5))
    path = begun(http, made)
    cards = http.get(f"{path}/items", params={"ahead": 3}).json()["cards"]
    assert len({card["item"] for card in cards}) == 3
    sent = [submission(card, judgement=place) for place, card in enumerate(cards)]
    taken = [http.post(f"{path}/answers", json=each).json() for each in (*sent, sent[0])]
    assert [one["key"] for one in taken] == [one["key"] for one in (*sent, sent[0])]
    assert taken[0]["at"] == taken[3]["at"]
    assert taken[2]["next"]["progress"]["given"] == 3
    assert {card["item"] for card in taken[2]["next"]["cards"]}.isdisjoint(card["item"] for card in cards)
    back = taken[2]["next"]["progress"]["undo"]
    undone = http.post(f"{path}/answers/undo", json={"judgement": back}).json()
    assert undone["cards"][0]["item"] == cards[2]["item"]
    assert [said for *_, said in made.stored()] == [Answer(value=0), Answer(value=1)]


def _wrong_answers(card: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int, str]]:
    right = submission(card, judgement=1)
    yield {**right, "judgement": 0.5}, 422, "bad-answer"
    yield {**right, "unknown": True}, 422, "bad-answer"
    yield submission(card), 422, "bad-answer"
    yield {**right, "key": "no uuid"}, 422, "bad-answer"
    yield {**right, "item": 10**6}, 409, "not-assigned"
    yield {**right, "turn": 1}, 409, "not-assigned"
    yield {**right, "item": 10**30}, 409, "not-assigned"
    yield {**right, "item": "1"}, 422, "invalid-request"
    yield {**right, "item": -1}, 409, "not-assigned"
    yield {**right, "who": 1}, 422, "invalid-request"


def test_what_is_no_answer_is_refused(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(3))
    path = begun(http, made)
    (card,) = http.get(f"{path}/items", params={"ahead": 1}).json()["cards"]
    for sent, status, kind in _wrong_answers(card):
        refused = http.post(f"{path}/answers", json=sent)
        assert (refused.status_code, refused.json()["type"]) == (status, f"urn:wort:problem:{kind}"), sent
    assert not made.stored()


def test_nobody_answers_for_another(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(40), wanted=1)
    mine, theirs = begun(http, made), begun(http, made)
    own = http.get(f"{mine}/items", params={"ahead": 4}).json()["cards"]
    others = http.get(f"{theirs}/items", params={"ahead": 4}).json()["cards"]
    never = [card for card in others if card["item"] not in {each["item"] for each in own}]
    assert never
    for card in never:
        assert http.post(f"{mine}/answers", json=submission(card, judgement=1)).status_code == 409
    assert not made.stored()


def test_it_is_the_same_on_either_database(tmp_path: Path, database: str) -> None:
    made: Made = make(database, "binary", pairs(3), wanted=2)
    with annotation_served(tmp_path / "wiki", database) as address, httpx.Client(base_url=address) as http:
        for _ in range(2):
            path = begun(http, made)
            for _ in range(3):
                assert (
                    http.post(path, data={**fields(http.get(path).text), "judgement": "1"}).status_code == 303
                )
            assert "That was all" in http.get(path).text
        assert len(made.stored()) == 6
        assert made.ask(lambda projects: projects.progress(made.number)).complete == 3


def test_a_server_that_requires_keys_lets_those_in_who_have_a_link(tmp_path: Path, sqlite: str) -> None:
    made = make(sqlite, "binary", pairs(3))
    keyed = {"require_key": True, "admin_key": "of the toy"}
    with (
        annotation_served(tmp_path / "wiki", sqlite, **keyed) as address,
        httpx.Client(base_url=address) as http,
    ):
        assert http.get("/").status_code == 401
        path = begun(http, made)
        assert http.post(path, data={**fields(http.get(path).text), "judgement": "1"}).status_code == 303
