"""The page ``/files``: a file of pairs is chosen, scored with progress, and fetched; or is not."""

from __future__ import annotations

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from app.pages.files import UNKNOWN
from tests.app.batch.test_headless import HEADLESS
from tests.support.browser import faults, text_of, window
from tests.support.served import serving, toy_app
from tests.wikis.toy import TITLES

ROWS = [*itertools.combinations(TITLES, 2), ("Catt", "Dog"), ("Mouse", "Cat"), ('A "quoted", one', "Dog")]


def table(delimiter: str = ",", columns: tuple[str, str] = ("left", "right"), times: int = 1) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, delimiter=delimiter)
    rows.writerow(("note", *columns))
    rows.writerows((f"line\n{number}", *row) for number, row in enumerate(ROWS * times))
    return text.getvalue().encode()


def lines() -> bytes:
    return b"".join(json.dumps({"left": left, "right": right}).encode() + b"\n" for left, right in ROWS)


def choose(page: Page, name: str, content: bytes) -> None:
    page.get_by_label("Choose a file").set_input_files(
        FilePayload(name=name, mimeType="application/octet-stream", buffer=content)
    )


def downloaded(page: Page) -> tuple[str, bytes]:
    """What the page offers at the end: its name and its content."""
    expect(page.get_by_role("heading", name="Scored")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("pairs.csv", table(), "text/csv"),
        ("pairs.tsv", table("\t"), "text/tab-separated-values"),
        ("pairs.jsonl", lines(), "application/x-ndjson"),
    ],
)
def test_what_is_fetched_is_what_the_interface_answers(
    browser: Browser, address: str, name: str, content: bytes, media_type: str
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, name, content)
        page.get_by_role("button", name="Score the pairs").click()
        found, scored = downloaded(page)
        assert found == name.replace(".", ".scored.")
        answer = httpx.post(
            f"{address}/v1/relatedness/files", content=content, headers={"Content-Type": media_type}
        )
        assert scored == answer.content
        assert answer.headers["wort-rows"] == str(len(ROWS))
        expect(page.get_by_text(f"{len(ROWS)} rows", exact=True).first).to_be_visible()
        counts = page.locator("#counts")
        expect(counts).to_contain_text(f"{len(ROWS) - 3} ok")
        expect(counts).to_contain_text("2 unknown")
        expect(counts).to_contain_text("1 ambiguous")
        expect(page.locator("#preview tbody tr")).to_have_count(8)


