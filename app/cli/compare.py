"""``wort compare``: how related two concepts are, or two terms, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.answering import (
    SEARCH,
    JsonOrText,
    asked,
    encodable,
    rests_on,
    settings_for,
    tell,
    term_scorer,
    trouble,
    warn,
)
from app.cli.settings import AskedAmbiguous, AskedModel, AskedSnapshot
from models.figures import figure
from wiki.folding import fold
from wort.schemas.relatedness import Ambiguous

if TYPE_CHECKING:
    from app.scoring.concepts import Scorer
    from app.scoring.in_words import GroupShare
    from app.scoring.terms import TermScorer
    from app.serving.serving import Serving
    from wort.schemas.described import SnapshotInfo
    from wort.schemas.relatedness import PairResult, RelatednessResponse
    from wort.schemas.terms import TermResult, TermSide, TermsResponse

TERMS = "wort compare --terms"
"""The command that compares any words."""

NAMED = 5
"""Titles of each kind of evidence that are shown; JSON has them all."""


def compare(
    left: Annotated[str, typer.Argument(help="A title, or the address of an article.", callback=encodable)],
    right: Annotated[str, typer.Argument(help="Another, to compare it with.", callback=encodable)],
    terms: Annotated[
        bool, typer.Option("--terms", help="The two are free terms, of one word or several.")
    ] = False,
    context: Annotated[
        str | None, typer.Option(help="With --terms, what the two are about.", callback=encodable)
    ] = None,
    ambiguous: AskedAmbiguous = "report",
    snapshot: AskedSnapshot = None,
    model: AskedModel = None,
    json: JsonOrText = None,
) -> None:
    """How related are two concepts? The score, its place among others, and what it rests on.

    The answer is that of POST /v1/relatedness, or of /v1/terms/relatedness with --terms. Exits with 3 where
    there is no score, and says what to ask instead.
    """
    from app.errors import NoSuchConcept

    if context is not None and not terms:
        raise typer.BadParameter("a context is for free terms; add --terms", param_hint="--context")
    if terms and ambiguous == "resolve":
        raise typer.BadParameter("the senses of free terms are always chosen", param_hint="--ambiguous")
    if terms:
        of_terms, scores, is_idle = _of_terms(left, right, context, snapshot, model)
        problem: str | None = _term_trouble(of_terms)
        tell(of_terms, lambda: [] if problem else _term_lines(of_terms, is_idle(), scores), json)
    else:
        served = asked(snapshot, model)
        scorer = served.scorer
        answer = _of_concepts(scorer, left, right, ambiguous)
        (result,) = answer.results
        instead = TERMS if result.score is None and _answer_as_terms(served, left, right) else None
        problem = trouble(answer.snapshot, (result.resolved.left, result.resolved.right), instead)
        tell(answer, lambda: [] if problem else _lines(answer), json)
    if problem:
        raise NoSuchConcept(problem)


def _answer_as_terms(served: Serving, left: str, right: str) -> bool:
    """Whether two sides without a score have one as terms, if terms are compared here at all."""
    from app.errors import AppError
    from models.errors import ModelError
    from snapshots.errors import SnapshotError

    try:
        return served.terms().answers(left, right)
    except (AppError, ModelError, SnapshotError):
        return False


def _of_concepts(scorer: Scorer, left: str, right: str, ambiguous: Ambiguous) -> RelatednessResponse:
    from app.scoring.in_words import answer_of
    from app.scoring.notes import noted

    results = scorer.score([(left, right)], explain=True, ambiguous=ambiguous)
    return answer_of(noted(scorer, results), scorer.model_info, scorer.snapshot_info)


def _of_terms(
    left: str, right: str, context: str | None, snapshot: Path | None, model: Path | None
) -> tuple[TermsResponse, TermScorer, Callable[[], bool]]:
    """The answer, what scored, and what tells whether the context left the score as it is."""
    from app.serving.garbage import starting
    from wort.schemas.terms import TermsResponse

    with starting():
        from features.terms.extract import TermPair

        scorer = term_scorer(settings_for(snapshot, model, terms=True))
    warn(scorer.model_info)
    pair = TermPair(left, right, context)
    results = scorer.score([pair], explain=True)
    answer = TermsResponse(results, scorer.model_info, scorer.snapshot_info, scorer.concepts.model_info)
    return answer, scorer, lambda: scorer.is_idle(pair, results[0])


def _lines(answer: RelatednessResponse) -> Iterator[str]:
    from app.scoring.in_words import SharedTitles, understood

    (result,) = answer.results
    left, right = result.resolved.left, result.resolved.right
    yield from _score_lines(f"{left.title} – {right.title}", result)
    for side in (left, right):
        yield from filter(None, [understood(side)])
    yield from result.notes
    yield from _sum_lines(result)
    if result.evidence is not None:
        yield "What they share:"
        yield from (f"  {line}" for line in SharedTitles.of(result.evidence).lines(NAMED))
    yield rests_on(answer.model, answer.snapshot)


def _term_lines(answer: TermsResponse, idle: bool, scorer: TermScorer) -> Iterator[str]:
    """``idle``: whether the context left the score as it is."""
    from app.scoring.doubts import doubts_of_terms
    from app.scoring.in_words import IDLE_CONTEXT, also_called_so, of_order, resting_on

    (result,) = answer.results
    sides = (result.resolved.left, result.resolved.right)
    yield from _score_lines(f"{sides[0].asked} – {sides[1].asked}", result)
    for side in sides:
        yield from _term_side(side, result.status == "identical", answer.snapshot)
        if result.status != "identical" and (meant := scorer.misspelt(side)) is not None:
            yield f"Did you mean {meant}?"
        if others := also_called_so(scorer.abbreviated(side)):
            yield others
    yield from doubts_of_terms(scorer, result)
    if idle:
        yield IDLE_CONTEXT
    if result.used == ("encoder",) and (reason := of_order(sides[0].asked, sides[1].asked)):
        yield reason
    elif result.used or result.status == "ok":
        yield resting_on(result.used or ())
    yield from _sum_lines(result)
    by_concepts = answer.concepts is not None and result.model == answer.concepts.name
    yield rests_on(answer.concepts if by_concepts else answer.model, answer.snapshot)


def _term_side(side: TermSide, same: bool, snapshot: SnapshotInfo) -> Iterator[str]:
    """How a term was understood; ``same``: both are names of one concept, whatever their words."""
    from app.scoring.naming.names_in_titles import is_read_as_word
    from app.scoring.unknown_terms import joining, lacking, only_letters
    from wort.schemas.naming import quoted

    sense = side.sense
    is_said = sense is not None and (
        fold(sense.title) != fold(side.asked) or is_read_as_word(side.asked, sense.title)
    )
    if sense is not None and (sense.alternatives or is_said):
        named = "is taken for" if sense.whole else "as a whole names no concept here, but contains"
        others = "; ".join(sense.alternatives[:NAMED])
        yield f"{quoted(side.asked)} {named} {sense.title}.{f' It may mean {others} too.' if others else ''}"
    if only_letters(side):
        letters = ", ".join(side.words)
        yield f"{quoted(side.asked)} is no name that is known here, and is read as letters: {letters}."
    if side.unknown_words and not same and not (sense is not None and sense.whole):
        if unknown := lacking(side.unknown_words, snapshot):
            yield f"{quoted(side.asked)} has words that are not known here: {', '.join(unknown)}."
        if joins := joining(side.unknown_words, snapshot):
            yield f"{quoted(side.asked)} has words that say nothing by themselves: {', '.join(joins)}."
        if not side.words and sense is None:
            yield f"{quoted(side.asked)} is judged by its letters alone."


def _score_lines(pair: str, result: PairResult | TermResult) -> Iterator[str]:
    from app.scoring.in_words import in_words, more_than
    from app.scoring.panels import panel_says

    score = result.score or 0.0
    called = "the same" if result.status == "identical" else in_words(score, result.interval).lower()
    yield f"{pair}: {score:.2f} of 1, {called}"
    if result.interval is not None:
        yield "".join(panel_says(score, result.interval))
    if result.status != "identical" and (more := more_than(result.percentiles, result.interval)):
        yield more.strip()


def _sum_lines(result: PairResult | TermResult) -> Iterator[str]:
    """What adds up to a score: the groups of features, and those in them that add something."""
    from app.scoring.in_words import is_shown, shares_by_group, start_of

    explanation = result.explanation
    if explanation is None:
        return
    yield "How it adds up, rounded:"
    yield f"  {_added(start_of(explanation))}  where every pair begins"
    for group in shares_by_group(explanation):
        if any(is_shown(share.added) for share in group.features):
            yield f"  {_added(group.added)}  {group.name}"
            yield from _group_lines(group)
    if explanation.unit == "score" and explanation.raw != result.score:
        yield f"  {figure(explanation.raw)} together, cut to {result.score:.2f}"


def _group_lines(group: GroupShare) -> Iterator[str]:
    from app.scoring.in_words import is_shown

    for share in group.features:
        if is_shown(share.added):
            feature, value = share.feature, _three_digits(share.value)
            yield f"      {_added(share.added)}  {feature.name} {value}: {feature.description}"


def _added(value: float) -> str:
    """What is added to a score, as wide as any other.

    >>> _added(0.25), _added(-0.0001)
    ('+0.250', ' 0.000')
    """
    return f"{figure(value, '+.3f'):>6}"


def _three_digits(value: float) -> str:
    """A value with three significant digits, zeros at its end too, so that all in a table have as many.

    >>> [_three_digits(value) for value in (0.83, 3.6, -1.0, 0.0, 0.01, 123.4, 1234.0)]
    ['0.830', '3.60', '-1.00', '0.00', '0.0100', '123', '1.23e+03']
    """
    return f"{value or 0.0:#.3g}".removesuffix(".")


def _term_trouble(answer: TermsResponse) -> str:
    """What to ask instead of terms of which nothing is known; empty where the pair has a score."""
    from app.scoring.in_words import snapshot_name
    from app.scoring.terms import LONGEST_TERM
    from app.scoring.unknown_terms import only_joins
    from wort.schemas.naming import quoted

    (result,) = answer.results
    if result.score is not None:
        return ""
    told, unknown = {}, dict[str, None]()
    for side in (result.resolved.left, result.resolved.right):
        term = quoted(side.asked)
        if side.status == "invalid":
            told[term] = f"{term} is no term: it is empty, or has more than {LONGEST_TERM} characters."
        elif side.status == "unknown" and only_joins(side, answer.snapshot):
            told[term] = f"{term} says nothing by itself: words like this join others."
        elif side.status == "unknown":
            unknown[term] = None
    if unknown:
        told[""] = f"No word of {' or '.join(unknown)} is known in {snapshot_name(answer.snapshot)}."
    if any(side.status == "unknown" for side in (result.resolved.left, result.resolved.right)):
        told["instead"] = f"Ask again with other words; `{SEARCH}` finds titles."
    return " ".join(told.values())
