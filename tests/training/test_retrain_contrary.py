"""Judgements that say the contrary of what is known: by themselves they would put anything in force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats
from tests.support.contrary import (
    IN_FORCE,
    PARTNERS,
    TOPICS,
    Scored,
    World,
    failed,
    judged_set,
    open_world,
    turned,
)
from training.errors import TooFewPairs
from training.retraining.agreement import LEVEL, agreement, log10_p_below
from training.retraining.champion import Champion
from training.retraining.validate import LEAST_PAIRS

HALF = TOPICS // 2


def scored(in_force: Champion, values: Floats) -> Floats:
    """What the model in force says of pairs, by all of their features."""
    return in_force.model.score(in_force.model.read_from(values, FEATURE_NAMES))


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def world() -> World:
    return open_world()


@pytest.fixture(scope="module")
def known(world: World) -> list[Scored]:
    """What the model in force learnt from."""
    return world.judged(range(HALF), 0.1)


@pytest.fixture(scope="module")
def new(world: World) -> list[Scored]:
    """Pairs of other topics."""
    return world.judged(range(HALF, TOPICS), 0.1)


@pytest.fixture(scope="module")
def in_force(world: World, known: list[Scored]) -> Champion:
    return world.in_force(known)


def test_known_pairs_turned_round_are_refused_as_a_contradiction(
    world: World, known: list[Scored], in_force: Champion
) -> None:
    report = world.report(in_force, turned(known))
    assert failed(report) == ["contradiction", "chance", "learnt"]
    assert report.verdict.reason.startswith(
        "new does not take the place of old: the judgements contradict most of what old learnt from: "
        "Pearson -1.0000 and Spearman -1.0000 over the 300 pairs of both, below 0 at p = < 1e-300; "
        "by the judgements old is worse than chance: Pearson -0."
    )
    own, learnt = report.comparisons
    # By themselves they speak for the candidate.
    assert own.challenger.pearson is not None
    assert own.challenger.pearson > 0.8
    # The pairs are the same, and the scores those that were known.
    assert (learnt.part, learnt.pairs) == ("learnt", 300)
    assert learnt.challenger.pearson == pytest.approx(-own.challenger.pearson, abs=1e-6)


def test_new_pairs_turned_round_are_refused_as_worse_than_chance(
    world: World, new: list[Scored], in_force: Champion
) -> None:
    report = world.report(in_force, turned(new))
    assert failed(report) == ["chance", "learnt"]
    assert "by the judgements old is worse than chance: Pearson -0." in report.verdict.reason


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7])
def test_judgements_turned_round_in_part_do_not_pass(
    world: World, known: list[Scored], new: list[Scored], in_force: Champion, share: float
) -> None:
    for rows, most in ((known, ["contradiction", "chance"]), (new, ["chance"])):
        report = world.report(in_force, turned(rows, share))
        assert not report.verdict.passed
        refused_by = [name for name in failed(report) if name in {"contradiction", "chance"}]
        assert refused_by == (most if share > 0.5 else [])


def test_random_and_constant_judgements_do_not_pass(
    world: World, known: list[Scored], new: list[Scored], in_force: Champion
) -> None:
    for rows in (known, new):
        dealt = np.random.default_rng(1).permutation(len(rows)).tolist()
        scores = [rows[other][2] for other in dealt]
        random = [(*row[:2], score, row[3]) for row, score in zip(rows, scores, strict=True)]
        assert {"better", "learnt"} <= set(failed(world.report(in_force, random)))
        constant = [(left, right, 0.5, topic) for left, right, _, topic in rows]
        with pytest.raises(TooFewPairs, match="all 300 pairs have the score"):
            world.report(in_force, constant)
        nearly = [*constant[1:], (*constant[0][:2], 1.0, constant[0][3])]
        assert {"better", "learnt"} <= set(failed(world.report(in_force, nearly)))


def test_a_row_repeated_thousands_of_times_counts_once(
    world: World, new: list[Scored], in_force: Champion
) -> None:
    honest = world.report(in_force, new)
    repeated = turned(new[:1]) * 5000
    report = world.report(in_force, [*new[1:], *repeated])
    assert [each.pairs for each in report.agreements] == [300]
    assert report.validation.pairs == 300
    assert not report.verdict.passed
    before, after = (each.comparisons[0].champion.pearson for each in (honest, report))
    assert before is not None
    assert after == pytest.approx(before, abs=0.03)
    # Nor do repetitions make up for judgements: of 99 pairs, however often, the gate takes none.
    report = world.report(in_force, turned(new[:297:3]) * 50)
    assert "pairs" in failed(report)
    assert "99 pairs were compared" in report.verdict.reason


def test_duplicates_that_conflict_are_judged_by_what_they_come_to(
    world: World, known: list[Scored], in_force: Champion
) -> None:
    # Three rows turned round beside each that agrees: their mean is turned round.
    report = world.report(in_force, [*known, *turned(known) * 3])
    # The scores of 0.5 are the same turned round.
    assert report.validation.count("conflicting") + report.validation.count("repeated") == 300
    assert failed(report) == ["contradiction", "chance", "learnt"]
    with pytest.raises(TooFewPairs):
        world.report(in_force, [*known, *turned(known)])


def without(feature: str, of: World, in_force: Champion, places: range) -> list[Scored]:
    """Scores by a feature, as far as the model in force does not say it: neither with it nor against it."""
    column = of.values[places, FEATURE_NAMES.index(feature)]
    said = np.column_stack([np.ones(len(places)), scored(in_force, of.values[places])])
    rest: NDArray[np.float64] = column - said @ np.linalg.lstsq(said, column, rcond=None)[0]
    scores = (rest - rest.min()) / np.ptp(rest)
    return [
        (*of.pairs[place][:2], round(score, 4), of.pairs[place][2])
        for place, score in zip(places, scores.tolist(), strict=True)
    ]


@pytest.mark.parametrize("feature", ["W2V", "J-IN", "J-OUT", "CATEGORY"])
def test_a_few_rows_made_for_it_do_not_pass(
    world: World, new: list[Scored], in_force: Champion, feature: str
) -> None:
    """The model in force is at chance on them and the candidate right: what was known before tells."""
    everything = range(len(world.pairs))
    for places in (everything[300:], everything[300::3], everything[300::5]):
        report = world.report(in_force, without(feature, world, in_force, places), least_pairs=LEAST_PAIRS)
        own = report.comparisons[0]
        assert own.challenger.pearson == pytest.approx(1, abs=0.01)
        assert own.champion.pearson == pytest.approx(0, abs=0.01)
        assert "better" not in failed(report)
        assert "learnt" in failed(report)
    few = turned(new)[:: len(new) // LEAST_PAIRS]
    assert "chance" in failed(world.report(in_force, few, least_pairs=LEAST_PAIRS))
    with pytest.raises(TooFewPairs):
        world.report(in_force, few[: LEAST_PAIRS - 1])


def test_judgements_turned_where_the_model_in_force_is_surest_do_not_pass(
    world: World, new: list[Scored], in_force: Champion
) -> None:
    surest = set(np.argsort(-scored(in_force, world.values[300:]))[:90].tolist())
    other = turned(new)
    rows = [other[place] if place in surest else row for place, row in enumerate(new)]
    assert "learnt" in failed(world.report(in_force, rows))


def test_judgements_do_not_alter_the_base_set_that_guards_the_gate(
    world: World, known: list[Scored], new: list[Scored]
) -> None:
    in_force = world.in_force(known, known=False)
    base = judged_set(new, own=False, name="base.csv")
    report = world.report(in_force, turned(new), base)
    assert failed(report) == ["contradiction", "chance", "base"]
    assert "the judgements contradict most of the base sets" in report.verdict.reason
    assert [(each.part, each.pairs) for each in report.comparisons] == [("own", 300), ("base", 300)]
    # What a user says holds over the base set where it is learnt from, as it did.
    assert report.validation.own_pairs == report.validation.pairs == 300


def test_a_base_set_that_says_the_contrary_guards_nothing(
    world: World, known: list[Scored], new: list[Scored]
) -> None:
    in_force = world.in_force(known, known=False)
    own = without("W2V", world, in_force, range(300, 600))
    for share, refusals in ((1.0, ["chance", "elsewhere"]), (0.5, ["elsewhere"])):
        base = judged_set(turned(known, share), own=False, name="base.csv")
        assert failed(world.report(in_force, own, base)) == refusals
    reason = world.report(in_force, own, base).verdict.reason
    assert "on the 300 pairs of the base sets old is not above chance" in reason


def test_the_file_that_a_model_was_trained_on_is_not_believed_to_say_something_else(
    world: World, known: list[Scored], new: list[Scored]
) -> None:
    """Its bytes are known by their checksum; which column is the score is said by whoever gives it now."""
    in_force = world.in_force(known, known=False)
    read = judged_set(known, checksum=IN_FORCE)
    assert [each.part for each in world.report(in_force, new, read).comparisons] == ["own", "learnt"]
    misread = judged_set(turned(known), checksum=IN_FORCE)
    report = world.report(in_force, misread)
    assert [each.part for each in report.comparisons] == ["own"]
    assert {"chance", "elsewhere"} <= set(failed(report))


def test_a_better_retraining_passes(world: World) -> None:
    weak = world.judged(range(6), 0.6)[::3]
    for topics in (range(TOPICS), range(HALF, TOPICS)):
        # By people who err less, of the same pairs as before among others, and of others alone.
        report = world.report(world.in_force(weak), world.judged(topics, 0.05))
        assert failed(report) == []
        assert report.verdict.reason.startswith("new is better than old: Pearson 0.9")
    base = judged_set(world.judged(range(HALF, TOPICS), 0.1), own=False)
    unknown = world.in_force(weak, known=False)
    assert failed(world.report(unknown, world.judged(range(HALF), 0.05), base)) == []


@pytest.mark.parametrize("pairs", [50, 100, 200, 300])
@pytest.mark.parametrize("noise", [0.0, 0.1, 0.3])
def test_people_who_err_are_not_taken_for_a_contradiction(
    world: World, in_force: Champion, pairs: int, noise: float
) -> None:
    draw = np.random.default_rng(pairs)
    said = scored(in_force, world.values)
    for seed in range(50):
        topics = draw.permutation(TOPICS)[: max(5, pairs // PARTNERS + 1)].tolist()
        of_them = [place for place in range(len(said)) if place // PARTNERS in topics]
        chosen = draw.permutation(of_them)[:pairs]
        truth = world.truth[chosen]
        first, second = (np.clip(truth + draw.normal(0, noise, len(chosen)), 0, 1) for _ in range(2))
        assert not agreement("own", "in-force", first, said[chosen]).below_chance, seed
        assert not agreement("own", "learnt", first, second).below_chance, seed


def test_unrelated_scores_are_below_chance_as_often_as_the_level_says() -> None:
    draw, worlds = np.random.default_rng(4), 2000
    for n in (20, 200):
        found = [agreement("own", "learnt", *draw.normal(size=(2, n))) for _ in range(worlds)]
        of_one = sum(10 ** log10_p_below(each.pearson or 0, n) < LEVEL for each in found) / worlds
        # Within four standard errors; either of two correlations is below somewhat more often.
        assert of_one == pytest.approx(LEVEL, abs=4 * math.sqrt(LEVEL * (1 - LEVEL) / worlds))
        assert LEVEL - 0.02 < sum(each.below_chance for each in found) / worlds < 2 * LEVEL


def test_what_is_undefined_is_no_contradiction() -> None:
    three = np.array([0.0, 0.5, 1.0])
    assert agreement("own", "learnt", three, 1 - three).log10_p is None
    same = agreement("own", "in-force", np.linspace(0, 1, 9), np.full(9, 0.5))
    assert (same.pearson, same.spearman, same.below_chance) == (None, None, False)
