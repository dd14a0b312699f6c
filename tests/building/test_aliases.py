"""Other names of concepts: the rules that give them, and the table that a build makes of them."""

from __future__ import annotations

import math
from pathlib import Path

import marisa_trie
import numpy as np
import pytest

from building.aliases.names import other_names
from building.aliases.openings import LOOKED_AT, stated_names
from building.aliases.people import is_person, surnames
from building.build import build_snapshot, work_folder
from building.engines.local import LocalRunner
from building.excerpt import ExcerptSettings, write_excerpt
from snapshots.annotator.annotator import Annotator
from snapshots.naming.aliases import Aliases, bits_of, kinds_of
from snapshots.naming.resolver import Resolver
from snapshots.naming.word_counts import WordCounts
from snapshots.snapshot import Snapshot
from tests.building.test_build import LEFT_OUT
from tests.support.building import ROOM
from tests.support.dumps import write_dump
from wiki.dump import Dump
from wiki.inflections import english_plural, english_singular
from wiki.page import RawPage

PAGES = [
    "Barack Obama|'''Barack Hussein Obama II''' (born August 4, 1961) is a politician. He was president.",
    "Michelle Obama|'''Michelle Obama''' (born January 17, 1964) is a lawyer. She knows [[Barack Obama]].",
    "Mercury (planet)|'''Mercury''' is a planet, with [[Cat]]s and [[Barack Obama]].",
    "Mercury (element)|'''Mercury''' is an element. [[Barack Obama]] and [[Mercury (planet)]].",
    "Cat|The '''cat''', also known as the '''house cat''' or moggy, is an animal, unlike [[Barack Obama]].",
    "Texas|'''Texas''' is a state.",
    "Paris, Texas|'''Paris''' is a city of [[Texas]].",
    "Lock, Stock|'''Lock, Stock''' is a film.",
    "World Health Organization|The '''World Health Organization''' (WHO) is an agency.",
    "Kitty|#REDIRECT [[Cat]]",
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("aliases")
    pages = []
    for number, line in enumerate(PAGES, start=1):
        title, _, text = line.partition("|")
        target = text[12:-2] if text.startswith("#REDIRECT") else None
        pages.append(RawPage(number, 0, title, target, text))
    dump = Dump.open(write_dump(folder / "toywiki-20200203-pages-articles.xml", pages))
    target_folder = folder / "toy"
    with LocalRunner(1, ROOM, work_folder(target_folder) / "scratch") as runner:
        return build_snapshot(dump, target_folder, runner, without=LEFT_OUT)


@pytest.mark.parametrize(
    ("name", "title", "kinds", "certain"),
    [
        ("Obama", "Barack Obama", ("surname",), True),
        ("barack hussein obama ii", "Barack Obama", ("bold",), True),
        ("Moggy", "Cat", ("stated",), True),
        ("House cat", "Cat", ("bold", "stated"), True),
        ("Cats", "Cat", ("inflected",), True),
        ("Paris", "Paris, Texas", ("bold", "unqualified"), True),
        ("WHO", "World Health Organization", ("stated",), True),
        ("Mercury", "Mercury (planet)", ("bold", "unqualified"), True),
    ],
)
def test_other_names_lead_to_their_concept(
    snapshot: Snapshot, name: str, title: str, kinds: tuple[str, ...], certain: bool
) -> None:
    found = Resolver.open(snapshot).resolve(name)
    assert (found.status, found.title, found.matched) == ("ok", title, "alias")
    assert found.alias == kinds
    assert found.prior is not None
    assert found.prior + sum(share for _, share in found.others) == pytest.approx(1)


def test_the_share_is_that_of_the_links(snapshot: Snapshot) -> None:
    """Four articles link to one Obama, and none to the other: 5 voices of 6."""
    found = Resolver.open(snapshot).resolve("Obama")
    assert found.prior == pytest.approx(5 / 6)
    assert [share for _, share in found.others] == [pytest.approx(1 / 6)]


@pytest.mark.parametrize(("name", "matched"), [("kitty", "title"), ("Cat", "title"), ("CAT", "variant")])
def test_titles_and_redirects_win(snapshot: Snapshot, name: str, matched: str) -> None:
    found = Resolver.open(snapshot).resolve(name)
    assert found.matched == ("redirect" if name == "kitty" else matched)
    assert Aliases.of_snapshot(snapshot).named(name) == []


def test_a_comma_that_is_before_no_place_ends_no_name(snapshot: Snapshot) -> None:
    assert Resolver.open(snapshot).resolve("Lock", suggest=False).status == "unknown"


def test_who_asks_for_titles_alone_gets_no_alias(snapshot: Snapshot) -> None:
    resolver = Resolver.open(snapshot)
    assert resolver.resolve("Obama", suggest=False, aliases=False).status == "unknown"
    assert resolver.resolve_many(["Obama"])[0].status == "unknown"


def test_a_text_has_other_names_but_no_stop_words(snapshot: Snapshot) -> None:
    """A stop word is never taken for the abbreviation that is written like it."""
    annotator = Annotator.of_snapshot(snapshot).keeping(0.0)
    text = "Who fed the cats of Obama on Mercury?"
    found = annotator.annotate(text)
    titles = {text[one.start : one.end]: snapshot.concept_titles[one.concept] for one in found}
    assert titles == {"cats": "Cat", "Obama": "Barack Obama", "Mercury": "Mercury (planet)"}


def test_a_word_is_a_name_no_more_often_than_there_are_links() -> None:
    counted = WordCounts(marisa_trie.RecordTrie("<I", [("met", (0,))]), np.array([50]), frozenset(["who"]))
    assert [counted.sentences(word) for word in ("met", "who", "two words")] == [50, math.inf, 0]


def test_articles_with_a_name_that_is_one_word_are_counted(snapshot: Snapshot) -> None:
    """ "Cats" stands in one article and "Obama" in five; "house cat" is no single word, and "dog" no name."""
    aliases = Aliases.of_snapshot(snapshot)
    counted = {name: aliases.articles(name) for name in ("cats", "Obama", "WHO", "house cat", "dog")}
    assert counted == {"cats": 1, "Obama": 5, "WHO": 1, "house cat": 0, "dog": 0}


def test_an_excerpt_keeps_the_shares_of_the_whole(snapshot: Snapshot, tmp_path: Path) -> None:
    michelle = Resolver.open(snapshot).article("Michelle Obama")
    excerpt = write_excerpt(snapshot, tmp_path / "less", np.array([michelle]), ExcerptSettings())
    (named,) = Aliases.of_snapshot(excerpt).named("Obama")
    assert named.share == pytest.approx(1 / 6)
    found = Resolver.open(excerpt).resolve("Obama")
    assert (found.status, found.candidates) == ("ambiguous", ("Michelle Obama",))
    assert Resolver.open(excerpt).senses(found.title or "") == [0]
    assert Aliases.of_snapshot(excerpt).named("cats") == []


def test_a_snapshot_without_them_has_none(tmp_path: Path, snapshot: Snapshot) -> None:
    dump = Dump.open(snapshot.folder.parent / "toywiki-20200203-pages-articles.xml")
    target = tmp_path / "toy"
    with LocalRunner(1, ROOM, work_folder(target) / "scratch") as runner:
        without = build_snapshot(dump, target, runner, without=LEFT_OUT | {"aliases"})
    assert len(Aliases.of_snapshot(without)) == 0
    assert Resolver.open(without).resolve("Obama", suggest=False).status == "unknown"
    for name in ("out_links", "categories"):
        assert (without.csr(name).indices == snapshot.csr(name).indices).all()


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        *(("Battery", "Batteries"), ("Day", "Days"), ("Box", "Boxes"), ("Analysis", "Analyses")),
        *(("Woman", "Women"), ("Human", "Humans"), ("Right of way", "Rights of way")),
        *(("Criterion", "Criteria"), ("Church", "Churches"), ("Wolf", "Wolves"), ("Hero", "Heroes")),
    ],
)
def test_plurals_and_singulars_are_each_other(singular: str, plural: str) -> None:
    assert (english_plural(singular), english_singular(plural)) == (plural, singular)


