"""The routes that start retrainings and watch them. Each takes a key with the scope admin."""

from __future__ import annotations

from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi import Path as InPath
from pydantic import AllowInfNan, BaseModel, StringConstraints

from app.retraining.process import Option, Retrainings, info
from app.serving.keyring import Caller
from app.settings import Settings
from app.web.middleware.authority import admit_admin
from app.web.openapi.document import answers
from app.web.problems import (
    BUSY,
    FORBIDDEN,
    NO_KEY,
    NO_REGISTRY,
    NOT_ENABLED,
    NOT_FOUND,
    RUNNING,
    TOO_LARGE,
    TOO_SLOW,
    WRONG_SHAPE,
    WRONG_TYPE,
    ProblemError,
)
from app.web.request_notes import notes_of
from app.web.requests.body import media_type_of, read_body
from app.web.requests.query import check_names
from app.web.responses.answering import respond
from app.web.responses.turns import Workers
from wort.schemas.retrainings import RetrainingInfo, RetrainingsResponse

ACCEPTED = {
    "text/csv": "a table (CSV)",
    "text/tab-separated-values": "a table (TSV)",
    "application/x-ndjson": "JSON lines",
}
"""The media types of judgements, and what they are called."""

SUFFIXES = {"text/csv": ".csv", "text/tab-separated-values": ".tsv", "application/x-ndjson": ".ndjson"}

EXAMPLES = {
    "text/csv": "topic,left,right,score\nReligion,Atheism,Religion,0.9\n",
    "text/tab-separated-values": "topic\tleft\tright\tscore\nReligion\tAtheism\tReligion\t0.9\n",
    "application/x-ndjson": '{"topic": "Religion", "left": "Atheism", "right": "Religion", "score": 0.9}\n',
}
"""How judgements are written. It takes hundreds of them to learn from."""

_KEYED = (NO_KEY, FORBIDDEN, NOT_ENABLED, NO_REGISTRY)
BenchmarkName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""The name of a benchmark that ships: no path, so that no file of the server is read for a request."""
Column = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Score = Annotated[float, AllowInfNan(False)]
Number = Annotated[int, InPath(ge=1, description="The number of the retraining.")]
_PAGE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""What a report may load when it is shown: nothing but what is in it."""


