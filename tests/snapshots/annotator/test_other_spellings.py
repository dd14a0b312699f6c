"""What texts spell otherwise than links do, found in a small dictionary and in the starter's."""

from __future__ import annotations

import marisa_trie
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.serving.starter import snapshot_path
from snapshots.annotator import Annotator
from snapshots.annotator.names.other_spellings import OtherSpelling, OtherSpellings
from snapshots.snapshot import Snapshot

MENTIONS = marisa_trie.Trie(
    [
        "world war",
        "world war i",
        "world war ii",
        "mount etna",
        "part i",
        "war ii",
        "email",
        *("martin luther", "martin luther king, jr.", "al unser sr.", "hank williams", "hank williams jr."),
    ]
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In the Second World War, and before.", {"Second World War": "world war ii"}),
        ("THE FIRST WORLD WAR", {"FIRST WORLD WAR": "world war i"}),
        ("After WW2.", {"WW2": "world war ii"}),
        ("Before WWI and World War 2 he", {"WWI": "world war i", "World War 2": "world war ii"}),
        ("Near Mt. Etna, or Mt Etna", {"Mt. Etna": "mount etna", "Mt Etna": "mount etna"}),
        (
            "World War Two, and the 1st World War",
            {"World War Two": "world war ii", "1st World War": "world war i"},
        ),
        ("One part two of 2", {}),
        ("The second, World War", {}),  # of something else
        ("World War 13, World War 0 and World War", {}),
        ("Sworld War 2", {"War 2": "war ii"}),  # the longest that is a mention
        ("a secondWorld War, 2", {}),
        ("An e-mail, E-Mail and e‑mail.", {"e-mail": "email", "E-Mail": "email", "e‑mail": "email"}),
        ("The-mail, i.e. mail, e- mail and e-mails", {}),
        ("", {}),
        ("Martin Luther King's dream", {"Martin Luther King": "martin luther king, jr."}),
        ("of Dr. Martin Luther King Jr., who", {"Martin Luther King Jr.": "martin luther king, jr."}),
        ("Martin Luther King, Jr., and Sr.", {"Martin Luther King, Jr.": "martin luther king, jr."}),
        ("martin luther king dream", {"martin luther king": "martin luther king, jr."}),
        ("In Rome Al Unser drove.", {"Al Unser": "al unser sr."}),
        # Who is called just so, what has small letters in between, and a part of a word.
        ("Hank Williams sang, and Al, Unser", {}),
        ("A martin luther king, Al Unserman and Al Unser-Smith", {}),
        ("Hank Williams Jr. sang", {"Hank Williams Jr.": "hank williams jr."}),
        ("Al Unser Jr.", {}),
    ],
)
def test_names_with_numbers_and_in_short(text: str, found: dict[str, str]) -> None:
    others = OtherSpellings(MENTIONS, "en").found(text)
    assert {text[one.start : one.end]: MENTIONS.restore_key(one.mention) for one in others} == found


def test_no_part_of_a_word_is_a_mention() -> None:
    text = "No e-mail is mail, be it in an e-book."
    parts = OtherSpellings(MENTIONS, "en").are_parts(text)
    assert [text[place : place + 4] for place in sorted(parts)] == ["mail", "book"]
    assert OtherSpellings(MENTIONS, "ltg").are_parts(text) == set()
    assert list(OtherSpellings(MENTIONS, "ltg").found(text)) == []


def test_a_language_without_rules_has_numbers_alone() -> None:
    text = "In the Second World War, or World War 2"
    others = OtherSpellings(MENTIONS, "ltg")
    assert list(others.found(text)) == [OtherSpelling(28, 39, MENTIONS["world war ii"])]


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=80) | st.lists(st.sampled_from(["second", "World", "War", "2", "mt.", ",", "ß"])))
def test_any_text(parts: str | list[str]) -> None:
    text = parts if isinstance(parts, str) else " ".join(parts)
    for one in OtherSpellings(MENTIONS, "en").found(text):
        assert 0 <= one.start < one.end <= len(text)
        assert 0 <= one.mention < len(MENTIONS)


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return Annotator.of_snapshot(Snapshot.open(snapshot_path()))


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        ("Hitler started the Second World War.", "Second World War", "World War II"),
        ("The First World War killed millions.", "First World War", "World War I"),
        ("He fought in WW2.", "WW2", "World War II"),
        ("He climbed Mt. Everest on May 2.", "Mt. Everest", "Mount Everest"),
        ("He walked on the Moon.", "Moon", "Moon"),  # and not on Keith Moon
        ("Neil Armstrong walked on the Moon.", "Moon", "Moon"),
        ("Thanks for your e-mail.", "e-mail", "Email"),
    ],
)
def test_what_the_starter_reads(starter: Annotator, text: str, words: str, title: str) -> None:
    titles = Snapshot.open(snapshot_path()).concept_titles
    found = {text[one.start : one.end]: titles[one.concept] for one in starter.annotate(text)}
    assert found[words] == title
    assert {"War", "mail"}.isdisjoint(found)


def test_a_person_is_still_told_from_a_planet(starter: Annotator) -> None:
    titles = Snapshot.open(snapshot_path()).concept_titles
    found = {titles[one.concept] for one in starter.annotate("Moon played the drums with Pete Townshend.")}
    assert "Moon" not in found


@pytest.mark.parametrize(
    "text", ["Martin Luther King's dream changed America.", "Memphis, where Martin Luther King Jr. was shot"]
)
def test_a_son_is_not_who_has_the_beginning_of_his_name(starter: Annotator, text: str) -> None:
    titles = Snapshot.open(snapshot_path()).concept_titles
    found = [titles[one.concept] for one in starter.annotate(text)]
    assert "Martin Luther King, Jr." in found
    assert "Martin Luther" not in found
