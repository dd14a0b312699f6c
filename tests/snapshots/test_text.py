"""Words and sentences."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from building.stop_words import recorded, stop_words
from building.title_words import title_words
from snapshots.stop_words import STOP_WORDS
from snapshots.text import sentences, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" – … ()", []),
        ("E = mc²", ["e", "mc²"]),
        ("Rock'n'roll", ["rock", "n", "roll"]),
        ("snake_case", ["snake", "case"]),
        ("__init__", ["init"]),
        ("ÅNGSTRÖM", ["ångström"]),
        ("3.14 and 10,000", ["3", "14", "and", "10", "000"]),
        ("cafe\u0301 e\u0301", ["cafe\u0301", "e\u0301"]),
        ("İzmir", ["i̇zmir"]),
        ("हिन्दी विकिपीडिया", ["हिन्दी", "विकिपीडिया"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        ("Київ–Львів", ["київ", "львів"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text(st.characters(exclude_categories=["M"])))
def test_words_are_runs_of_letters_and_digits(text: str) -> None:
    lowered = text.lower()
    runs = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in lowered).split(" ")
    assert words(text) == [run for run in runs if run]


@given(st.text(st.characters(max_codepoint=127)))
def test_words_of_ascii_are_those_beside_other_letters(text: str) -> None:
    assert [*words(text), "é"] == words(f"{text} é")


@given(st.text(st.sampled_from("ab .!…。।?\"')»\n\u2003")))
def test_sentences_are_cut_where_their_ends_are(text: str) -> None:
    end = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？।]")  # the same, in the order of what is said
    assert sentences(text) == [sentence for sentence in end.split(text) if sentence]


@given(st.text())
def test_sentences_keep_every_word(text: str) -> None:
    assert [word for sentence in sentences(text) for word in words(sentence)] == words(text)


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("", []),
        ("No end", ["No end"]),
        ("One. Two.", ["One", "Two."]),
        ("Pi is 3.14, see p.7", ["Pi is 3.14, see p.7"]),
        ("He said “Go!” They went (all). Then?! End", ["He said “Go", "They went (all)", "Then", "End"]),
        ("Wait… what? .NET", ["Wait", "what", ".NET"]),
        ("一。二！三", ["一", "二", "三"]),
        ("राम आया। सीता गई।", ["राम आया", " सीता गई"]),
    ],
)  # fmt: skip
def test_sentences(paragraph: str, expected: list[str]) -> None:
    assert sentences(paragraph) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Earth", ["earth"]),
        ("Alzheimer's disease", ["alzheimer", "disease"]),
        ("Java (programming language)", ["java", "programming", "language"]),
        ("New York, New York", ["new", "york"]),
        ("The Lord of the Rings", ["lord", "rings"]),
        ("The Who", ["the", "who"]),
        ("Vitamin D", ["vitamin", "d"]),
        ("!!!", []),
    ],
)
def test_title_words(title: str, expected: list[str]) -> None:
    assert title_words(title, stop_words("en")) == expected


def test_stop_words_are_words() -> None:
    for language, listed in STOP_WORDS.items():
        assert stop_words(language) == listed
        assert all(words(word) == [word] for word in listed)


def test_stop_words_of_regional_and_unknown_languages() -> None:
    assert stop_words("en-GB") == STOP_WORDS["en"]
    assert stop_words("pt-BR") == stop_words("pt")
    assert stop_words("no") == stop_words("nb") != frozenset()
    assert stop_words("ltg") == frozenset()


def test_stop_words_of_other_languages_are_words() -> None:
    german = stop_words("de")
    assert {"der", "und", "nicht", "über"} < german
    assert not {"mensch", "tag", "gott", "jahr"} & german
    for language in ("de", "fr", "he", "vi", "hi"):
        assert all(words(word) == [word] for word in stop_words(language))


def test_a_manifest_names_the_stop_words_that_are_not_our_own() -> None:
    assert recorded("en") == recorded("en-GB") == recorded("ltg") == {}
    assert recorded("de") == {"stop_words": sorted(stop_words("de"))}