class RetrainingOptions(BaseModel):
    """How to learn from the judgements, as a query says it: the options of ``wort retrain``."""

    name: Annotated[str, Query(max_length=100, description="The model's name.")] = "retrained"
    with_benchmark: Annotated[
        list[BenchmarkName] | None,
        Query(description="Declared benchmarks to learn from besides.", examples=[["word-train"]]),
    ] = None
    design: Annotated[
        str | None,
        Query(
            pattern="^(default|unconstrained|plain|plus|all)$",
            description="The design; that of the model in force if none is named.",
        ),
    ] = None
    left: Annotated[Column | None, Query(description="The column of one concept.")] = None
    right: Annotated[Column | None, Query(description="The column of the other.")] = None
    score: Annotated[Column | None, Query(description="The column of the score.")] = None
    topic_column: Annotated[Column | None, Query(description="The column of the topic.")] = None
    low: Annotated[Score, Query(description="The lowest score of the scale.")] = 0.0
    high: Annotated[Score, Query(description="The highest score of the scale.")] = 1.0
    gate_p: Annotated[float, Query(ge=0, le=1, description="The level of the gate's tests.")] = 0.05
    gate_margin: Annotated[float, Query(ge=0, le=1, description="The least gain of Pearson's r.")] = 0.005
    gate_pairs: Annotated[int, Query(ge=4, description="The least pairs to compare over.")] = 100
    reason: Annotated[
        str | None, Query(max_length=1000, description="Promote whatever the gate says, for this reason.")
    ] = None
    register_only: Annotated[bool, Query(description="Promote nothing.")] = False
    who: Annotated[
        str | None, Query(max_length=100, description="Who asks; the name of the key by default.")
    ] = None
    note: Annotated[str, Query(max_length=1000, description="What to remember of it.")] = ""

    def check(self) -> None:
        """Refuse options that contradict each other.

        Raises:
            ProblemError: they do.
        """
        if self.low >= self.high:
            raise ProblemError(WRONG_SHAPE, f"low: {self.low:g} is not below high, {self.high:g}.")
        if self.reason is not None and self.register_only:
            raise ProblemError(WRONG_SHAPE, "reason promotes, and register_only promotes nothing. Send one.")
        if self.reason is not None and not self.reason.strip():
            raise ProblemError(WRONG_SHAPE, "reason: say why, since it goes past the gate.")

    def of_command(self, caller: Caller | None) -> dict[str, Option]:
        """The same as the command's options, by their names; ``caller``: who asks, unless they say so."""
        given = {name.replace("_", "-"): value for name, value in self.model_dump().items()}
        if self.who is None and caller is not None:
            given["who"] = caller.called
        return {**given, "promote": self.reason is not None}


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    retrainings = Retrainings(settings)

    # A dependency: who has no key is not told what else is wrong.
    routes = APIRouter(tags=["retraining"], dependencies=[Depends(admit_admin)])

    @routes.post(
        "/retrainings",
        operation_id="start_retraining",
        status_code=202,
        summary="Retrain on judgements",
        description="Starts a retraining on the judgements in the body, as a process of its own, and answers "
        "at once; `Location` says where to watch it. The model takes the place of the one in force only "
        f"through the gate. The body may have {settings.max_body:,} bytes. One retraining runs at a time.",
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {
                    kind: {
                        "schema": {"type": "string", "description": f"The judgements, {called}."},
                        "example": EXAMPLES[kind],
                    }
                    for kind, called in ACCEPTED.items()
                },
            }
        },
        responses=_accepted(),
    )
    async def start(request: Request, options: Annotated[RetrainingOptions, Query()]) -> Response:
        # One that is spelt wrong might promote what it should not.
        check_names(request, RetrainingOptions.model_fields)
        options.check()
        workers: Workers = request.app.state.workers
        await workers.expect_place(request.app.state.readers)
        body = await read_body(request, ACCEPTED)
        if not body.strip():
            raise ProblemError(WRONG_SHAPE, "The body is empty. Send the file of judgements in it.")
        suffix = SUFFIXES[media_type_of(request)]
        asked = options.of_command(notes_of(request.scope).caller)
        with workers.place():
            begun = await to_thread.run_sync(lambda: retrainings.start(body, suffix, asked))
        answer = respond(begun, 202)
        answer.headers["Location"] = f"/retrainings/{begun.number}"
        return answer

    @routes.get(
        "/retrainings",
        operation_id="list_retrainings",
        summary="The retrainings, the newest first",
        responses=answers(RetrainingsResponse, WRONG_SHAPE, *_KEYED),
    )
    def listed(
        limit: Annotated[int, Query(ge=1, le=100, description="The most to return.")] = 20,
    ) -> Response:
        return respond(RetrainingsResponse(retrainings.listed(limit)))

    @routes.get(
        "/retrainings/{number}",
        operation_id="get_retraining",
        summary="How far is a retraining, or how did it end?",
        responses=answers(RetrainingInfo, NOT_FOUND, WRONG_SHAPE, *_KEYED),
    )
    def one(number: Number) -> Response:
        return respond(retrainings.read(number, lambda _, run: info(run)))

    @routes.get(
        "/retrainings/{number}/report",
        operation_id="get_retraining_report",
        summary="The report of a retraining, as JSON",
        responses=_of_type("application/json", {"type": "object"}),
    )
    def report(number: Number) -> Response:
        content = retrainings.read(number, lambda known, run: known.report(run.model) if run.model else None)
        return Response(content, media_type="application/json")

    @routes.get(
        "/retrainings/{number}/report.html",
        operation_id="get_retraining_page",
        summary="The report of a retraining, as a page",
        responses=_of_type("text/html", {"type": "string"}),
    )
    def page(number: Number) -> Response:
        content = retrainings.read(
            number, lambda known, run: known.report_html(run.model) if run.model else None
        )
        return Response(content, media_type="text/html", headers={"Content-Security-Policy": _PAGE})

    return routes


def _accepted() -> dict[int | str, dict[str, Any]]:
    """The responses of the route that starts: those of an answer, but the answer is 202."""
    kinds = (TOO_SLOW, RUNNING, TOO_LARGE, WRONG_TYPE, WRONG_SHAPE, BUSY, *_KEYED)
    responses = answers(RetrainingInfo, *kinds)
    return {202: {**responses.pop(200), "description": "It has begun."}, **responses}


def _of_type(media_type: str, schema: dict[str, str]) -> dict[int | str, dict[str, Any]]:
    """The responses of a route that answers with a report."""
    responses = answers(RetrainingInfo, NOT_FOUND, WRONG_SHAPE, *_KEYED)
    return {**responses, 200: {"description": "The report.", "content": {media_type: {"schema": schema}}}}
