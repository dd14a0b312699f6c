"""What tests of pages share: servers, and a browser to look at them with. Each file has its own of them.

A browser is closed with its file: while it is open, no other event loop runs in this thread.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.settings import Settings
from tests.support.browser import chromium
from tests.support.releases import first_fixture, toy_registry_fixture
from tests.support.served import serving, toy_app, toy_model, toy_term_model
from tests.wikis.sense_wiki import build_senses

__all__ = ["first_fixture", "toy_registry_fixture"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over the toy wiki; a file that is about another one has its own fixture of this name."""
    with serving(toy_app(tmp_path_factory.mktemp("page"))) as address:
        yield address


@pytest.fixture(scope="module")
def jaguars(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over the wiki in which a jaguar is a cat or a car, which takes texts of 500 characters."""
    folder = tmp_path_factory.mktemp("jaguars")
    snapshot = build_senses(folder)
    limits = Settings(term_model=toy_term_model(folder / "terms.json", snapshot.id), max_text=500)
    scorer = Scorer.open(snapshot.folder, toy_model(folder / "model.json", snapshot.id))
    with serving(create_app(limits, Source(Serving(scorer, TermSettings.of(limits))))) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser; what needs it is skipped where there is none."""
    with chromium() as browser:
        yield browser
