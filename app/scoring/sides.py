"""Pairs of which a side is a text: scored as concepts where both sides name some, else as terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from msgspec.structs import replace

from app.scoring.concepts import HELPED, Scorer, pair_status
from app.scoring.naming.references import AnyPair, Reference, Text, has_text
from app.scoring.naming.resolving import Helped, Pair
from app.scoring.terms import TermScorer
from features.terms.extract import TermPair
from wort.schemas.relatedness import Ambiguous, PairResult
from wort.schemas.sides import Matched, Resolved, Side
from wort.schemas.terms import TermSide


@dataclass(frozen=True, slots=True)
class UnderstoodSide:
    """A side by itself.

    ``said``: what the answer says of it. ``concept``: the one that it names, -1 where there is none.
    ``term`` and ``description``: what is compared where a side of the pair names none.
    """

    said: Side
    concept: int
    term: str
    description: str | None = None


def score_mixed(
    scorer: Scorer,
    terms: TermScorer | None,
    pairs: Sequence[AnyPair],
    explain: bool = False,
    features: bool = False,
    ambiguous: Ambiguous = "report",
    helped: Helped | None = None,
) -> list[PairResult]:
    """The result of each pair, in order, whether or not a side is a text.

    ``terms``: what scores texts; None where no pair has any. The rest is as for ``Scorer.score``.
    """
    plain = pairs if terms is None else [pair for pair in pairs if not has_text(pair)]
    results = scorer.score(cast(Sequence[Pair], plain), explain, features, ambiguous=ambiguous, helped=helped)
    if terms is None:
        return results
    with_text = [pair for pair in pairs if has_text(pair)]
    of_texts = iter(score_sides(terms, with_text, explain, features, ambiguous, helped))
    of_plain = iter(results)
    return [next(of_texts if has_text(pair) else of_plain) for pair in pairs]


def score_sides(
    terms: TermScorer,
    pairs: Sequence[AnyPair],
    explain: bool = False,
    features: bool = False,
    ambiguous: Ambiguous = "report",
    helped: Helped | None = None,
) -> list[PairResult]:
    """The result of each pair, in order, as of ``Scorer.score``; each has a side that is a text.

    A text that names a concept, whatever it is compared with, is that concept, unless it is described: then
    it is compared by what is said of it, and its side says which concept it seems to be. Beside another text,
    a concept is its title; one that may be several is the likeliest where ``ambiguous`` is ``"resolve"``.
    """
    understood = _concepts(terms.concepts, pairs, ambiguous, helped)
    understood |= {side: _text(terms, side) for pair in pairs for side in pair if isinstance(side, Text)}
    sides = [(understood[left], understood[right]) for left, right in pairs]
    results: list[PairResult] = [_unscored(left, right) for left, right in sides]
    scored = [row for row, result in enumerate(results) if result.status == "ok"]
    named = [row for row in scored if min(side.concept for side in sides[row]) >= 0]
    titles = [(sides[row][0].term, sides[row][1].term) for row in named]
    for row, result in zip(named, terms.concepts.score(titles, explain, features), strict=True):
        results[row] = replace(result, resolved=results[row].resolved, used=("concepts",))
    free = [row for row in scored if row not in set(named)]
    asked = [
        TermPair(left.term, right.term, None, left.description, right.description)
        for left, right in (sides[row] for row in free)
    ]
    for row, of_terms in zip(free, terms.score(asked, explain, features), strict=True):
        said, senses = results[row].resolved, of_terms.resolved
        results[row] = PairResult(
            score=of_terms.score,
            status=of_terms.status,
            interval=of_terms.interval,
            percentiles=of_terms.percentiles,
            used=of_terms.used,
            model=of_terms.model,
            resolved=Resolved(_with_sense(said.left, senses.left), _with_sense(said.right, senses.right)),
            features=of_terms.features,
            explanation=of_terms.explanation,
        )
    return results


def _concepts(
    scorer: Scorer, pairs: Sequence[AnyPair], ambiguous: Ambiguous, helped: Helped | None
) -> dict[Reference | Text, UnderstoodSide]:
    """The sides that are no texts. Beside itself a name has its likeliest sense."""
    named = list(dict.fromkeys(side for pair in pairs for side in pair if not isinstance(side, Text)))
    resolved = scorer.pairs.pairs([(side, side) for side in named], HELPED, HELPED, ambiguous, helped)
    return {
        side: UnderstoodSide(scorer.pairs.side(side, resolution), resolution.concept, resolution.title or "")
        for side, (resolution, _) in zip(named, resolved, strict=True)
    }


def _text(terms: TermScorer, text: Text) -> UnderstoodSide:
    """A text by itself."""
    known = terms.known(text.text)
    concept = terms.meant(text.text, text.description) if known.status == "ok" else -1
    title, page_id = None, None
    if concept >= 0:
        title, page_id = terms.snapshot.concept_titles[concept], terms.snapshot.page_ids[concept]
    matched: Matched | None = "text" if known.status == "ok" else None
    said = Side(text.text, known.status, title, page_id, matched)
    if text.description:
        return UnderstoodSide(said, -1, text.text, text.description)
    return UnderstoodSide(said, concept, title or text.text)


def _unscored(left: UnderstoodSide, right: UnderstoodSide) -> PairResult:
    """The pair before it is scored, and where it cannot be."""
    status = pair_status(left.said.status, right.said.status)
    return PairResult(score=None, status=status, resolved=Resolved(left.said, right.said))


def _with_sense(said: Side, term: TermSide) -> Side:
    """A text with the sense that it was taken for, if any; a concept as it is."""
    sense = term.sense
    if said.matched == "text" and term.status == "unknown":
        return replace(said, status="unknown", matched=None)
    if said.matched != "text" or sense is None:
        return said
    return replace(said, title=sense.title, page_id=sense.page_id, prior=sense.prior)
