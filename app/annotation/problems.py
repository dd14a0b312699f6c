"""What can go wrong with annotation, as answers tell it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.web.problems import ProblemError, ProblemKind
from datasets.annotation.errors import (
    AlreadyAnswered,
    AnnotationError,
    AnnotatorRefused,
    BadAnswer,
    BadProject,
    NotAssigned,
    NothingToUndo,
    ProjectClosed,
    UnknownAnnotator,
    UnknownLink,
    UnknownProject,
    UnusableExchange,
)

UNKNOWN_LINK = ProblemKind(
    "unknown-link", 404, "This link opens nothing", "it never was, has expired or was withdrawn"
)
CLOSED = ProblemKind("project-closed", 410, "The project is closed", "its owner takes no answers any more")
REFUSED = ProblemKind(
    "annotator-refused", 403, "No further answers are taken", "too many known answers were missed"
)
STANDS = ProblemKind(
    "already-answered", 409, "This was answered before", "another answer to the same item stands"
)
NOT_ASKED = ProblemKind("not-assigned", 409, "This was not asked here", "the item was never shown here")
NOTHING_TO_UNDO = ProblemKind("nothing-to-undo", 409, "Nothing can be taken back", "see `detail`")
NOT_TAKEN = ProblemKind("bad-answer", 422, "The answer is not taken", "the item takes no such answer")
NO_PROJECT = ProblemKind("bad-project", 422, "The project is not made or changed", "see `detail`")
AWAY = ProblemKind(
    "projects-unavailable",
    503,
    "The answers cannot be kept now",
    "the database of the projects cannot be read or written; `Retry-After` says when to try again",
)

RETRY_AFTER = "2"
"""Seconds after which the database may be asked again."""

_KINDS: tuple[tuple[type[AnnotationError], ProblemKind], ...] = (
    (ProjectClosed, CLOSED),
    (AnnotatorRefused, REFUSED),
    (AlreadyAnswered, STANDS),
    (NotAssigned, NOT_ASKED),
    (NothingToUndo, NOTHING_TO_UNDO),
    (BadAnswer, NOT_TAKEN),
    (BadProject, NO_PROJECT),
    (UnknownAnnotator, NO_PROJECT),
    (UnusableExchange, NO_PROJECT),
)


@contextmanager
def annotation_problems() -> Iterator[None]:
    """Answer what the projects refuse as a problem; what is none of theirs is the database's."""
    try:
        yield
    except AnnotationError as error:
        raise problem_of(error) from error


def problem_of(error: AnnotationError) -> ProblemError:
    """The problem that an error of the projects is."""
    if isinstance(error, UnknownLink | UnknownProject):
        # Alike, whatever is wrong with it.
        return ProblemError(
            UNKNOWN_LINK,
            "It never was, has expired or was withdrawn, or is not for this page. Ask whom you have it from.",
        )
    for of_projects, kind in _KINDS:
        if isinstance(error, of_projects):
            return ProblemError(kind, sentence(str(error)))
    # Where the database is, is for whoever runs the server, and not for those who annotate.
    return ProblemError(
        AWAY,
        "The database of the projects cannot be used at the moment. What was acknowledged is kept.",
        headers={"Retry-After": RETRY_AFTER},
    )


def sentence(text: str) -> str:
    """``text`` with a capital at its beginning and a full stop at its end.

    >>> sentence("the key is no UUID")
    'The key is no UUID.'
    """
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
