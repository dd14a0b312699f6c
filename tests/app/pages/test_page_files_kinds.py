"""What the page of files takes where a server reads no Parquet, and what it calls the rows that it shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from app.pages import files
from tests.app.pages.test_page_files import choose, downloaded
from tests.support.browser import chromium, window
from tests.support.served import serving, toy_app


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


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

        choose(page, "pairs.csv", b"left,right\nCat,Dog\n")
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(page.locator("#preview caption")).to_have_text("All rows")
