"""Links open what they say and nothing else; projects are made whole, changed, and deleted wholly."""

from __future__ import annotations

import datetime

import pytest
from sqlalchemy import func, select

from datasets.annotation.defaults import guidelines_of, settings_of
from datasets.annotation.errors import (
    BadProject,
    UnknownAnnotator,
    UnknownLink,
    UnknownProject,
)
from datasets.annotation.layout import EVERY_ROW, LINKS, METADATA
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer, ItemSide, Kind, NewItem, Stimulus
from models.storage.times import later, now
from tests.datasets.annotation.asked import answer, joined, made, new_key, pair, pairs, settings, tuples


def test_a_link_opens_its_project_alone(projects: Projects) -> None:
    project, owner = projects.create("A test", "binary", pairs(2), settings())
    other, _ = projects.create("Another", "binary", pairs(2), settings())
    assert projects.access(owner).link.scope == "owner"
    assert projects.access(owner).project == project
    link, invitation = projects.invite(project.id, "invitation", note="the seminar")
    assert projects.access(invitation).link == link
    annotator, own = projects.begin(invitation, new_key())
    opened = projects.access(own)
    assert (opened.link.scope, opened.annotator) == ("annotator", annotator)
    for token in (owner, invitation):
        with pytest.raises(UnknownLink, match="not for that"):
            projects.desk(token)
    for token in (owner, own):
        with pytest.raises(UnknownLink, match="not for that"):
            projects.begin(token, new_key())
    for token in ("", "x", owner[:-1], owner + "x", owner.swapcase(), "\ud800", "ä" * 100_000):
        with pytest.raises(UnknownLink, match="does not work"):
            projects.access(token)
    with pytest.raises(UnknownLink):
        projects.withdraw(other.id, link.id)


def test_a_token_is_kept_nowhere(projects: Projects) -> None:
    project, owner = projects.create("A test", "binary", pairs(2), settings())
    tokens = {owner, joined(projects, project), projects.invite(project.id, "owner")[1]}
    assert {len(token) for token in tokens} == {43}
    with projects._database.reading() as connection:
        for table in METADATA.tables.values():
            for row in connection.execute(select(table)):
                assert not any(token in str(cell) for token in tokens for cell in row)
        digests = connection.scalars(select(LINKS.c.digest)).all()
    assert len(set(digests)) == 4
    assert {len(digest) for digest in digests} == {64}


def test_links_end(projects: Projects, monkeypatch: pytest.MonkeyPatch) -> None:
    project = made(projects)
    link, token = projects.invite(project.id, "invitation")
    projects.withdraw(project.id, link.id)
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)
    _, short = projects.invite(project.id, "owner", expires=soon)
    assert projects.access(short).link.expires is not None
    with pytest.raises(BadProject, match="would never work"):
        projects.invite(project.id, "owner", expires=soon - datetime.timedelta(hours=2))
    monkeypatch.setattr("datasets.annotation.linking.now", lambda: later(now(), 3601))
    for ended in (token, short):
        with pytest.raises(UnknownLink):
            projects.access(ended)
    with pytest.raises(UnknownLink, match="withdrawn already"):
        projects.withdraw(project.id, link.id)
    with pytest.raises(UnknownLink, match="no link"):
        projects.withdraw(project.id, 999)


def test_who_began_by_a_link_goes_on_after_it_was_withdrawn(projects: Projects) -> None:
    project = made(projects)
    link, invitation = projects.invite(project.id, "invitation")
    _, own = projects.begin(invitation, new_key())
    projects.withdraw(project.id, link.id)
    assert projects.desk(own).state == "ask"
    with pytest.raises(UnknownLink):
        projects.begin(invitation, new_key())


