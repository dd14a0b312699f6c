"""What people type for titles of the starter, in short or in words of their own, and what that leads to."""

from __future__ import annotations

import pytest

from app.serving.starter import snapshot_path
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def starter() -> Resolver:
    return Resolver.open(Snapshot.open(snapshot_path()))


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("the Second World War", "World War II"),
        ("the WW2", "World War II"),
        ("the U.S.", "United States"),
        ("the U.N.", "United Nations"),
        ("the Mt. Everest", "Mount Everest"),
        ("the McDonalds", "McDonald's"),
        ("the theater", "Theatre"),
        ("a colour", "Color"),
        ("anaemia", "Anemia"),
        ("Oestrogen", "Estrogen"),
        ("S. Korea", "South Korea"),
        ("n korea", "North Korea"),
        ("N. Ireland", "Northern Ireland"),
        ("u.n.", "United Nations"),
        ("u.s.a.", "United States"),
        ("j.r.r. tolkien", "J. R. R. Tolkien"),
        *((f"Washington{sign}", "Washington, D.C.") for sign in (" D.C.", " D.C", ", DC", ",D.C.", " dc")),
        ("JK Rowling", "J. K. Rowling"),
        ("JRR Tolkien", "J. R. R. Tolkien"),
        ("hg wells", "H. G. Wells"),
        ("Liverpool FC", "Liverpool F.C."),
        ("Liverpool F.C", "Liverpool F.C."),
        ("Chelsea Football Club", "Chelsea F.C."),
        ("Hundred Years War", "Hundred Years' War"),
        ("St Peters Basilica", "St. Peter's Basilica"),
        ("Mt St Helens", "Mount St. Helens"),
        ("rhythm & blues", "Rhythm and blues"),
        ("Dungeons and Dragons", "Dungeons & Dragons"),
        ("US Senate", "United States Senate"),
        ("U.S. Constitution", "United States Constitution"),
        ("us president", "President of the United States"),
    ],
)
def test_what_is_typed_in_short(starter: Resolver, written: str, title: str) -> None:
    assert starter.resolve(written, suggest=False).title == title
    assert starter.resolve(written, suggest=False).status == "ok"


@pytest.mark.parametrize("written", ["six", "e.g.", "the six"])
def test_what_is_no_name_of_anything(starter: Resolver, written: str) -> None:
    assert starter.resolve(written, suggest=False).status == "unknown"


@pytest.mark.parametrize(
    "written", ["leave", "live", "elve", "wive", "calve", "fifty", "ninety", "indies", "hans"]
)
def test_what_is_the_singular_of_no_name(starter: Resolver, written: str) -> None:
    assert starter.resolve(written, suggest=False).status == "unknown"


@pytest.mark.parametrize("written", ["humanity", "short", "wait", "damage", "rapid", "hop"])
def test_a_common_word_is_hardly_the_singular_of_a_title(starter: Resolver, written: str) -> None:
    found = starter.resolve(written)
    assert (found.status, bool(found.candidates)) == ("ambiguous", True)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        *((written, "Tornado") for written in ("tornados", "tornadoes", "the tornadoes")),
        *((written, "Mango") for written in ("mangos", "mangoes")),
        ("potatos", "Potato"),
        ("mosquitos", "Mosquito"),
        ("the dogs", "Dog"),
        ("chopstick", "Chopsticks"),
        ("lyric", "Lyrics"),
        ("urls", "Uniform Resource Locator"),
        ("tory", "Loyalist (American Revolution)"),
    ],
)
def test_both_numbers_of_nouns(starter: Resolver, written: str, title: str) -> None:
    assert starter.resolve(written, suggest=False).title == title


@pytest.mark.parametrize(
    ("written", "title"),
    [
        *(("next", "NeXT"), ("raid", "RAID"), ("sat", "SAT"), ("describe", "DeScribe"), ("bind", "BIND")),
        *(("basic", "BASIC"), ("sic", "SIC")),
    ],
)
def test_a_common_word_is_not_taken_for_what_has_other_capitals(
    starter: Resolver, written: str, title: str
) -> None:
    found = starter.resolve(written)
    assert (found.status, found.suggestions[0]) == ("unknown", title)
    assert starter.resolve(title).status == starter.resolve(title.upper()).status == "ok"


