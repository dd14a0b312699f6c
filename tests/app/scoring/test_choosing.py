"""Senses chosen together: the fast choice against slow loops over every pair of candidates."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring import choosing
from app.scoring.choosing import PossibleSenses, chosen_senses
from app.scoring.concepts import Scorer
from app.scoring.meanings import UNLINKED
from app.scoring.references import Mention, Reference
from app.scoring.resolving import PairResolver
from features.terms.senses import CANDIDATES
from snapshots.resolver import Resolver
from tests.support.served import toy_model
from tests.wikis.named_wiki import Dictionary, named_snapshot
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import SmallWiki
from wort.schemas.relatedness import PairResult, Side

CONCEPTS = 8

# Few values, so that products and merits are often equal.
priors = st.sampled_from([0.25, 0.5, 1.0, 0.1])
scores = st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.3])


@st.composite
def possible_senses(draw: st.DrawFn) -> PossibleSenses:
    """Some senses, the likeliest first."""
    concepts = draw(st.lists(st.integers(0, CONCEPTS - 1), min_size=1, max_size=5, unique=True))
    likely = sorted((draw(priors) for _ in concepts), reverse=True)
    return PossibleSenses(np.array(concepts, np.int64), np.array(likely))


pairs_of_senses = st.lists(st.tuples(possible_senses(), possible_senses()), max_size=6)
tables = st.lists(scores, min_size=CONCEPTS**2, max_size=CONCEPTS**2)


def slow_choice(left: PossibleSenses, right: PossibleSenses, table: Any) -> tuple[int, int]:
    """The best pair of senses, every one weighed by itself."""
    best: tuple[float, float, int, int] | None = None
    for i, j in product(range(len(left.concepts)), range(len(right.concepts))):
        a, b = int(left.concepts[i]), int(right.concepts[j])
        prior = float(left.priors[i] * right.priors[j])
        found = (prior * (1.0 if a == b else table[min(a, b)][max(a, b)]), prior, -i, -j)
        best = found if best is None else max(best, found)
    assert best is not None
    return -best[2], -best[3]


@given(pairs_of_senses, tables)
def test_the_choice_is_that_of_slow_loops(
    pairs: list[tuple[PossibleSenses, PossibleSenses]], scores: list[float]
) -> None:
    table = np.array(scores).reshape(CONCEPTS, CONCEPTS)
    asked: list[tuple[int, int]] = []

    def relatedness(left: Any, right: Any) -> Any:
        assert (left < right).all(), "each two are looked at in one order, and none beside itself"
        asked.extend(zip(left.tolist(), right.tolist(), strict=True))
        return table[left, right]

    expected = [slow_choice(left, right, table.tolist()) for left, right in pairs]
    assert chosen_senses(pairs, relatedness) == expected
    # Two rounds, and in each every two concepts once.
    assert max((asked.count(two) for two in asked), default=0) <= 2


@given(pairs_of_senses, tables)
def test_blocks_choose_as_the_whole_does(
    pairs: list[tuple[PossibleSenses, PossibleSenses]], scores: list[float]
) -> None:
    table = np.array(scores).reshape(CONCEPTS, CONCEPTS)
    whole = chosen_senses(pairs, lambda left, right: table[left, right])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choosing, "BLOCK", 2)
        assert chosen_senses(pairs, lambda left, right: table[left, right]) == whole


def test_what_the_priors_rule_out_is_not_scored() -> None:
    likely = PossibleSenses(np.array([0, 1]), np.array([0.9, 0.1]))
    looked_at: list[tuple[int, int]] = []

    def relatedness(left: Any, right: Any) -> Any:
        looked_at.extend(zip(left.tolist(), right.tolist(), strict=True))
        return np.full(len(left), 0.8)

    other = PossibleSenses(np.array([2]), np.array([1.0]))
    assert chosen_senses([(likely, other)], relatedness) == [(0, 0)]
    assert looked_at == [(0, 2)]


def test_of_equal_merits_the_likelier_senses_win() -> None:
    left = PossibleSenses(np.array([0, 1]), np.array([1.0, 1.0]))
    right = PossibleSenses(np.array([2, 3]), np.array([1.0, 0.25]))
    table = {(0, 2): 0.1, (0, 3): 1.0, (1, 2): 0.25, (1, 3): 0.5}
    found = chosen_senses(
        [(left, right)], lambda a, b: np.array([table[x, y] for x, y in zip(a, b, strict=True)])
    )
    # 1 · ¼ for both 0 beside 3, which comes first, and 1 beside 2, of which the priors' product is greater.
    assert found == [(1, 0)]


def test_equally_good_senses_are_the_same_from_both_sides(tmp_path: Path) -> None:
    mentions = {"ant": {0: 0.6, 1: 0.4}, "bee": {2: 0.6, 3: 0.4}}
    snapshot = named_snapshot(tmp_path, random_wiki(1), {}, mentions)
    good = ((0, 3), (1, 2))

    def relatedness(left: Any, right: Any) -> Any:
        return np.array([0.9 if two in good else 0.1 for two in zip(left, right, strict=True)])

    resolver = PairResolver(snapshot, Resolver.open(snapshot), relatedness)
    pair = (Mention("ant"), Mention("bee"))
    (there, back) = resolver.pairs([pair, pair[::-1]], 0, 0, "resolve")
    assert tuple(end.concept for end in there) in good
    assert there == back[::-1]


class Named(NamedTuple):
    """A random wiki with names, and what scores it."""

    scorer: Scorer
    wiki: SmallWiki
    ambiguous: dict[str, list[int]]
    mentions: Dictionary


def named(seed: int, folder: Path) -> Named:
    """A random wiki in which every name may mean several of the first concepts, "lone" one, "none" none."""
    wiki = random_wiki(seed, concepts=24)
    random = np.random.default_rng(seed)
    mentions: dict[str, dict[int, float]] = {"lone": {3: 0.7}, "beyond": {wiki.universe - 1: 1.0}}
    for name in ("ant", "bee", "cat", "dog"):
        weights = random.dirichlet(np.ones(14)).astype(np.float32)
        meant = random.choice(wiki.universe, 14, replace=False)
        mentions[name] = dict(zip(meant.tolist(), weights.tolist(), strict=True))
    ambiguous = {
        "Bee": random.choice(24, 12, replace=False).tolist(),
        "Dog (disambiguation)": [1, 2],
        "Elk": [5, 0, 7],
        "Fox": [9],
        "Gnu": [],
    }
    snapshot = named_snapshot(folder, wiki, ambiguous, mentions)
    scorer = Scorer.open(snapshot.folder, toy_model(folder / "model.json", snapshot.id))
    return Named(scorer, wiki, ambiguous, mentions)


@pytest.fixture(scope="module", params=range(2))
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Named:
    return named(request.param, tmp_path_factory.mktemp("named"))


def senses_by_hand(world: Named, name: Reference) -> list[tuple[int, float]]:
    """The senses of a name and their priors, from the dictionaries that the wiki was made of."""
    if isinstance(name, int) or (isinstance(name, str) and name in world.wiki.titles):
        return [((name - 100) // 7 if isinstance(name, int) else world.wiki.titles.index(name), 1.0)]
    text = name.text if isinstance(name, Mention) else name
    title = text[:1].upper() + text[1:]
    row = world.mentions.get(text.lower().removesuffix(" (disambiguation)"), {})
    common = {concept: share for concept, share in row.items() if concept < len(world.wiki.titles)}
    unlinked = [concept for concept in world.ambiguous.get(title, []) if concept not in common]
    if title in world.wiki.titles and world.wiki.titles.index(title) not in common:
        unlinked.append(world.wiki.titles.index(title))
    rest = 0.0 if not unlinked else UNLINKED if common else 1.0
    total = sum(len(world.wiki.into(concept)) + 1 for concept in unlinked)
    priors = {concept: (1 - rest) * share for concept, share in common.items()}
    priors |= {concept: rest * (len(world.wiki.into(concept)) + 1) / total for concept in unlinked}
    return sorted(priors.items(), key=lambda sense: (-sense[1], sense[0]))[:CANDIDATES]


NAMES: tuple[Reference, ...] = (
    *(Mention(name) for name in ("ant", "Bee", "cat", "dog", "lone", "elk", "Fox", "concept 4")),
    *("Bee", "Dog (disambiguation)", "Elk", "Fox", "Concept 3", "Concept 11", 100 + 7 * 2),
)
NAMELESS: tuple[Reference, ...] = ("Gnu", Mention("gnu"), Mention("beyond"), Mention("zzz"), "[x]", -1)


def test_the_pair_is_that_of_slow_loops(world: Named) -> None:
    pairs = list(product(NAMES, NAMES))
    results = world.scorer.score(pairs, ambiguous="resolve", features=True)
    page_ids = [100 + 7 * concept for concept in range(24)]
    every = world.scorer.score(list(product(page_ids, page_ids)))
    table = np.array([result.score for result in every], np.float64).reshape(24, 24)
    chosen_among_several = 0
    for (left, right), result in zip(pairs, results, strict=True):
        senses = [senses_by_hand(world, name) for name in (left, right)]
        merits = {(a, b): pa * pb * (1.0 if a == b else table[a, b]) for (a, pa), (b, pb) in product(*senses)}
        sides = result.resolved.left, result.resolved.right
        a, b = ((side.page_id or 0) // 7 - 100 // 7 for side in sides)
        assert merits[a, b] == pytest.approx(max(merits.values()), rel=1e-6)
        assert result.score == table[a, b] if a != b else result.status == "identical"
        assert (result.features is None) == (a == b)
        for side, name, possible in zip(sides, (left, right), senses, strict=True):
            check_side(world, side, name, possible)
            chosen_among_several += len(possible) > 1
    assert chosen_among_several > 100


def check_side(world: Named, side: Side, name: Reference, possible: list[tuple[int, float]]) -> None:
    """What a side says of its senses is what there is to say: nothing is chosen in silence."""
    assert side.status == "ok"
    assert side.asked == (name.text if isinstance(name, Mention) else name)
    if side.matched in ("title", "page_id"):
        assert (side.prior, side.alternatives) == (None, ())
        return
    told = [(side.title, side.prior), *((other.title, other.prior) for other in side.alternatives)]
    expected = [(world.wiki.titles[concept], prior) for concept, prior in possible]
    for (title, prior), (own, likely) in zip(sorted(told, key=str), sorted(expected, key=str), strict=True):
        assert title == own
        assert prior == pytest.approx(likely, rel=1e-6)
    others = [other.prior for other in side.alternatives]
    assert others == sorted(others, reverse=True)
    assert side.matched == ("mention" if isinstance(name, Mention) and len(possible) == 1 else "sense")


references = st.sampled_from([*NAMES, *NAMELESS])


@settings(deadline=None)
@given(st.lists(st.tuples(references, references), max_size=5), st.sampled_from(["report", "resolve"]))
def test_the_order_of_the_sides_makes_no_difference(world: Named, pairs: Any, ambiguous: Any) -> None:
    there = world.scorer.score(pairs, ambiguous=ambiguous)
    back = world.scorer.score([(right, left) for left, right in pairs], ambiguous=ambiguous)
    for one, other in zip(there, back, strict=True):
        assert (one.score, one.status) == (other.score, other.status)
        assert (one.resolved.left, one.resolved.right) == (other.resolved.right, other.resolved.left)


@settings(deadline=None)
@given(st.lists(st.tuples(references, references), max_size=8))
def test_a_batch_is_its_pairs_one_by_one(world: Named, pairs: Any) -> None:
    together = world.scorer.score(pairs, ambiguous="resolve")
    alone = [world.scorer.score([pair], ambiguous="resolve")[0] for pair in pairs]
    assert together == alone


def test_what_has_no_sense_stays_as_it_is(world: Named) -> None:
    for nameless, status in zip(
        NAMELESS, ("ambiguous", "ambiguous", "unknown", "unknown", "invalid", "unknown"), strict=True
    ):
        result = only(world.scorer.score([(nameless, "Bee")], ambiguous="resolve"))
        assert (result.score, result.status) == (None, status)
        assert result.resolved.left.status == status
        # The other side has senses, but none is chosen for a pair that has no score.
        assert result.resolved.right.status == "ambiguous"
        assert result.resolved.right.candidates


def test_one_name_on_both_sides_is_one_concept(world: Named) -> None:
    for name in (Mention("ant"), "Bee", Mention("Bee")):
        result = only(world.scorer.score([(name, name)], ambiguous="resolve"))
        assert (result.status, result.score) == ("identical", 1.0)
        left, right = result.resolved.left, result.resolved.right
        assert left == right
        likeliest, prior = senses_by_hand(world, name)[0]
        assert left.title == world.wiki.titles[likeliest]
        assert left.prior == pytest.approx(prior, rel=1e-6)


def only(results: list[PairResult]) -> PairResult:
    (result,) = results
    return result
