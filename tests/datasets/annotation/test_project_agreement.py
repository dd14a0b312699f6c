"""Simulated annotators judge a project, and its agreement and scores are those that they were made with."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.agreement.correlation import with_themselves
from datasets.agreement.filtering import FilterSettings
from datasets.annotation.agreement import agreement_of, judgements_of
from datasets.annotation.errors import BadProject
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer, Kind, NewItem
from tests.datasets.annotation.asked import joined, pair, pairs, settings, tuples
from tests.support.annotators import SimulatedAnnotator, simulated_panel
from training.errors import TooFewPairs

pytestmark = pytest.mark.slow


def truth_of(items: list[NewItem]) -> dict[str, float]:
    names = sorted({asked.name for item in items for asked in item.asked})
    scores = np.random.default_rng(1).permutation(np.linspace(0, 1, len(names)))
    return dict(zip(names, scores.tolist(), strict=True))


@pytest.mark.parametrize(("kind", "least"), [("binary", 0.8), ("graded", 0.95), ("best-worst", 0.6)])
def test_scores_are_the_true_ones_again(sqlite: str, kind: Kind, least: float) -> None:
    items = tuples(24) if kind == "best-worst" else pairs(24)
    truth = truth_of(items)
    with Projects.open(sqlite) as projects:
        project, _ = projects.create("A test", kind, items, settings(kind, wanted=6))
        for annotator in simulated_panel(6, truth):
            assert annotator.judge(projects, joined(projects, project)) == 24
        found = agreement_of(projects, project.id)
        scores = [truth[item.name] for item in found.items]
        assert np.corrcoef(scores, found.scores.score)[0, 1] > least
        assert found.report.judgements == 24 * 6
        assert found.report.annotators == 6
        assert (found.report.low, found.report.high) == (0, 4 if kind == "graded" else 1)
        assert all(one.rest is not None and one.rest > 0.5 for one in found.report.of_annotators)
        # The same judgements are of the same checksum, and one more is of another.
        assert agreement_of(projects, project.id).report.checksum == found.report.checksum
        projects.want(project.id, 7)
        SimulatedAnnotator("one more", truth).judge(projects, joined(projects, project), 1)
        assert agreement_of(projects, project.id).report.checksum != found.report.checksum


def test_the_careless_agree_with_nobody_and_gold_finds_them(sqlite: str) -> None:
    items = [*pairs(30), *(pair(f"gold {at}", "known", Answer(float(at % 2))) for at in range(20))]
    truth = truth_of(items) | {f"gold {at} – known": float(at % 2) for at in range(20)}
    with Projects.open(sqlite) as projects:
        asked = settings(wanted=5, gold_share=0.4, gold_minimum=10)
        project, _ = projects.create("A test", "binary", items, asked)
        panel = simulated_panel(4, truth, noise=0.02, leniency=0.02)
        for annotator in [*panel, SimulatedAnnotator("careless", truth, careless=True)]:
            annotator.judge(projects, joined(projects, project))
        progress = projects.progress(project.id)
        assert [one.annotator.refused is None for one in progress.annotators] == [True] * 4 + [False]
        report = agreement_of(projects, project.id).report
        assert report.annotators == 4
        assert report.judgements == 120 == progress.judgements
        assert all(one.kappa is not None and one.kappa > 0.8 for one in report.of_annotators)


def test_words_filter_leaves_out_who_agrees_with_nobody(sqlite: str) -> None:
    items = pairs(30)
    truth = truth_of(items)
    filtering = FilterSettings(common=20, overlap=20, others=3, judgements=4)
    with Projects.open(sqlite) as projects:
        project, _ = projects.create("A test", "binary", items, settings(wanted=5))
        panel = simulated_panel(4, truth, noise=0.02, leniency=0.02)
        for annotator in [*panel, SimulatedAnnotator("careless", truth, careless=True)]:
            annotator.judge(projects, joined(projects, project))
        assert agreement_of(projects, project.id).report.filtered is None
        report = agreement_of(projects, project.id, settings=filtering).report
        assert report.filtered is not None
        assert (report.filtered.annotators, report.filtered.of_annotators) == (4, 5)
        assert report.judgements == 4 * 30
        assert [one.out for one in report.of_annotators] == [None] * 4 + ["kappa"]
        with pytest.raises(TooFewPairs, match="leaves no annotator"):
            agreement_of(projects, project.id, settings=FilterSettings(common=31))
        graded, _ = projects.create("A test", "graded", items, settings("graded"))
        with pytest.raises(BadProject, match="binary judgements"):
            agreement_of(projects, graded.id, settings=filtering)


def test_repetitions_tell_who_agrees_with_themselves(sqlite: str) -> None:
    items = pairs(30)
    truth = truth_of(items)
    with Projects.open(sqlite) as projects:
        asked = settings("graded", wanted=3, repeat_share=1.0, repeat_after=0)
        project, _ = projects.create("A test", "graded", items, asked)
        for noise in (0.02, 0.6):
            SimulatedAnnotator(f"of noise {noise}", truth, noise=noise).judge(
                projects, joined(projects, project)
            )
        steady, wavering = with_themselves(judgements_of(projects.said(project.id)))
        assert steady > 0.95
        assert wavering < 0.9
        report = agreement_of(projects, project.id).report
        assert report.repeated == 60
        assert {one.name for one in report.measures} >= {"with themselves", "between annotators"}


def test_who_does_not_know_is_counted(sqlite: str) -> None:
    items = pairs(6)
    with Projects.open(sqlite) as projects:
        project, _ = projects.create("A test", "binary", items, settings())
        with pytest.raises(BadProject, match="nothing was judged"):
            agreement_of(projects, project.id)
        lost = frozenset({items[0].name, items[3].name})
        for name in "AB":
            SimulatedAnnotator(name, truth_of(items), unknown=lost).judge(projects, joined(projects, project))
        report = agreement_of(projects, project.id).report
        assert (report.unknown, report.items, report.judgements) == (4, 4, 8)
