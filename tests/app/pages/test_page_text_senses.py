"""The senses that a person chooses in a text: what programs are answered of them, and what they leave be."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import escape, unescape

import httpx
import pytest

from app.scoring.annotating import senses_of
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.support.browser import text_of
from tests.support.served import serving

TEXT = "Python is a programming language. Mercury is a planet near the Sun. Jazz is music from New Orleans."
ELEMENT = "Mercury (element)"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server over what comes with wort, where choosing a sense used to lose other concepts of the text."""
    with serving(create_app(Settings(), open_scorer(None, None))) as address:
        yield address


def linked(address: str, text: str, sense: str = "") -> list[str | None]:
    """The concepts to which the mentions of a text lead on the page, in order."""
    tags = text_of(address, "/text", 200, text=text, sense=sense).tags
    return [each["title"] for tag, each in tags if tag == "a" and str(each.get("class")).startswith("size-")]


def titles(answer: httpx.Response) -> list[str]:
    return [one["title"] for one in answer.json()["annotations"]]


def test_json_and_curl_are_answered_what_the_page_shows(address: str) -> None:
    chosen = {"text": TEXT, "sense": "Python|Python"}
    shown = linked(address, **chosen)
    assert shown[0] == "Python"
    assert titles(httpx.get(f"{address}/text", params={**chosen, "as": "json"})) == shown
    page = httpx.get(f"{address}/text", params=chosen).text
    code = unescape("curl" + page.partition("<code>curl")[2].partition("</code>")[0])
    _, url, *fields = shlex.split(code.replace("\\\n", " "))
    assert fields[::2] == ["--data-urlencode"] * 2
    body = dict(field.split("=", 1) for field in fields[1::2])
    assert titles(httpx.post(url, data=body)) == shown
    assert "With curl you ask the page, and get what it shows; in Python you ask the interface" in page
    assert f"client.annotate({TEXT!r})" in unescape(page)


def test_how_often_a_mention_has_another_sense_is_told_in_cases(address: str) -> None:
    said = re.findall(r"([\d.]+) (% .*?) (?=[A-Z])", text_of(address, "/text", 200, text=TEXT).text)
    other = next(one for one in senses_of(open_scorer(None, None), "Mercury") if one.title == ELEMENT)
    assert (f"{100 * other.share:.1f}", "% of cases") in said


def test_nothing_is_said_of_senses_where_none_that_is_known_was_chosen(address: str) -> None:
    for sense in ("", "Python|Nothing of this name"):
        page = httpx.get(f"{address}/text", params={"text": TEXT, "sense": sense}).text
        assert "v1/annotate" in page
        assert "without them" not in page


@pytest.mark.parametrize(
    ("senses", "said"),
    [
        (["Bass|Bass guitar"], "'bass' is not among the mentions of the text."),
        (
            ["Bass|Bass guitar", "apple|Apple Inc.", "jazz|Jazz"],
            "'bass' and 'apple' are not among the mentions of the text.",
        ),
        (["Python|No such"], "there is no concept 'No such'."),
        (
            ["Bass|Bass guitar", "python|No such", "mercury|<i>"],
            "'bass' is not among the mentions of the text; there is no concept 'No such' or '<i>'.",
        ),
    ],
)
def test_a_sense_that_changes_nothing_is_told_of(address: str, senses: list[str], said: str) -> None:
    asked: dict[str, str | list[str]] = {"text": TEXT, "sense": senses}
    page = httpx.get(f"{address}/text", params=asked)
    assert page.status_code == 200
    notice = f'<p class="hint" role="status">{escape(f"Not every chosen sense is used: {said}")}</p>'
    assert notice.replace("&#x27;", "&#39;") in page.text
    answer = httpx.get(f"{address}/text", params={**asked, "as": "json"})
    assert answer.json()["note"] == f"Not every chosen sense is used: {said}"
    # What a link leads to is what the form shows.
    sent = httpx.post(f"{address}/text", data=asked, follow_redirects=True)
    assert notice.replace("&#x27;", "&#39;") in sent.text


def test_nothing_is_said_of_senses_that_are_used(address: str) -> None:
    asked = {"text": TEXT, "sense": "Python|Python"}
    assert "Not every chosen sense" not in httpx.get(f"{address}/text", params=asked).text
    assert "note" not in httpx.get(f"{address}/text", params={**asked, "as": "json"}).json()


def test_a_chosen_sense_loses_no_other_concept(address: str) -> None:
    plain = linked(address, TEXT)
    assert {"Python (programming language)", "Mercury (planet)", "Jazz"} <= set(plain)
    chosen = linked(address, TEXT, f"mercury|{ELEMENT}")
    assert chosen == [ELEMENT if one == "Mercury (planet)" else one for one in plain]


def test_a_chosen_sense_helps_in_its_own_paragraph_alone(address: str) -> None:
    first, second = "An apple lay beside the python.", "The python and the bass."
    assert linked(address, f"{first}\n\n{second}") == ["Apple", "Python", "Python"]
    language = "Programming language"
    chosen = linked(address, f"{first}\n\n{second}", f"apple|{language}")
    assert chosen == [language, "Python (programming language)", "Python"]


def test_shares_of_other_senses_leave_room_for_the_one_that_was_found() -> None:
    scorer = open_scorer(None, None)
    found = {title: scorer.resolver.article(title) for title in ("Microsoft Windows", "Window")}
    (other,) = senses_of(scorer, "Windows", found["Microsoft Windows"])
    # Every link of that text leads there, and yet it was taken for something else.
    assert other.title == "Window"
    assert 0.5 < other.share < 0.95
    assert [one.share for one in senses_of(scorer, "Windows", found["Window"])] == [0.0]
