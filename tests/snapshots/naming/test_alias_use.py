"""Which aliases are meant by who writes them: of a wiki whose answer is seen by eye, and of the starter."""

from __future__ import annotations

import math

import marisa_trie
import numpy as np
import pytest

from app.serving.starter import snapshot_path
from benchmarks.typed_first import NAMES
from snapshots.csr import CSR
from snapshots.errors import DamagedSnapshot
from snapshots.naming.alias_use import SELDOM, AliasUse
from snapshots.naming.aliases import AliasSense
from snapshots.naming.names import ARTICLE, REDIRECT
from snapshots.naming.resolution import AliasKind
from snapshots.naming.resolver import Resolver
from snapshots.naming.word_counts import WordCounts
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from wiki.inflections import english_singular

TITLES = ["Lionel Rose", "Influenza", "Doctor (Doctor Who)", "Light-emitting diode", "The Beatles", "Time"]
IN_LINKS = [2, 130, 400, 26, 50, 1]
SENTENCES = {"rose": 2865, "flu": 186, "doctor": 2875, "led": 18_756, "beatles": 300, "times": 17_543}


@pytest.fixture(scope="module")
def use() -> AliasUse:
    words = marisa_trie.RecordTrie("<I", [(word, (row,)) for row, word in enumerate(SENTENCES)])
    counted = WordCounts(words, np.array(list(SENTENCES.values())), frozenset(["who"]))
    indptr = np.concatenate([[0], np.cumsum(IN_LINKS)])
    in_links = CSR(indptr, np.zeros(indptr[-1], np.int32), np.zeros(0, np.float32), 1)
    return AliasUse(lambda: (counted, in_links), StringTable.of(TITLES), english_singular)


@pytest.mark.parametrize(
    ("name", "concept", "kind", "articles", "doubtful"),
    [
        # Three links and the article itself, in thousands of sentences.
        ("Rose", 0, "surname", 0, True),
        ("Rose", 0, "surname", 10, True),
        ("Rose", 0, "surname", 9, False),
        # An abbreviation stands beside what it is short for, which is a link then.
        ("LED", 3, "stated", 140, True),
        ("LED", 3, "stated", 135, False),
        ("Led", 3, "stated", 135, True),
    ],
)
def test_a_name_is_meant_where_a_good_part_of_its_articles_link(
    use: AliasUse, name: str, concept: int, kind: AliasKind, articles: int, doubtful: bool
) -> None:
    counting = AliasUse(lambda: use._tables, StringTable.of(TITLES), english_singular, lambda _: articles)
    assert counting.is_in_doubt(name, [AliasSense(concept, 1.0, (kind,))]) is doubtful


@pytest.fixture(scope="module")
def starter() -> Resolver:
    return Resolver.open(Snapshot.open(snapshot_path()))


def test_the_title_in_another_spelling_is_not_in_doubt(starter: Resolver) -> None:
    assert [starter.resolve(name).title for name in ("behaviour", "Flavour")] == ["Behavior", "Flavor"]
    # Neither is an island the province that is nearly called so.
    assert starter.resolve("Zealand").status == "ambiguous"


def test_a_name_that_anybody_may_have_is_asked_about(starter: Resolver) -> None:
    """A bushranger, to whom two articles link, called himself so, too."""
    smith = starter.resolve("John Smith")
    assert (smith.status, smith.candidates) == ("ambiguous", ("Dan Morgan (bushranger)",))
    assert starter.resolve("Sun King").title == "Louis XIV of France"


@pytest.mark.parametrize(
    ("name", "concept", "share", "kind", "meant"),
    [
        ("Rose", 0, 1.0, "surname", False),
        ("Flu", 1, 1.0, "stated", True),
        ("Doctor", 2, 1.0, "unqualified", True),
        ("led", 3, 1.0, "stated", False),
        ("Led", 3, 1.0, "stated", False),
        ("LED", 3, 1.0, "stated", True),
        ("who", 4, 1.0, "unqualified", False),
        ("Beatles", 4, 1.0, "unqualified", True),
        ("Fab four", 4, 1.0, "stated", True),
        ("Liverpudlians", 4, 1.0, "stated", True),
        # The plural of a title; and, were it no such plural, a word.
        ("Times", 5, 1.0, "inflected", True),
        ("Times", 5, 1.0, "stated", False),
        # What others have of the name counts, too.
        ("Rose", 0, 3 / (SELDOM * SENTENCES["rose"]) - 0.01, "surname", True),
        ("Rose", 0, 3 / (SELDOM * SENTENCES["rose"]) + 0.01, "surname", False),
    ],
)
def test_a_word_is_meant_as_a_name_where_articles_link_to_who_has_it(
    use: AliasUse, name: str, concept: int, share: float, kind: AliasKind, meant: bool
) -> None:
    assert use.is_meant(name, [AliasSense(concept, share, (kind,))]) == meant


