"""Whatever owners and annotators do, in whatever order: the store says what a few dicts say."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)
from sqlalchemy import event

from datasets.annotation.errors import (
    AlreadyAnswered,
    AnnotationError,
    NotAssigned,
    NothingToUndo,
    ProjectClosed,
    UnknownLink,
)
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer
from tests.datasets.annotation.asked import joined, made, new_key


class TheStore(RuleBasedStateMachine):
    """Annotators of one project, beside dicts of what they were shown and what they said."""

    annotators = Bundle("annotators")
    sent = Bundle("sent")

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.projects = Projects.open(f"sqlite:///{self.folder / 'annotation.sqlite'}")

        @event.listens_for(self.projects._database._engine, "connect")
        def hurry(connection: sqlite3.Connection, _: object) -> None:
            connection.execute("PRAGMA synchronous = OFF")

        self.project = made(self.projects, count=4, wanted=2, repeat_share=0.5, repeat_after=0)
        self.closed = False
        self.deleted: set[str] = set()
        self.shown: dict[str, set[tuple[int, int]]] = {}
        self.said: dict[str, dict[tuple[int, int], float | None]] = {}
        self.order: dict[str, list[tuple[tuple[int, int], int]]] = {}

    def teardown(self) -> None:
        if hasattr(self, "projects"):
            self.projects.close_database()
            shutil.rmtree(self.folder)

    @rule(target=annotators)
    def join(self) -> object:
        if self.closed or len(self.shown) >= 4:
            return multiple()
        token = joined(self.projects, self.project)
        self.shown[token], self.said[token], self.order[token] = set(), {}, []
        return token

    @rule(token=annotators)
    def look(self, token: str) -> None:
        if token in self.deleted:
            with pytest.raises(UnknownLink):
                self.projects.desk(token)
            return
        desk = self.projects.desk(token)
        assert (desk.state == "closed") == self.closed
        for shown in desk.shown:
            of = shown.item, shown.turn
            # Nothing is asked that was answered, and a repetition only after a first answer.
            assert of not in self.said[token]
            if shown.turn:
                assert (shown.item, 0) in self.shown[token]
            self.shown[token].add(of)
        assert desk.progress.answered == len(self.said[token])

    @rule(target=sent, token=annotators, value=st.sampled_from([0.0, 1.0, None]), data=st.data())
    def answer(self, token: str, value: float | None, data: st.DataObject) -> object:
        if token in self.deleted or not self.shown[token]:
            return multiple()
        item, turn = data.draw(st.sampled_from(sorted(self.shown[token])))
        sent = token, item, turn, Answer(value), new_key()
        taken = self._send(sent)
        return sent if taken else multiple()

    @rule(sent=sent)
    def answer_again(self, sent: tuple[str, int, int, Answer, str]) -> None:
        if sent[0] in self.deleted:
            with pytest.raises(UnknownLink):
                self.projects.submit(*sent)
        else:
            assert self.projects.submit(*sent).repeated

    @rule(token=annotators, other=annotators, value=st.sampled_from([0.0, 1.0]))
    def answer_what_another_was_shown(self, token: str, other: str, value: float) -> None:
        if {token, other} & self.deleted:
            return
        for item, turn in self.shown[other] - self.shown[token]:
            with pytest.raises(NotAssigned):
                self.projects.submit(token, item, turn, Answer(value), new_key())

    @rule(token=annotators)
    def undo(self, token: str) -> None:
        if token in self.deleted or not self.order[token]:
            return
        of, number = self.order[token][-1]
        if self.closed:
            with pytest.raises(ProjectClosed):
                self.projects.undo(token, number)
            return
        if len(self.order[token]) > 1:
            with pytest.raises(NothingToUndo):
                self.projects.undo(token, self.order[token][-2][1])
        self.projects.undo(token, number)
        self.order[token].pop()
        del self.said[token][of]

    @rule(token=annotators)
    def delete(self, token: str) -> None:
        if token not in self.deleted and len(self.shown) - len(self.deleted) > 2:
            number = self.projects.desk(token).annotator.number
            history = self.projects.said(self.project.id, undone=True)
            own = [one for one in history if one.annotator.number == number]
            assert self.projects.delete_annotator(self.project.id, number) == len(own)
            self.deleted.add(token)

    @precondition(lambda self: hasattr(self, "projects"))
    @rule(closed=st.booleans())
    def close_or_reopen(self, closed: bool) -> None:
        (self.projects.close if closed else self.projects.reopen)(self.project.id)
        self.closed = closed

    def _send(self, sent: tuple[str, int, int, Answer, str]) -> bool:
        token, item, turn, answer, _ = sent
        try:
            receipt = self.projects.submit(*sent)
        except AnnotationError as error:
            if (item, turn) in self.said[token]:
                assert isinstance(error, AlreadyAnswered)
                assert error.stored == Answer(self.said[token][item, turn])
            else:
                assert isinstance(error, ProjectClosed)
                assert self.closed
            return False
        assert not self.closed
        assert (item, turn) not in self.said[token]
        self.said[token][item, turn] = answer.value
        self.order[token].append(((item, turn), receipt.judgement))
        return True

    @invariant()
    def what_is_kept_is_what_was_said(self) -> None:
        if not hasattr(self, "projects"):
            return
        kept = self.projects.said(self.project.id)
        found = sorted((one.item.id, one.judgement.turn, str(one.judgement.value)) for one in kept)
        living = [said for token, said in self.said.items() if token not in self.deleted]
        assert found == sorted((*of, str(value)) for said in living for of, value in said.items())
        for item in self.projects.items(self.project.id):
            values = [said[item.id, 0] for said in living if (item.id, 0) in said]
            assert item.given == sum(value is not None for value in values)
            assert item.unknown == values.count(None)


TheStore.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
test_the_store = TheStore.TestCase
