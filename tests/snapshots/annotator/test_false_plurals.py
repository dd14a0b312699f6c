"""Mentions that machines read off titles as plurals, though these have others."""

from __future__ import annotations

import marisa_trie
import pytest

from app.serving.starter import snapshot_path
from features.senses.dictionary import MentionDictionary
from snapshots.annotator import Annotator
from snapshots.annotator.names.false_plurals import HALF, FalsePlurals
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from tests.support.csr import csr_of_mappings

TITLES = ["Ton", "Tone", "Tornado", "Box", "Wolf", "Rat (animal)", "Echo"]
MENTIONS = ("tones", "tornadoes", "boxes", "wolves", "rates", "echoes", "rat", "es")


def has(language: str, mention: str, *senses: tuple[str, float]) -> bool:
    trie = marisa_trie.Trie(MENTIONS)
    of_mention = {TITLES.index(title) if title in TITLES else len(TITLES): share for title, share in senses}
    rows = [of_mention if trie.restore_key(row) == mention else {} for row in range(len(trie))]
    table = csr_of_mappings(rows, len(TITLES) + 1)
    return FalsePlurals(trie, StringTable.of(TITLES), language).has(trie.key_id(mention), table)


def test_a_false_plural_is_of_a_title_with_another() -> None:
    assert has("en", "tones", ("Ton", 1.0))
    assert has("en", "rates", ("Rat (animal)", 1.0))
    assert has("en", "tones", ("Ton", HALF), ("Tone", 1 - HALF))
    assert not has("en", "tones", ("Ton", HALF - 0.1), ("Tone", HALF + 0.1))
    assert not has("en", "tones", ("Tone", 1.0))
    assert not has("en", "tones", ("no title here", 1.0))


@pytest.mark.parametrize(
    ("mention", "title"), [("tornadoes", "Tornado"), ("boxes", "Box"), ("wolves", "Wolf"), ("echoes", "Echo")]
)
def test_plurals_by_the_rules_stay(mention: str, title: str) -> None:
    assert not has("en", mention, (title, 1.0))


def test_other_languages_have_their_own_plurals() -> None:
    assert not has("de", "tones", ("Ton", 1.0))
    assert not has("es", "tones", ("Ton", 1.0))


@pytest.fixture(scope="module")
def starter() -> Snapshot:
    return Snapshot.open(snapshot_path())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He often writes about interest.", {}),
        ("A chord has three tones.", {}),
        ("Dark clouds filled the skies.", {"skies": "Sky"}),
        ("The frescoes of the church are old.", {"frescoes": "Fresco"}),
    ],
)
def test_texts_with_them(starter: Snapshot, text: str, found: dict[str, str]) -> None:
    titles, annotations = starter.concept_titles, Annotator.of_snapshot(starter).annotate(text)
    named = {text[one.start : one.end]: titles[one.concept] for one in annotations}
    assert {word: title for word, title in named.items() if word.endswith("es")} == found


def test_terms_do_not_have_them_either(starter: Snapshot) -> None:
    dictionary = MentionDictionary(starter)
    assert dictionary.number("skies") == -1
    assert dictionary.number("frescoes") >= 0
    text = "the skies and the frescoes"
    spotted = {text[start:end] for start, end, _ in dictionary.spots(text).tolist()}
    assert "skies" not in spotted
    assert "frescoes" in spotted