@pytest.mark.parametrize("written", ["nato", "aids", "dna", "ikea", "iphone", "youtube", "tardis", "html"])
def test_a_name_may_be_typed_in_small_letters(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).matched == "variant"


def test_a_dot_before_capitals_is_one_of_the_name(starter: Resolver) -> None:
    assert starter.resolve(".NET", suggest=False).status == "unknown", "which is no Net (mathematics)"
    assert starter.resolve(".PDF", suggest=False).title == "Portable Document Format"
    assert starter.resolve(".Dogs", suggest=False).title == "Dog"


def test_a_number_may_be_meant_in_words(starter: Resolver) -> None:
    found = starter.resolve("1984", suggest=False)
    assert (found.title, found.matched) == ("Nineteen Eighty-Four", "variant")
    assert starter.resolve("1917", suggest=False).status == "unknown", "of which no title is"
    assert starter.resolve("1984", suggest=False, aliases=False).status == "unknown"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        *(("icecream", "Ice cream"), ("harrypotter", "Harry Potter"), ("southafrica", "South Africa")),
        *(("blackhole", "Black hole"), ("iceage", "Ice age"), ("newyork", "New York")),
        *(("Spiderman", "Spider-Man"), ("Wifi", "Wi-Fi"), ("AK47", "AK-47"), ("e-mail", "Email")),
    ],
)
def test_words_may_be_joined(starter: Resolver, written: str, title: str) -> None:
    found = starter.resolve(written, suggest=False)
    assert (found.title, found.matched) == (title, "variant")


@pytest.mark.parametrize("title", ["Coevolution", "WorldWideWeb"])
def test_lists_of_titles_mean_those_titles(starter: Resolver, title: str) -> None:
    assert starter.resolve_many([title])[0].status == "unknown"


def test_a_sign_that_is_none_of_spelling_tells_names_apart(starter: Resolver) -> None:
    assert starter.resolve("Blood+").concept != starter.resolve("Blood").concept


@pytest.mark.parametrize("written", ["F#", "f#", "F #", "F# (programming language)", "A#", "F##"])
def test_a_letter_with_a_sign_behind_it_is_not_the_letter(starter: Resolver, written: str) -> None:
    found = starter.resolve(written)
    letter = written[0].upper()
    assert (found.status, found.title) == ("unknown", written.replace(" #", "#").replace("f", "F"))
    assert found.suggestions[0] == letter
    assert starter.resolve(written, suggest=False).suggestions == ()
    assert starter.resolve(f"{letter}#History").title == letter
    assert starter.resolve(f"https://en.wikipedia.org/wiki/{letter}#").title == letter


@pytest.mark.parametrize("sign", ["+", "++", "*"])
def test_no_other_sign_behind_a_letter_is_dropped(starter: Resolver, sign: str) -> None:
    assert starter.resolve(f"F{sign}").status == "unknown"
    assert starter.resolve("C++").title == "C++"