def test_rules_that_are_not_known_inflect_nothing() -> None:
    opening = ["Der Hund, auch bekannt als Haushund, ist ein hund. Er bellt."]
    assert [found.name for found in other_names("Hund", (), opening, (), "de")] == []


@pytest.mark.parametrize(
    ("title", "opening", "expected"),
    [
        ("Vikings", "The vikings were seafarers.", {"Viking"}),
        ("Physics", "Physics is a science; physics asks.", set()),
        ("Iron Man", "Iron Man is a film.", set()),
        ("List of cats", "This is a list of cats, also known as moggies.", set()),
        ("Crane (bird)", "The crane is a bird.", {"Crane", "Cranes"}),
        ("The Beatles", "The Beatles were a band.", {"Beatles"}),
        ("Manchester United F.C.", "It is a club in England.", {"Manchester United"}),
    ],
)
def test_names_of_a_plain_opening(title: str, opening: str, expected: set[str]) -> None:
    found = {found.name for found in other_names(title, (), [f"{title} {opening}"], (), "en")}
    assert {name for name in found if name[0].isupper()} == expected


@pytest.mark.parametrize(
    ("sentence", "person"),
    [
        ("Jim Morrison (December 8, 1943 - July 3, 1971) was an American musician.", True),
        ("Ann Widdecombe, DSG (born 4 October 1947) is a former politician.", True),
        ("The French Revolution (1789–1799) was a period of upheaval.", False),
        ("William Shakespeare (; 26 April 1564 (baptised) – 23 April 1616) was a poet.", True),
        ("Düsseldorf is a German city.", False),
    ],
)
def test_lives_are_told_from_other_years(sentence: str, person: bool) -> None:
    assert is_person(sentence, sentence, (), "en") is person
    assert is_person(sentence, sentence, (), "de") is False


