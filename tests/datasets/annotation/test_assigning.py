"""Who is shown what: never twice, what needs it most, repetitions when they are due, gold at its share."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from datasets.annotation.draws import chosen, drawn, shuffled
from datasets.annotation.errors import AnnotatorRefused, NothingToUndo
from datasets.annotation.gold import refuses
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer
from models.storage.times import later, now
from tests.datasets.annotation.asked import answer, joined, made, new_key, pairs, settings


@pytest.fixture(name="clock")
def clock_fixture(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The time, which a test can change."""
    times = [now()]
    monkeypatch.setattr("datasets.annotation.annotating.now", lambda: times[0])
    return times


def finish(projects: Projects, token: str) -> list[tuple[int, int]]:
    """Answer as long as something is asked: which items in which turn."""
    seen = []
    while (desk := projects.desk(token)).state == "ask":
        seen.append((desk.shown[0].item, desk.shown[0].turn))
        answer(projects, token, Answer(1), desk)
    return seen


def test_each_sees_everything_once_in_an_order_of_their_own(projects: Projects) -> None:
    project = made(projects, count=12, wanted=9)
    seen = [finish(projects, joined(projects, project)) for _ in range(3)]
    items = [item.id for item in projects.items(project.id)]
    for order in seen:
        assert sorted(order) == [(item, 0) for item in items]
    orders = {tuple(item for item, _ in order) for order in seen}
    assert len(orders) == 3
    assert tuple(items) not in orders


def test_what_needs_judgements_most_comes_first(projects: Projects) -> None:
    project = made(projects, count=6, wanted=3)
    tokens = [joined(projects, project) for _ in range(5)]
    given: Counter[int] = Counter()
    for step in range(18):
        for token in [tokens[step % 5], tokens[(step + 2) % 5]]:
            desk = projects.desk(token)
            if desk.state == "ask":
                item = answer(projects, token, Answer(1), desk).item
                given[item] += 1
                counts = [given[of.id] for of in projects.items(project.id)]
                assert counts == [of.given for of in projects.items(project.id)]
    assert set(given.values()) == {3}
    assert projects.progress(project.id).complete == 6


def test_what_is_shown_to_others_is_not_shown_to_more_than_are_needed(
    projects: Projects, clock: list[str]
) -> None:
    project = made(projects, count=3, wanted=1, hold=60)
    tokens = [joined(projects, project) for _ in range(4)]
    desks = [projects.desk(token) for token in tokens]
    assert len({desk.shown[0].item for desk in desks[:3]}) == 3
    assert (desks[3].state, desks[3].until) == ("wait", later(clock[0], 60))
    # Who was shown an item sees it again, and nothing else.
    assert projects.desk(tokens[0]).shown == desks[0].shown
    clock[0] = later(clock[0], 61)
    late = projects.desk(tokens[3])
    assert late.state == "ask"
    answer(projects, tokens[3], Answer(1), late)
    # Who was away longer is shown something else, and yet may send the answer.
    away = next(at for at, desk in enumerate(desks) if desk.shown[:1] == late.shown[:1])
    now_shown = projects.desk(tokens[away])
    assert now_shown.shown[:1] != late.shown[:1]
    answer(projects, tokens[away], Answer(0), desks[away])
    assert len(projects.said(project.id)) == 2


def test_items_can_be_asked_for_ahead(projects: Projects) -> None:
    project = made(projects, count=7)
    token = joined(projects, project)
    ahead = projects.desk(token, ahead=4)
    assert len({shown.item for shown in ahead.shown}) == 4
    one = projects.desk(token)
    assert one.shown == ahead.shown[:1]
    assert one.progress.left == ahead.progress.left == 7, "those at hand are to be judged as well"
    # Answered in another order, each counts.
    for shown in reversed(ahead.shown):
        projects.submit(token, shown.item, shown.turn, Answer(1), new_key())
    desk = projects.desk(token, ahead=100)
    assert (len(desk.shown), desk.progress.left, desk.progress.answered) == (3, 3, 4)


def test_more_can_be_wanted_and_less(projects: Projects) -> None:
    project = made(projects, count=2, wanted=1)
    ann, ben = joined(projects, project), joined(projects, project)
    finish(projects, ann)
    assert projects.desk(ben).state == "done"
    assert projects.want(project.id, 2).settings.wanted == 2
    assert len(finish(projects, ben)) == 2
    projects.want(project.id, 1)
    assert projects.progress(project.id).complete == 2


def test_repetitions_come_when_they_are_due_and_once(projects: Projects, clock: list[str]) -> None:
    # Each is drawn on its own: of as many, hardly ever all are to be repeated, or none.
    project = made(projects, count=40, wanted=9, repeat_share=0.5, repeat_after=3600)
    token = joined(projects, project)
    first = finish(projects, token)
    assert {turn for _, turn in first} == {0}
    desk = projects.desk(token)
    assert (desk.state, desk.until) == ("wait", later(clock[0], 3600))
    clock[0] = later(clock[0], 3600)
    again = finish(projects, token)
    assert {turn for _, turn in again} == {1}
    assert {item for item, _ in again} < {item for item, _ in first}
    assert projects.desk(token).state == "done"
    said = projects.said(project.id)
    assert Counter(one.judgement.turn for one in said) == {0: 40, 1: len(again)}
    # They do not count for what is wanted.
    assert projects.progress(project.id).judgements == 40
    assert projects.progress(project.id).annotators[0].repeated == len(again)


