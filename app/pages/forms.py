"""Forms whose fields may be long: read from the address, or from a body that is posted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from fastapi import Request, Response

from app.api.texts import check_length
from app.pages.rendering import LONGEST, address, wants_json
from app.web.problems import WRONG_SHAPE, ProblemError
from app.web.request_notes import note_problem
from app.web.requests.body import read_body

FORM = {"application/x-www-form-urlencoded": "a form"}
"""The media type of a posted form, and what it is called."""

LONGEST_LINK = 4_000
"""Characters of an address that browsers, proxies and messages pass on; what is longer gets no link."""

NO_CHOICE = "A text has the same concepts whatever the model."
COMPARING = "Two texts are compared by one: /texts and /v1/documents/relatedness take it."
"""Why the page of a text asks no model, and where one may be asked."""

_FIELDS = 100
"""Fields that a form may have."""


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, in order; ``posted``: whether they came in a body."""

    fields: tuple[tuple[str, str], ...]
    posted: bool = False

    def one(self, name: str) -> str:
        """The last value of a field, without blanks around it; empty where there is none."""
        return ["", *self.each(name)][-1]

    def each(self, name: str) -> list[str]:
        """The values of a field that are not empty, without blanks around them."""
        return [value.strip() for field, value in self.fields if field == name and value.strip()]


async def form_of(request: Request) -> Form:
    """The form that ``request`` sends, by its address or its body.

    Raises:
        ProblemError: it has more fields than a page has; or as ``read_body``.
    """
    posted = request.method == "POST"
    sent = (await read_body(request, FORM)).decode(errors="replace") if posted else request.url.query
    try:
        fields = parse_qsl(sent, max_num_fields=_FIELDS)
    except ValueError:
        raise ProblemError(WRONG_SHAPE, f"A form may have {_FIELDS} fields.") from None
    # A browser sends the lines of a field with \r\n between, however they were typed.
    form = Form(tuple((name, value.replace("\r\n", "\n")) for name, value in fields), posted)
    # So that what goes wrong from here on is told as the answer is asked for.
    request.state.as_json = form.one("as") == "json"
    return form


def too_long(text: str, most: int) -> ProblemError | None:
    """What is wrong with ``text`` where it has more than ``most`` characters."""
    try:
        check_length(text, most)
    except ProblemError as error:
        return error
    return None


def overlong(title: str) -> ProblemError | None:
    """What is wrong with the name of a concept that has more characters than any title or address."""
    if len(title) <= LONGEST:
        return None
    return ProblemError(
        WRONG_SHAPE,
        f"A title or an address has at most {LONGEST:,} characters, and this one has {len(title):,}.",
    )


def check_complete(request: Request, said: str, wrong: Iterable[ProblemError | None] = ()) -> None:
    """Refuse a form that cannot be answered where JSON is asked for: a page shows the form again.

    ``said``: what the form needs, where it is not all there. ``wrong``: what is wrong with what is there.

    Raises:
        ProblemError: JSON is asked for.
    """
    if wants_json(request):
        raise next(filter(None, wrong), ProblemError(WRONG_SHAPE, said))


def noted_status(request: Request, wrong: Iterable[ProblemError | None]) -> int:
    """The status of a page that says what is ``wrong`` with its form, 200 where nothing is. It is noted."""
    status = 200
    for error in filter(None, wrong):
        note_problem(request.scope, error.kind)
        status = error.kind.status
    return status


def link(page: str, *fields: tuple[str, str]) -> str | None:
    """The address of ``page`` with these ``fields``; None where it is too long to be passed on.

    >>> link("text", ("text", "A cat"), ("sense", "cat|Cat"), ("sense", ""))
    'text?text=A%20cat&sense=cat%7CCat'
    """
    made = address(page, *fields)
    return made if len(made) <= LONGEST_LINK else None


def of_model(name: str) -> list[tuple[str, str]]:
    """The field that names a model, where one is named: no address has it for the model in force."""
    return [("model", name)] if name else []


def unasked_model(request: Request, form: Form) -> str:
    """The model that a form names whose page has no choice of one; empty where it names none.

    Raises:
        ProblemError: JSON is asked for, which would not say that another one answered.
    """
    model = form.one("model")
    if model and wants_json(request):
        raise ProblemError(WRONG_SHAPE, f"model: {NO_CHOICE} Leave it out. {COMPARING}")
    return model


def moved(request: Request, form: Form, to: str | None) -> Response | None:
    """Where a posted form is shown by its address, which can be shared; None where it is not."""
    if not form.posted or wants_json(request) or to is None:
        return None
    return Response(status_code=303, headers={"Location": to})
