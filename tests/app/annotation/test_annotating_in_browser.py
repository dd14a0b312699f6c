"""What annotators do in a real browser: by mouse, by keys, without scripts, in tabs, without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from datasets.annotation.records import Answer
from tests.app.annotation.projects import Made, annotation_served, begun, gold, make, pairs, tuples
from tests.support.browser import chromium, window
from tests.support.patience import BRIEF

pytestmark = pytest.mark.slow

OFFLINE = "net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('projects') / 'projects.sqlite'}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[str]:
    with annotation_served(tmp_path_factory.mktemp("wiki"), url) as address:
        yield address


def desk(address: str, made: Made) -> str:
    """The path of a new annotator's page."""
    with httpx.Client(base_url=address) as http:
        return begun(http, made)


def item(page: Page) -> str:
    """The name of the item that is shown, once the script has it in hand."""
    expect(page.get_by_label("Answer by keys")).to_be_visible()
    return page.locator(".named").first.inner_text().replace("Left", "pair")


def answered(page: Page, number: int) -> None:
    """Wait until the server has acknowledged so many answers."""
    expect(page.locator("#given")).to_contain_text(f"{number} answered")


def test_one_begins_reads_and_answers(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(3), "Think of debates.")
    with window(browser, address, f"/annotation/invitation/{made.invitation}") as page:
        expect(page.get_by_text("Think of debates.")).to_be_visible()
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url(re.compile("/annotation/annotate/"))
        first = item(page)
        expect(page.get_by_text(f"What {first.replace('pair', 'Left')} is.")).to_be_hidden()
        page.get_by_text("What is").first.click()
        expect(page.get_by_text(f"What {first.replace('pair', 'Left')} is.")).to_be_visible()
        link = page.get_by_role("link", name="Read the article").first
        expect(link).to_have_attribute("rel", "noopener noreferrer")
        page.get_by_role("button", name="Related", exact=True).click()
        answered(page, 1)
        second = item(page)
        page.get_by_role("button", name="Not related").click()
        answered(page, 2)
        third = item(page)
        page.get_by_role("button", name="I don’t know this").click()
        expect(page.get_by_role("heading", name="That was all")).to_be_visible()
        expect(page.get_by_text("Think of debates.")).to_be_visible()
        expect(page.get_by_role("heading", name="That was all")).to_be_focused()
    said = {what: answer for _, what, _, answer in made.stored()}
    assert said == {first: Answer(value=1), second: Answer(value=0), third: Answer()}


def test_by_keys_with_taking_back(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(5))
    with window(browser, address, desk(address, made)) as page:
        expected = []
        for key, value in (("y", 1), ("n", 0), ("1", 1), ("0", 0)):
            expected.append((item(page), Answer(value=value)))
            page.keyboard.press(key)
            answered(page, len(expected))
        page.keyboard.press("u")
        answered(page, 3)
        expect(page.locator("#told")).to_contain_text("Taken back")
        assert item(page) == expected[3][0]
        page.keyboard.press("d")
        answered(page, 4)
        page.get_by_label("Answer by keys").uncheck()
        page.locator("h1").click()
        page.keyboard.press("y")
        page.get_by_label("Answer by keys").check()
        assert "4 answered" in page.locator("#given").inner_text()
        last = item(page)
        page.locator("h1").click()
        page.keyboard.press("y")
        answered(page, 5)
    expected[3] = (expected[3][0], Answer())
    assert [(what, said) for _, what, _, said in made.stored()] == [*expected, (last, Answer(value=1))]


def test_a_scale_by_keys(browser: Browser, address: str, url: str) -> None:
    made = make(url, "graded", pairs(5), repeat_share=0.0)
    with window(browser, address, desk(address, made)) as page:
        expected = []
        for grade in range(5):
            expected.append((item(page), Answer(value=grade)))
            expect(page.get_by_text("0: not related at all")).to_be_visible()
            page.keyboard.press(str(grade))
            answered(page, grade + 1)
    assert [(what, said) for _, what, _, said in made.stored()] == expected