@pytest.mark.parametrize(
    ("concept", "share", "kinds", "several"),
    [
        (2, 1.0, ("unqualified",), True),
        (2, 0.6, ("unqualified",), False),
        (2, 1.0, ("bold", "unqualified"), False),
        (4, 1.0, ("unqualified",), False),
    ],
)
def test_a_parenthesis_says_that_there_are_others(
    use: AliasUse, concept: int, share: float, kinds: tuple[AliasKind, ...], several: bool
) -> None:
    assert use.is_one_of_several([AliasSense(concept, share, kinds)]) == several


@pytest.mark.parametrize(
    "name",
    [
        "joy",
        "Stanford",
        "barbie",
        "sad",
        "gm",
        "Windows",
        "Doctor",
        "cook",
        "Galileo",
        "union",
        "hamilton",
        "GM",
        "DC",
        "IRA",
        "valve",
    ],
)
def test_whether_a_word_is_somebodys_name_is_asked(starter: Resolver, name: str) -> None:
    found = starter.resolve(name)
    assert (found.status, len(found.candidates) > 0) == ("ambiguous", True)


@pytest.mark.parametrize(
    "name",
    ["einstein", "Mozart", "obama", "flu", "wolf", "football", "jobs", "US", "RAM", "CD", "tv", "program"],
)
def test_who_is_nearly_always_meant_is_not_asked_for(starter: Resolver, name: str) -> None:
    assert starter.resolve(name).status == "ok"


def test_a_page_that_lists_meanings_is_not_meant(starter: Resolver) -> None:
    assert starter.resolve("Manhattan").status == "unknown"
    assert starter.resolve("Manhattan (disambiguation)").status == "ok"


def test_a_singular_is_not_taken_for_an_abbreviation(starter: Resolver) -> None:
    titles = Snapshot.open(snapshot_path()).concept_titles
    assert "Persistent organic pollutant" in [titles[each.concept] for each in starter.named("POPs")]
    assert starter.resolve("pop").status == "unknown"


@pytest.mark.parametrize("written", ["Octavian", "loxodromes", "Phalange"])
def test_a_name_that_an_opening_gives_something_else_is_none(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).status == "unknown"


@pytest.mark.parametrize("written", ["Glasses", "arms", "Spirits"])
def test_a_plural_with_a_meaning_of_its_own_is_asked_about(starter: Resolver, written: str) -> None:
    assert starter.resolve(written).status == "ambiguous"


@pytest.mark.parametrize("written", ["sid", "gpu", "quaker"])
def test_a_word_is_no_singular_of_a_name_that_hardly_any_sentence_with_it_means(
    starter: Resolver, written: str
) -> None:
    # The Green Party of the United States is called GPUS.
    assert starter.resolve(written).status == "unknown"


@pytest.mark.parametrize(
    ("written", "title"),
    [("film", "Movie"), ("raptor", "Bird of prey"), ("seagull", "Gull"), ("movies", "Movie")],
)
def test_the_singular_of_a_name_is_one_where_articles_mean_it(
    starter: Resolver, written: str, title: str
) -> None:
    assert starter.resolve(written).title == title


@pytest.mark.parametrize(
    ("written", "suggested"),
    [
        ("Athism", ("Atheism",)),
        ("einstien", ("Albert Einstein",)),
        ("covid", ()),  # neither Ovid nor Bovidae, which begin otherwise
        ("facebok", ("Facebook",)),
    ],
)
def test_what_is_suggested_is_written_alike_to_its_end(
    starter: Resolver, written: str, suggested: tuple[str, ...]
) -> None:
    assert starter.resolve(written).suggestions == suggested


def test_stop_words_are_in_every_sentence() -> None:
    counted = WordCounts(marisa_trie.RecordTrie("<I", []), np.zeros(0, np.int64), frozenset(["who"]))
    assert counted.sentences("who") == math.inf


@pytest.mark.parametrize(
    ("name", "title", "matched"),
    [
        ("U.S.", "United States", "alias"),
        ("U.S", "United States", "alias"),
        ("U.K.", "United Kingdom", "alias"),
        ("N.A.S.A.", "NASA", "variant"),
        ("J.R.R. Tolkien", "J. R. R. Tolkien", "variant"),
        ("US", "United States", "alias"),
        ("WHO", "World Health Organization", "alias"),
        ("Wolf", "Gray wolf", "alias"),
        ("Wolves", "Gray wolf", "alias"),
        ("Film", "Movie", "alias"),
        ("Shakespeare", "William Shakespeare", "alias"),
        ("iPhone", "IPhone", "title"),
        ("The Netherlands", "Netherlands", "variant"),
        ("the united states", "United States", "variant"),
        ("the sun", "Sun", "variant"),
        ("the UK", "United Kingdom", "alias"),
        ("The Beatles", "The Beatles", "title"),
        ("World War 2", "World War II", "variant"),
        ("world war two", "World War II", "variant"),
        ("WW2", "World War II", "alias"),
        ("Second World War", "World War II", "alias"),
        ("first world war", "World War I", "alias"),
        ("aluminum", "Aluminium", "alias"),
        ("Manchester United", "Manchester United F.C.", "alias"),
        ("washington dc", "Washington, D.C.", "variant"),
        ("coca cola", "Coca-Cola", "variant"),
        ("Colour", "Color", "alias"),
        ("mcdonalds", "McDonald's", "variant"),
        ("Martin Luther King", "Martin Luther King, Jr.", "variant"),
        ("Persia", "Iran", "alias"),
        ("USSR", "Soviet Union", "alias"),
        ("cell phone", "Mobile phone", "alias"),
        ("fries", "French fries", "alias"),
        ("Thames", "River Thames", "alias"),
        ("Harvard", "Harvard University", "alias"),
        ("Richard the Lionheart", "Richard I of England", "alias"),
        ("Beckham", "David Beckham", "alias"),
        ("Tchaikovsky", "Pyotr Ilyich Tchaikovsky", "alias"),
        ("Sacramento", "Sacramento, California", "alias"),
        ("IVF", "In vitro fertilisation", "alias"),
    ],
)
def test_names_in_the_starter(starter: Resolver, name: str, title: str, matched: str) -> None:
    found = starter.resolve(name)
    assert (found.status, found.title, found.matched) == ("ok", title, matched)


