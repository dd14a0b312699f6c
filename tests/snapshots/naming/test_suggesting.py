"""What is suggested for a name that nothing has: on the starter, and by rules that hold of any."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.serving.starter import snapshot_path
from snapshots.naming.given_names import MANY, is_given_name
from snapshots.naming.resolver import Resolver
from snapshots.naming.suggesting import suggestions, unknown
from snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def starter() -> Resolver:
    return Resolver.open(Snapshot.open(snapshot_path()))


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("Eistein", "Albert Einstein"),  # by a surname that is spelt nearly so
        ("Ghandi", "Mahatma Gandhi"),  # by one of whose letters one stands elsewhere
        ("Ceasar", "Julius Caesar"),  # by a word whose first letters are wrong
        ("Viking", "Vikings"),  # by its plural, and not the Viking Age
        ("LA", "Los Angeles"),  # by first letters
        ("SF", "San Francisco"),
        ("Napolean", "Napoleon"),
        ("United Sates", "United States"),
        ("diabetis", "Diabetes mellitus"),  # by one error in a word, and not Dianetics by two
        ("goog", "Google"),  # by how it begins
        ("jord", "Jordan"),
    ],
)
def test_what_is_meant_comes_first(starter: Resolver, written: str, first: str) -> None:
    assert starter.resolve(written).suggestions[0] == first


@pytest.mark.parametrize(
    ("written", "only"),
    [
        ("white hous", "White House"),  # not what has both words besides others
        ("barak obama", "Barack Obama"),
    ],
)
def test_where_a_whole_name_is_spelt_nearly_so_nothing_else_is(
    starter: Resolver, written: str, only: str
) -> None:
    assert starter.resolve(written).suggestions == (only,)


def test_four_letters_are_a_beginning_sooner_than_a_typing_error(starter: Resolver) -> None:
    begun = starter.resolve("merc").suggestions
    assert "Mercury (planet)" in begun
    assert "Mercy rule" not in begun


def test_what_is_called_so_but_for_a_qualifier_comes_first(starter: Resolver) -> None:
    assert starter.resolve("queen").suggestions[0] == "Queen (band)"


@pytest.mark.parametrize("written", ["Brexit", "Merkel", "GOP", "OPEC", "asdfgh", "mom"])
def test_nothing_is_better_than_what_is_only_written_alike(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).suggestions == ()


@pytest.mark.parametrize("written", ["AT&T", "booze", "xmas", "24/7"])
def test_neither_another_sign_nor_another_letter_of_a_short_name_is_a_typing_error(
    starter: Resolver, written: str
) -> None:
    assert starter.resolve(written).suggestions == ()  # neither ATWT, Boole, XMMS nor 247
    titles = [hit.title for hit in starter.search(written)]
    assert not {"As the World Turns", "George Boole", "Massachusetts", "Master (Doctor Who)"} & {*titles}


@pytest.mark.parametrize("written", ["100%", "100 %", "ß"])
def test_a_number_with_a_sign_is_no_other_number_nor_a_letter_a_word(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).suggestions == ()  # neither 100 BC nor the SS Eastland
    assert starter.resolve("1984?").suggestions[0] == "United States presidential election, 1984"


def test_apostrophes_of_print_are_those_of_a_keyboard(starter: Resolver) -> None:
    plain, printed = (starter.resolve(f"O{sign}Reilly").suggestions for sign in "'’")
    assert plain == printed != ()


@pytest.mark.parametrize("written", ["9/11", "9-11", "the 9/11"])
def test_a_date_in_figures_is_one_in_words(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).suggestions[:2] == ("September 11", "September 11 attacks")
    assert starter.resolve("12/32").status == "unknown"
    assert (
        unknown(starter._search, None, written, 5, "de").suggestions != starter.resolve(written).suggestions
    )


@pytest.mark.parametrize("word", ["smoking", "checkers", "toaster", "Zoom"])
def test_a_word_is_no_typing_error_of_another(starter: Resolver, word: str) -> None:
    found = starter.resolve(word)
    assert (found.suggestions, found.misspelt) == ((), False)
    assert starter.resolve("einstien").misspelt


def test_what_is_short_begins_as_it_is_written(starter: Resolver) -> None:
    for short in ("Nope", "covid", "Nessie"):
        assert starter.resolve(short).suggestions == ()
    for exchanged, title in (("apris", "Paris"), ("Hcess", "Chess"), ("bdudhism", "Buddhism")):
        assert title in starter.resolve(exchanged).suggestions[:2]
    assert starter.resolve("Evoluton").suggestions[0] == "Evolution"
    assert starter.resolve("Wvolution").suggestions[0] == "Evolution"
    assert starter.resolve("ainstein").suggestions[0] == "Albert Einstein"


@pytest.mark.parametrize("written", ["courgette", "zucchini"])
def test_what_begins_with_another_letter_has_no_other_error(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).suggestions == ()  # neither Tourette syndrome nor Giacomo Puccini


def test_a_title_that_only_has_other_capitals_comes_first(starter: Resolver) -> None:
    assert starter.resolve("next").suggestions[0] == "NeXT"


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=300) | st.text("Atheismx ", max_size=20), st.integers(1, 9))
def test_any_text_has_a_few_suggestions_each_once(starter: Resolver, text: str, limit: int) -> None:
    hits = suggestions(starter._search, text, limit)
    assert len({hit.concept for hit in hits}) == len(hits) <= limit


def test_whole_words_stand_first_though_more_begins_so(starter: Resolver) -> None:
    hits = suggestions(starter._search, "evolution", 5)
    assert [hit.concept for hit in hits] == [
        hit.concept for hit in starter._search.with_words("evolution", 5)
    ]


@pytest.mark.parametrize("name", ["William", "James"])
def test_a_given_name_is_asked_about(starter: Resolver, name: str) -> None:
    found = starter.resolve(name)
    assert (found.status, len(found.candidates) > 1) == ("ambiguous", True)


@pytest.mark.parametrize("name", ["Obama", "Madonna", "Pascal", "Victoria"])
def test_other_names_are_no_given_names(name: str) -> None:
    assert not is_given_name(name, Snapshot.open(snapshot_path()).trie("titles", "<Bi"))


def test_a_given_name_begins_many_titles() -> None:
    class Titles:
        def __init__(self, titles: list[str]) -> None:
            self._titles = titles

        def iterkeys(self, prefix: str):  # type: ignore[no-untyped-def]
            return (title for title in self._titles if title.startswith(prefix))

    many = [f"Ann {letter}." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:MANY]]
    assert is_given_name("Ann", Titles(many))
    assert not is_given_name("Ann", Titles(many[1:]))
    assert not is_given_name("Ann", Titles([title.lower().capitalize() for title in many]))
    assert not is_given_name("An", Titles(many))


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('"Atheism"', "Atheism"),
        ("- Dog", "Dog"),
        ("1. Horse", "Horse"),
        ("Jazz,", "Jazz"),
        ("a dog", "Dog"),
        ("WW1", "World War I"),
        ("St. Petersburg", "Saint Petersburg"),
        ("Mt. Everest", "Mount Everest"),
        ("President Obama", "Barack Obama"),
        ("Dr. Freud", "Sigmund Freud"),
        ("McDonald\u2019s", "McDonald's"),
        ("the Alzheimer\u2019s disease", "Alzheimer's disease"),
        ("C\u00f4te d\u2019Ivoire", "C\u00f4te d'Ivoire"),
        ("Run-D.M.C.", "Run\u2013D.M.C."),
        ("Titius\u2014Bode law", "Titius\u2013Bode law"),
        ("St Louis", "St. Louis"),
        ("st louis", "St. Louis"),
        ("St Petersburg", "Saint Petersburg"),
        ("St Paul", "Saint Paul, Minnesota"),
        ("John F Kennedy", "John F. Kennedy"),
    ],
)
def test_names_as_people_write_them(starter: Resolver, written: str, title: str) -> None:
    found = starter.resolve(written)
    assert (found.status, found.title) == ("ok", title)
    assert found.matched in ("variant", "alias")


@pytest.mark.parametrize("name", ["Saint Louis", "saint louis"])
def test_what_has_a_name_in_short_is_one_that_has_it(starter: Resolver, name: str) -> None:
    found = starter.resolve(name)
    titles = Snapshot.open(snapshot_path()).concept_titles
    assert (found.title, found.matched) == ("St. Louis", "alias")
    assert [titles[concept] for concept, _ in found.others] == ["Saint Louis IX of France"]
    assert starter.search("St Louis")[0].title == "St. Louis"
