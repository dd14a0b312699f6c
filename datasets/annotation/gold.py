"""Gold questions: their answers are known, and tell who reads what they judge (Asaadi et al. 2019, 3.2).

Who answers fewer than the threshold as expected is refused, and none of their judgements counts. Who does not
know a gold question is neither right nor wrong.
"""

from __future__ import annotations

from sqlalchemy import update

from datasets.annotation.counting import judged_by, recount
from datasets.annotation.database import Transaction
from datasets.annotation.layout import ANNOTATORS
from datasets.annotation.records import Answer, ProjectAnnotator, ProjectSettings


def right(answer: Answer, gold: Answer, tolerance: int) -> bool:
    """Whether an answer is as expected; a grade may be ``tolerance`` away.

    >>> right(Answer(3), Answer(4), 1), right(Answer(best=0, worst=2), Answer(best=0), 0)
    (True, True)
    """
    if answer.unknown:
        return False
    if gold.value is not None:
        return answer.value is not None and abs(answer.value - gold.value) <= tolerance
    chosen = ((answer.best, gold.best), (answer.worst, gold.worst))
    return all(expected in (None, said) for said, expected in chosen)


def refuses(asked: int, rightly: int, settings: ProjectSettings) -> bool:
    """Whether so many right answers of those asked are too few.

    >>> settings = ProjectSettings(wanted=8, gold_threshold=0.7, gold_minimum=5)
    >>> refuses(10, 6, settings), refuses(10, 7, settings), refuses(4, 0, settings)
    (True, False, False)
    """
    # A share of 0.7 of ten is met by seven, whatever floating point makes of it.
    return asked >= settings.gold_minimum and rightly < settings.gold_threshold * asked - 1e-9


def count_gold(
    transaction: Transaction, annotator: ProjectAnnotator, rightly: bool, settings: ProjectSettings
) -> bool:
    """Count an answer to a gold question; whether the annotator is refused from now on."""
    asked, correct = annotator.gold_asked + 1, annotator.gold_right + rightly
    refused = refuses(asked, correct, settings)
    values = {"gold_asked": asked, "gold_right": correct, "refused": transaction.now if refused else None}
    transaction.connection.execute(update(ANNOTATORS).where(ANNOTATORS.c.id == annotator.id).values(values))
    if refused:
        recount(transaction, judged_by(annotator.id))
    return refused
