"""What terms name: candidates and their priors, and how the other term and a context choose among them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from building.excerpt import ExcerptSettings, write_excerpt
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from features.feature import ConceptFeature
from features.senses.candidates import NEARNESS, OF_TEXT, Senses
from features.senses.choosing import SMOOTHING
from features.terms.catalogue import TERM_FEATURE_NAMES, term_features
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Floats, Ints
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.wikis.sense_wiki import ARTICLES, build_senses

CAT, CAR = "Jaguar (animal)", "Jaguar (car)"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return build_senses(tmp_path_factory.mktemp("senses"))


@pytest.fixture(scope="module")
def extractor(snapshot: Snapshot) -> TermExtractor:
    return TermExtractor.open(snapshot, Resolver.open(snapshot))


def sense(extractor: TermExtractor, left: str, right: str, context: str | None = None) -> str | None:
    chosen, _ = extractor.senses(TermPair(left, right, context))
    return None if chosen is None else chosen.title


def test_the_other_term_chooses(extractor: TermExtractor) -> None:
    assert sense(extractor, "jaguar", "leopard") == CAT
    assert sense(extractor, "jaguar", "engine") == CAR


@pytest.mark.parametrize("other", ["python", "jaguar"])
def test_a_context_chooses_where_the_other_term_does_not(extractor: TermExtractor, other: str) -> None:
    assert sense(extractor, "jaguar", other, "a forest with deer and leopards") == CAT
    assert sense(extractor, "jaguar", other, "the engine and the wheels of cars on the road") == CAR


def test_a_context_changes_the_features(extractor: TermExtractor) -> None:
    forest, road = extractor.extract(
        [TermPair("jaguar", "python", context) for context in ("forest", "road and engine")]
    )
    changed = {name for name, a, b in zip(TERM_FEATURE_NAMES, forest, road, strict=True) if a != b}
    assert changed
    assert all(name.startswith("SENSE-") for name in changed), "words are the same in every context"


def test_a_context_that_says_nothing_leaves_the_priors(extractor: TermExtractor) -> None:
    without, _ = extractor.senses(TermPair("jaguar", "river"))
    with_one, _ = extractor.senses(TermPair("jaguar", "river", "zzz"))
    assert without is not None
    assert with_one is not None
    assert with_one.prior == pytest.approx(without.prior)
    assert with_one.title == without.title


def test_a_sense_comes_with_its_alternatives(extractor: TermExtractor, snapshot: Snapshot) -> None:
    chosen, other = extractor.senses(TermPair("jaguar", "leopard"))
    assert chosen is not None
    assert other is not None
    assert (chosen.title, chosen.alternatives, other.title, other.alternatives) == (
        CAT,
        (CAR,),
        "Leopard",
        (),
    )
    assert snapshot.concept_titles[chosen.concept] == CAT
    turned = extractor.senses(TermPair("leopard", "jaguar"))
    assert turned == (other, chosen)


def test_priors_are_the_share_of_a_mentions_uses(extractor: TermExtractor) -> None:
    # Four articles use the word for the cat (its own, Cat, Leopard, Forest), and four for the car.
    chosen, _ = extractor.senses(TermPair("jaguar", "leopard"))
    assert chosen is not None
    assert chosen.prior == pytest.approx(0.5)


def test_a_context_moves_likelihood_within_a_mention(extractor: TermExtractor) -> None:
    term = "a jaguar or a python by the river"
    before, after = (extractor._senses.of_term(term, context) for context in (None, "forest and deer"))
    assert {*before.concepts.tolist()} == {*after.concepts.tolist()}
    mentions = set(before.mentions.tolist())
    assert len(mentions) == 3
    for mention in mentions:
        sums = [float(senses.priors[senses.mentions == mention].sum()) for senses in (before, after)]
        assert sums[0] == pytest.approx(sums[1])
        assert 0 < sums[1] < 1.0001
    assert all(0 < prior <= 1 for prior in after.priors.tolist())
    assert before.priors.tolist() != after.priors.tolist()


def test_mentions_within_a_term_are_candidates(extractor: TermExtractor) -> None:
    assert set(extractor.known("a loud jaguar").senses) == {CAT, CAR}
    assert set(extractor.known("deer by the river").senses) == {"Deer", "River"}
    assert sense(extractor, "loud jaguar", "engine") == CAR


def test_an_ambiguous_title_is_what_its_page_names(extractor: TermExtractor) -> None:
    assert set(extractor.known("Python").senses) == {"Python (snake)", "Python (language)"}


def test_a_term_that_names_nothing_has_no_senses(extractor: TermExtractor) -> None:
    assert extractor.senses(TermPair("jaguar", "loud")) == (None, None)
    values = extractor.extract([TermPair("jaguar", "loud")])[0]
    by_name = dict(zip(TERM_FEATURE_NAMES, values.tolist(), strict=True))
    assert {value for name, value in by_name.items() if name.startswith("SENSE")} == {0.0}


def test_a_word_that_is_seldom_a_link_is_not_one_of_several(tmp_path: Path) -> None:
    """One article links "rack" and two do not: there are other racks than "Rack (torture)"."""
    unlinked = " ".join(f"A {word} stands on the road." for word in ("rack", "peel", "shelf"))
    seldom = {
        "Rack (torture)": "The [[rack (torture)|rack]] broke bones.",
        "Shelf": "A [[shelf]] is a board for books.",
        "Peel (tower)": "A [[peel (tower)|peel]] is a tower.",
        "Barn": f"A [[barn]] is a house. The [[peel (tower)|peel]] is near. {unlinked}",
        "Byre": f"A [[byre]] is a house. The [[peel (tower)|peel]] is near. {unlinked}",
    }
    snapshot = build_senses(tmp_path, articles={**ARTICLES, **seldom})
    extractor = TermExtractor.open(snapshot, Resolver.open(snapshot))
    assert extractor.known("shelf").senses == ("Shelf",), "a title needs no link"
    assert extractor.known("peel").senses == ("Peel (tower)",), "most articles link it"
    for term in ("rack", "Rack", "a loud rack"):
        assert extractor.known(term).senses == ()
    assert extractor.known("rack (torture)").senses == ("Rack (torture)",)
    assert set(extractor.known("python").senses) == {"Python (snake)", "Python (language)"}


def test_the_chosen_pair_is_the_best_of_all(extractor: TermExtractor, snapshot: Snapshot) -> None:
    """Against every pair of candidates, weighed one by one."""
    names = ["jaguar", "python", "jaguar and python", "cat", "deer on the road"]
    column = [FEATURE_NAMES.index(name) for name in ("NPMI1_C", "MW", "ESA")]
    for left, right in product(names, names):
        candidates = [extractor._senses.of_term(term) for term in sorted((left, right))]
        merits = []
        for (a, p), (b, q) in product(
            *(zip(senses.concepts.tolist(), senses.priors.tolist(), strict=True) for senses in candidates)
        ):
            values = extract(snapshot, [a], [b])[0]
            related = 1.0 if a == b else values[column].mean()
            merits.append(p * q * (SMOOTHING + related))
        first, second = (chosen for chosen in extractor.senses(TermPair(*sorted((left, right)))))
        assert first is not None
        assert second is not None
        values = extract(snapshot, [first.concept], [second.concept])[0]
        related = 1.0 if first.concept == second.concept else values[column].mean()
        assert first.prior * second.prior * (SMOOTHING + related) == pytest.approx(max(merits))


def test_the_features_of_senses_are_those_of_the_concepts(
    extractor: TermExtractor, snapshot: Snapshot
) -> None:
    titles = list(ARTICLES)
    concepts = [Resolver.open(snapshot).resolve(title).concept for title in ("Leopard", CAT)]
    expected = dict(
        zip(FEATURE_NAMES, extract(snapshot, concepts[:1], concepts[1:])[0].tolist(), strict=True)
    )
    values = extractor.extract([TermPair("jaguar", "leopard")])[0]
    found = dict(zip(TERM_FEATURE_NAMES, values.tolist(), strict=True))
    assert titles.index(CAT) == 0
    assert found["SENSES"] == 1.0
    for name in ("NPMI1_C", "PMI2_C", "MW", "TFIDF-CS", "ESA"):
        assert found[f"SENSE-{name}"] == expected[name]


def test_an_excerpt_has_the_senses_of_its_concepts(snapshot: Snapshot, tmp_path: Path) -> None:
    settings = ExcerptSettings(minimum_comentions=1, minimum_word_pairs=1)
    small = write_excerpt(snapshot, tmp_path / "small", np.arange(snapshot.concepts), settings)
    extractor = TermExtractor.open(small, Resolver.open(small))
    assert "postings.indptr.npy" not in small.manifest.files
    assert extractor.known("leopard").senses == ("Leopard",)
    assert extractor.known("a leopard").senses == ("Leopard",)
    assert set(extractor.known("python").senses) == {"Python (snake)", "Python (language)"}
    column = TERM_FEATURE_NAMES.index("ESA")
    pairs = [TermPair("leopard forest", "deer"), TermPair("engine", "wheel")]
    assert (extractor.extract(pairs)[:, column] > 0).all()


def test_features_of_senses_alone_are_those_of_all_to_the_last_bit(
    extractor: TermExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no more features of concepts are computed than they are."""
    asked: list[tuple[str, ...]] = []

    def told(snapshot: Snapshot, left: Ints, right: Ints, features: Sequence[ConceptFeature]) -> Floats:
        asked.append(tuple(feature.name for feature in features))
        return extract(snapshot, left, right, features)

    monkeypatch.setattr("features.terms.evidence.extract", told)
    terms = ["jaguar", "leopard forest", "engine road", "python", "nothing of it", "car"]
    pairs = [TermPair(left, right) for left, right in product(terms, terms)]
    everything = extractor.extract(pairs)
    for name in TERM_FEATURE_NAMES:
        alone = extractor.extract(pairs, term_features([name]))
        np.testing.assert_array_equal(
            alone[:, 0].view(np.int64), everything[:, TERM_FEATURE_NAMES.index(name)].view(np.int64), name
        )
    of_senses = [name.removeprefix("SENSE-") for name in TERM_FEATURE_NAMES if name.startswith("SENSE-")]
    alone_of_concepts = [(name,) for name in of_senses if name in FEATURE_NAMES]
    assert asked == [tuple(name for (name,) in alone_of_concepts), *alone_of_concepts]


def test_nearness_is_the_mean_of_three_features_to_the_last_bit(snapshot: Snapshot) -> None:
    left, right = np.array(list(product(range(snapshot.concepts), repeat=2)), np.int64).T
    everything = extract(snapshot, left, right)
    three = np.ascontiguousarray(everything[:, [FEATURE_NAMES.index(name) for name in NEARNESS]])
    found = Senses(snapshot, Resolver.open(snapshot)).nearness(left, right)
    np.testing.assert_array_equal(found.view(np.int64), three.mean(axis=1).view(np.int64))


def test_of_names_the_text_counts_as_often_as_it_says(snapshot: Snapshot) -> None:
    left, right = np.array(list(product(range(snapshot.concepts), repeat=2)), np.int64).T
    everything = extract(snapshot, left, right)
    three = everything[:, [FEATURE_NAMES.index(name) for name in NEARNESS]]
    found = Senses(snapshot, Resolver.open(snapshot)).nearness_of_names(left, right)
    np.testing.assert_allclose(found, np.average(three, axis=1, weights=[1, 1, OF_TEXT]), rtol=1e-12)
    assert found.max() <= 1.0
