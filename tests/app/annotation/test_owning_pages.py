"""The pages of a project's owner, in a browser and without one."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, expect

from app.annotation.exporting import OFFERED
from datasets.annotation.exchange.formats import ENDINGS, EXPORTS
from datasets.annotation.records import Answer
from tests.app.annotation.projects import (
    TITLE,
    Made,
    annotation_served,
    begun,
    fields,
    gold,
    make,
    pairs,
    tuples,
)
from tests.app.pages.test_page_access import check
from tests.support.browser import chromium, window

KEY = {"Authorization": "Bearer of the toy"}
SURE = {"sure": "1"}
TABLE = "left,right,topic\n" + "".join(f"Left {n},Right {n},Topic {n % 2}\n" for n in range(5))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('projects') / 'projects.sqlite'}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[str]:
    with annotation_served(tmp_path_factory.mktemp("wiki"), url, admin_key="of the toy") as address:
        yield address


@pytest.fixture
def http(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address) as client:
        yield client


def judged(http: httpx.Client, made: Made, annotators: int = 3) -> list[str]:
    """Have annotators answer everything; the paths of their pages."""
    paths = []
    for number in range(annotators):
        path = begun(http, made)
        paths.append(path)
        cards = http.get(f"{path}/items").json()["cards"]
        while cards:
            for card in cards:
                value = (card["item"] + (card["item"] % 11 == number)) % 2
                answer = {"best": 0, "worst": 1} if "best" in card["html"] else {"judgement": value}
                sent = {"key": _uuid(), "item": card["item"], "turn": card["turn"], **answer}
                assert http.post(f"{path}/answers", json=sent).status_code == 200
            cards = http.get(f"{path}/items").json()["cards"]
    return paths


def _uuid() -> str:
    from uuid import uuid4

    return str(uuid4())


def owner(made: Made, path: str = "") -> str:
    return f"/annotation/project/{made.owner}{path}"


def test_what_is_offered_is_what_the_command_line_writes() -> None:
    assert set(OFFERED) == set(EXPORTS)
    assert {name: OFFERED[name].ending for name in ENDINGS} == ENDINGS


@pytest.mark.slow
def test_a_project_is_made_in_the_browser_and_annotated(browser: Browser, address: str, url: str) -> None:
    key = {"username": "anybody", "password": "of the toy"}
    with window(browser, address, "/annotation/new", (401,), http_credentials=key) as page:
        check(page)
        page.get_by_label("Title, which annotators see").fill("Debates")
        page.get_by_label("Pairs, or tuples").set_input_files(
            {"name": "pairs.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
        )
        page.get_by_label("Judgements an item").fill("2")
        page.get_by_label("Guidelines").fill("Think of debates.\n\n- Quickly")
        page.get_by_role("button", name="Make the project").click()
        expect(page.get_by_role("heading", name="Debates")).to_be_visible()
        expect(page.get_by_text("of 5 items have all 2")).to_be_visible()
        page.get_by_label("Note, for yourself").fill("for the class")
        page.get_by_role("button", name="Make a link").click()
        link = page.locator(".address").inner_text()
        assert link.startswith(f"{address}/annotation/invitation/")
        expect(page.get_by_role("row", name="for the class")).to_be_visible()
        page.goto(link)
        expect(page.get_by_text("Think of debates.")).to_be_visible()
        page.get_by_role("button", name="Begin").click()
        expect(page.locator(".topic")).to_contain_text("Topic")


def test_only_who_has_an_admin_key_makes_projects(http: httpx.Client, address: str) -> None:
    refused = http.get("/annotation/new", headers={"Accept": "text/html"})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith("Basic")
    files = {"file": ("pairs.csv", TABLE)}
    form = {"title": "Debates", "kind": "binary"}
    assert http.post("/annotation/new", data=form, files=files).status_code == 401
    elsewhere = {**KEY, "Sec-Fetch-Site": "cross-site"}
    assert http.post("/annotation/new", data=form, files=files, headers=elsewhere).status_code == 403
    assert http.post("/annotation/new", data=form, files=files, headers=KEY).status_code == 303


def test_of_best_and_worst_the_tuples_name_pairs(http: httpx.Client, url: str) -> None:
    table = "pair,left,right\n" + "".join(f"{n},one {n},other {n}\n" for n in range(1, 5))
    files = {"file": ("tuples.csv", "pair1,pair2,pair3,pair4\n1,2,3,4\n"), "pairs": ("pairs.csv", table)}
    form = {"title": "Tuples", "kind": "best-worst", "sides": "terms", "language": "en"}
    made = http.post("/annotation/new", data=form, files=files, headers=KEY)
    assert made.status_code == 303, made.text
    page = http.get(httpx.URL(str(made.url)).join(made.headers["location"])).text
    assert "of 1 items have all 8" in page


@pytest.mark.parametrize(
    ("form", "file", "told"),
    [
        ({"title": ""}, ("pairs.csv", TABLE), "title"),
        ({"kind": "votes"}, ("pairs.csv", TABLE), "one of binary, graded, best-worst"),
        ({"wanted": "0"}, ("pairs.csv", TABLE), "wanted: a whole number from 1 to 1,000"),
        ({"gold_share": "x"}, ("pairs.csv", TABLE), "gold_share"),
        ({}, None, "Choose the file"),
        ({}, ("pairs.docx", TABLE), "ends in one of .csv"),
        ({}, ("pairs.csv", "one,other\na,b\n"), "left"),
        ({}, ("pairs.csv", b"left,right\n\xff\xfe,b\n"), "UTF-8"),
        ({"kind": "best-worst"}, ("tuples.csv", "pair1,pair2,pair3\n1,2,3\n"), "table of pairs"),
    ],
)
def test_what_makes_no_project_is_told_and_the_form_stays(
    http: httpx.Client, form: dict[str, str], file: tuple[str, str | bytes] | None, told: str
) -> None:
    files = {"file": file or ("", b"")}
    sent = {"title": "Kept in the form", "kind": "binary", "language": "en", **form}
    refused = http.post("/annotation/new", data=sent, files=files, headers=KEY)
    assert refused.status_code == 422, refused.text
    assert told in refused.text
    if sent["title"]:
        assert 'value="Kept in the form"' in refused.text


@pytest.mark.slow
def test_how_far_it_is_and_who_takes_part(
    browser: Browser, http: httpx.Client, address: str, url: str
) -> None:
    made = make(url, "binary", [*pairs(8), gold("known", Answer(value=1))], wanted=3, gold_share=0.1)
    judged(http, made)
    with window(browser, address, owner(made)) as page:
        expect(page.get_by_text("24 of 24 judgements")).to_be_visible()
        expect(page.get_by_text("of 8 items have all 3")).to_be_visible()
        rows = page.get_by_role("region", name="Table of annotators").get_by_role("row")
        expect(rows).to_have_count(4)
        expect(rows.nth(1)).to_contain_text("annotator 1")
        expect(rows.nth(1)).to_contain_text(re.compile(r"[01]\.\d\d"))
        check(page)
        page.get_by_role("link", name="Agreement and plots").click()
        expect(page.get_by_text("Fleiss")).to_be_visible()
        assert page.locator("svg, img").count() > 0


@pytest.mark.slow
def test_without_judgements_there_is_no_report(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(2))
    refused = http.get(owner(made, "/agreement"))
    assert refused.status_code == 422
    assert "othing was judged" in refused.text
    assert http.get(owner(made, "/agreement/figures")).json()["type"] == "urn:wort:problem:bad-project"


@pytest.mark.slow
def test_the_report_is_also_of_whom_the_filter_leaves(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(12), wanted=4)
    judged(http, made, 4)
    page = http.get(owner(made)).text
    assert "agreement?filter=word" in page
    report = http.get(owner(made, "/agreement?filter=word"))
    assert report.status_code == 200
    assert "s filter left out 0 of 4 annotators" in report.text
    assert report.text != http.get(owner(made, "/agreement")).text
    assert http.get(owner(made, "/agreement?filter=other")).status_code == 422
    graded = make(url, "graded", pairs(2), wanted=1)
    judged(http, graded, 1)
    assert "filter=word" not in http.get(owner(graded)).text
    assert http.get(owner(graded, "/agreement?filter=word")).status_code == 422


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["binary", "graded", "best-worst"])
def test_every_format_that_is_offered_is_written(http: httpx.Client, url: str, kind: str) -> None:
    made = make(url, kind, tuples(3) if kind == "best-worst" else pairs(3), wanted=3)  # type: ignore[arg-type]
    judged(http, made)
    page = http.get(owner(made)).text
    names = re.findall(r'/export/([a-z0-9-]+)"', page)
    assert set(names) == {name for name, export in OFFERED.items() if kind in export.kinds}
    for name in names:
        file = http.get(owner(made, f"/export/{name}"))
        assert file.status_code == 200, (name, file.text)
        assert file.headers["content-disposition"].endswith(f'{OFFERED[name].ending}"')
        if name == "label-studio":
            assert json.loads(file.text)
        if name == "csv":
            assert len(list(csv.DictReader(io.StringIO(file.text)))) == 9
    assert http.get(owner(made, "/export/pickle")).status_code == 404


def test_links_expire_and_are_withdrawn(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(2))
    path = begun(http, made)
    page = http.post(
        owner(made, "/links"), data={"scope": "invitation", "days": "7", "note": "<b>class</b>"}
    ).text
    link = re.findall(r'<code class="address"[^>]*>([^<]+)</code>', page)[0]
    assert "&lt;b&gt;class&lt;/b&gt;" in page
    assert http.get(httpx.URL(link).path).status_code == 200
    assert link not in http.get(owner(made)).text
    links = made.ask(lambda projects: projects.links(made.number))
    assert links[-1].expires is not None
    expires = datetime.datetime.fromisoformat(links[-1].expires)
    assert abs(expires - datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=7)).days == 0
    assert http.post(owner(made, f"/links/{links[-1].id}/withdrawal"), data=SURE).status_code == 303
    assert http.get(httpx.URL(link).path).status_code == 404
    personal = next(each for each in links if each.scope == "annotator")
    http.post(owner(made, f"/links/{personal.id}/withdrawal"), data=SURE)
    assert http.get(path).status_code == 404
    own = next(each for each in links if each.scope == "owner")
    assert http.post(owner(made, f"/links/{own.id}/withdrawal"), data=SURE).status_code == 422
    assert http.get(owner(made)).status_code == 200
    for days in ("0", "-1", "x", "99999"):
        assert http.post(owner(made, "/links"), data={"days": days}).status_code == 422


def test_a_second_owner_can_withdraw_the_first(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(2))
    page = http.post(owner(made, "/links"), data={"scope": "owner"}).text
    second = httpx.URL(re.findall(r'<code class="address"[^>]*>([^<]+)</code>', page)[0]).path
    first = next(
        each for each in made.ask(lambda projects: projects.links(made.number)) if each.scope == "owner"
    )
    assert http.post(f"{second}/links/{first.id}/withdrawal", data=SURE).status_code == 303
    assert http.get(owner(made)).status_code == 404
    assert http.get(second).status_code == 200


def test_how_many_judgements_closing_and_opening(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(2), wanted=1)
    (path,) = judged(http, made, 1)
    late = begun(http, made)
    assert "That was all" in http.get(late).text
    assert http.post(owner(made, "/wanted"), data={"wanted": "2"}).status_code == 303
    assert fields(http.get(late).text)
    assert "of 2 items have all 2" in http.get(owner(made)).text
    for wanted in ("", "0", "1001", "x"):
        assert http.post(owner(made, "/wanted"), data={"wanted": wanted}).status_code == 422
    assert http.post(owner(made, "/closing")).status_code == 415  # not from a form
    form = {"sent": "1"}
    assert http.post(owner(made, "/closing"), data=form).status_code == 303
    assert "The project is closed" in http.get(late).text
    assert http.post(owner(made, "/opening"), data=form).status_code == 303
    assert fields(http.get(late).text)
    assert "That was all" in http.get(path).text


def test_an_annotator_is_deleted_with_all_that_is_known(http: httpx.Client, url: str) -> None:
    made = make(url, "binary", pairs(3), wanted=2)
    paths = judged(http, made, 2)
    assert "Delete annotator 1?" in http.get(owner(made, "/annotators/1")).text
    assert len(made.stored()) == 6
    assert http.post(owner(made, "/annotators/1"), data=SURE).status_code == 303
    assert {who for who, *_ in made.stored()} == {"annotator 2"}
    assert http.get(paths[0]).status_code == 404
    assert http.get(paths[1]).status_code == 200
    assert http.post(owner(made, "/annotators/1"), data=SURE).status_code == 422


@pytest.mark.slow
def test_a_project_is_deleted_in_the_browser(
    browser: Browser, http: httpx.Client, address: str, url: str
) -> None:
    made = make(url, "binary", pairs(3))
    path = begun(http, made)
    with window(browser, address, owner(made)) as page:
        page.get_by_role("button", name="Close the project").click()
        expect(page.get_by_role("button", name="Open it again")).to_be_visible()
        page.get_by_role("link", name="Delete it").click()
        page.get_by_role("link", name="Leave it as it is").click()
        expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
        page.get_by_role("link", name="Delete it").click()
        check(page)
        page.get_by_role("button", name="Delete all of it").click()
        expect(page.get_by_role("heading", name="The project is deleted")).to_be_visible()
    assert http.get(owner(made)).status_code == http.get(path).status_code == 404
