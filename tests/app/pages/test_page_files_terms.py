"""What the page of files says of comparing as terms: where it can be done, and where no model of terms is."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from app.scoring.concepts import Scorer
from app.service import create_app
from app.settings import Settings
from snapshots.snapshot import Snapshot
from tests.app.pages.test_page_files import choose, downloaded
from tests.support.browser import text_of, window
from tests.support.served import served_snapshot, serving, toy_app, toy_model, toy_term_model

PAIRS = b"left,right\nCat,Dog\nMouse,Cat\n"
"""A mouse is ambiguous."""


def test_without_a_model_of_terms_no_terms_are_offered(browser: Browser, tmp_path: Path) -> None:
    snapshot = Snapshot.open(served_snapshot(tmp_path / "toy"))
    scorer = Scorer.open(snapshot.folder, toy_model(tmp_path / "model.json", snapshot.id))
    refused = Settings(term_model=toy_term_model(tmp_path / "terms.json", "another"), strict=True)
    with serving(create_app(refused, scorer)) as address:
        assert "any two terms" not in text_of(address, "/files").text
        with window(browser, address, "/files") as page:
            choose(page, "pairs.csv", PAIRS)
            expect(page.get_by_label("Choose the likeliest sense")).to_be_visible()
            expect(page.get_by_label("Compare them as terms")).to_have_count(0)
            page.get_by_role("button", name="Score the pairs").click()
            assert b"ambiguous" in downloaded(page)[1]
            expect(page.get_by_text("compared as terms")).to_have_count(0)
            assert "terms" not in page.locator("#command").inner_text()


def test_rows_without_a_score_lead_to_terms(browser: Browser, tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address, window(browser, address, "/files") as page:
        assert "any two terms" in text_of(address, "/files").text
        otherwise = page.get_by_text("Most words have a score where they are compared as terms")
        choose(page, "pairs.csv", b"left,right\nCat,Dog\n")
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(otherwise).to_be_hidden()
        choose(page, "pairs.csv", PAIRS)
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(otherwise).to_be_visible()
        page.get_by_label("Compare them as terms").check()
        page.get_by_role("button", name="Score the pairs").click()
        downloaded(page)
        expect(otherwise).to_be_hidden()