@pytest.mark.parametrize(
    ("title", "written"),
    [
        (
            "Martin Luther King, Jr.",
            ("Martin Luther King Jr", "Martin Luther King Jr.", "martin luther king, jr"),
        ),
        ("Hank Williams Jr.", ("Hank Williams, Jr.", "Hank Williams Jr", "Hank Williams, Jr")),
        ("Oliver W. Hill, Sr.", ("Oliver W. Hill Sr", "Oliver W. Hill Sr.")),
        ("Alfred Edwin Brain Sr.", ("Alfred Edwin Brain, Sr.",)),
        ("James Tiptree, Jr. Award", ("James Tiptree Jr Award",)),
    ],
)
def test_sons_and_fathers_need_neither_comma_nor_dot(
    starter: Resolver, title: str, written: tuple[str, ...]
) -> None:
    assert [starter.resolve(one, suggest=False).title for one in written] == [title] * len(written)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        *(("voice", "Melody"), ("pick", "Bass guitar"), ("present", "Gift"), ("flat", "Apartment")),
        *(("jack", "John F. Kennedy"), ("gateway", "Winnipeg"), ("DS", "Down syndrome")),
    ],
)
def test_a_word_that_an_article_only_names_is_asked_about(
    starter: Resolver, written: str, title: str
) -> None:
    found = starter.resolve(written)
    assert (found.status, found.candidates[0]) == ("ambiguous", title)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("colour", "Color"),  # the same word, spelt otherwise
        ("transportation", "Transport"),
        ("soccer", "Association football"),  # used as one of its words is
        ("tune", "Melody"),
        ("petrol", "Gasoline"),  # more articles link to it than have the word
        ("corn", "Maize"),  # its article is about the word
        ("CPU", "Central processing unit"),
        ("mike", "Microphone"),
        ("person", "Human"),  # its article is about the plural
    ],
)
def test_a_word_that_an_article_is_about_is_a_name(starter: Resolver, written: str, title: str) -> None:
    assert starter.resolve(written).title == title


@pytest.mark.parametrize(
    ("written", "titles"),
    [
        ("Yankees", ("New York Yankees", "Yankee")),
        ("yankees", ("New York Yankees", "Yankee")),
        ("Spears", ("Britney Spears", "Spear")),
        ("the Ravens", ("Baltimore Ravens", "Raven")),
    ],
)
def test_a_plural_that_another_is_called_is_asked_about(
    starter: Resolver, written: str, titles: tuple[str, ...]
) -> None:
    found = starter.resolve(written)
    assert (found.status, found.candidates) == ("ambiguous", titles)


@pytest.mark.parametrize(
    ("written", "title"),
    [("Airlines", "Airline"), ("Lions", "Lion"), ("Jews", "Jew"), ("Penguins", "Penguin"), ("Stars", "Star")],
)
def test_a_plural_that_its_own_article_is_about_is_one(starter: Resolver, written: str, title: str) -> None:
    assert starter.resolve(written).title == title


@pytest.mark.parametrize(
    ("written", "titles"),
    [
        ("Native Americans", ("Native Americans in the United States", "Indian Trade")),
        ("James I", ("James I of England", "James I of Scotland")),
    ],
)
def test_what_goes_on_behind_a_name_and_is_linked_more_is_asked_about(
    starter: Resolver, written: str, titles: tuple[str, ...]
) -> None:
    found = starter.resolve(written)
    assert (found.status, found.candidates[:2]) == ("ambiguous", titles)


def test_capitals_before_a_small_s_are_an_abbreviation(starter: Resolver) -> None:
    assert starter.resolve("POPs").title == "Persistent organic pollutant"
    assert starter.resolve("Pops").candidates == ("Louis Armstrong", "Persistent organic pollutant")
    assert starter.resolve("PCs").title == "Personal computer"
    assert starter.resolve("CDs").title == "Compact disc"
    assert starter.resolve("CDS").candidates == ("Credit default swap",)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        *(("films", "Movie"), ("slots", "Slot machine")),  # "film" and "slot" are these
        *(("CATS", "Cat"), ("DOGS", "Dog"), ("SATELLITES", "Satellite")),
    ],
)
def test_a_plural_is_what_its_singular_is(starter: Resolver, written: str, title: str) -> None:
    found = starter.resolve(written)
    assert (found.title, found.matched) == (title, "alias")


@pytest.mark.parametrize("written", ["marcus", "emphases", "glasses", "ARMS"])
def test_a_plural_of_no_word_is_asked_about(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).status == "ambiguous"


def test_a_place_in_short_is_asked_about_too(starter: Resolver) -> None:
    found = starter.resolve("DC")
    assert (found.status, found.candidates) == ("ambiguous", ("Washington, D.C.", "Direct current"))


def test_a_first_name_is_no_surname_in_another_spelling(starter: Resolver) -> None:
    michael = starter.resolve("Michael")
    assert michael.status == "unknown" and "Michael Faraday" in michael.suggestions
    assert starter.resolve("Bronte").title == "Emily Brontë"  # no first name