def test_a_title_without_its_article_is_no_title_of_a_list(starter: Resolver) -> None:
    (in_list,) = starter.resolve_many(["The Netherlands"])
    assert in_list.status == "unknown"


@pytest.mark.parametrize(
    ("typed", "title"), [("the netherlands", "Netherlands"), ("the uk", "United Kingdom"), ("the sun", "Sun")]
)
def test_what_is_typed_with_an_article_is_found(starter: Resolver, typed: str, title: str) -> None:
    assert starter.search(typed, 5)[0].title == title


@pytest.mark.parametrize("name", ["Rose", "Dream", "Dreams", "us", "who", "led", "John", "Paul", "SF", "ML"])
def test_words_in_the_starter_that_are_no_names(starter: Resolver, name: str) -> None:
    assert starter.resolve(name).status == "unknown"


def test_who_looks_for_a_word_finds_whom_it_may_name_last(starter: Resolver) -> None:
    found = [hit.title for hit in starter.search("dream", 50)]
    assert found.index("Luna 1") > found.index("Dream Theater")


@pytest.mark.parametrize(
    ("name", "title"),
    [("Doctor", "Doctor (Doctor Who)"), ("Plane", "Plane (tool)"), ("Group", "Group (mathematics)")],
)
def test_what_a_parenthesis_tells_apart_is_shown(starter: Resolver, name: str, title: str) -> None:
    found = starter.resolve(name)
    assert (found.status, found.candidates) == ("ambiguous", (title,))


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("Washington", ("Washington (state)", "Washington, D.C.", "George Washington")),
        ("Cleveland", ("Cleveland, Ohio", "Grover Cleveland")),
        ("Augusta", ("Augusta, Georgia", "Augusta, Maine")),
        ("Emerson", ("Keith Emerson", "Michael Emerson")),  # no list: Emerson, Lake & Palmer
    ],
)
def test_what_a_comma_tells_apart_is_meant_as_well(
    starter: Resolver, name: str, titles: tuple[str, ...]
) -> None:
    found = starter.resolve(name)
    assert (found.status, found.candidates[: len(titles)]) == ("ambiguous", titles)
    senses = [starter.resolve(title).concept for title in titles]
    assert starter.senses(name)[: len(titles)] == senses
    named = starter.named(name)
    assert [each.concept for each in named[: len(titles)]] == senses
    assert sum(each.share for each in named) <= 1 + 1e-6


def test_a_title_before_a_comma_is_a_name_of_few_links(starter: Resolver) -> None:
    found = starter.resolve("Lincoln")
    assert found.title == "Abraham Lincoln"
    nebraska = starter.resolve("Lincoln, Nebraska").concept
    assert dict(found.others)[nebraska] == pytest.approx(0.03, abs=0.01)


def test_shares_with_those_before_a_comma_are_of_the_links_to_all(use: AliasUse) -> None:
    named = [AliasSense(1, 0.75, ("stated",)), AliasSense(0, 0.25, ("surname",))]
    records = [
        ("Flu, Kent", (ARTICLE, 4)),
        ("Flu, Lake & Flu", (ARTICLE, 3)),
        ("Flu, Ohio", (REDIRECT, 2)),
        ("Flu, Rose", (ARTICLE, 0)),
    ]
    total = 131 / 0.75 + 51
    shared = use.with_placed(named, records)
    assert [(each.concept, each.kinds) for each in shared] == [
        (1, ("stated",)),
        (4, ("unqualified",)),
        (0, ("surname",)),
    ]
    shares = [131 / total, 51 / total, 0.25 * 131 / 0.75 / total]
    assert [each.share for each in shared] == pytest.approx(shares)
    assert use.with_placed(named, records[1:]) == named


def test_most_of_what_is_typed_first_is_found(starter: Resolver) -> None:
    names = NAMES.read_text().splitlines()
    assert sum(starter.resolve(name, suggest=False).status == "ok" for name in names) == 174


def test_a_share_that_is_none_is_damage(use: AliasUse) -> None:
    for share in (0.0, float("nan")):
        with pytest.raises(DamagedSnapshot, match="alias_shares"):
            use.is_meant("rose", [AliasSense(0, share, ("surname",))])
