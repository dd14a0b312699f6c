"""The stop words of a language that this project has no list of: a build takes the library's, and says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from building.build import build_snapshot, work_folder
from building.engines.local import LocalRunner
from building.excerpt import ExcerptSettings, write_excerpt
from features.senses.lexicon import Lexicon
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot
from snapshots.stop_words import STOP_WORDS, stop_words_of
from tests.support.building import ROOM
from tests.support.dumps import ENGLISH, write_dump
from wiki.dump import Dump
from wiki.page import RawPage

ARTICLES = {
    "Der Kern": "Der [[Der Kern|Kern]] und die [[Schale]] sind im [[Atom und Molekül]].",
    "Schale": "Die [[Schale]] ist um den [[Der Kern|Kern]] und nicht der Kern.",
    "Atom und Molekül": "Ein [[Atom und Molekül]] hat den [[Der Kern|Kern]] und die [[Schale]] nicht allein.",
}


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("german")
    pages = [
        RawPage(number, 0, title, None, text) for number, (title, text) in enumerate(ARTICLES.items(), 1)
    ]
    siteinfo = replace(ENGLISH, language="de")
    dump = write_dump(folder / "toywiki-20200203-pages-articles.xml", pages, siteinfo=siteinfo)
    settings = BuildSettings(minimum_document_frequency=1)
    with LocalRunner(1, ROOM, work_folder(folder / "de") / "scratch") as runner:
        return build_snapshot(
            Dump.open(dump), folder / "de", runner, settings, without=frozenset({"word2vec"})
        )


def test_titles_and_terms_are_without_the_stop_words_of_the_build(german: Snapshot) -> None:
    words, table = german.strings("words"), german.csr("title_words")
    titles = {
        german.concept_titles[row]: {words[word] for word in table.row(row).tolist()} for row in range(3)
    }
    assert titles == {"Der Kern": {"kern"}, "Schale": {"schale"}, "Atom und Molekül": {"atom", "molekül"}}
    assert Lexicon(german).words("der Kern und die Schale").known == ("kern", "schale")


def test_the_manifest_lists_them_and_an_excerpt_keeps_them(german: Snapshot, tmp_path: Path) -> None:
    assert {"der", "und", "nicht"} < set(german.manifest.settings["stop_words"])
    small = write_excerpt(german, tmp_path / "small", np.arange(german.concepts), ExcerptSettings())
    assert stop_words_of(small.manifest) == stop_words_of(german.manifest)


def test_a_snapshot_built_before_reads_as_it_was_built(german: Snapshot) -> None:
    settings = {name: value for name, value in german.manifest.settings.items() if name != "stop_words"}
    before = msgspec.structs.replace(german.manifest, settings=settings)
    assert stop_words_of(before) == frozenset()
    assert stop_words_of(msgspec.structs.replace(before, language="en-GB")) == STOP_WORDS["en"]
