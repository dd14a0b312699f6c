"""Names within terms, and terms that are names of which nothing is known, on the starter."""

from __future__ import annotations

import pytest

from app.serving.encoder import EncoderPlace
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import open_scorer, snapshot_path
from features.terms.extract import TermExtractor, TermPair
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def extractor() -> TermExtractor:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    snapshot = Snapshot.open(snapshot_path())
    return TermExtractor.open(snapshot, Resolver.open(snapshot))


@pytest.mark.parametrize(
    ("term", "contained"),
    [
        ("Windows 10", ("Microsoft Windows",)),
        ("a history of Windows", ("Microsoft Windows", "History")),
        ("windows 10", ("Window",)),
        ("Windows and doors", ("Door", "Window")),
        ("Apples 2014", ("Apple",)),
        ("Emmy Awards 2014", ("Award",)),
        ("World Cup 2014", ("FIFA World Cup", "World cup competition")),
        ("2014 World Cup", ("FIFA World Cup", "World cup competition")),
        ("Brazil World Cup 2014", ("Brazil", "FIFA World Cup", "World cup competition")),
        ("world cup 2014", ("World",)),
        ("FIFA World Cup 2014", ("FIFA World Cup",)),
        ("Second World War 1944", ("World War II",)),
        ("dream of Martin Luther King", ("Martin Luther King, Jr.",)),
        ("electric cars", ("Car",)),
    ],
)
def test_the_longest_name_is_contained(
    extractor: TermExtractor, term: str, contained: tuple[str, ...]
) -> None:
    assert extractor.known(term).senses == contained


@pytest.mark.parametrize(
    ("term", "beside", "taken", "others"),
    [
        ("Tesla", "electric cars", "Nikola Tesla", ("Tesla Motors",)),
        (
            "Darwin",
            "natural selection",
            "Charles Darwin",
            ("Darwin (operating system)", "Darwin, Northern Territory"),
        ),
        ("URL", "electric cars", "Uniform Resource Locator", ()),
        ("football", "electric cars", "Association football", ()),
    ],
)
def test_another_sense_of_a_name_is_offered(
    extractor: TermExtractor, term: str, beside: str, taken: str, others: tuple[str, ...]
) -> None:
    sense, _ = extractor.senses(TermPair(term, beside))
    assert sense is not None
    assert (sense.title, sense.alternatives) == (taken, others)


@pytest.mark.parametrize(
    "name", ["AC/DC", "R&B", "r&b", "u.s", "9/11", "Dire Straits", "Rage Against the Smith", "AC DC"]
)
def test_of_a_name_that_no_article_has_too_little_is_known(extractor: TermExtractor, name: str) -> None:
    assert extractor.known_enough([TermPair(name, "rock"), TermPair("rock", name)]).tolist() == [False] * 2
    assert extractor.known_enough([TermPair(name, "rock", None, "a band of Australia")]).all()
    assert extractor.mostly_known([TermPair(name, "rock")]).all(), "in training all stay as they are"


@pytest.mark.parametrize(
    "term",
    [
        "electric cars",
        "black cat",
        "ox",
        "co-ed",
        "U2",
        "UK",
        "World Cup 2014",
        "Pink Lion",
        "Purple",
        "dire straits",
    ],
)
def test_words_and_names_that_are_known_stay_so(extractor: TermExtractor, term: str) -> None:
    assert extractor.known_enough([TermPair(term, "rock")]).all()


def test_capitals_tell_no_names_where_every_noun_has_them(
    extractor: TermExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    lexicon = extractor._lexicon
    assert lexicon.is_name("Dire Straits")
    monkeypatch.setattr(lexicon, "_language", "de")
    assert not lexicon.is_name("Dire Straits")
    assert not lexicon.is_of_letters("日本")


def test_the_interval_of_such_a_name_is_wide() -> None:
    """By its letters alone, AC/DC is unrelated to rock, with an interval up to 0.10."""
    terms = Serving(open_scorer(None, None), TermSettings(encoder=EncoderPlace(None))).terms()
    (result,) = terms.score([TermPair("AC/DC", "rock")])
    assert result.score is not None
    assert result.interval is not None
    assert result.score < 0.1
    assert result.interval.high > 0.25
