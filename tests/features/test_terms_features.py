"""The features of terms: beside their definitions on dicts, and what is promised of each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building.writer import SnapshotWriter
from features.feature import AnyFeature
from features.reference import written_into
from features.terms.catalogue import EVERY_TERM_FEATURE, TERM_FEATURE_NAMES, TERM_FEATURES, TERM_SIGNATURES
from features.terms.extract import CELLS, TermExtractor, TermPair
from features.terms.reference import reference
from snapshots.layout import STRINGS, TABLES, TRIES
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.conftest import ROOT
from tests.oracles.terms import of_words, opened, worded_snapshot
from tests.support.served import served_snapshot
from tests.wikis.random_wiki import random_wiki

WIKI = random_wiki(11, concepts=30, words=20)

WORDS = st.sampled_from([*(f"w{i}" for i in range(20)), "unknown", "unseen"])
TERMS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
PAIRS = st.lists(st.builds(TermPair, TERMS, TERMS), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def extractor(tmp_path_factory: pytest.TempPathFactory) -> TermExtractor:
    return opened(worded_snapshot(WIKI, tmp_path_factory.mktemp("terms") / "wiki"))


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> TermExtractor:
    snapshot = Snapshot.open(served_snapshot(tmp_path_factory.mktemp("toy") / "toy"))
    return TermExtractor.open(snapshot, Resolver.open(snapshot))


def row(extractor: TermExtractor, left: str, right: str, context: str | None = None) -> dict[str, float]:
    values = extractor.extract([TermPair(left, right, context)])
    assert values.shape == (1, len(TERM_FEATURES))
    return dict(zip(TERM_FEATURE_NAMES, values[0].tolist(), strict=True))


@given(TERMS, TERMS)
def test_the_features_on_words_are_those_of_the_definitions(
    extractor: TermExtractor, left: str, right: str
) -> None:
    found, expected = row(extractor, left, right), of_words(WIKI, left, right)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-6), name


def test_the_random_wiki_has_something_to_say_of_each_feature_on_words(extractor: TermExtractor) -> None:
    words = [f"w{i}" for i in range(12)]
    values = extractor.extract([TermPair(a, f"{b} w0"[: 2 + 3 * (a < b)]) for a in words for b in words])
    for column, feature in enumerate(TERM_FEATURES):
        if feature.group != "senses":
            assert len(np.unique(values[:, column])) > 1, feature.name


@given(PAIRS)
def test_a_row_depends_on_its_pair_alone(extractor: TermExtractor, pairs: list[TermPair]) -> None:
    together = extractor.extract(pairs)
    for place, pair in enumerate(pairs):
        np.testing.assert_array_equal(extractor.extract([pair])[0], together[place])
    np.testing.assert_array_equal(extractor.extract(pairs[::-1]), together[::-1])


@given(PAIRS)
def test_a_pair_and_its_reverse_are_the_same(extractor: TermExtractor, pairs: list[TermPair]) -> None:
    reverse = [TermPair(pair.right, pair.left) for pair in pairs]
    symmetric = [feature.symmetric for feature in TERM_FEATURES]
    assert all(symmetric)
    np.testing.assert_array_equal(extractor.extract(reverse), extractor.extract(pairs))


@given(PAIRS)
def test_every_value_is_finite_and_in_range(extractor: TermExtractor, pairs: list[TermPair]) -> None:
    values = extractor.extract(pairs)
    assert np.isfinite(values).all()
    for column, feature in enumerate(TERM_FEATURES):
        low, high = feature.range
        assert values[:, column].min() >= low, feature.name
        assert values[:, column].max() <= high, feature.name


@pytest.mark.parametrize("limits", [{"cells": 7}, {"cells": 7, "most": 1}, {"most": 1}])
def test_batches_change_nothing(extractor: TermExtractor, limits: dict[str, int]) -> None:
    pairs = [TermPair(f"w{i} w{i + 1} w3", f"w{i + 5} unknown w2") for i in range(12)]
    small = TermExtractor(extractor._senses, limits.get("cells", CELLS), limits.get("most", 8))
    np.testing.assert_array_equal(small.extract(pairs), extractor.extract(pairs))


def test_no_pairs(extractor: TermExtractor) -> None:
    assert extractor.extract([]).shape == (0, len(TERM_FEATURES))


@pytest.mark.parametrize("term", ["", "  ", "!?", "unknown", "unknown unknown unseen"])
def test_a_term_of_which_nothing_is_known_has_no_evidence(extractor: TermExtractor, term: str) -> None:
    assert not extractor.known(term)
    found = row(extractor, term, "w0 w1")
    idf = of_words(WIKI, "w0", "w1")["RAREST"]
    assert found.pop("RAREST") == pytest.approx(idf)
    found.pop("TOKENS")
    assert set(found.values()) == {0.0}


def test_what_is_known_of_a_term(extractor: TermExtractor) -> None:
    known = extractor.known("W3, w1-unknown of W3")
    assert (known.words, known.unknown, known.senses) == (("w3", "w1"), ("unknown",), ())
    assert known
    assert extractor.least_sentences("w3 unknown") == 0
    counts = [sum(word in sentence for sentence in WIKI.sentences) for word in ("w0", "w9")]
    assert extractor.least_sentences("w0 w9") == min(counts)


def test_a_pair_is_mostly_known_by_more_than_half_of_the_words_of_each_term(extractor: TermExtractor) -> None:
    terms = ("w0", "w0 w1 unknown", "w0 unknown", "unknown", "!")
    known = extractor.mostly_known([TermPair(left, right) for left in terms for right in terms])
    expected = [left < 2 and right < 2 for left in range(5) for right in range(5)]
    assert known.tolist() == expected
    assert extractor.mostly_known([]).shape == (0,)


def test_a_term_of_stop_words_is_known_where_an_article_is_called_so(
    extractor: TermExtractor, toy: TermExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = [TermPair(left, "w2") for left in ("w0", "w1", "w0 w1", "w0 w3")]
    assert extractor.mostly_known(terms).all()
    monkeypatch.setattr(extractor._lexicon, "_stop_words", frozenset({"w0", "w1"}))
    assert extractor.mostly_known(terms).tolist() == [False, False, False, True]
    assert extractor.mostly_known([TermPair("w2", "W1")]).tolist() == [False]
    monkeypatch.setattr(toy._lexicon, "_stop_words", frozenset({"cat"}))
    assert toy.mostly_known([TermPair("Cat", "dog")]).all()


def test_stop_words_count_where_there_is_no_other_word(toy: TermExtractor) -> None:
    assert row(toy, "the cat", "dog")["PMI-LIFT"] == row(toy, "cat", "dog")["PMI-LIFT"] > 0
    assert row(toy, "the cat", "dog")["TOKENS"] == 3
    assert toy.known("of the").unknown == ("of", "the")  # this small vocabulary has no stop words
    assert toy.known("the cat").words == toy.known("cat the").words
    assert toy.known("the cat").senses == toy.known("cat").senses


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Video games", "video  GAMES", True),
        ("video-games", "video games", True),
        ("video games", "games video", False),
        ("video games.", "video games", True),
        ("C++", "C", False),
        ("C++", "c++", True),
        ("C#", "C++", False),
        (".NET", "net", False),
        ("!", "!", True),
        ("!", "?", False),
        ("", "", True),
    ],
)
def test_a_term_is_itself_however_it_is_written(
    extractor: TermExtractor, left: str, right: str, same: bool
) -> None:
    assert extractor.identical(TermPair(left, right)) is same


def test_a_word_with_itself(toy: TermExtractor) -> None:
    found = row(toy, "cat", "cat")
    for name in ("ESA", "W2V", "NPMI", "NPMI-LIFT", "W2V-LIFT", "W2V-IDF", "ESA-IDF", "SHARED-WORDS"):
        assert found[name] == pytest.approx(1.0, abs=1e-6), name


def test_repeated_words_weigh_in_sums_alone(toy: TermExtractor) -> None:
    once, twice = row(toy, "cat mouse", "dog"), row(toy, "cat cat mouse", "dog")
    assert once["PMI"] == twice["PMI"]
    assert once["NPMI-LIFT"] == twice["NPMI-LIFT"]
    assert once["ESA"] < twice["ESA"]


def test_postings_are_taken_where_there_are_some(tmp_path: Path) -> None:
    """A snapshot with postings gives those; without them its tf-idf table, turned, which is the same here."""
    from tests.wikis.small_wiki import _sparse_tables  # the tables as they are written

    plain = worded_snapshot(WIKI, tmp_path / "plain")
    writer = SnapshotWriter(tmp_path / "postings")
    tfidf = _sparse_tables(WIKI)["tfidf"]
    rows = np.repeat(np.arange(tfidf.rows), np.diff(tfidf.indptr))
    assert tfidf.values is not None
    shape = (len(WIKI.words), WIKI.universe)
    halved = tfidf.values * np.float32(0.5)
    writer.csr("postings", type(tfidf).from_entries(tfidf.indices, rows, halved, shape))
    writer._tables.update({k: v for k, v in plain.manifest.tables.items() if k != "tfidf"})
    for path in plain.folder.iterdir():
        if path.name != "manifest.json":
            writer.adopt_file(path, path.name)
    manifest = plain.manifest
    fields = ("wiki", "language", "dump_date", "siteinfo", "sources", "settings", "counts", "licence")
    facts = {name: getattr(manifest, name) for name in fields}
    built = writer.finish(lambda digest: {"id": f"small-{digest}", "attribution": "made up", **facts})
    pairs = [TermPair(f"w{i} w{i + 2}", f"w{i + 1}") for i in range(8)]
    column = TERM_FEATURE_NAMES.index("ESA")
    turned = opened(plain).extract(pairs)[:, column]
    assert turned.any()
    # The cosine does not see the half; a table that was not read would give 0.
    np.testing.assert_allclose(opened(built).extract(pairs)[:, column], turned, atol=1e-6)


@pytest.mark.parametrize("feature", EVERY_TERM_FEATURE, ids=lambda feature: feature.name)
class TestEachDeclaration:
    def test_names_tables_that_there_are(self, feature: AnyFeature) -> None:
        known = {table.name for table in TABLES} | {n for n, *_ in STRINGS} | {n for n, _ in TRIES}
        assert set(feature.tables) <= known

    def test_says_what_it_is(self, feature: AnyFeature) -> None:
        assert feature.formula
        assert feature.source
        assert feature.description.endswith("?"), "it stands among questions, by itself"
        assert feature.absent == 0.0
        assert feature.range[0] <= 0.0 < feature.range[1]


def test_names_are_distinct_and_signed() -> None:
    assert len(set(TERM_FEATURE_NAMES)) == len(TERM_FEATURE_NAMES)
    assert TERM_FEATURE_NAMES[:4] == ("ESA", "W2V", "PMI", "TOKENS")
    assert TERM_SIGNATURES[0] == "ESA@1"


def test_the_page_has_the_reference() -> None:
    page = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
    assert written_into(page, reference()) == page, "run: python -m features.terms.reference docs/terms.md"
    assert all("|" not in feature.formula for feature in TERM_FEATURES), "it would part the row"


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="has no <!-- reference: start"):
        written_into("no marks", reference())
