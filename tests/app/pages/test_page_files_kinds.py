"""What the page of files takes and refuses, what it says of a header, and which rows it shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from app.pages import files
from app.scoring.concepts import Scorer
from app.service import create_app
from app.settings import Settings
from building.excerpt import ExcerptSettings, write_excerpt
from snapshots.snapshot import Snapshot
from tests.app.pages.test_page_files import choose, downloaded
from tests.support.browser import faults, window
from tests.support.served import served_snapshot, serving, toy_app, toy_model


def test_what_an_excerpt_lacks_may_be_left_out(browser: Browser, tmp_path: Path) -> None:
    whole = Snapshot.open(served_snapshot(tmp_path / "toy"))
    part = write_excerpt(whole, tmp_path / "part", np.arange(5), ExcerptSettings())
    known = part.concept_titles[0], part.concept_titles[1]
    scorer = Scorer.open(part.folder, toy_model(tmp_path / "model.json", part.id))
    with serving(create_app(Settings(), scorer)) as address, window(browser, address, "/files") as page:
        for other, lacking in (("Qqqqq", True), (known[1], False)):
            choose(page, "pairs.csv", f"left,right\n{known[0]},{other}\n".encode())
            page.get_by_role("button", name="Score the pairs").click()
            downloaded(page)
            expect(page.get_by_text("This snapshot is an excerpt")).to_be_visible(visible=lacking)


def test_parquet_is_not_taken_where_it_is_not_read(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "has_parquet", lambda: False)
    with (
        serving(toy_app(tmp_path_factory.mktemp("page"))) as address,
        window(browser, address, "/files") as page,
    ):
        choose(page, "pairs.parquet", b"PAR1")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("ends in none of .csv")
        expect(alert).not_to_contain_text(", .parquet")
        choose(page, "pairs.csv", b"left\n")
        expect(alert).to_contain_text("in .jsonl it is the first object.")

        choose(page, "pairs.csv", b"left,right\nCat,Dog\n")
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(page.locator("#preview caption")).to_have_text("All rows")


@pytest.mark.parametrize(
    ("content", "commas"),
    [
        ("left;right;mean\nCat;Dog;7,5\n", True),
        ("left;right;year\nCat;Dog;1999\n", True),
        ("left;right;mean\nCat;Dog;7.5\n", False),
        ("left,right,mean\nCat,Dog,7.5\n", False),
        ('left,right,mean\nCat,Dog,"7,5"\n', False),
        ("left\tright\tmean\nCat\tDog\t7,5\n", True),
        ("left\tright\tyear\nCat\tDog\t1999\n", False),
    ],
)
def test_added_numbers_have_decimal_commas_where_the_file_has(
    browser: Browser, address: str, content: str, commas: bool
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", content.encode())
        box = page.get_by_label("decimal comma")
        expect(box).to_be_checked(checked=commas)
        expect(page.locator("#command")).to_contain_text("decimal=%2C" if commas else "v1/relatedness/files")
        page.get_by_role("button", name="Score the pairs").click()
        scored = downloaded(page)[1].decode().splitlines()[1]
        assert bool(re.search(r"\b0,\d{4}", scored)) == commas
        box.set_checked(not commas)
        assert ("decimal=" in page.locator("#command").inner_text()) != commas
        choose(page, "pairs.jsonl", b'{"left": "Cat", "right": "Dog"}\n')
        expect(box).to_be_hidden()
        assert "decimal=" not in page.locator("#command").inner_text()


def test_rows_without_a_score_are_listed_with_their_reason(browser: Browser, address: str) -> None:
    pairs = [*(["Cat", "Dog"] for _ in range(9)), ["Catt", "Dog"], ["Mouse", "Cat"], ["", "Dog"]]
    table = "left,right\n" + "".join(f"{left},{right}\n" for left, right in pairs)
    lines = "".join(json.dumps({"left": left, "right": right}) + "\n" for left, right in pairs)
    with window(browser, address, "/files") as page:
        for name, content in (("pairs.csv", table), ("pairs.jsonl", lines)):
            choose(page, name, content.encode())
            page.get_by_label("Beginning of the names of added columns").fill("wort_")
            page.get_by_role("button", name="Score the pairs").click()
            found, scored = downloaded(page)
            assert found == name.replace(".", ".scored.")
            assert b"wort_status" in scored
            rows = page.locator("#unscored tbody tr")
            expect(rows).to_have_count(3)
            for row, says in enumerate((("10", "Catt", "unknown"), ("11", "Mouse", "ambiguous"), ("12",))):
                for part in says:
                    expect(rows.nth(row)).to_contain_text(part)
            expect(rows.nth(1)).to_contain_text("may mean 'House mouse' or 'Computer mouse'")
            expect(rows.nth(2)).to_contain_text("invalid")
            expect(page.locator("#unscored caption")).to_contain_text("Rows without a score, and why.")
            expect(page.locator("#unscored th").first).to_have_text("Number of the pair")
        assert not faults(page, "#work")


def test_a_column_that_is_taken_leads_to_the_field_by_its_label(browser: Browser, address: str) -> None:
    content = b"left,right,score\nCat,Dog,1\n"
    kind = {"Content-Type": "text/csv"}
    detail = httpx.post(f"{address}/v1/relatedness/files", content=content, headers=kind).json()["detail"]
    assert detail.startswith("There is a column “score” already")
    with window(browser, address, "/files", (422,)) as page:
        choose(page, "pairs.csv", content)
        # Whoever empties it has seen what was filled in.
        page.get_by_label("Beginning of the names of added columns").fill("")
        page.get_by_role("button", name="Score the pairs").click()
        said = detail.replace("`prefix`", "“Beginning of the names of added columns”")
        assert said != detail
        expect(page.get_by_role("alert")).to_contain_text(said)
        page.get_by_label("Beginning of the names of added columns").fill("wort_")
        page.get_by_role("button", name="Score the pairs").click()
        assert b"wort_score" in downloaded(page)[1]


def test_a_beginning_is_filled_in_where_a_name_would_stand_twice(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        prefix, told = page.locator("#prefix"), page.locator("#clash")
        choose(page, "pairs.csv", b"left,right,score\nCat,Dog,1\n")
        expect(prefix).to_have_value("wort_")
        expect(told).to_have_text(
            "Your file has a column “score” already: the names of added columns begin with “wort_”."
        )
        expect(page.locator("#command")).to_contain_text("prefix=wort_")
        page.get_by_role("button", name="Score the pairs").click()
        assert downloaded(page)[1].startswith(b"left,right,score,wort_score,")
        choose(page, "pairs.csv", b"left,right,wort_score,status\nCat,Dog,1,2\n")
        expect(prefix).to_have_value("wort2_")
        # What is added by a box alone clashes where that is ticked.
        choose(page, "pairs.jsonl", b'{"left": "Cat", "right": "Dog", "ESA": 1, "left_prior": 1}\n')
        expect(prefix).to_have_value("")
        expect(told).to_be_empty()
        for box in ("#explain", "#resolve"):
            page.locator(box).check()
            expect(prefix).to_have_value("wort_")
            page.locator(box).uncheck()
            expect(prefix).to_have_value("")
        page.locator("#prefix").fill("mine ")
        choose(page, "pairs.csv", b"left,right,score\nCat,Dog,1\n")
        expect(prefix).to_have_value("mine ")
        expect(told).to_be_empty()
        assert not faults(page, "#pairs")


def test_pairs_and_lines_are_said_to_be_counted_apart(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", b"left,right\nCat,Dog\nCat\n")
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        row = page.locator("#unscored tbody tr td")
        expect(row.first).to_have_text("2")
        expect(row.last).to_contain_text("line 3: ")
        expect(page.locator("#unscored caption")).to_have_text(
            "Rows without a score, and why. "
            "Pairs are counted without a row of names, lines as your file has them."
        )


def test_a_header_is_said_to_be_recognised(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        recognised = page.get_by_text("The first row was recognised")
        choose(page, "pairs.csv", b"note,left,right\nx,Cat,Dog\n")
        expect(recognised).to_be_visible()
        page.get_by_label("The first row names the columns").uncheck()
        expect(recognised).to_be_hidden()
        choose(page, "pairs.csv", b"Cat,Dog\nCat,Piano\n")
        expect(recognised).to_be_hidden()
        choose(page, "pairs.jsonl", b'{"left": "Cat", "right": "Dog"}\n')
        expect(recognised).to_be_hidden()


def test_a_file_in_another_encoding_is_told_what_to_be_saved_as(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        alert = page.get_by_role("alert")
        for content in ("left,right\nCafé,Dog\n".encode("latin-1"), "left,right\nCat,Dog\n".encode("utf-16")):
            choose(page, "pairs.csv", content)
            expect(alert).to_contain_text("pairs.csv is not UTF-8. Save it as UTF-8")
            expect(page.get_by_role("button", name="Score the pairs")).to_be_hidden()
        # No fault are a mark of the encoding, and a letter of two bytes that the first 64 KiB cut in half.
        choose(page, "pairs.csv", b"\xef\xbb\xbfleft,right\nCat,Dog\n")
        expect(alert).to_be_hidden()
        choose(page, "pairs.csv", ("left,right,notes\nCat,Dog," + "é" * 40_000 + "\n").encode())
        expect(alert).to_be_hidden()
        expect(page.locator("#begins thead th").first).to_have_text("left")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pairs.xlsx", b"PK\x03\x04\x14\xff"),
        ("pairs.ods", b""),
        ("pairs.csv", b"PK\x03\x04\x14\xff"),
        ("pairs.tsv", b"\xd0\xcf\x11\xe0\xa1"),
    ],
)
def test_a_workbook_is_called_one(browser: Browser, address: str, name: str, content: bytes) -> None:
    with window(browser, address, "/files") as page:
        choose(page, name, content)
        expect(page.locator("#wrong-detail")).to_have_text(
            f"{name} is a workbook of a spreadsheet. Save it there as “CSV UTF-8”, and choose that file."
        )


@pytest.mark.parametrize("header", ["Left,Right", "RIGHT;note;left", " left\tRight "])
def test_capitals_of_a_header_do_not_matter(browser: Browser, address: str, header: str) -> None:
    with window(browser, address, "/files") as page:
        cells = re.sub(r"\w+", "Cat", header)
        choose(page, "pairs.csv", f"{header}\n{cells}\n".encode())
        expect(page.get_by_text("The first row was recognised")).to_be_visible()
        expect(page.get_by_text("No column of the first row is called")).to_be_hidden()
        for label, name in (("Column of one concept", "left"), ("Column of the other", "right")):
            assert page.get_by_label(label).input_value().strip().lower() == name
        page.get_by_role("button", name="Score the pairs").click()
        assert b"identical" in downloaded(page)[1]


def test_of_columns_that_differ_in_capitals_alone_none_is_recognised(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.csv", b"Left,LEFT,Right\nCat,Dog,Tea\n")
        expect(page.get_by_text("The first row was recognised")).to_be_hidden()
        expect(page.get_by_text("Taken: Left and Right. Choose others if that is wrong.")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "content", "taken"),
    [
        ("pairs.csv", b"id,concept A,concept B\n1,Cat,Dog\n", ("concept A", "concept B")),
        ("pairs.csv", b"year,one,other\n1999,Cat,Dog\n2001,Cat,Piano\n", ("one", "other")),
        # Of a column of names, some may look like numbers; one that is called left is the left one.
        ("pairs.csv", b"number,one,left\n1,1984,Dog\n2,Cat,Piano\n", ("left", "one")),
        # Page ids name concepts, too, where nothing else does.
        ("pairs.csv", b"id,other\n1,2\n", ("id", "other")),
        ("pairs.jsonl", b'{"no": 7, "one": "Cat", "other": "Dog"}\n', ("one", "other")),
        # Numbers of JSON are page ids, and texts of digits number something.
        ("pairs.jsonl", b'{"a": 25414, "b": 123, "note": "x"}\n', ("a", "b")),
        ("pairs.jsonl", b'{"a": "25414", "b": "123", "one": "Cat", "other": "Dog"}\n', ("one", "other")),
    ],
)
def test_columns_that_number_the_rows_are_not_taken_for_concepts(
    browser: Browser, address: str, name: str, content: bytes, taken: tuple[str, str]
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, name, content)
        expect(page.get_by_label("Column of one concept")).to_have_value(taken[0])
        expect(page.get_by_label("Column of the other")).to_have_value(taken[1])
        said = page.get_by_text(f"Taken: {taken[0]} and {taken[1]}. Choose others if that is wrong.")
        expect(said).to_be_visible()
        page.get_by_label("Column of the other").select_option(taken[0])
        expect(said).to_be_hidden()
        choose(page, "pairs.csv", b"id,left,right\n1,Cat,Dog\n")
        expect(page.locator("#taken")).to_be_hidden()
        page.get_by_label("The first row names the columns").uncheck()
        expect(page.get_by_text("Taken: the first two columns, as left and right.")).to_be_visible()


def test_a_name_that_stands_twice_is_told_before_anything_is_sent(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        told, send = page.locator("#repeated"), page.get_by_role("button", name="Score the pairs")
        choose(page, "pairs.csv", b"a,a,b\nCat,Dog,Music\n")
        expect(told).to_have_text("The first row names the column “a” twice. Rename one of them.")
        expect(page.locator("#taken")).to_be_hidden()
        expect(page.get_by_text("say that it names no columns")).to_be_visible()
        expect(send).to_be_disabled()
        page.get_by_label("The first row names the columns").uncheck()
        expect(told).to_be_hidden()
        send.click()
        assert downloaded(page)[1].startswith(b"left,right")
        choose(page, "pairs.csv", b"left,right,right\nCat,Dog,Music\n")
        expect(told).to_contain_text("“right” twice")
        expect(page.get_by_text("The first row was recognised")).to_be_hidden()
        choose(page, "pairs.csv", b"left,right\nCat,Dog\n")
        expect(told).to_be_hidden()
        expect(send).to_be_enabled()


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.jsonl"])
def test_added_numbers_have_three_decimals_and_titles_none(browser: Browser, address: str, name: str) -> None:
    rows = [{"left": "Cat", "right": right, "score": "1"} for right in ("Felis catus", "Dog")]
    table = "left,right,score\n" + "".join(",".join(row.values()) + "\n" for row in rows)
    lines = "".join(json.dumps({**row, "score": 1}) + "\n" for row in rows)
    with window(browser, address, "/files") as page:
        choose(page, name, (table if name.endswith(".csv") else lines).encode())
        page.get_by_label("Add the value and the contribution").check()
        page.locator("#prefix").fill("of ")
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        heads = page.locator("#preview thead th").all_inner_texts()
        cells = [row.locator("td").all_inner_texts() for row in page.locator("#preview tbody tr").all()]
        columns = dict(zip(heads, zip(*cells, strict=True), strict=True))
        assert columns["score"] == ("1", "1"), "it is a column of the file"
        assert columns["of left_title"] == ("Cat", "Cat")
        numbers = {head: column for head, column in columns.items() if head.endswith("contribution")}
        assert len(numbers) > 3
        for column in (columns["of score"], columns["of raw"], columns["of ESA"], *numbers.values()):
            assert all(re.fullmatch(r"-?\d+\.\d{3}", cell) for cell in column if cell), column


@pytest.mark.parametrize("name", ["pairs.csv", "my 'own' pairs.jsonl"])
def test_the_command_for_a_shell_does_what_the_form_does(
    browser: Browser, address: str, tmp_path: Path, name: str
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    row = {"id": "1", "concept A": "Mouse", "concept B": "Dog", "status": "new"}
    table = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
    content = table.encode() if name.endswith(".csv") else json.dumps(row).encode() + b"\n"
    (tmp_path / name).write_bytes(content)
    with window(browser, address, "/files") as page:
        choose(page, name, content)
        page.get_by_label("Choose the likeliest sense").check()
        page.get_by_label("Add the value and the contribution").check()
        page.locator("#prefix").fill("of&")
        command = page.locator("#command").inner_text()
        page.get_by_role("button", name="Score the pairs").click()
        found, scored = downloaded(page)
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "NO_PROXY": "*"}
        subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, check=True, timeout=60)
        assert (tmp_path / found).read_bytes() == scored
        assert b"of&ESA contribution" in scored


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (
            "pairs.csv",
            b"left|right\nCat|Dog\n",
            "parted by |: save it with commas, semicolons or tabs between",
        ),
        ("pairs.tsv", b"left|right\nCat|Dog\n", "parted by |: save it with tabs between them."),
        ("pairs.csv", b"\n\n", "pairs.csv is empty: there are no pairs in it."),
        ("pairs.parquet", b"", "pairs.parquet is empty: there are no pairs in it."),
        ("pairs.jsonl", b'{"a|b": 1}', "pairs.jsonl has no two columns."),
        ("pairs.csv", b"left\nCat\n", "pairs.csv has no two columns."),
    ],
)
def test_what_is_wrong_with_a_file_without_two_columns(
    browser: Browser, address: str, name: str, content: bytes, says: str
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, name, content)
        expect(page.locator("#wrong-detail")).to_contain_text(says)


def test_the_command_for_a_shell_says_that_there_is_no_header(browser: Browser, address: str) -> None:
    with window(browser, address, "/files") as page:
        choose(page, "pairs.tsv", b"Cat\tDog\nCat\tPiano\n")
        page.get_by_label("The first row names the columns").uncheck()
        expect(page.locator("#command")).to_have_text(
            f"curl '{address}/v1/relatedness/files?header=false' \\\n"
            "  --header 'Content-Type: text/tab-separated-values' "
            "--data-binary @pairs.tsv --output pairs.scored.tsv",
            use_inner_text=True,
        )


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        # Of a quote that is never closed only the line is at fault.
        ("pairs.csv", b'left,right\n"Cat,Dog\nTea,Milk\n', [['"Cat,Dog'], ["Tea", "Milk"]]),
        ("pairs.csv", b'left,right\n"Cat\n(animal)",Dog\n"Tea', [["Cat\n(animal)", "Dog"], ['"Tea']]),
        ("pairs.csv", b'left,right\n"Cat\r\n"Dog\r\n', [['"Cat'], ['"Dog']]),
        ("pairs.csv", b'left,right\n"Cat"s,Dog\nTea,Milk\n', [['"Cat"s,Dog'], ["Tea", "Milk"]]),
        # An array is no object, and so no pair.
        ("pairs.jsonl", b'["Cat", "Dog"]\n{"left": "Tea", "right": "Milk"}\n', [["", ""], ["Tea", "Milk"]]),
    ],
)
def test_the_rows_shown_are_those_that_the_server_reads(
    browser: Browser, address: str, name: str, content: bytes, rows: list[list[str]]
) -> None:
    with window(browser, address, "/files") as page:
        choose(page, name, content)
        shown = page.locator("#begins tbody tr")
        expect(shown).to_have_count(len(rows))
        cells = [one.locator("td").all_text_contents() for one in shown.all()]
        assert cells == rows
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(page.locator("#rows")).to_have_text("1 row" if len(rows) == 1 else f"{len(rows)} rows")
