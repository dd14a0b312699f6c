"""One scale: what names concepts is scored as these, whatever it is asked as; texts are sides, too."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from app.errors import UnusableModel
from app.scoring.concepts import Scorer
from app.scoring.model_kinds import load_term_model
from app.scoring.naming.references import AnyPair, Text
from app.scoring.sides import score_sides
from app.scoring.terms import TermScorer
from app.serving.starter import open_scorer, snapshot_path
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from features.senses.candidates import DOMINANT, Senses
from features.terms.extract import TermExtractor, TermPair
from models.expectation import EvidenceBands
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.support.plus import BANDS, LetterEncoder, plus_model, plus_term_model
from tests.support.served import toy_scorer, toy_term_model
from tests.wikis.sense_wiki import build_senses

CAT, CAR = "Jaguar (animal)", "Jaguar (car)"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return build_senses(tmp_path_factory.mktemp("scale"))


@pytest.fixture(scope="module")
def scorer(snapshot: Snapshot) -> Scorer:
    return Scorer(snapshot, Resolver.open(snapshot), plus_model(snapshot.id))


@pytest.fixture(scope="module")
def terms(scorer: Scorer) -> TermScorer:
    return TermScorer.open(scorer, plus_term_model(scorer.snapshot.id), encoder=LetterEncoder())


def titles(snapshot: Snapshot) -> list[str]:
    return [snapshot.concept_titles[row] for row in range(snapshot.concepts)]


def test_terms_that_are_titles_have_the_scores_of_the_concepts(scorer: Scorer, terms: TermScorer) -> None:
    named = titles(scorer.snapshot)
    pairs = [(left, right) for left in named for right in named]
    of_concepts = scorer.score(pairs)
    of_terms = terms.score([TermPair(*pair) for pair in pairs])
    for concept, term in zip(of_concepts, of_terms, strict=True):
        assert (term.score, term.interval, term.status) == (concept.score, concept.interval, concept.status)
        assert term.percentiles == concept.percentiles is not None
        if term.status == "ok":
            assert (term.used, term.model) == (("concepts",), "toy-plus")
            assert term.resolved.left.sense is not None
            assert term.resolved.left.sense.title == concept.resolved.left.title


def test_whatever_its_case(scorer: Scorer, terms: TermScorer) -> None:
    (concept,) = scorer.score([("Leopard", "Engine")])
    (term,) = terms.score([TermPair("leopard", "engine")])
    assert concept.score == term.score is not None


@pytest.mark.parametrize("name", ["JFK", "Darwin", "WWII", "Obama", "Wolf", "Dogs", "USA"])
def test_other_names_of_concepts_are_these_whatever_they_are_asked_as(name: str) -> None:
    scorer = open_scorer(None, None)
    resolution = scorer.resolver.resolve(name)
    assert (resolution.status, resolution.matched) == ("ok", "alias")
    assert scorer.pairs.senses.decided(name) == resolution.concept


def test_what_may_be_several_concepts_is_scored_as_terms(scorer: Scorer, terms: TermScorer) -> None:
    senses = scorer.pairs.senses
    for term in ("jaguar", "a leopard in the forest", "nothing of the kind"):
        assert senses.decided(term) == -1
        (result,) = terms.score([TermPair(term, "Engine")], explain=True)
        assert result.model == "toy-terms-plus"
        assert result.used is not None
        assert "encoder" in result.used
        assert result.interval is not None
        assert [result.percentiles] == scorer.percentiles.of(np.array([result.score]))


def test_words_that_are_unknown_widen_the_interval(scorer: Scorer) -> None:
    narrow, wide = (msgspec.structs.replace(BANDS, below=of, above=of) for of in ((0.1, 0.1), (0.3, 0.3)))
    bands = msgspec.structs.replace(BANDS, by_evidence=(EvidenceBands(0, wide), EvidenceBands(1, narrow)))
    model = msgspec.structs.replace(plus_term_model(scorer.snapshot.id), interval_bands=bands)
    terms = TermScorer.open(scorer, model, encoder=LetterEncoder())
    known, unknown, half = terms.score(
        [TermPair("jaguar", "road"), TermPair("jaguarr", "road"), TermPair("jaguar jaguarr", "road")]
    )
    for result, reach in ((known, 0.1), (unknown, 0.3), (half, 0.3)):
        assert result.score is not None and result.interval is not None
        assert result.interval.low == pytest.approx(max(0.0, result.score - reach))


def test_percentiles_are_left_out_where_nobody_reads_them(terms: TermScorer) -> None:
    told, plain = (terms.score([TermPair("jaguar", "road")], compare=compare)[0] for compare in (True, False))
    assert plain.percentiles is None
    assert told.percentiles is not None
    assert plain == msgspec.structs.replace(told, percentiles=None)


def test_a_pair_without_a_score_has_no_percentiles(scorer: Scorer, tmp_path: Path) -> None:
    linear = load_term_model(toy_term_model(tmp_path / "terms.json", scorer.snapshot.id))
    scored, unscored = TermScorer.open(scorer, linear).score(
        [TermPair("jaguar", "road"), TermPair("qqqq", "road")]
    )
    assert scored.percentiles is not None
    assert (unscored.score, unscored.percentiles) == (None, None)


def test_a_context_may_decide(snapshot: Snapshot, scorer: Scorer) -> None:
    senses = scorer.pairs.senses
    decided = {
        about: senses.decided("jaguar", about)
        for about in ("a forest with deer and leopards", "the engine and the wheels of cars on the road")
    }
    for about, concept in decided.items():
        own = senses.of_term("jaguar", about)
        expected = own.concepts[0] if own.priors[0] > DOMINANT else -1
        assert concept == expected


def test_a_dominant_sense_decides(snapshot: Snapshot) -> None:
    senses = Senses(snapshot, Resolver.open(snapshot))
    seen = set()
    for term in ("jaguar", "python", "leopard", "forest", "engine", "road"):
        whole = senses._whole(term)
        resolution = senses._resolver.resolve(term, suggest=False, candidates=False)
        best = max(whole.values(), default=0.0)
        expected = (
            resolution.concept
            if resolution.status == "ok"
            else max(whole, key=lambda concept: whole[concept])
            if best > DOMINANT
            else -1
        )
        assert senses.decided(term) == expected
        seen.add(expected >= 0)
    assert seen == {True, False}


def test_other_names_are_those_of_concepts_unless_they_are_words() -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    starter = open_scorer(None, None)
    of_terms = TermScorer.open(starter, plus_term_model(starter.snapshot.id), encoder=LetterEncoder())
    pairs = [("Obama", "USA"), ("cats", "UK"), ("Einstein", "physics")]
    for concept, term in zip(
        starter.score(pairs), of_terms.score([TermPair(*pair) for pair in pairs]), strict=True
    ):
        assert concept.score is not None
        assert (term.score, term.used) == (concept.score, ("concepts",))
    senses = starter.pairs.senses
    assert senses.names_as_a_whole("Obama")
    assert not senses.names_as_a_whole("Obama health reform")
    assert senses.decided("Freud") >= 0, "somebody's surname"
    assert senses.decided("freud") == senses.decided("asdf") == -1
    assert senses.decided("Bench") == -1, "a surname that is a word"


def test_a_word_that_an_article_is_about_and_states_as_its_name_is_its_as_a_term() -> None:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    starter = open_scorer(None, None)
    of_terms = TermScorer.open(starter, plus_term_model(starter.snapshot.id), encoder=LetterEncoder())
    senses, titles = starter.pairs.senses, starter.snapshot.concept_titles
    for word, title in {"colour": "Color", "football": "Association football", "phone": "Telephone"}.items():
        assert titles[senses.decided(word)] == title
    for word in ("skyline", "fall", "bacon"):
        assert starter.resolver.resolve(word).status == "ok"
        assert senses.decided(word) == -1, "more than Horizon, Autumn and Francis Bacon"
    same, stated, spelt = of_terms.score(
        [TermPair("soccer", "football"), TermPair("football", "Tennis"), TermPair("colour", "Tennis")]
    )
    assert (same.score, same.status, same.used) == (1.0, "identical", ("concepts",))
    assert stated.resolved.left.sense is not None
    assert stated.resolved.left.sense.title == "Association football"
    assert stated.used != ("concepts",), "people mean more by a word"
    assert spelt.used == ("concepts",), "a title in another spelling"


def test_what_has_no_word_is_unknown(terms: TermScorer) -> None:
    marks, letters_of_none, words = terms.score(
        [TermPair("!!!", "leopard"), TermPair("???", "😀"), TermPair("qwertz", "of the")]
    )
    assert (marks.status, marks.score) == (letters_of_none.status, letters_of_none.score) == ("unknown", None)
    assert words.status == "ok"


def test_one_concept_by_two_names_is_identical(terms: TermScorer, scorer: Scorer) -> None:
    (result,) = terms.score([TermPair("LEOPARD", "leopard")])
    assert (result.score, result.status) == (1.0, "identical")
    pairs: list[AnyPair] = [(Text("Leopard"), "Leopard")]
    assert score_sides(terms, pairs)[0].status == "identical"


def test_of_one_concept_by_two_names_it_is_said_which(terms: TermScorer) -> None:
    named, unknown = terms.score([TermPair("LEOPARD", "leopard"), TermPair("qwxyz", "Qwxyz")])
    for side in (named.resolved.left, named.resolved.right):
        assert side.sense is not None
        assert (side.sense.title, side.sense.whole) == ("Leopard", True)
    assert named.used == ("concepts",)
    assert (unknown.status, unknown.used, unknown.resolved.left.sense) == ("identical", None, None)


def test_a_score_is_the_model_of_the_features(scorer: Scorer, terms: TermScorer) -> None:
    pair = TermPair("jaguar", "forest road")
    (result,) = terms.score([pair], explain=True, features=True)
    extractor = TermExtractor(scorer.pairs.senses, encoder=LetterEncoder())
    names = [feature.name for feature in extractor.features]
    values = terms.model.read_from(extractor.extract([pair]), names)
    assert result.features == dict(zip(terms.model.reads, values[0].tolist(), strict=True))
    assert result.score == terms.model.score(values).item()
    low, high = BANDS.around(np.array([result.score]))
    assert result.interval is not None
    assert (result.interval.low, result.interval.high, result.interval.level) == (
        low.item(),
        high.item(),
        0.9,
    )


def test_an_explanation_adds_up_in_evidence_and_in_the_score(scorer: Scorer) -> None:
    (result,) = scorer.score([("Leopard", "Forest")], explain=True)
    explanation = result.explanation
    assert explanation is not None
    assert explanation.unit == "evidence"
    total = explanation.intercept
    for entry in explanation.contributions:
        total += entry.contribution
    assert total == explanation.raw
    assert result.score == pytest.approx(0.99 * total**3 / (1 + total**3))
    assert explanation.start == pytest.approx(0.99 * 0.3**3 / (1 + 0.3**3))
    shares = [entry.share for entry in explanation.contributions if entry.share is not None]
    assert len(shares) == len(explanation.contributions)
    assert (explanation.start or 0.0) + sum(shares) == pytest.approx(result.score)


def test_a_text_is_a_side(terms: TermScorer, scorer: Scorer) -> None:
    plain, text, both, unknown, invalid = score_sides(
        terms,
        [
            (Text("leopard"), "Engine"),
            (Text("wild cats in trees"), "Engine"),
            (Text("jaguar", "a forest with deer and leopards"), Text("wild cats in trees")),
            (Text("leopard"), "No such concept"),
            (Text(" "), "Engine"),
        ],
        explain=True,
    )
    (expected,) = scorer.score([("Leopard", "Engine")], explain=True)
    assert (plain.score, plain.interval, plain.percentiles) == (
        expected.score,
        expected.interval,
        expected.percentiles,
    )
    assert (plain.used, plain.evidence) == (("concepts",), expected.evidence)
    assert (plain.resolved.left.asked, plain.resolved.left.matched) == ("leopard", "text")
    assert plain.resolved.left.title == "Leopard"
    assert (text.status, text.model) == ("ok", "toy-terms-plus")
    assert text.percentiles is not None
    assert text.used is not None
    assert "encoder" in text.used
    assert text.interval is not None
    assert text.resolved.right.title == "Engine"
    assert both.resolved.left.title == CAT
    assert (unknown.score, unknown.status) == (None, "unknown")
    assert (invalid.score, invalid.status) == (None, "invalid")


def test_sides_may_be_exchanged(terms: TermScorer) -> None:
    pairs: list[AnyPair] = [
        (Text("jaguar", "on the road"), "Engine"),
        (Text("wild cats"), Text("forest road", "for cars")),
        (Text("leopard"), Text("python")),
    ]
    there = score_sides(terms, pairs)
    back = score_sides(terms, [(right, left) for left, right in pairs])
    for one, other in zip(there, back, strict=True):
        assert one.score == other.score is not None
        assert one.resolved.left == other.resolved.right


def test_a_model_that_reads_an_encoder_needs_one(scorer: Scorer) -> None:
    with pytest.raises(UnusableModel, match=r"toy-terms-plus compares texts by an encoder.*WORT_ENCODER"):
        TermScorer.open(scorer, plus_term_model(scorer.snapshot.id))


def test_without_an_encoder_what_nobody_knows_stays_unknown(scorer: Scorer) -> None:
    model = plus_term_model(scorer.snapshot.id, **{"W2V-IDF": 1.0})
    (result,) = TermScorer.open(scorer, model).score([TermPair("qqqq", "Engine")])
    assert (result.score, result.status, result.used, result.model) == (None, "unknown", None, None)


def test_values_are_read_of_the_features_that_are_read(scorer: Scorer) -> None:
    left, right = np.array([0, 1]), np.array([2, 3])
    everything = extract(scorer.snapshot, left, right)
    values = scorer.values(left, right)
    assert values.shape == (2, 2)
    np.testing.assert_array_equal(values, scorer.model.read_from(everything, FEATURE_NAMES))


def test_a_linear_model_has_no_interval(tmp_path: Path) -> None:
    (result,) = toy_scorer(tmp_path).score([("Cat", "Dog")], explain=True)
    assert result.interval is None
    assert result.explanation is not None
    assert (result.explanation.unit, result.explanation.start) == ("score", None)
    assert all(entry.share is None for entry in result.explanation.contributions)
