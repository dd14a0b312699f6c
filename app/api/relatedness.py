"""Pairs of concepts, scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, cast

import msgspec
from fastapi import APIRouter, Request, Response

from app.api.examples import ANSWERS, EXAMPLES
from app.api.terms import term_scorer
from app.scoring.batches import batches
from app.scoring.concepts import Scorer
from app.scoring.in_words import answer_of
from app.scoring.naming.references import (
    CHARACTERS,
    AnyPair,
    MentionReference,
    Text,
    characters,
    has_text,
    side_named,
)
from app.scoring.naming.resolving import Helped
from app.scoring.notes import noted
from app.scoring.sides import score_mixed
from app.scoring.terms import LONGEST_TERM, TermScorer
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers, asks
from app.web.problems import NO_TERM_MODEL, TOO_MANY, UNKNOWN_MODEL
from app.web.request_notes import note_pairs
from app.web.requests.body import check_number, parsed, read_body
from app.web.requests.preferences import weights
from app.web.resources import resources_of
from app.web.responses.answering import OF_JSON, answer_to_json, respond, scorer_by, sound
from app.web.responses.streaming import LINES, Chunks, Streamed
from app.web.responses.turns import Turns
from features.senses.candidates import LONGEST_CONTEXT
from wort.schemas.relatedness import Ambiguous, PairResult, RelatednessRequest, RelatednessResponse
from wort.schemas.streaming import StreamEnd, StreamHead

SHORT, SHORT_BODY = 4, 4 << 10
"""Plain pairs that take less than a millisecond, and bytes of a body that are decoded in a tenth of one."""

TEXT = 200
"""Plain pairs that take as long as a pair with a text, which is scored as terms are: ten milliseconds."""

CONTEXT = 50
"""Plain pairs that take as long as the context of a mention, which is read as a text: five milliseconds."""

_PLAIN = frozenset((str, int))

OR_STREAM = "Send them in several, or ask for a stream."
"""What to do where a request that is answered at once has too many of some pairs."""

_REQUEST = msgspec.json.Decoder(RelatednessRequest)

_LINES = msgspec.json.Encoder().encode_lines

_LINES_OF = {
    "schema": {
        "type": "string",
        "description": "JSON Lines, sent as they are scored, for `Accept: application/x-ndjson`: a "
        "`StreamHead`, a `PairResult` for each pair in order, a `StreamEnd`. A stream without its last line "
        "is not whole.",
    }
}


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()
    limits = Limits(settings.max_pairs, settings.max_term_pairs, settings.max_explained_pairs)

    @routes.post(
        "/relatedness",
        operation_id="score_pairs",
        summary="Score pairs of concepts",
        description="How related two concepts are, for one pair or many, with the evidence where asked for. "
        "A pair that cannot be resolved gets `score: null`, a status and suggestions; it never fails the "
        f"others. A request may hold {settings.max_pairs:,} pairs and {settings.max_body:,} bytes; "
        f"{settings.max_term_pairs:,} of the pairs may have contexts or texts: {LONGEST_CONTEXT} characters "
        f"are read of a context or a description, and a text may have {LONGEST_TERM}; "
        f"{settings.max_explained_pairs:,} pairs may be explained. With "
        "`Accept: application/x-ndjson` the answer is streamed, and "
        f"{settings.max_stream_pairs:,} pairs may be asked for, all of them explained.",
        openapi_extra=asks(RelatednessRequest, max_items={"pairs": settings.max_pairs}, examples=EXAMPLES),
        responses=answers(
            RelatednessResponse,
            *OF_JSON,
            TOO_MANY,
            UNKNOWN_MODEL,
            NO_TERM_MODEL,
            also={LINES: _LINES_OF},
            examples=ANSWERS,
        ),
        tags=["relatedness"],
    )
    async def relatedness(request: Request) -> Response:
        if _wants_lines(request.headers.getlist("accept")):
            return Streamed(lambda _: streamed(request, settings), LINES)
        size = request.app.state.batch_sizes.pairs
        return await answer_to_json(request, partial(answer, limits=limits, size=size))

    return routes


def _wants_lines(accepted: Sequence[str]) -> bool:
    """Whether ``accepted``, the ``Accept`` headers of a request, name JSON Lines and not JSON rather.

    >>> [_wants_lines([header]) for header in (LINES, f"{LINES};q=0.5, application/json", "*/*")]
    [True, False, False]
    """
    if LINES not in ",".join(accepted).lower():
        return False
    weight = weights(accepted)
    lines = weight.get(LINES, 0.0)
    return lines > 0 and lines >= weight.get("application/json", 0.0)


async def streamed(request: Request, settings: Settings) -> Chunks:
    """The lines of the answer to a request, as they are scored. It keeps its place to the end.

    Raises:
        ProblemError: before the first, as ``AskedPairs``.
    """
    state = request.app.state
    await state.stream_workers.expect_place(state.readers)
    body = await read_body(request, budget=state.streamed_bodies)
    await state.stream_workers.take_place(resources_of(request.scope), state.readers)
    turns = Turns(request, state.stream_workers, None)
    serving = sound(request)
    limits = Limits(settings.max_stream_pairs)
    asked = await turns.take(partial(AskedPairs, body, limits, state.batch_sizes.pairs))
    scorer = await turns.take(partial(asked.scorer, serving))
    # With the first results: what fails before them is still answered as a problem.
    chunk = _LINES([StreamHead(scorer.model_info, scorer.snapshot_info)])
    for batch in asked.batches:
        yield chunk + await turns.take(partial(asked.lines, scorer, batch))
        chunk = b""
    yield chunk + _LINES([StreamEnd(asked.pairs)])


class Limits(NamedTuple):
    """The most pairs of a request, of them with a context, and of them explained; None for no such limit.

    What a stream holds at a time is a batch, so it has the first alone.
    """

    pairs: int
    with_context: int | None = None
    explained: int | None = None


class AskedPairs:
    """What a request asks for: its pairs, in batches, and how much of each."""

    def __init__(self, body: bytes, limits: Limits, size: int) -> None:
        """``body``: that of the request; ``size``: the pairs of a batch.

        Raises:
            ProblemError: the body is not such a request, or holds more pairs than ``limits`` allow, more
                with a context, or more to explain.
        """
        asked = parsed(body, _REQUEST)
        check_number(len(asked.pairs), limits.pairs, "pairs")
        sides = [(pair.left, pair.right) for pair in asked.pairs]
        kinds = {type(side) for pair in sides for side in pair}
        pairs, contexts = cast(list[AnyPair], sides), 0
        if not kinds <= _PLAIN:
            pairs = [(side_named(left), side_named(right)) for left, right in sides]
            contexts = sum(_contexts(pair) > 0 for pair in pairs)
        if contexts and limits.with_context is not None:
            check_number(contexts, limits.with_context, "pairs with a context or a text", OR_STREAM)
        if asked.explain and limits.explained is not None:
            check_number(len(pairs), limits.explained, "pairs to explain", OR_STREAM)
        self.pairs = len(pairs)
        self._asked = asked
        self._scorer: Scorer | None = None
        self._terms: TermScorer | None = None
        self._results: list[PairResult] = []
        self.has_texts = contexts > 0 and any(map(has_text, pairs))
        least = least_weight(asked.explain, asked.ambiguous)
        weights = [least] * len(pairs)
        if kinds == {str}:
            titles = cast(list[tuple[str, str]], sides)
            weights = [least + (len(left) + len(right)) // CHARACTERS for left, right in titles]
        elif kinds != {int}:
            weights = [weight(pair, asked.explain, asked.ambiguous) for pair in pairs]
        # Another model, or that of terms, is opened when it is first asked for.
        self.is_short = sum(weights) <= SHORT and asked.model is None and not self.has_texts
        weighed = iter(weights)
        self.batches: list[Sequence[AnyPair]] = (
            [pairs]
            if self.is_short or max(len(pairs), sum(weights)) <= size
            else list(batches(pairs, size, lambda _: next(weighed), size))
        )
        # Of what is resolved in several goes, the first unknown sides get help, whichever batch they are in.
        self._helped = Helped() if self.has_texts or len(self.batches) > 1 else None

    def scorer(self, serving: Serving) -> Scorer:
        """What scores concepts where ``serving`` answers; what scores texts is opened where there are some.

        Raises:
            ProblemError: there is no such model, it cannot be used here, or there are texts and none can be.
        """
        if self.has_texts:
            self._terms = term_scorer(serving, self._asked.model)
        return scorer_by(serving, self._asked.model)

    def answer_next(self, serving: Serving) -> Response | None:
        """Score the next batch; what is answered, once there is no other.

        Raises:
            ProblemError: as ``scorer``.
        """
        if self._scorer is None:
            self._scorer = self.scorer(serving)
        scorer = self._scorer
        if self.batches:
            self._results += self.results(scorer, self.batches.pop(0))
        if self.batches:
            return None
        for result in self._results:
            if result.status == "unknown":
                return respond(answer_of(self._results, scorer.model_info, scorer.snapshot_info))
        # With nothing to note, and on no longer road than that.
        return respond(RelatednessResponse(self._results, scorer.model_info, scorer.snapshot_info))

    def results(self, scorer: Scorer, batch: Sequence[AnyPair]) -> list[PairResult]:
        """Those of a batch; of the unknown and ambiguous sides of all batches, the first get help."""
        asked = self._asked
        score: Callable[..., list[PairResult]] = scorer.score
        if self._terms is not None:
            score = partial(score_mixed, scorer, self._terms)
        results = score(batch, asked.explain, asked.features, ambiguous=asked.ambiguous, helped=self._helped)
        note_pairs(len(batch))
        return noted(scorer, results) if asked.explain else results

    def lines(self, scorer: Scorer, batch: Sequence[AnyPair]) -> bytes:
        """``results``, a line each."""
        return _LINES(self.results(scorer, batch))


async def answer(serving: Serving, body: bytes, turns: Turns, limits: Limits, size: int) -> Response:
    """The answer to the request that ``body`` holds; ``size``: the pairs that are scored in one go.

    Raises:
        ProblemError: as ``AskedPairs``.
    """

    def read_and_score() -> tuple[AskedPairs, Response | None]:
        asked = AskedPairs(body, limits, size)
        return asked, asked.answer_next(serving)

    if len(body) <= SHORT_BODY:
        asked = AskedPairs(body, limits, size)
        response = await turns.take(partial(asked.answer_next, serving), asked.is_short)
    else:
        # In one turn: to wait for a second one takes as long as some hundred pairs.
        asked, response = await turns.take(read_and_score)
    while response is None:
        response = await turns.take(partial(asked.answer_next, serving))
    return response


def weight(pair: AnyPair, evidence: bool, ambiguous: Ambiguous) -> int:
    """How many plain pairs take as long as ``pair``; long titles take longer, as do contexts and texts."""
    least = least_weight(evidence, ambiguous)
    return least + characters(pair) // CHARACTERS + CONTEXT * _contexts(pair) + TEXT * has_text(pair)


def least_weight(evidence: bool, ambiguous: Ambiguous) -> int:
    """How many plain pairs take as long as one of short titles.

    Its evidence and notes take as long as some more of them, and so do the senses of two sides that may have
    ten each.
    """
    return 1 + 6 * evidence + 4 * (ambiguous == "resolve")


def _contexts(pair: AnyPair) -> int:
    """How many sides of a pair are mentions with a context, or texts."""
    contexts = (side for side in pair if isinstance(side, MentionReference) and side.context is not None)
    return sum(1 for _ in contexts) + sum(isinstance(side, Text) for side in pair)
