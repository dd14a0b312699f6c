"""A text and the concepts that it mentions, linked where they stand, with other senses to choose."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from app.api.texts import annotator_of
from app.pages.forms import (
    NO_CHOICE,
    Form,
    check_complete,
    form_of,
    link,
    moved,
    noted_status,
    too_long,
    unasked_model,
)
from app.pages.programs import form_programs, programs
from app.pages.rendering import PageRoute, page, wants_json
from app.pages.unsure import unsure_in
from app.scoring.annotating import OfferedSense, Passage, TextAnnotator, passage_batches, senses_of
from app.scoring.concepts import Scorer
from app.scoring.documents import ConceptBag
from app.serving.serving import Serving
from app.web.problems import ProblemError
from app.web.responses.answering import respond, sound, turns_of
from measures import shares
from snapshots.annotator import Annotation
from snapshots.naming.mentions import fold
from wort.schemas.naming import quoted
from wort.schemas.texts import MOST_CONTEXT, AnnotateResponse

EXAMPLE = (
    "Charles Darwin showed how evolution works by natural selection. Genetics, which came after him, says "
    "how traits are inherited. Many saw in his book an attack on religion; others, such as Asa Gray, did not."
)
"""A text to begin with."""

ONLY_HERE = (
    "Only this page knows the senses that you chose. With curl you ask the page, and get what it shows; in "
    "Python you ask the interface, and get the answer without them."
)
"""What is said of how programs ask, where senses were chosen."""

EACH = "one.mention, one.title, one.rho"
"""What Python prints of each annotation: an answer that is printed as a whole tells of the first alone."""

SIZES = 5
"""In how many sizes concepts are written, by how much they matter."""

_LISTED = 3
"""Mentions, or titles, that are named of those whose senses are left out."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


