"""What is said to an annotator: of the last answer, of how far they are."""

from __future__ import annotations

from typing import Literal

import msgspec

from datasets.annotation.records import Answer, Desk, Kind, Receipt


class Told(msgspec.Struct, frozen=True):
    """A sentence for the annotator; ``amiss``: it is about something that is not as it should be."""

    text: str
    amiss: bool = False


class ShownProgress(msgspec.Struct, frozen=True):
    """How far an annotator is, as the page shows it.

    ``undo``: the number of the last answer, None if it cannot be taken back.
    """

    text: str
    given: int
    left: int
    session: int
    undo: int | None


def progress_of(desk: Desk) -> ShownProgress:
    """How far the annotator at a desk is."""
    own = desk.progress
    left = f", about {own.left:,} to go" if own.left else ""
    return ShownProgress(
        f"{own.answered:,} answered{left}", own.answered, own.left, own.session, desk.undoable
    )


def told_of(receipt: Receipt, kind: Kind) -> Told | None:
    """What is said after an answer: whether it agrees with a known one; None where none is known."""
    feedback = receipt.feedback
    if feedback is None:
        return None
    note = f" {feedback.note}" if feedback.note else ""
    if feedback.right:
        return Told(f"The answer to that one was known, and yours agrees with it.{note}")
    return Told(f"The answer to that one was known: {_in_words(feedback.expected, kind)}.{note}", amiss=True)


def _in_words(answer: Answer, kind: Kind) -> str:
    if kind == "binary":
        return "related" if answer.value else "not related"
    if kind == "graded":
        return f"{answer.value:g}"
    chosen: list[str] = [
        f"the {end} related is number {place + 1}" for end, place in _ends(answer) if place is not None
    ]
    return ", ".join(chosen)


def _ends(answer: Answer) -> tuple[tuple[Literal["most", "least"], int | None], ...]:
    return ("most", answer.best), ("least", answer.worst)