def test_best_and_worst_by_keys_and_by_mouse(browser: Browser, address: str, url: str) -> None:
    items = tuples(2)
    made = make(url, "best-worst", items, gold_share=0.0)
    with window(browser, address, desk(address, made)) as page:
        expect(page.get_by_label("Answer by keys")).to_be_visible()
        shown = [page.locator("tbody th").all_inner_texts()]
        page.keyboard.press("3")
        page.keyboard.press("Shift+Digit3")
        page.keyboard.press("Enter")
        expect(page.locator("#told")).to_contain_text("cannot be the same")
        page.keyboard.press("Shift+Digit1")
        page.keyboard.press("Enter")
        answered(page, 1)
        shown.append(page.locator("tbody th").all_inner_texts())
        page.locator(".best").nth(3).check()
        page.locator(".worst").nth(2).check()
        page.get_by_role("button", name="Send").click()
        answered(page, 2)
    found = []
    for (_, what, _, said), texts in zip(made.stored(), shown, strict=True):
        own = {
            one.name: [" · ".join(side.name for side in each.sides) for each in one.asked] for one in items
        }
        assert said.best is not None
        assert said.worst is not None
        found.append((texts.index(own[what][said.best]), texts.index(own[what][said.worst])))
    assert found == [(2, 0), (3, 2)]


def test_a_double_click_answers_once(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(4))
    with window(browser, address, desk(address, made)) as page:
        item(page)
        for number in (1, 2):
            page.get_by_role("button", name="Related", exact=True).dblclick()
            answered(page, number)
        page.keyboard.down("y")
        page.keyboard.down("y")  # held: it repeats
        page.keyboard.up("y")
        answered(page, 3)
        expect(page.locator("#waits")).to_be_hidden()
    assert len(made.stored()) == 3


def test_two_tabs_give_one_answer_each_item(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(3))
    path = desk(address, made)
    with window(browser, address, path, (409,)) as page:
        other = page.context.new_page()
        other.goto(path)
        first = item(page)
        assert item(other) == first
        page.keyboard.press("y")
        answered(page, 1)
        other.keyboard.press("n")
        expect(other.locator("#told")).to_contain_text("nswered")
        expect(other.locator(".named").first).not_to_have_text(first.replace("pair", "Left"))
        other.keyboard.press("n")
        answered(other, 2)
    said = made.stored()
    assert said[0][1:] == (first, said[0][2], Answer(value=1))
    assert len(said) == len({what for _, what, *_ in said}) == 2


def test_the_back_button_answers_nothing_again(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(3))
    with window(browser, address, f"/annotation/invitation/{made.invitation}") as page:
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url(re.compile("/annotation/annotate/"))
        item(page)
        page.keyboard.press("y")
        answered(page, 1)
        second = item(page)
        page.go_back()
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
        page.go_forward()
        expect(page.locator("#given")).to_contain_text("1 answered")
        assert item(page) == second
    assert len(made.stored()) == 1


def test_without_scripts(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(4), session=3)
    with window(browser, address, desk(address, made), java_script_enabled=False) as page:
        page.get_by_role("button", name="Related", exact=True).click()
        answered(page, 1)
        first = page.locator(".named").first.inner_text()
        page.get_by_role("button", name="Not related").click()
        answered(page, 2)
        page.get_by_role("button", name="Take back").click()
        answered(page, 1)
        assert page.locator(".named").first.inner_text() == first
        page.go_back()
        page.get_by_role("button", name="I don’t know this").click()
        answered(page, 2)
        page.get_by_role("button", name="Related", exact=True).click()
        expect(page.get_by_role("heading", name="Time for a break")).to_be_visible()
        page.get_by_role("link", name="Go on").click()
        page.get_by_role("button", name="Related", exact=True).click()
        expect(page.get_by_role("heading", name="That was all")).to_be_visible()
    said = made.stored()
    assert len(said) == len({what for _, what, *_ in said}) == 4


def test_without_a_network_answers_wait_and_are_sent_later(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(8))
    with window(browser, address, desk(address, made), (OFFLINE,)) as page:
        item(page)
        page.keyboard.press("y")
        answered(page, 1)
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        given = []
        for number in range(3):
            given.append(item(page))
            page.keyboard.press("yn"[number % 2])
        waits = page.locator("#waits")
        expect(waits).to_contain_text("3 answers wait to be sent, and are kept in this browser")
        expect(page.get_by_role("button", name="Take back")).to_be_disabled()
        assert len(made.stored()) == 1
        page.context.set_offline(False)
        expect(waits).to_be_hidden()
        answered(page, 4)
    said = made.stored()
    assert [(what, answer.value) for _, what, _, answer in said[1:]] == [
        (given[0], 1),
        (given[1], 0),
        (given[2], 1),
    ]