@pytest.mark.parametrize(
    ("size", "says"),
    [
        (130, "130 bytes"),
        (1023, "1,023 bytes"),
        (1024, "1.0 KiB"),
        (20_000, "20 KiB"),
        (1_048_000, "1,023 KiB"),
        (1_048_500, "1.0 MiB"),
        (11_000_000, "10 MiB"),
    ],
)
def test_the_size_of_a_file_is_said_in_the_units_of_the_limit(
    browser: Browser, address: str, size: int, says: str
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", b"left,right\nCat,Dog\n".ljust(size, b"\n"))
        expect(page.locator("#chosen")).to_have_text(f"pairs.csv, {says}")
        expect(page.get_by_text("At most")).to_contain_text("MiB")


def test_the_numbers_of_a_column_have_the_same_digits(browser: Browser, address: str) -> None:
    head = b"left,right,year,share,change\n"
    content = head + b"Cat,Dog,1999,0.5,-0.0001\nCat,Felis catus,2001,0.25,-0.25\nCat,Music,7,1,1\n"
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", content)
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        heads = page.locator("#preview thead th").all_inner_texts()
        rows = [row.locator("td").all_inner_texts() for row in page.locator("#preview tbody tr").all()]
        columns = dict(zip(heads, zip(*rows, strict=True), strict=True))
        assert columns["year"] == ("1999", "2001", "7")
        assert columns["share"] == ("0.5", "0.25", "1")
        assert columns["change"] == ("0.000", "-0.250", "1.000")
        assert columns["score"][1] == "1.000"
        assert {len(score) for score in columns["score"]} == {5}
        for caption in page.locator("caption").all():
            assert caption.evaluate("one => getComputedStyle(one).textAlign") in ("start", "left")


def test_parquet_is_scored_by_the_columns_that_it_has(browser: Browser, address: str) -> None:
    sink = io.BytesIO()
    columns = {
        "note": [[1, 2]] * len(ROWS),
        "one": [row[0] for row in ROWS],
        "other": [row[1] for row in ROWS],
    }
    pq.write_table(pa.table(columns), sink)
    with window(browser, address, "/files", (422,)) as page:
        choose(page, "pairs.parquet", sink.getvalue())
        one = page.get_by_label("Column of one concept")
        assert one.evaluate("all => [...all.options].map((option) => option.value)") == list(columns)
        expect(page.locator("#begins")).to_be_hidden()
        expect(page.get_by_label("The first row names the columns")).to_be_hidden()
        one.select_option("one")
        page.get_by_label("Column of the other").select_option("other")
        page.get_by_role("button", name="Score the pairs").click()
        expect(page.get_by_role("alert")).to_contain_text("'note' holds lists or structs")
        del columns["note"]
        sink = io.BytesIO()
        pq.write_table(pa.table(columns), sink)
        choose(page, "pairs.pq", sink.getvalue())
        page.get_by_role("button", name="Score the pairs").click()
        name, scored = downloaded(page)
        assert name == "pairs.scored.pq"
        answer = httpx.post(
            f"{address}/v1/relatedness/files?left=one&right=other",
            content=sink.getvalue(),
            headers={"Content-Type": "application/vnd.apache.parquet"},
        )
        assert scored == answer.content
        expect(page.get_by_text(f"{len(ROWS)} rows", exact=True).first).to_be_visible()
        expect(page.locator("#counts")).to_be_hidden()
        said = "which have no score, and why, say the columns “status” and “error” of the file."
        expect(page.get_by_text(f"This page does not read the rows of Parquet: {said}")).to_be_visible()
        choose(page, "pairs.jsonl", lines())
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(page.locator("#unread")).to_be_hidden()
        assert not faults(page)


def test_columns_and_options_are_chosen(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "mine.csv", table(columns=("one", "other")))
        expect(page.get_by_label("Column of one concept")).to_have_value("note")
        page.get_by_label("Column of one concept").select_option("one")
        page.get_by_label("Column of the other").select_option("other")
        page.get_by_label("Choose the likeliest sense").check()
        page.get_by_label("Add the value and the contribution").check()
        page.get_by_role("button", name="Score the pairs").click()
        _, scored = downloaded(page)
        query: dict[str, Any] = {"left": "one", "right": "other", "explain": True, "ambiguous": "resolve"}
        answer = httpx.post(
            f"{address}/v1/relatedness/files",
            params=query,
            content=table(columns=("one", "other")),
            headers={"Content-Type": "text/csv"},
        )
        assert scored == answer.content
        assert b"ESA contribution" in scored
        expect(page.locator("#counts")).not_to_contain_text("ambiguous")


def test_how_the_file_begins_is_seen_before_it_is_sent(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", table())
        begins = page.get_by_role("region", name="How the file begins")
        expect(begins.locator("thead th")).to_have_text(["note", "left", "right"])
        expect(begins.locator("tbody tr")).to_have_count(8)
        expect(begins.locator("tbody tr").first.locator("td")).to_have_text(["line 0", *ROWS[0]])
        expect(page.locator("#unnamed")).to_be_hidden()
        assert not faults(page)
        choose(page, "pairs.jsonl", lines())
        expect(begins.locator("tbody tr").first.locator("td")).to_have_text([*ROWS[0]])
        expect(page.get_by_label("The first row names the columns")).to_be_hidden()


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_semicolons_and_tabs_are_read(browser: Browser, address: str, delimiter: str) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", table(delimiter, columns=("one", "other")))
        page.get_by_label("Column of one concept").select_option("one")
        page.get_by_label("Column of the other").select_option("other")
        page.get_by_role("button", name="Score the pairs").click()
        rows = list(csv.DictReader(io.StringIO(downloaded(page)[1].decode()), delimiter=delimiter))
        assert [(row["one"], row["other"]) for row in rows] == ROWS
        expect(page.locator("#counts")).to_contain_text(f"{len(ROWS) - 3} ok")


def test_cells_are_told_apart_as_the_server_tells_them(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        for number, (content, separator) in enumerate(HEADLESS):
            rows = [row for row in csv.reader(content.decode().splitlines(), delimiter=separator) if row]
            if len(rows[0]) < 2 or b"never" in content:
                continue
            choose(page, f"pairs {number}.csv", content)
            # The box is checked once the file is read.
            expect(page.locator("#chosen")).to_contain_text(f"pairs {number}.csv")
            page.get_by_label("The first row names the columns").uncheck()
            first = page.locator("#begins tbody tr").first.locator("td")
            expect(first).to_have_text(rows[0])


def test_the_sample_is_tried_by_keyboard(browser: Browser, address: str) -> None:
    sample = httpx.get(f"{address}/sample.csv")
    assert sample.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(sample.text)))
    assert rows[-1]["right"] == UNKNOWN
    with window(browser, address, "/files") as page:
        page.get_by_role("button", name="Try a sample").press("Enter")
        expect(page.get_by_label("Column of one concept")).to_have_value("left")
        page.get_by_role("button", name="Score the pairs").press("Enter")
        expect(page.get_by_role("link", name="Download")).to_be_focused()
        expect(page.locator("#counts")).to_contain_text(f"{len(rows) - 1} ok")
        expect(page.locator("#counts")).to_contain_text("1 unknown")


def test_a_file_is_dropped(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        page.evaluate(
            """(text) => {
              const dropped = new DataTransfer();
              dropped.items.add(new File([text], "pairs.csv"));
              for (const kind of ["dragenter", "drop"]) {
                const event = new DragEvent(kind, { dataTransfer: dropped, cancelable: true });
                document.getElementById("drop").dispatchEvent(event);
              }
            }""",
            "left,right\nCat,Dog\n",
        )
        page.get_by_role("button", name="Score the pairs").click()
        assert b"Cat,Dog,0." in downloaded(page)[1]


@pytest.mark.parametrize(
    ("name", "content", "title", "detail"),
    [
        ("pairs.docx", b"left,right\n", "Not a file of pairs", "ends in none of .csv"),
        ("pairs.csv", b"", "Not a file of pairs", "pairs.csv is empty: "),
        ("pairs.jsonl", b"[1, 2\n", "Not a file of pairs", "has no two columns"),
        ("pairs.parquet", b"left,right\n", "The file cannot be read", "is not Parquet, or not whole"),
        (
            "pairs.parquet",
            b"PAR1" + b"\xff" * 90 + b"\x40\0\0\0PAR1",
            "The file cannot be read",
            "or damaged",
        ),
    ],
)
def test_what_is_no_file_of_pairs_is_not_sent(
    browser: Browser, address: str, name: str, content: bytes, title: str, detail: str
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, name, content)
        alert = page.get_by_role("alert")
        expect(alert.get_by_role("heading", name=title)).to_be_visible()
        expect(alert).to_contain_text(detail)
        expect(page.get_by_role("button", name="Score the pairs")).to_be_hidden()


def test_a_problem_is_told_in_its_own_words(browser: Browser, address: str) -> None:
    content = b"left,right,status\nCat,Dog,x\n"
    kind = {"Content-Type": "text/csv"}
    answer = httpx.post(f"{address}/v1/relatedness/files", content=content, headers=kind)
    assert 400 <= answer.status_code < 500
    with window(browser, address, "/files", (answer.status_code,)) as page:
        choose(page, "pairs.csv", content)
        page.locator("#prefix").fill("")  # one was filled in
        page.get_by_role("button", name="Score the pairs").click()
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(answer.json()["title"])
        expect(alert).to_contain_text(answer.json()["detail"].partition(" `")[0])
        choose(page, "pairs.csv", b"left,right\nCat,Dog\n")
        expect(alert).to_be_hidden()


def test_progress_is_shown_and_the_work_can_be_cancelled(browser: Browser, address: str) -> None:
    """The answer is held back half way, as a slow one would be."""
    head = b"left,right,score,status,left_title,right_title,error\n"
    half = head + b"Cat,Dog,0.5,ok,Cat,Dog,\n" * 3
    with window(browser, address, "/files") as page:
        page.evaluate(
            """(half) => {
              globalThis.fetch = async (url, options) => {
                const body = new ReadableStream({
                  start(held) {
                    held.enqueue(new TextEncoder().encode(half));
                    options.signal.addEventListener("abort", () => held.error(options.signal.reason));
                  },
                });
                return new Response(body, { headers: { "Wort-Rows": "6" } });
              };
            }""",
            half.decode(),
        )
        choose(page, "pairs.csv", b"left,right\n" + b"Cat,Dog\n" * 6)
        page.get_by_role("button", name="Score the pairs").click()
        expect(page.get_by_text("3 of 6 rows")).to_be_visible()
        assert page.get_by_role("progressbar").evaluate("bar => bar.value / bar.max") == 0.5
        expect(page.get_by_role("link", name="Download")).to_be_hidden()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("alert")).to_contain_text("Cancelled")
        expect(page.get_by_role("button", name="Score the pairs")).to_be_enabled()


def test_an_answer_that_ends_early_is_not_offered(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        page.evaluate(
            """() => {
              const content = "left,right,score,status\\nCat,Dog,0.5,ok\\n";
              globalThis.fetch = async () => new Response(content, { headers: { "Wort-Rows": "2" } });
            }"""
        )
        choose(page, "pairs.csv", b"left,right\nCat,Dog\nCat,Piano\n")
        page.get_by_role("button", name="Score the pairs").click()
        expect(page.get_by_role("alert")).to_contain_text("Only 1 of 2 rows came back")
        expect(page.get_by_role("link", name="Download")).to_be_hidden()


def test_a_server_that_is_gone_is_told(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        page.evaluate("() => { globalThis.fetch = async () => { throw new TypeError('gone'); }; }")
        page.get_by_role("button", name="Try a sample").click()
        expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")


def test_without_scripts_it_says_how_else(address: str, browser: Browser) -> None:
    assert f"curl {address}/v1/relatedness/files" in text_of(address, "/files").text
    with window(browser, address, "/files", java_script_enabled=False) as page:
        expect(page.locator("noscript p")).to_be_visible()
        expect(page.locator("#pairs")).to_be_hidden()


def test_where_a_key_is_wanted_the_browser_sends_it_along(browser: Browser, tmp_path: Path) -> None:
    with serving(toy_app(tmp_path, require_key=True, admin_key="of the toy")) as address:
        assert httpx.get(f"{address}/files").status_code == 401
        key = {"username": "anybody", "password": "of the toy"}
        with window(browser, address, "/files", (401,), http_credentials=key) as page:
            page.get_by_role("button", name="Try a sample").click()
            page.get_by_role("button", name="Score the pairs").click()
            assert UNKNOWN.encode() in downloaded(page)[1]


@pytest.mark.slow
def test_a_large_file_streams(browser: Browser, address: str) -> None:
    content = table(times=1000)
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", content)
        page.get_by_role("button", name="Score the pairs").click()
        expect(page.get_by_role("heading", name="Scored")).to_be_visible(timeout=120_000)
        _, scored = downloaded(page)
        rows = list(csv.DictReader(io.StringIO(scored.decode())))
        assert len(rows) == 1000 * len(ROWS)
        assert [row["note"] for row in rows] == [f"line\n{number}" for number in range(len(rows))]