def test_an_annotator_is_deleted_wholly_and_the_number_not_given_again(projects: Projects) -> None:
    project = made(projects, count=3, details=("age",))
    _, invitation = projects.invite(project.id, "invitation")
    _, ann = projects.begin(invitation, new_key(), {"age": "33"})
    ben = joined(projects, project)
    for token in (ann, ben, ann, ben):
        answer(projects, token, Answer(1))
    last = projects.desk(ben).undoable
    assert last is not None
    assert projects.delete_annotator(project.id, 1) == 2
    with pytest.raises(UnknownLink):
        projects.desk(ann)
    with pytest.raises(UnknownAnnotator):
        projects.delete_annotator(project.id, 1)
    assert {one.annotator.number for one in projects.said(project.id, undone=True)} == {2}
    assert sum(item.given for item in projects.items(project.id)) == 2
    assert projects.begin(invitation, new_key())[0].number == 3
    with projects._database.reading() as connection:
        for table in EVERY_ROW:
            for row in connection.execute(select(table)):
                assert "33" not in map(str, row)


def test_a_project_is_deleted_wholly(projects: Projects) -> None:
    first, second = made(projects), made(projects)
    for project in (first, second):
        answer(projects, joined(projects, project), Answer(1))
    projects.delete(first.id)
    assert projects.listed() == [projects.project(second.id)]
    with projects._database.reading() as connection:
        for table in EVERY_ROW:
            count = connection.scalar(select(func.count()).where(table.c.project == first.id))
            assert count == 0, table.name
    assert len(projects.said(second.id)) == 1
    for ask in (projects.project, projects.items, projects.progress, projects.delete, projects.said):
        for number in (first.id, 0, -1, 2**40):
            with pytest.raises(UnknownProject):
                ask(number)


@pytest.mark.parametrize("kind", ["binary", "graded", "best-worst"])
def test_a_project_begins_with_what_its_kind_has(projects: Projects, kind: Kind) -> None:
    items = tuples(2) if kind == "best-worst" else pairs(2)
    project, _ = projects.create("A test", kind, items)
    assert project.settings == settings_of(kind)
    assert project.guidelines == guidelines_of(kind, project.settings)
    assert "Opposites are related" in project.guidelines
    assert "don't know" in project.guidelines
    about = {"binary": "brings the other to mind", "graded": "from 0, not at all, to 4"}
    assert about.get(kind, "order of words") in project.guidelines


def bad(
    kind: Kind = "binary", items: list[NewItem] | None = None, title: str = "A test", **more: object
) -> object:
    return title, kind, pairs(2) if items is None else items, settings(kind, **more)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (bad(title=""), "empty"),
        (bad(title="a\nb"), "one line"),
        (bad(title="x" * 201), "200"),
        (bad(title="a\x00b"), "control"),
        (bad(items=[]), "no item"),
        (bad(items=pairs(1) * 2), "twice"),
        (bad(items=tuples(2)), "no pair"),
        (bad("best-worst", tuples(2, size=2)), "3 to 10"),
        (bad("best-worst", pairs(2)), "3 to 10"),
        (bad("best-worst", [NewItem(name="t", asked=(Stimulus("a", (ItemSide("a"),)),) * 4)]), "twice"),
        (bad(items=[pair("a", "b", Answer(1))]), "but for gold"),
        (bad(items=[*pairs(1), pair("a", "b", Answer(3))]), "from 0 to 1"),
        (bad(items=[*pairs(1), pair("a", "b", Answer())]), "without an answer"),
        (bad("best-worst", [*tuples(1), *tuples(1, gold=Answer(best=9))]), "best and another worst"),
        (bad("graded", low=4, high=4), "lower and a higher"),
        (bad(wanted=0), "wanted"),
        (bad(gold_share=1.5), "gold_share"),
        (bad(details=("age", "age")), "twice"),
        (bad(items=[NewItem(name="", asked=())]), "item 1"),
    ],
)
def test_what_contradicts_itself_is_no_project(sqlite: str, given: tuple[object, ...], reason: str) -> None:
    title, kind, items, asked = given
    with Projects.open(sqlite) as projects:
        with pytest.raises(BadProject, match=reason):
            projects.create(title, kind, items, asked)  # type: ignore[arg-type]
        assert projects.listed() == []


def test_a_project_of_a_right_to_left_language_says_so(sqlite: str) -> None:
    with Projects.open(sqlite) as projects:
        directions = {code: made(projects, language=code).direction for code in ("he", "ar-EG", "de", "en")}
    assert directions == {"he": "rtl", "ar-EG": "rtl", "de": "ltr", "en": "ltr"}