def test_answers_that_wait_outlive_the_page(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(8))
    path = desk(address, made)
    with window(browser, address, path, (OFFLINE, "net::ERR_FAILED")) as page:
        item(page)
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        for _ in range(2):
            item(page)
            page.keyboard.press("y")
        expect(page.locator("#waits")).to_contain_text("2 answers wait")
        later = page.context.new_page()
        page.close()
        page.context.set_offline(False)
        later.goto(path)
        answered(later, 2)
        expect(later.locator("#waits")).to_be_hidden()
        assert (
            later.evaluate("Object.keys(localStorage).filter((name) => name.includes('annotate')).length")
            == 0
        )
    assert len(made.stored()) == 2


def test_an_answer_whose_acknowledgement_is_lost_is_sent_again_and_counts_once(
    browser: Browser, address: str, url: str
) -> None:
    made = make(url, "binary", pairs(4))
    with window(browser, address, desk(address, made), ("net::ERR_CONNECTION_RESET",)) as page:
        lost: list[int] = []

        def lose(route: Route) -> None:
            if len(lost) < 2:
                lost.append(route.fetch().status)
                route.abort("connectionreset")
            else:
                route.continue_()

        page.route("**/answers?*", lose)
        item(page)
        # The third try is answered. What the page counts is no sign of it: asked for items meanwhile, the
        # server counts the answer that it has stored.
        with page.expect_response("**/answers?*"):
            page.keyboard.press("y")
        answered(page, 1)
        assert lost == [200, 200]
    assert len(made.stored()) == 1


def test_breaks(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(5), session=2)
    path = desk(address, made)
    with window(browser, address, path) as page:
        for _ in range(2):
            item(page)
            page.keyboard.press("y")
        rest = page.get_by_role("heading", name="Time for a break")
        expect(rest).to_be_focused()
        page.keyboard.press("y")  # nothing is asked now
        answered(page, 2)
        page.get_by_role("button", name="Go on").click()
        third = item(page)
        page.get_by_role("link", name="Take a break").click()
        expect(rest).to_be_visible()
        page.goto(path)  # another day, or on another device
        assert item(page) == third
        page.keyboard.press("y")
        answered(page, 3)


def test_a_known_answer_is_told(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", [*pairs(1), gold("Chess", Answer(value=1), "It is a game.")], gold_share=1.0)
    with window(browser, address, desk(address, made)) as page:
        for _ in range(2):
            known = item(page).startswith("Chess")
            page.keyboard.press("n")
            if known:
                expect(page.locator("#told")).to_contain_text("was known: related. It is a game.")
        answered(page, 2)


def test_a_link_that_was_withdrawn_keeps_what_waits(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(6))
    with window(browser, address, desk(address, made), (410,)) as page:
        item(page)
        made.ask(lambda projects: projects.close(made.number))
        page.keyboard.press("y")
        expect(page.locator("#told")).to_contain_text("closed")
        expect(page.locator("#waits")).to_contain_text("1 answer waits")
        made.ask(lambda projects: projects.reopen(made.number))
        page.reload()
        answered(page, 1)
    assert len(made.stored()) == 1


def test_the_database_is_away_for_a_while(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "projects.sqlite"
    made = make(f"sqlite:///{file}", "binary", pairs(6))
    with (
        annotation_served(tmp_path / "wiki", made.url) as address,
        window(browser, address, desk(address, made), (503,)) as page,
    ):
        item(page)
        page.wait_for_load_state("networkidle")
        file.rename(tmp_path / "elsewhere")
        for _ in range(2):
            item(page)
            page.keyboard.press("y")
        expect(page.locator("#waits")).to_contain_text("2 answers wait")
        assert httpx.post(
            f"{address}/relatedness", json={"pairs": [{"left": "Cat", "right": "Dog"}]}
        ).is_success
        (tmp_path / "elsewhere").rename(file)
        expect(page.locator("#waits")).to_be_hidden()
        answered(page, 2)
    assert len(made.stored()) == 2


def test_the_page_asks_for_items_no_more_often_than_it_must(browser: Browser, address: str, url: str) -> None:
    made = make(url, "binary", pairs(6))
    with window(browser, address, desk(address, made)) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for number in range(6):
            item(page)
            page.keyboard.press("y")
            answered(page, number + 1)
        expect(page.get_by_role("heading", name="That was all")).to_be_visible()
        page.wait_for_timeout(1000 * BRIEF)
        # One an answer, which brings what follows; what the page asked for at first may be among them.
        assert len(asked) <= 7
