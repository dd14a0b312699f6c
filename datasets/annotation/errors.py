"""What can go wrong with annotation projects.

AnnotationError
├── ProjectsUnavailable    locked, away, refused, full: it may work later, or with other rights
├── BadProjectsAddress     the URL is of no kind that is known here
├── NotProjects            the database holds something else, is damaged, or holds no projects yet
├── WrongProjectsSchema    its tables are of another version of wort
├── BadProject             a title, a setting or an item that a project does not take
├── BadAnswer              an answer that the item does not take, or a key that is none
├── UnknownProject         no project of that number
├── UnknownLink            a link that never was, has expired or was withdrawn, or does not allow this
├── UnknownAnnotator       no annotator of that number in the project
├── ProjectClosed          the owner has closed it; nothing is asked or taken
├── AnnotatorRefused       too many gold questions were answered wrongly
├── NotAssigned            the annotator was never shown the item
├── AlreadyAnswered        another answer of the annotator to the item stands; ``stored`` is that
├── NothingToUndo          there is no last answer, or it was to a gold question, whose solution was shown
└── UnusableExchange       a file of another tool that cannot be understood
"""

from __future__ import annotations

from datasets.annotation.records import Answer


class AnnotationError(Exception):
    """Anything that goes wrong with annotation projects; the message says why and what to do."""


class ProjectsUnavailable(AnnotationError):
    """The database cannot be read or written now; nothing has changed, and the same may be tried again."""


class BadProjectsAddress(AnnotationError):
    """The URL names no file and no database that projects can be kept in."""


class NotProjects(AnnotationError):
    """The database holds something else than projects, is damaged, or holds no projects yet."""


class WrongProjectsSchema(AnnotationError):
    """The tables of the projects are those of another version of wort."""


class BadProject(AnnotationError):
    """A title, a setting or an item that a project does not take."""


class BadAnswer(AnnotationError):
    """An answer that the item does not take, or a key that is none."""


class UnknownProject(AnnotationError):
    """No project has this number."""


class UnknownLink(AnnotationError):
    """The link never was, has expired, was withdrawn, or does not allow this."""


class UnknownAnnotator(AnnotationError):
    """No annotator of the project has this number."""


class ProjectClosed(AnnotationError):
    """The owner has closed the project: nothing is asked, and no answer is taken."""


class AnnotatorRefused(AnnotationError):
    """The annotator answered too many gold questions wrongly; no further answer is taken."""


class NotAssigned(AnnotationError):
    """The annotator was never shown the item in this turn."""


class AlreadyAnswered(AnnotationError):
    """Another answer of the annotator to this item stands, as ``stored``; it was sent under another key."""

    def __init__(self, message: str, stored: Answer) -> None:
        super().__init__(message)
        self.stored = stored


class NothingToUndo(AnnotationError):
    """No answer can be taken back: there is none, or the last was to a gold question."""


class UnusableExchange(AnnotationError):
    """A file of another tool cannot be understood; the message says where."""
