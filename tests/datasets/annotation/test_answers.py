"""Answers are kept once, attributed to who gave them, and taken back one at a time."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import insert, select

from datasets.annotation.database import row_of
from datasets.annotation.errors import (
    AlreadyAnswered,
    BadAnswer,
    NotAssigned,
    NothingToUndo,
    ProjectClosed,
    ProjectsUnavailable,
    UnknownLink,
)
from datasets.annotation.layout import JUDGEMENTS
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer, Kind, Receipt
from tests.datasets.annotation.asked import answer, joined, made, new_key, some_answer


@pytest.mark.parametrize("kind", ["binary", "graded", "best-worst"])
def test_an_answer_is_kept_as_it_was_given(projects: Projects, kind: Kind) -> None:
    project = made(projects, kind)
    token = joined(projects, project)
    desk = projects.desk(token)
    assert (desk.state, desk.project.id, len(desk.shown)) == ("ask", project.id, 1)
    shown = desk.shown[0]
    receipt = projects.submit(token, shown.item, shown.turn, some_answer(kind), key := new_key())
    assert (receipt.answer, receipt.repeated, receipt.feedback) == (some_answer(kind), False, None)
    said = projects.said(project.id)[0]
    assert (said.annotator, said.judgement.key) == (desk.annotator, key)
    if kind == "best-worst":
        # It names places as they were shown, and is kept with those of the item.
        names = [one.name for one in said.item.asked]
        assert said.judgement.best is not None
        assert said.judgement.worst is not None
        assert names[said.judgement.best] == shown.asked[1].name
        assert names[said.judgement.worst] == shown.asked[3].name
    else:
        assert said.judgement.answer == some_answer(kind)


def test_the_same_key_again_is_the_same_receipt(projects: Projects) -> None:
    project = made(projects)
    token = joined(projects, project)
    shown = projects.desk(token).shown[0]
    sent = token, shown.item, shown.turn, Answer(1), new_key()
    first = projects.submit(*sent)
    again = projects.submit(*sent)
    assert again.repeated
    assert (again.judgement, again.at, again.answer) == (first.judgement, first.at, first.answer)
    with pytest.raises(BadAnswer, match="another answer"):
        projects.submit(*sent[:3], Answer(0), sent[4])
    # Neither an end of the project nor an undoing makes it count twice.
    projects.undo(token, first.judgement)
    projects.close(project.id)
    assert projects.submit(*sent).undone
    assert projects.said(project.id) == []


def test_a_second_answer_from_another_tab_is_told_the_first(projects: Projects) -> None:
    token = joined(projects, made(projects))
    shown = projects.desk(token).shown[0]
    projects.submit(token, shown.item, shown.turn, Answer(1), new_key())
    with pytest.raises(AlreadyAnswered) as told:
        projects.submit(token, shown.item, shown.turn, Answer(0), new_key())
    assert told.value.stored == Answer(1)


def test_two_at_once_are_one(projects: Projects) -> None:
    project = made(projects)
    token = joined(projects, project)
    shown = projects.desk(token).shown[0]
    ended: list[Receipt | AlreadyAnswered] = []

    def click(key: str) -> None:
        try:
            ended.append(projects.submit(token, shown.item, shown.turn, Answer(1), key))
        except AlreadyAnswered as error:
            ended.append(error)

    key = new_key()
    threads = [threading.Thread(target=click, args=(of,)) for of in (key, key, new_key())]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == 3
    assert sum(isinstance(one, Receipt) and not one.repeated for one in ended) == 1
    assert len(projects.said(project.id)) == 1


def test_the_database_itself_refuses_a_second_answer(projects: Projects) -> None:
    token = joined(projects, made(projects))
    answer(projects, token, Answer(1))
    table = JUDGEMENTS
    with projects._database.reading() as connection:
        row = dict(connection.execute(select(table)).mappings().one())
    second = row | {"id": 99, "key": new_key()}
    with pytest.raises(ProjectsUnavailable, match="Nothing was written"), projects._database.writing() as at:
        at.execute(insert(table), [second])
    with projects._database.writing() as at:
        at.execute(insert(table), [second | {"undone": row["at"]}])


def test_nobody_answers_for_another(projects: Projects) -> None:
    project, other = made(projects), made(projects)
    ann, ben = joined(projects, project), joined(projects, project)
    shown = projects.desk(ann).shown[0]
    theirs = projects.desk(joined(projects, other)).shown[0]
    with pytest.raises(NotAssigned):
        projects.submit(ann, theirs.item, 0, Answer(1), new_key())
    for item, turn in ((shown.item, 1), (shown.item, -1), (0, 0), (2**40, 0)):
        with pytest.raises(NotAssigned):
            projects.submit(ann, item, turn, Answer(1), new_key())
    key = new_key()
    answer(projects, ben, Answer(0))
    projects.submit(ann, shown.item, 0, Answer(1), key)
    # The key of another is as good as new, and tells nothing.
    theirs = projects.desk(ben).shown[0]
    assert not projects.submit(ben, theirs.item, 0, Answer(0), key).repeated
    by = {said.judgement.value: said.annotator.number for said in projects.said(project.id)}
    assert by == {1.0: 1, 0.0: 2}


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("binary", Answer(2)),
        ("binary", Answer(0.5)),
        ("binary", Answer(float("nan"))),
        ("binary", Answer(best=0, worst=1)),
        ("graded", Answer(5)),
        ("graded", Answer(-1)),
        ("graded", Answer(1, best=1)),
        ("best-worst", Answer(1)),
        ("best-worst", Answer(best=1, worst=1)),
        ("best-worst", Answer(best=1)),
        ("best-worst", Answer(best=0, worst=4)),
        ("best-worst", Answer(best=-1, worst=2)),
    ],
)
def test_what_an_item_does_not_take_is_refused(sqlite: str, kind: Kind, wrong: Answer) -> None:
    with Projects.open(sqlite) as projects:
        token = joined(projects, made(projects, kind))
        with pytest.raises(BadAnswer):
            answer(projects, token, wrong)
        shown = projects.desk(token).shown[0]
        with pytest.raises(BadAnswer, match="no UUID"):
            projects.submit(token, shown.item, shown.turn, some_answer(kind), "a key")
        assert projects.desk(token).progress.answered == 0


def test_who_does_not_know_leaves_the_item_to_others(projects: Projects) -> None:
    project = made(projects, count=1, wanted=1)
    ann, ben = joined(projects, project), joined(projects, project)
    answer(projects, ann, Answer())
    assert projects.desk(ann).state == "done"
    assert projects.progress(project.id).unknown == 1
    answer(projects, ben, Answer(1))
    progress = projects.progress(project.id)
    assert (progress.complete, progress.judgements, progress.unknown) == (1, 1, 1)
    assert projects.desk(ann).state == "done"


def test_the_last_answer_can_be_taken_back_and_given_again(projects: Projects) -> None:
    project = made(projects)
    token = joined(projects, project)
    first, second = answer(projects, token, Answer(1)), answer(projects, token, Answer(1))
    with pytest.raises(NothingToUndo, match="only the last"):
        projects.undo(token, first.judgement)
    desk = projects.undo(token, second.judgement)
    assert desk.shown[0].item == second.item
    assert (desk.undoable, desk.progress.answered) == (first.judgement, 1)
    # A double click takes back nothing more.
    assert projects.undo(token, second.judgement).progress.answered == 1
    again = answer(projects, token, Answer(0))
    assert again.item == second.item
    assert projects.undo(token, again.judgement).undoable == first.judgement
    assert projects.undo(token, first.judgement).undoable is None
    assert projects.desk(token).shown[0].item == first.item
    history = projects.said(project.id, undone=True)
    assert len(history) == 3
    assert projects.said(project.id) == []
    with pytest.raises(NothingToUndo, match="no such answer"):
        projects.undo(joined(projects, project), first.judgement)


def test_a_closed_project_takes_nothing_until_it_is_open_again(projects: Projects) -> None:
    project = made(projects)
    token = joined(projects, project)
    kept = answer(projects, token, Answer(1))
    shown = projects.desk(token).shown[0]
    late = token, shown.item, shown.turn, Answer(1), new_key()
    assert projects.close(project.id).closed is not None
    assert projects.desk(token).state == "closed"
    for refused in (lambda: projects.submit(*late), lambda: projects.undo(token, kept.judgement)):
        with pytest.raises(ProjectClosed):
            refused()
    _, invitation = projects.invite(project.id, "invitation")
    with pytest.raises(ProjectClosed):
        projects.begin(invitation, new_key())
    projects.reopen(project.id)
    projects.submit(*late)
    assert len(projects.said(project.id)) == 2


def test_a_double_click_on_begin_is_one_annotator(projects: Projects) -> None:
    project = made(projects, details=("age",))
    _, invitation = projects.invite(project.id, "invitation")
    key = new_key()
    (ann, one), (again, other) = (projects.begin(invitation, key, {"age": " 33 "}) for _ in range(2))
    assert ann == again
    assert ann.details == {"age": "33"}
    assert one != other
    # Both links open the same desk.
    assert projects.desk(one).shown == projects.desk(other).shown
    with pytest.raises(BadAnswer, match="does not ask"):
        projects.begin(invitation, new_key(), {"name": "Ann"})
    with pytest.raises(UnknownLink):
        projects.begin(one, new_key())


def test_records_and_rows_are_the_same(projects: Projects) -> None:
    project = made(projects, "best-worst")
    assert projects.project(project.id) == project
    assert row_of(project)["settings"]["wanted"] == 2  # type: ignore[index]
