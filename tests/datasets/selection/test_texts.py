"""Texts out of dumps and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.selection.dump_texts import DumpTexts
from datasets.selection.errors import UnusableInput
from datasets.selection.ngrams import Sentences
from datasets.selection.selection import generator
from datasets.selection.stop_words import chosen_stop_words
from datasets.selection.texts import FolderTexts
from datasets.selection.topics import Topic, read_topics
from datasets.selection.tr9856 import Tr9856Settings, select
from snapshots.text import words
from tests.support.dumps import write_dump
from training.progress import NoProgress
from wiki.dump import Dump
from wiki.page import RawPage

UNSEEN = NoProgress()
PAGES = [
    RawPage(1, 0, "Feline", "Cat", "#REDIRECT [[Cat]]"),
    RawPage(2, 0, "Cat", None, "A '''cat''' is an [[animal]]. It purrs.\n\nPeople keep cats."),
    RawPage(3, 1, "Talk:Cat", None, "Is it?"),
    RawPage(4, 0, "Cat (disambiguation)", None, "Cat may be many things. {{disambiguation}}"),
    RawPage(5, 0, "Dog", None, "A dog barks."),
    RawPage(6, 0, "Hound", "Dog", "#REDIRECT [[Dog]]"),
]


@pytest.fixture
def texts(tmp_path: Path) -> DumpTexts:
    return DumpTexts(Dump.open(write_dump(tmp_path / "dump.xml", PAGES)))


def test_articles_are_found_by_titles_and_redirects(texts: DumpTexts) -> None:
    found = texts.read(["cat", "Hound", "Feline"], UNSEEN)
    assert {asked: document.title for asked, document in found.items()} == {
        "cat": "Cat",
        "Hound": "Dog",
        "Feline": "Cat",
    }
    assert list(found["cat"].sentences()) == ["A cat is an animal", "It purrs.", "People keep cats."]


def test_every_article_is_read_in_order(texts: DumpTexts) -> None:
    assert [document.title for document in texts.every(UNSEEN)] == ["Cat", "Dog"]


def test_titles_that_are_not_there_are_named(texts: DumpTexts) -> None:
    with pytest.raises(UnusableInput, match=r"no article Cow; Cat \(disambiguation\)"):
        texts.read(["Dog", "Cow", "Cat (disambiguation)"], UNSEEN)


def test_texts_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "Cats.txt").write_text("A cat\npurrs.\n\nIt sleeps.")
    (tmp_path / "AC_DC.txt").write_text("A band.")
    found = FolderTexts(tmp_path)
    assert found.read(["Cats", "AC/DC"], UNSEEN)["Cats"].paragraphs == ("A cat purrs.", "It sleeps.")
    assert [document.title for document in found.every(UNSEEN)] == ["AC_DC", "Cats"]
    with pytest.raises(UnusableInput, match=r"no Dogs\.txt"):
        found.read(["Dogs"], UNSEEN)
    (tmp_path / "Dogs.txt").write_text(" \n")
    with pytest.raises(UnusableInput, match="is empty"):
        found.read(["Dogs"], UNSEEN)
    (tmp_path / "Dogs.txt").write_bytes(b"Hunde bellen \xfc")
    with pytest.raises(UnusableInput, match="byte 14 is not UTF-8"):
        found.read(["Dogs"], UNSEEN)


def test_stop_words(tmp_path: Path) -> None:
    assert "the" in chosen_stop_words("en-GB", None)
    path = tmp_path / "words.txt"
    path.write_text("Un\nuz\n")
    assert chosen_stop_words("ltg", path) == {"un", "uz"}
    with pytest.raises(UnusableInput, match=r"'ltg'.*--stop-words"):
        chosen_stop_words("ltg", None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("topic = 3", "Expected `array`"),
        ("[[topic]]\ndefinition = ''\nterms = ['a']\narticles = ['b']", "topic 1 has no definition"),
        ("[[topic]]\ndefinition = 'x'\nterms = ['a']\nbooks = ['b']", "unknown field `books`"),
        ("[[topic]", "no list of topics"),
    ],
)
def test_lists_of_topics_that_cannot_be_used(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "topics.toml"
    path.write_text(text)
    with pytest.raises(UnusableInput, match=says):
        read_topics(path)


def test_the_english_wikipedia(data_dir: Path) -> None:
    dump = Dump.open(data_dir / "wiki" / "enwiki-2016-first-206-pages.xml.bz2")
    documents = list(DumpTexts(dump).every(UNSEEN))
    assert len(documents) == 98, "of the 206 pages the others are redirects and disambiguation pages"
    assert [document.title for document in documents[:2]] == ["Anarchism", "Autism"]
    assert len(list(DumpTexts(dump, first=3).every(UNSEEN))) == 3


def test_terms_of_topics_in_the_latgalian_wikipedia(data_dir: Path) -> None:
    """No language is English alone: two halves of the longest articles as two topics."""
    dump = Dump.open(data_dir / "wiki" / "ltgwiki-20170901-pages-articles.xml.bz2")
    every = sorted(DumpTexts(dump).every(UNSEEN), key=lambda one: sum(map(len, one.paragraphs)))[-20:]
    documents = {document.title: document for document in every}
    titles = sorted(documents)
    topics = [Topic("first", ["latgola"], titles[:10]), Topic("second", ["volūda"], titles[10:])]
    stop_words = frozenset({"un", "i", "ir", "nu", "kai"})
    selection = select(topics, documents, stop_words, Tr9856Settings(), 1, UNSEEN, {})
    sentences = Sentences(documents)
    assert len(selection.pairs.rows) <= 240
    for topic in topics:
        rows = [row for row in selection.pairs.rows if row[1] == topic.definition]
        assert len({row[2:4] for row in rows}) == len(rows) > 5
        own = [word for number in sentences.of(topic.articles) for word in sentences.words[number]]
        for row in rows:
            first, *_, last = words(str(row[2])) * 2
            assert own.count(first) >= 3
            assert not {first, last} & stop_words
    again = select(topics, documents, stop_words, Tr9856Settings(), 1, UNSEEN, {})
    assert again.tables == selection.tables
    assert generator(1, "a").integers(9, size=9).tolist() != generator(2, "a").integers(9, size=9).tolist()
