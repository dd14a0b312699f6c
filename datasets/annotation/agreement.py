"""How far the annotators of a project agree, with the measures of ``datasets.agreement``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from datasets.agreement.agreeing import FileAgreement, measured
from datasets.agreement.best_worst import BestWorst, Choice
from datasets.agreement.filtering import FilterSettings
from datasets.agreement.judgements import Item, Judged, Judgements
from datasets.agreement.report import AgreementSettings
from datasets.agreement.reporting import SourceFile, of_answers
from datasets.agreement.scores import best_worst_scores
from datasets.annotation.errors import BadProject
from datasets.annotation.owning import Said
from datasets.annotation.projects import Projects
from datasets.annotation.records import Project, Stimulus

FEWEST_COMMON = 10
"""Items that two annotators must have in common to be compared, where a project is still young."""


def agreement_of(
    projects: Projects,
    number: int,
    measures: AgreementSettings | None = None,
    settings: FilterSettings | None = None,
) -> FileAgreement:
    """The agreement of a project as it stands: the report, and each item with its score.

    Refused annotators and gold questions are left out. ``measures``: two annotators are compared from
    ``FEWEST_COMMON`` items on without it. ``settings``: whom WORD's filter leaves out, nobody without.

    Raises:
        UnknownProject: there is none of that number.
        BadProject: nothing was judged yet, or the filter is asked for and judgements are not binary.
        TooFewPairs: the filter leaves nothing.
    """
    project = projects.project(number)
    if settings is not None and project.kind != "binary":
        raise BadProject(
            f"WORD's filter is of binary judgements; those of project {number} are {project.kind}."
        )
    said = projects.said(number)
    known = [one for one in said if not one.judgement.answer.unknown]
    if not known:
        raise BadProject(f"nothing was judged in project {number} yet. Invite annotators first.")
    asked = measures or AgreementSettings(overlap=FEWEST_COMMON)
    unknown = len(said) - len(known)
    if project.kind == "best-worst":
        answers = best_worst_of(known)
        scores = best_worst_scores(answers)
        source = SourceFile(project.title, _checksum(known), 0.0, 1.0, unknown)
        return FileAgreement(of_answers(answers, scores, source, asked), answers.items, scores)
    low, high = scale_of(project)
    source = SourceFile(project.title, _checksum(known), low, high, unknown)
    return measured(judgements_of(known), project.kind, source, asked, settings)


def judgements_of(said: Sequence[Said]) -> Judgements:
    """Judgements of pairs as the measures take them, without "I don't know this"."""
    return Judgements.of(
        Judged(one.annotator.label, item_of(one.item.asked[0], one.item.topic, one.item.group), value)
        for one in said
        if (value := one.judgement.value) is not None
    )


def best_worst_of(said: Sequence[Said]) -> BestWorst:
    """Answers of best-worst scaling as the measures take them, without repetitions."""
    return BestWorst.of(
        Choice(one.annotator.label, tuple(map(item_of, one.item.asked)), best, worst)
        for one in said
        if (best := one.judgement.best) is not None
        and (worst := one.judgement.worst) is not None
        and one.judgement.turn == 0
    )


def item_of(asked: Stimulus, topic: str | None = None, group: str | None = None) -> Item:
    """What is judged, as the measures call it; a term has no sides."""
    left, right = (asked.sides[0].name, asked.sides[1].name) if len(asked.sides) == 2 else ("", "")
    return Item(asked.name, left, right, topic, group)


def scale_of(project: Project) -> tuple[float, float]:
    """The lowest and the highest score."""
    graded = project.kind == "graded"
    return (float(project.settings.low), float(project.settings.high)) if graded else (0.0, 1.0)


def _checksum(said: Sequence[Said]) -> str:
    """Of who said what, in order: two reports of one checksum are of the same judgements."""
    digest = hashlib.blake2b(digest_size=32)
    for one in said:
        answer = one.judgement.answer
        digest.update(f"{one.annotator.number}\t{one.item.name}\t{answer}\n".encode())
    return digest.hexdigest()
