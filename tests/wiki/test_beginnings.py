"""How articles begin, read from a real dump."""

from __future__ import annotations

from pathlib import Path

from wiki.beginnings import read_articles
from wiki.dump import Dump


def test_beginnings_of_a_dump_follow_redirects(data_dir: Path) -> None:
    dump = Dump.open(data_dir / "wiki" / "enwiki-2016-first-206-pages.xml.bz2")
    articles = read_articles(dump, ["Anarchism", "Accidental", "No such title"])
    assert articles.paragraphs["Anarchism"][0].startswith("Anarchism is a")
    assert "No such title" not in articles.paragraphs
    assert "Anarchism" in articles.titles
    assert "Accidental" not in articles.titles  # a redirect