class TextWithSenses(AnnotateResponse, frozen=True, omit_defaults=True):
    """The annotations that the page shows; ``note`` says which of the chosen senses change nothing."""

    note: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a text; ``title`` of the concept that it stands for, where it is a mention.

    ``size``: from 1 to ``SIZES``, by how much the concept matters.
    """

    text: str
    title: str | None = None
    size: int = 0


@dataclass(frozen=True, slots=True)
class MentionSenses:
    """A mention as it is written first, and the other senses that it may have."""

    mention: str
    others: list[OfferedSense]


@dataclass(frozen=True, slots=True)
class ConceptOfText:
    """A concept of a text: how often it is mentioned, its share of the text, and its mentions."""

    title: str
    count: int
    share: float
    mentions: list[MentionSenses]


@router.api_route("/text", methods=["GET", "POST"])
async def text(request: Request) -> Response:
    """The form and, where there is a text, its concepts."""
    form = await form_of(request)
    asked, chosen, unasked = form.one("text"), chosen_senses(form), unasked_model(request, form)
    senses = [("sense", f"{mention}|{title}") for mention, title in chosen.items()]
    least = least_rho(form.one("min_rho"))
    to = link("text", ("text", asked), *senses, *([] if least is None else [("min_rho", f"{least:g}")]))
    redirect = moved(request, form, to)
    if redirect is not None:
        return redirect
    serving, state = sound(request), request.app.state
    turns = await turns_of(request, state.workers)
    wrong = too_long(asked, state.settings.max_text)
    if wrong is not None or not asked:
        check_complete(request, "Send a text to look for concepts in.", [wrong])
        return await turns.take(lambda: _page(request, serving, asked, unasked, wrong))

    annotator, meant = await turns.take(lambda: (annotator_of(serving), known(serving.scorer, chosen)))
    shown: list[Annotation] = []
    for batch in await turns.take(lambda: list(passage_batches(asked))):
        shown += await turns.take(partial(read, annotator, asked, batch, meant, least))
    none = not shown and not wants_json(request)
    unsure = await unsure_in(turns, serving.scorer, annotator, asked, least) if none else None

    def answered() -> Response:
        scorer = serving.scorer
        unused = left_out(chosen, meant, {fold(asked[one.start : one.end]) for one in shown})
        if wants_json(request):
            described = annotator.described(asked, shown)
            return respond(TextWithSenses(described, scorer.snapshot_info, note=unused))
        in_python, operation = f"client.annotate({asked!r}).annotations", "texts/annotate_text"
        body: dict[str, Any] = {"text": asked}
        if least is not None:
            body["min_rho"] = least
            in_python = f"client.annotate({asked!r}, min_rho={least!r}).annotations"
        if meant:
            fields = [("text", asked), *senses]
            called = form_programs(request, "text", fields, in_python, operation, ONLY_HERE, EACH)
        else:
            called = programs(request, "v1/annotate", body, in_python, operation, EACH)
        concepts = text_concepts(scorer, asked, shown)
        return _page(
            request,
            serving,
            asked,
            unasked,
            concepts=concepts,
            pieces=list(pieces(annotator, asked, shown, concepts)),
            chosen=chosen,
            unused=unused,
            unsure=unsure,
            to=to,
            called=called,
        )

    return await turns.take(answered)


def least_rho(written: str) -> float | None:
    """The least ρ that the address asks for; None where it says none, or what is no number from 0 to 1.

    >>> least_rho("0.1"), least_rho("2"), least_rho("")
    (0.1, None, None)
    """
    try:
        least = float(written)
    except ValueError:
        return None
    return least if 0 <= least <= 1 else None


def chosen_senses(form: Form) -> dict[str, str]:
    """The titles that were chosen, by mentions in lower case; a later choice replaces an earlier one.

    A choice without a title takes an earlier one back.
    """
    parted = (each.rpartition("|") for each in form.each("sense"))
    chosen = {fold(mention.strip()): title.strip() for mention, _, title in parted}
    return {mention: title for mention, title in chosen.items() if mention and title}


def known(scorer: Scorer, chosen: Mapping[str, str]) -> dict[str, int]:
    """The ids of the chosen concepts by mention; what names none is left out."""
    ids = {mention: scorer.resolver.article(title) for mention, title in chosen.items()}
    return {mention: concept for mention, concept in ids.items() if concept >= 0}


def left_out(chosen: Mapping[str, str], meant: Mapping[str, int], mentioned: Collection[str]) -> str | None:
    """Which chosen senses change nothing, and why, as a sentence; None where all are used.

    ``mentioned``: the mentions that were found in the text, in lower case.

    >>> left_out({"bass": "Bass", "eve": "Ev"}, {"bass": 7}, {"eve"})
    "Not every chosen sense is used: 'bass' is not among the mentions of the text; there is no concept 'Ev'."
    """
    absent = [mention for mention in chosen if mention not in mentioned]
    unknown = [title for mention, title in chosen.items() if mention in mentioned and mention not in meant]
    reasons = []
    if absent:
        reasons.append(
            f"{_listed(absent)} {'is' if len(absent) == 1 else 'are'} not among the mentions of the text"
        )
    if unknown:
        reasons.append(f"there is no concept {_listed(unknown, 'or')}")
    return f"Not every chosen sense is used: {'; '.join(reasons)}." if reasons else None


def _listed(names: Sequence[str], last: str = "and") -> str:
    """Names in quotes, of many the first.

    >>> _listed(["a", "b", "c"]), _listed(["a", "b", "c", "d", "e"])
    ("'a', 'b' and 'c'", "'a', 'b', 'c' and 2 more")
    """
    shown = [quoted(name) for name in names[:_LISTED]]
    if len(names) > _LISTED:
        shown.append(f"{len(names) - _LISTED} more")
    return f" {last} ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def read(
    annotator: TextAnnotator,
    text: str,
    batch: Sequence[Passage],
    meant: Mapping[str, int],
    least: float | None = None,
) -> list[Annotation]:
    """The annotations of some passages of ``text``, each mention with the sense that was chosen for it.

    The senses that were chosen for mentions of a passage help to choose those of its other mentions. Which
    mentions there are is found without them: nobody chooses one to lose what is related to another.
    ``least``: the least ρ; None for that of the snapshot's build.
    """
    found = annotator.found(batch, minimum_rho=least)
    helped: dict[tuple[int, int], Annotation] = {}
    for start, passage in batch:
        own = (text[one.start : one.end] for one in found if start <= one.start < start + len(passage))
        context = list(dict.fromkeys(meant[name] for name in map(fold, own) if name in meant))[:MOST_CONTEXT]
        if context:
            again = annotator.found([(start, passage)], context, least)
            helped |= {(one.start, one.end): one for one in again}
    return with_senses(text, [helped.get((one.start, one.end), one) for one in found], meant)


def with_senses(text: str, found: Sequence[Annotation], meant: Mapping[str, int]) -> list[Annotation]:
    """The annotations, each mention with the sense that was chosen for it."""
    return [replace(one, concept=meant.get(fold(text[one.start : one.end]), one.concept)) for one in found]


def text_concepts(scorer: Scorer, text: str, found: Sequence[Annotation]) -> list[ConceptOfText]:
    """The concepts that ``found`` mentions and that weigh something, the heaviest first."""
    document = ConceptBag.of(scorer.snapshot, found)
    mentions: dict[int, dict[str, str]] = {}
    for one in found:
        written = text[one.start : one.end]
        mentions.setdefault(one.concept, {}).setdefault(fold(written), written)
    rows = zip(
        document.concepts.tolist(), document.mentions.tolist(), shares(document.weights).tolist(), strict=True
    )
    return [
        ConceptOfText(
            scorer.snapshot.concept_titles[concept],
            count,
            share,
            [
                MentionSenses(written, senses_of(scorer, written, besides=concept))
                for written in mentions[concept].values()
            ],
        )
        for concept, count, share in rows
    ]


def pieces(
    annotator: TextAnnotator, text: str, found: Sequence[Annotation], concepts: Sequence[ConceptOfText]
) -> Iterator[Piece]:
    """``text`` in pieces, which together are all of it."""
    most = concepts[0].share if concepts else 1.0
    sizes = {one.title: 1 + round((SIZES - 1) * (one.share / most) ** 0.5) for one in concepts}
    end = 0
    for described in annotator.described(text, found):
        if described.start > end:
            yield Piece(text[end : described.start])
        yield Piece(described.mention, described.title, sizes.get(described.title, 1))
        end = described.end
    if end < len(text):
        yield Piece(text[end:])


def _page(
    request: Request,
    serving: Serving,
    asked: str,
    unasked: str,
    wrong: ProblemError | None = None,
    **shown: object,
) -> Response:
    empty: dict[str, Any] = {"concepts": None, "pieces": [], "chosen": {}, "unused": None, "unsure": None}
    empty |= {"to": None, "called": None}
    fields: dict[str, Any] = {**empty, **shown}
    return page(
        request,
        serving,
        "text.html",
        status=noted_status(request, [wrong]),
        text=asked,
        wrong=wrong and wrong.detail,
        example=EXAMPLE,
        unasked=unasked,
        no_choice=NO_CHOICE,
        **fields,
    )