def test_as_many_are_repeated_as_declared(sqlite: str) -> None:
    with Projects.open(sqlite) as projects:
        project = made(projects, count=40, repeat_share=0.3, repeat_after=0, wanted=9)
        seen = [finish(projects, joined(projects, project)) for _ in range(4)]
    repeated = [sum(turn for _, turn in order) for order in seen]
    # 160 items at 0.3: 48, and five deviations of 5.8 about it.
    assert 19 <= sum(repeated) <= 77
    assert len({tuple(order) for order in seen}) == 4


def test_gold_comes_at_its_share_and_hidden(projects: Projects) -> None:
    project, _ = projects.create(
        "A test", "binary", pairs(30, gold=12), settings(wanted=9, gold_share=0.2, gold_minimum=99)
    )
    gold = {item.id for item in projects.items(project.id) if item.gold is not None}
    places = []
    for _ in range(2):
        order = finish(projects, joined(projects, project))
        at = [place for place, (item, _) in enumerate(order) if item in gold]
        # One in each five, until the others are through.
        assert [place // 5 for place in at] == list(range(len(at)))
        assert 7 <= len(at) <= 8
        assert len(order) == 30 + len(at)
        places.append(at)
    assert places[0] != places[1]
    assert len({b - a for a, b in pairwise(places[0])}) > 1
    assert all(said.item.gold is None for said in projects.said(project.id))
    assert len(projects.said(project.id, gold=True)) > 60


def test_gold_tells_what_was_expected_and_refuses_who_fails(projects: Projects) -> None:
    asked = settings(wanted=2, gold_share=0.5, gold_minimum=4)
    project, _ = projects.create("A test", "binary", pairs(20, gold=10), asked)
    good, bad = joined(projects, project), joined(projects, project)
    told = []
    left = {}
    for token, said in ((good, Answer(1)), (bad, Answer(0))):
        for _ in range(12):
            desk = projects.desk(token, ahead=2)
            if desk.state != "ask":
                break
            left[token] = desk.shown[-1]
            receipt = answer(projects, token, said, desk)
            if receipt.feedback is not None:
                told.append(receipt)
                assert receipt.feedback.expected == Answer(1)
                assert receipt.feedback.note.startswith("because")
                assert receipt.feedback.right == (said == Answer(1))
                if not receipt.refused:
                    assert projects.desk(token).undoable is None
                    with pytest.raises(NothingToUndo):
                        projects.undo(token, receipt.judgement)
    assert [one.refused for one in told if one.refused] == [True]
    progress = projects.progress(project.id)
    assert [one.annotator.refused is None for one in progress.annotators] == [True, False]
    assert (progress.annotators[1].annotator.gold_asked, progress.annotators[1].annotator.gold_right) == (
        4,
        0,
    )
    # None of theirs counts; all of it is kept.
    assert {said.annotator.number for said in projects.said(project.id)} == {1}
    assert {said.annotator.number for said in projects.said(project.id, refused=True)} == {1, 2}
    assert sum(item.given for item in projects.items(project.id) if item.gold is None) == progress.judgements
    assert progress.judgements == len(projects.said(project.id))
    assert projects.desk(bad).state == "refused"
    with pytest.raises(AnnotatorRefused):
        projects.submit(bad, left[bad].item, left[bad].turn, Answer(1), new_key())
    projects.submit(good, left[good].item, left[good].turn, Answer(1), new_key())


def test_breaks_are_offered(sqlite: str) -> None:
    with Projects.open(sqlite) as projects:
        token = joined(projects, made(projects, count=7, session=3))
        pauses = []
        while (desk := projects.desk(token)).state == "ask":
            pauses.append(desk.progress.pause)
            answer(projects, token, Answer(1), desk)
    assert pauses == [False, False, False, True, False, False, True]


def test_numbers_that_are_drawn_are_spread() -> None:
    numbers = np.array([drawn("name", at) for at in range(4000)]) / 2**31
    assert abs(numbers.mean() - 0.5) < 0.03
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 0.08
    first = Counter(shuffled(4, "Ann", at)[0] for at in range(400))
    assert all(60 < first[place] < 140 for place in range(4))


def test_every_share_is_met() -> None:
    for share in (0.01, 0.02, 0.1, 0.25, 0.5, 1.0):
        assert sum(chosen(step, share, "Ann") for step in range(1000)) == pytest.approx(1000 * share, abs=1)
    assert not any(chosen(step, 0.0, "Ann") for step in range(100))


@pytest.mark.parametrize(
    ("asked", "right", "out"), [(4, 0, False), (5, 3, True), (10, 7, False), (10, 6, True)]
)
def test_seven_in_ten_must_be_right(asked: int, right: int, out: bool) -> None:
    assert refuses(asked, right, settings(gold_minimum=5)) is out