def test_particles_belong_to_some_surnames() -> None:
    assert surnames("Ludwig van Beethoven") == ["Beethoven", "van Beethoven"]
    assert surnames("Emperor Kinmei of Japan") == []


def test_what_a_sentence_states_ends_where_the_name_does() -> None:
    sentence = "Automobiles, also called cars or motor cars, are vehicles; formerly known as “autos”."
    assert list(stated_names("Automobile", sentence, "en")) == ["cars", "motor cars", "autos"]


@pytest.mark.parametrize(
    ("title", "opening", "expected"),
    [
        ("Capital punishment", "Capital punishment, death penalty or execution is a punishment.",
         {"death penalty", "execution"}),
        ("Space X Corporation", "Space X Corporation or more commonly SpaceX is a firm.", {"SpaceX"}),
        ("Ship", "A ship or a large boat is a vessel.", {"large boat"}),
        ("Paris", "Paris, France, is a city or town.", set()),
        ("Car", "A car is a road vehicle. Another name is automobile, from Greek.", {"automobile"}),
        ("Cat", "The cat is a pet. It is also called the house cat. It was often hunted.", {"house cat"}),
        ("Maize", "Maize (called corn in some countries) is a grass.", {"corn"}),
        ("Diabetes mellitus", "Diabetes is a condition.", {"Diabetes"}),
        ("Aa River", "The Aa is a river.", {"Aa"}),
        ("Agriculture in Azerbaijan", "Agriculture is a part of its economy.", set()),
        ("Romeo and Juliet", "Romeo is in love.", set()),
        ("Acts of Union 1707", "The Acts of Union were two acts.", set()),
        ("World War II", "World War II (WWII or WW2) was a war.", {"WWII"}),
        ("Apple II series", "The Apple II series (AIIS) was a series of computers.", {"AIIS"}),
        ("Small business", "A small business, also called a mom and pop store, is a firm.", set()),
        ("Influenza", "Influenza, known as the flu and sometimes called the grippe, is an illness.",
         {"flu", "grippe"}),
        ("Steve Ditko", "Steve Ditko (born November 2, 1927) is an artist, known as the inker.", set()),
        ("Anschluss", "The Anschluss also known as the was the joining of two states.", set()),
        ("Horace", "Horace was a poet in the time of Augustus (also known as Octavian).", set()),
        ("Sabra", "Sabra was an attack by men close to the Kataeb Party, also called Phalange.", set()),
        ("Chet Atkins", "Chet Atkins was a musician who made the style known as the Nashville sound.", set()),
        ("Robert I", "Robert I was a king. He is better known as Robert the Bruce.", {"Robert the Bruce"}),
        ("Malawi", "Malawi is a country that was formerly known as Nyasaland.", {"Nyasaland"}),
        ("Archaeognatha", "Archaeognatha is an order of insects, also known as jumping bristletails.",
         {"jumping bristletails"}),
        ("VLC media player", "VLC media player is a program by VideoLAN, also called VLC or Cone.", {"VLC"}),
        ("Afterlife", "The afterlife (also known as life after death) is an idea.", {"life after death"}),
        ("Measles", "Measles, also known as morbilli, or red measles is an illness.",
         {"morbilli", "red measles"}),
        ("Dollar", "A dollar or American coin is money.", {"American coin"}),
        ("Geranium", "Geranium are plants that are commonly known as the cranesbills.", {"cranesbills"}),
        ("Calculus", "Calculus, known in English as reckoning, is a part of mathematics.", set()),
    ],
)  # fmt: skip
def test_names_that_an_opening_states(title: str, opening: str, expected: set[str]) -> None:
    found = {each.name for each in other_names(title, (), [opening], (), "en") if each.kinds == ("stated",)}
    assert found - {title} == expected


def test_kinds_have_bits() -> None:
    assert kinds_of(bits_of("surname", "bold")) == ("bold", "surname")


@pytest.mark.parametrize(
    "opening",
    [
        "X" + " or a" * 145,
        "X, a" + ", a or b" * 80,
        "X" + " or aa bb cc dd" * 38 + " is b",
        "X" + ", a" * 190,
        "X " + "(" * 200 + " or a)",
        "X is " + "also known as " * 40,
        "X is " + "and is sadly " * 45 + "known as y",
        "X, " + "also " * 110 + "or b is",
    ],
)
def test_no_opening_takes_long(opening: str) -> None:
    """A dump is anybody's text: none of it makes a pattern try all ways to part a row of names."""
    found = other_names("X", (), [opening[:LOOKED_AT]], (), "en")
    assert all(len(each.name) < LOOKED_AT for each in found)
