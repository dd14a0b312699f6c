"""The page at ``/``: what it says without a browser, and what a person does with it in one."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, expect

from app.pages.bars import bars
from app.scoring.in_words import SCORES_IN_WORDS, in_words, more_than, percent_below
from features.catalogue import OF_WORT
from tests.support.browser import Text, loose_percentages, text_of, window
from tests.support.served import serving, toy_app
from wort.schemas.evidence import Percentiles

PAGES = (
    "/",
    "/?left=Cat&right=Dog",
    "/?left=Mus&right=dog",
    "/?left=Mouse&right=Catt",
    "/?left=Cat&right=Cat",
    "/explore",
    "/explore?concept=Cat",
    "/explore?concept=Mouse",
    "/files",
    "/releases",
)


def test_the_icon_is_where_browsers_look_for_it(address: str) -> None:
    answer = httpx.get(f"{address}/favicon.ico", follow_redirects=True)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"


def test_it_shows_what_the_interface_answers(address: str) -> None:
    body = {"pairs": [{"left": "Cat", "right": "Piano"}], "explain": True}
    (result,) = httpx.post(f"{address}/relatedness", json=body).json()["results"]
    shown = text_of(address, left="Cat", right="Piano").text
    assert f"Cat and Piano {result['score']:.2f} {in_words(result['score'])}" in shown
    assert f"About {result['score'] * 100:.0f} in 100 people" in shown
    assert f"Higher than {percent_below(result['percentiles']['random'])} % of random pairs" in shown
    # "Higher than 0.0 %" would say nothing.
    assert result["percentiles"]["linked"] == 0
    assert "of pairs of linked articles" not in shown
    zeros = {"+0.000", "-0.000"}
    # What adds nothing is folded into one line, and stands there with its values alone.
    silent = [entry for entry in result["explanation"]["contributions"] if not entry["contribution"]]
    at_once, _, folded = shown.partition(f"{len(silent)} features add nothing Feature Value")
    assert len(silent) > 1
    for entry in result["explanation"]["contributions"]:
        value, contribution = f"{entry['value']:.3f}", f"{entry['contribution']:+.3f}"
        assert entry["feature"] in (folded if entry in silent else at_once)
        contribution = "" if entry in silent else "0.000" if contribution in zeros else contribution
        assert f"{value} {contribution}".replace("-", "−") in (folded if entry in silent else at_once)
    assert not any(zero.replace("-", "−") in shown for zero in zeros)
    assert "add up to the score, but for rounding." in shown
    assert f"Sum {result['explanation']['raw']:+.3f}" in shown
    assert all(name in shown for name in OF_WORT)


def test_its_evidence_is_that_of_the_interface_and_leads_on(address: str) -> None:
    body = {"pairs": [{"left": "Cat", "right": "Dog"}], "explain": True}
    (result,) = httpx.post(f"{address}/relatedness", json=body).json()["results"]
    evidence = result["evidence"]
    page = text_of(address, left="Cat", right="Dog")
    links = [tags["href"] for tag, tags in page.tags if tag == "a"]
    for kind in ("in_links", "out_links", "esa"):
        assert evidence[kind]["strongest"], kind
        for one in evidence[kind]["strongest"]:
            assert f"explore?concept={one['title'].replace(' ', '%20')}" in links
    for kind in ("in_links", "out_links"):
        assert f"{evidence[kind]['both']}, of {evidence[kind]['left']}" in page.text
    for word in evidence["tfidf"]["strongest"]:
        assert f"{word['word']} {100 * word['share']:.1f} %" in page.text
    for category in evidence["categories"]["titles"]:
        assert f"explore?concept=Cat&category={category.replace(' ', '%20')}" in links


def test_it_says_where_its_numbers_come_from(address: str) -> None:
    for path in PAGES:
        shown = text_of(address, path).text
        assert "12 concepts of smallwiki, dump of 2001-01-15. Model toy ." in shown
        assert "made up Licence: CC0-1.0" in shown


def test_the_foot_names_the_wiki_and_says_the_licence_once(tmp_path: Path) -> None:
    app = toy_app(tmp_path)
    scorer = app.state.source.current.scorer
    scorer.snapshot_info = msgspec.structs.replace(
        scorer.snapshot_info, wiki="enwiki", licence="CC BY-SA", attribution="By all, under CC BY-SA."
    )
    with serving(app) as address:
        shown = text_of(address).text
        assert "12 concepts of English Wikipedia, dump of 2001-01-15." in shown
        assert shown.count("CC BY-SA") == 1
        links = [tags["href"] for tag, tags in text_of(address, left="Cat", right="Dog").tags if tag == "a"]
        assert "https://en.wikipedia.org/wiki/Pet" in links


def test_of_several_works_links_are_said_to_be_those_of_the_snapshot(tmp_path: Path) -> None:
    app = toy_app(tmp_path, source_url="https://github.com/somebody/wort")
    scorer = app.state.source.current.scorer
    says = (
        " Links are those of this snapshot, which is made of several works: one may not stand on Wikipedia."
    )
    with serving(app) as address:
        assert says not in text_of(address, left="Cat", right="Dog").text
        scorer.snapshot_info = msgspec.structs.replace(scorer.snapshot_info, works=("One", "Another"))
        shown = text_of(address, left="Cat", right="Dog")
        assert says in shown.text
        assert "12 concepts of the works below." in shown.text
        assert any(str(tags.get("href")).endswith("/docs/starter.md") for _, tags in shown.tags)


def test_no_page_leads_to_a_wikipedia_that_there_is_not(address: str) -> None:
    links = [tags["href"] for tag, tags in text_of(address, left="Cat", right="Dog").tags if tag == "a"]
    assert not any("wikipedia.org" in str(link) for link in links)


def test_a_dump_may_have_no_date(tmp_path: Path) -> None:
    app = toy_app(tmp_path)
    scorer = app.state.source.current.scorer
    scorer.snapshot_info = msgspec.structs.replace(scorer.snapshot_info, dump_date="")
    with serving(app) as address:
        assert "12 concepts of smallwiki. Model toy ." in text_of(address).text


@pytest.mark.parametrize(
    ("left", "right", "says"),
    [
        ("Mus", "Dog", "“ Mus ” redirects to House mouse"),
        ("DOG", "Cat", "“ DOG ” was read as Dog"),
        ("Cat", "Felis catus", "Both names lead to the same concept."),
        (
            "Catt",
            "Dog",
            "There is no concept called “ Catt ” in this snapshot. Did you mean this? Cat",
        ),
        ("Qqqqq", "Dog", "Check the spelling"),
        ("Dog", "Mouse", "“ Mouse ” may mean several things. Which one? House mouse Computer mouse"),
        ("[x]", "Dog", "“[x]” cannot be the title of an article."),
        ("Cat", "", "Name a second concept"),
        (" ", "Cat", "Name the first concept"),
    ],
)
def test_every_answer_has_its_words(address: str, left: str, right: str, says: str) -> None:
    assert says in text_of(address, left=left, right=right).text


@pytest.mark.parametrize(
    ("left", "right", "title"),
    [
        ("", "", "wort"),
        ("Mouse", "Dog", "Mouse and Dog · wort"),
        ("Cat", "Qqqqq <b>", "Cat and Qqqqq <b> · wort"),
        ("x" * 900, "Cat", f"{'x' * 79}… and Cat · wort"),
    ],
)
def test_the_title_says_what_was_asked_where_there_is_no_score(
    address: str, left: str, right: str, title: str
) -> None:
    html = httpx.get(address, params={"left": left, "right": right}).text
    assert unescape(html.partition("<title>")[2].partition("</title>")[0]) == title


def test_no_percentage_is_parted_from_its_sign(address: str) -> None:
    shown = httpx.get(f"{address}/?left=Cat&right=Dog").text
    assert "&nbsp;%" in shown
    assert loose_percentages(shown) == []
    assert loose_percentages("<p>10% and 5 % and 7&nbsp;% of a%20b</p>") == ["10%", "5 %"]


def test_what_was_typed_is_never_markup(address: str) -> None:
    for typed in (
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' autofocus onfocus=alert(1) '",
    ):
        for path, field in (("/", "left"), ("/explore", "concept")):
            plain, shown = (
                text_of(address, f"{path}?{urlencode({field: text, 'right': 'Cat'})}")
                for text in ("Qqqqq", typed)
            )
            assert [tag for tag, _ in shown.tags if tag == "img"] == []
            assert len(shown.tags) <= len(plain.tags)
            assert shown.tags[[tag for tag, _ in shown.tags].index("input")][1]["value"] == typed.strip()


def test_every_field_has_a_label_and_ids_are_unique(address: str) -> None:
    for path in PAGES:
        tags = Text(httpx.get(f"{address}{path}").text).tags
        ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
        assert len(ids) == len(set(ids))
        labelled = {attributes["for"] for tag, attributes in tags if tag == "label"}
        fields = {
            attributes["id"]
            for tag, attributes in tags
            if tag in ("input", "select") and attributes.get("type") != "hidden"
        }
        assert fields == labelled
        for _, attributes in tags:
            for name in ("aria-describedby", "aria-labelledby"):
                assert attributes.get(name, ids[0]) in ids


def test_no_page_has_a_script_or_a_style_within(address: str) -> None:
    for path in (*PAGES, "/docs"):
        for tag, attributes in Text(httpx.get(f"{address}{path}").text).tags:
            assert tag != "style"
            assert "style" not in attributes
            assert tag != "script" or attributes["src"]
            assert not [name for name in attributes if name.startswith("on")]


def test_a_title_beyond_measure(address: str) -> None:
    told = "A title or an address has at most 1,000 characters, and this one has 1,001."
    for path, field in (("/", "left"), ("/explore", "concept")):
        shown = text_of(address, f"{path}?{field}={'x' * 1001}&right=Cat", 422)
        assert told in shown.text
        assert "Or begin with" not in shown.text
        fields = {attributes.get("name"): attributes for tag, attributes in shown.tags if tag == "input"}
        assert fields[field]["value"] == "x" * 1001
        assert fields[field]["aria-describedby"] == f"{field}-wrong"
        assert path == "/explore" or fields["right"]["value"] == "Cat"
    both = text_of(address, f"/?left={'x' * 1001}&right={'y' * 2000}", 422).text
    assert "has 1,001." in both
    assert "has 2,000." in both


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("/explore?concept=Jazz&k=abc", "In the address, “k”: 'abc' is not a whole number."),
        ("/explore?concept=Jazz&k=51", "“k”: 51 is too large; 50 is the most."),
        ("/explore?concept=Jazz&k=0", "“k”: 0 is too small; 1 is the least."),
        ("/threshold?precision=200", "“precision”: 200 is too large; 100 is the most."),
        ("/threshold?cost=0", "“cost”: 0 is too small; it is to be above 0."),
        ("/threshold?cost=nan&recall=x", "“recall”: 'x' is not a number."),
        ("/threshold?recall=" + "x" * 900, "“recall”: '" + "x" * 40 + "…' is not a number."),
    ],
)
def test_what_an_address_cannot_say_is_told_in_a_sentence(address: str, query: str, says: str) -> None:
    shown = text_of(address, query, 422).text
    assert says in shown
    assert "nput should" not in shown


def test_a_busy_server_says_so_in_words(tmp_path: Path) -> None:
    app = toy_app(tmp_path)
    app.state.workers.most = 0
    with serving(app) as address:
        response = httpx.get(f"{address}/", params={"left": "Cat", "right": "Dog"})
        assert response.status_code == 503
        assert response.headers["retry-after"] == "1"
        assert "503 Service Unavailable The server is busy" in Text(response.text).text


def test_bars_share_one_scale() -> None:
    zero, positive, negative, none = bars([0.0, 0.3, -0.1, 0.0])
    assert (positive.start, positive.length, positive.negative) == pytest.approx((25, 75, False))
    assert (negative.start, negative.length, negative.negative) == pytest.approx((0, 25, True))
    assert zero == none
    assert [bar.length for bar in bars([0.0, 0.0])] == [0, 0]
    assert str(bars([0.3])[0].zero) == "0.0"


def test_every_score_has_its_word() -> None:
    assert [in_words(number / 1000) for number in range(1001)][::1000] == [
        SCORES_IN_WORDS[0][1],
        SCORES_IN_WORDS[-1][1],
    ]
    assert {in_words(number / 1000) for number in range(1001)} == {words for _, words in SCORES_IN_WORDS}
    # What is shown alike is called alike.
    assert len({(f"{number / 1000:.2f}", in_words(number / 1000)) for number in range(1001)}) == 101


def test_a_percentile_is_the_same_on_a_page_and_in_a_sentence() -> None:
    for number in range(10001):
        percentile = round(number / 100, 2)
        said = percent_below(percentile)
        told = "" if said == "0.0" else f" More than {said} % of random pairs."
        assert more_than(Percentiles(percentile, None)) == told
        # Cut after a tenth, and never 100.
        assert said == ("99.9" if number >= 9990 else f"{number // 100}.{number // 10 % 10}")


def test_a_person_compares_two_concepts_by_keyboard(browser: Browser, address: str) -> None:
    with window(browser, address) as page:
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.type("comp")
        field = page.get_by_label("One concept")
        expect(field).to_be_focused()
        expect(page.get_by_role("option")).to_have_text(["Computer", "Computer mouse", "Computer keyboard"])
        expect(field).to_have_attribute("aria-expanded", "true")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("option", selected=True)).to_have_text("Computer mouse")
        page.keyboard.press("Enter")
        expect(field).to_have_value("Computer mouse")
        expect(page.get_by_role("listbox")).to_have_count(0)
        page.keyboard.press("Tab")
        page.keyboard.type("pia")
        expect(page.get_by_role("option").first).to_have_text("Piano")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page).to_have_title(re.compile(r"^Computer mouse and Piano: 0\.\d\d · wort$"))
        assert page.url.startswith(f"{address}/?left=Computer+mouse&right=Piano")
        # It adds nothing here, and is folded with the others that do not.
        page.get_by_text("features add nothing").press("Enter")
        expect(page.get_by_role("rowheader", name="ESA")).to_be_visible()


def test_a_list_closes_without_choosing(browser: Browser, address: str) -> None:
    with window(browser, address) as page:
        field = page.get_by_label("Another concept")
        field.fill("m")
        expect(page.get_by_role("option").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("listbox")).to_have_count(0)
        expect(field).to_have_value("m")
        field.fill("mu")
        page.get_by_role("option", name="Music", exact=True).click()
        expect(field).to_have_value("Music")
        field.fill("")
        expect(page.get_by_role("listbox")).to_have_count(0)


def test_a_title_that_is_spelt_nearly_is_offered(browser: Browser, address: str) -> None:
    with window(browser, address) as page:
        page.get_by_label("One concept").fill("computr")
        offered = page.get_by_role("option").filter(has_text="perhaps meant")
        expect(offered.first).to_have_text("Computer perhaps meant")
        offered.first.click()
        expect(page.get_by_label("One concept")).to_have_value("Computer")


def test_trouble_leads_on(browser: Browser, address: str) -> None:
    with window(browser, address, "/?left=Mouse&right=Catt") as page:
        expect(page.get_by_label("One concept")).to_have_attribute("aria-invalid", "true")
        page.get_by_role("link", name="Computer mouse").click()
        expect(page.get_by_label("One concept")).to_have_value("Computer mouse")
        page.get_by_role("link", name="Cat", exact=True).click()
        expect(page.get_by_role("img", name="on a scale from 0")).to_be_visible()


def test_the_two_are_swapped_and_the_answer_shared(browser: Browser, address: str) -> None:
    with window(browser, address, "/?left=Cat&right=Piano", permissions=["clipboard-read"]) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        before = page.locator(".score").inner_text()
        page.get_by_role("link", name="Swap the two").click()
        expect(page.get_by_role("heading", name="Piano and Cat")).to_be_visible()
        assert page.locator(".score").inner_text() == before
        page.get_by_role("button", name="Copy link").click()
        expect(page.get_by_text("Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == f"{address}/?left=Piano&right=Cat"


def test_it_works_without_scripts(browser: Browser, address: str) -> None:
    with window(browser, address, java_script_enabled=False) as page:
        page.get_by_label("One concept").fill("Cat")
        page.get_by_label("Another concept").fill("Dog")
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("rowheader", name="ESA")).to_be_visible()
        page.get_by_role("heading", name="Cat and Dog").get_by_role("link", name="Dog").click()
        expect(page.get_by_role("heading", name="Dog", exact=True)).to_be_visible()


def test_the_interface_can_be_read_and_tried(browser: Browser, address: str) -> None:
    with window(browser, address, "/docs") as page:
        page.get_by_text("Score pairs of concepts").first.click()
        page.get_by_role("button", name="Try it out").click()
        page.locator("textarea").fill('{"pairs": [{"left": "Cat", "right": "Dog"}]}')
        page.get_by_role("button", name="Execute").click()
        expect(page.locator(".live-responses-table")).to_contain_text('"status": "ok"')
        page.get_by_role("link", name="Explore", exact=True).click()
        expect(page).to_have_title("Explore · wort")
