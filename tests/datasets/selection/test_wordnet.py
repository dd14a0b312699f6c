"""The reader of WordNet's files, on a small one and on that of Debian where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.selection.errors import MissingResource
from datasets.selection.lexicons import WnLexicon, WordSense, artificial_gloss
from datasets.selection.tagging import HanTaTagger
from datasets.selection.wordnet import DEBIAN, WordNet
from tests.datasets.selection.lexical import Synset, write_wordnet

SYNSETS = [
    Synset("n", ["ice cream", "icecream"], "a frozen dessert", [("@", "dessert"), ("%s", "cream")]),
    Synset("n", ["dessert", "sweet"], "what is eaten last", [("~", "ice cream")]),
    Synset("n", ["cream"], "the fat of milk", [("#s", "ice cream")]),
    Synset("n", ["sweet"], "a sugared thing"),
    Synset("a", ["sweet(p)"], ""),
]


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    return WordNet(write_wordnet(tmp_path / "wordnet", SYNSETS))


def test_senses_and_what_they_are_related_to(wordnet: WordNet) -> None:
    (sense,) = wordnet.senses("Ice cream", "n")
    assert (sense.lemmas, sense.gloss) == (("ice cream", "icecream"), "a frozen dessert")
    assert wordnet.related(sense, "hypernym") == ["dessert", "sweet"]
    assert wordnet.related(sense, "meronym") == ["cream"]
    assert wordnet.related(sense, "holonym") == []
    assert [one.gloss for one in wordnet.senses("sweet", "n")] == ["what is eaten last", "a sugared thing"]
    assert wordnet.senses("stone", "n") == wordnet.senses("ice cream", "v") == []
    assert wordnet.described()["wordnet"] == "3.0"


def test_glosses_that_are_made_of_other_words(wordnet: WordNet) -> None:
    first, second = wordnet.senses("sweet", "n")
    assert artificial_gloss(wordnet, first, "sweet") == "sweet, dessert"
    assert artificial_gloss(wordnet, second, "sweet") == "sweet"


def test_what_is_missing_is_said_with_how_to_install_it_offline(tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match=r"wordnet-base.*dpkg -i"):
        WordNet(tmp_path)
    with pytest.raises(MissingResource, match="no tagger of the language 'tlh'"):
        HanTaTagger("tlh")


@pytest.mark.parametrize(("module", "says"), [("wn", "wn"), ("HanTa.HanoverTagger", "hanta")])
def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch, module: str, says: str) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(MissingResource, match=f"--no-index --find-links FOLDER {says}"):
        WnLexicon("odenet:1.4") if module == "wn" else HanTaTagger("en")


@pytest.mark.skipif(not (DEBIAN / "data.noun").is_file(), reason="Debian's wordnet-base is not installed")
def test_wordnet_itself() -> None:
    wordnet = WordNet()
    (sense,) = wordnet.senses("ice cream", "n")
    assert isinstance(sense, WordSense)
    assert wordnet.related(sense, "hypernym") == ["frozen dessert"]
    assert len(wordnet.senses("bank", "n")) == 10, "as Zesch & Gurevych say"


@pytest.mark.parametrize(
    ("language", "sentence", "parts"),
    [
        ("en", "Old banks finance a new plant", ["a", "n", "v", None, "a", "n"]),
        ("de", "Alte Banken finanzieren das Kraftwerk", ["a", "n", "v", None, "n"]),
        ("nl", "De oude man schrijft een brief", [None, "a", "n", "v", None, "n"]),
    ],
)
def test_hanta_tags(language: str, sentence: str, parts: list[str | None]) -> None:
    pytest.importorskip("HanTa", reason="hanta is not installed")
    tagger = HanTaTagger(language)
    tagged = tagger.tag(sentence)
    assert [one.word for one in tagged] == sentence.split()
    assert [one.part for one in tagged] == parts
    assert not any(one.name for one in tagged)
    assert tagger.tag("Amsterdam")[0].name
