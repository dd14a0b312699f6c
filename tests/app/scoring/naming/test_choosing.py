"""The senses of pairs in the service: chosen together, told, and the same in every order and batch."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scoring.concepts import Scorer
from app.scoring.matrix import resolved, resolved_together
from app.scoring.naming.references import MentionReference, Reference
from app.scoring.naming.resolving import PairResolver
from app.scoring.naming.together import OTHERS, Together
from features.senses.candidates import NEARNESS, OF_TEXT, UNLINKED
from features.senses.choosing import CANDIDATES, OF_PRIOR, SMOOTHING
from snapshots.naming.resolver import Resolver
from tests.support.served import toy_model
from tests.wikis.named_wiki import Dictionary, named_snapshot
from tests.wikis.random_wiki import random_wiki
from tests.wikis.small_wiki import SmallWiki
from wort.schemas.relatedness import PairResult
from wort.schemas.sides import Side

WEIGHTS = (1.0, 1.0, OF_TEXT)


def test_equally_good_senses_are_the_same_from_both_sides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mentions = {"ant": {0: 0.6, 1: 0.4}, "bee": {2: 0.6, 3: 0.4}}
    snapshot = named_snapshot(tmp_path, random_wiki(1), {}, mentions)
    good = ((0, 3), (1, 2))

    def nearness(left: Any, right: Any) -> Any:
        return np.array([0.9 if two in good else 0.1 for two in zip(left, right, strict=True)])

    resolver = PairResolver(snapshot, Resolver.open(snapshot))
    monkeypatch.setattr(resolver.senses, "nearness_of_names", nearness)
    pair = (MentionReference("ant"), MentionReference("bee"))
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
    text = name.text if isinstance(name, MentionReference) else name
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
    if len(priors) > 1:
        mutual = {each: len(world.wiki.into(each) & world.wiki.out(each)) for each in priors}
        known = {each: prior * (1 + mutual[each]) for each, prior in priors.items()}
        priors = {each: of / sum(known.values()) * sum(priors.values()) for each, of in known.items()}
    return sorted(priors.items(), key=lambda sense: (-sense[1], sense[0]))[:CANDIDATES]


NAMES: tuple[Reference, ...] = (
    *(MentionReference(name) for name in ("ant", "Bee", "cat", "dog", "lone", "elk", "Fox", "concept 4")),
    *("Bee", "Dog (disambiguation)", "Elk", "Fox", "Concept 3", "Concept 11", 100 + 7 * 2),
)
NAMELESS: tuple[Reference, ...] = (
    "Gnu",
    MentionReference("gnu"),
    MentionReference("beyond"),
    MentionReference("zzz"),
    "[x]",
    -1,
)


def test_the_pair_is_that_of_slow_loops(world: Named) -> None:
    pairs = list(product(NAMES, NAMES))
    results = world.scorer.score(pairs, ambiguous="resolve", features=True)
    page_ids = [100 + 7 * concept for concept in range(24)]
    every = world.scorer.score(list(product(page_ids, page_ids)), features=True)
    table = np.array([result.score for result in every], np.float64).reshape(24, 24)
    near = np.array(
        [
            1.0
            if result.features is None
            else np.average([result.features[name] for name in NEARNESS], weights=WEIGHTS)
            for result in every
        ]
    ).reshape(24, 24)
    chosen_among_several = 0
    for (left, right), result in zip(pairs, results, strict=True):
        senses = [senses_by_hand(world, name) for name in (left, right)]
        merits = {
            (a, b): (pa * pb) ** OF_PRIOR * (SMOOTHING + near[a, b]) for (a, pa), (b, pb) in product(*senses)
        }
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
    assert side.asked == (name.text if isinstance(name, MentionReference) else name)
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
    assert side.matched == (
        "mention" if isinstance(name, MentionReference) and len(possible) == 1 else "sense"
    )


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
    for name in (MentionReference("ant"), "Bee", MentionReference("Bee")):
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


def test_together_the_sense_is_that_of_slow_loops(world: Named) -> None:
    """Names that are asked for together: whatever their order, and however many at a time."""
    pairs = world.scorer.pairs
    titles = [100 + 7 * concept for concept in range(24)]
    every = world.scorer.score(list(product(titles, titles)), features=True)
    near = np.array(
        [
            1.0
            if result.features is None
            else np.average([result.features[name] for name in NEARNESS], weights=WEIGHTS)
            for result in every
        ]
    ).reshape(24, 24)
    changed = 0
    for asked in (NAMES, NAMES[::2], (*NAMES, *NAMELESS), NAMES[:1], *permutations(NAMES, 2)):
        alone = resolved(world.scorer, asked, "resolve")
        together = Together(pairs, asked, alone)
        for each in reversed(together.open):
            together.choose([each])
        for name, before, after in zip(asked, alone, together.resolved(), strict=True):
            if before.matched != "sense":
                assert after == before
                continue
            # The surest of the others; as sure ones in the order in which they were asked for.
            senses = [
                sense
                for other in dict.fromkeys(asked)
                if other != name and other not in NAMELESS
                for sense in told_or_known(world, other)
            ]
            surest = sorted(senses, key=lambda sense: -sense[1])[:OTHERS]
            merits = {
                own: prior**OF_PRIOR
                * (SMOOTHING + max((sure * near[own, b] for b, sure in surest), default=0.0))
                for own, prior in senses_by_hand(world, name)
            }
            assert merits[after.concept] == pytest.approx(max(merits.values()), rel=1e-6)
            assert (after.status, after.matched) == ("ok", "sense")
            check_side(world, pairs.side(name, after), name, senses_by_hand(world, name))
            changed += after.concept != before.concept
    assert changed > 10


def test_beside_one_that_is_clear_the_sense_is_that_of_the_pair(world: Named) -> None:
    for name, clear in product(NAMES, ("Concept 3", "Concept 11")):
        ((of_pair, _),) = world.scorer.pairs.pairs([(name, clear)], 0, 0, "resolve")
        assert resolved_together(world.scorer, [name, clear], "resolve")[0].concept == of_pair.concept


def told_or_known(world: Named, name: Reference) -> list[tuple[int, float]]:
    """The senses that a name brings in: all of an ambiguous one, and the concept of one that is clear."""
    senses = senses_by_hand(world, name)
    return senses if len(senses) > 1 else [(concept, 1.0) for concept, _ in senses]
