"""A project made in the browser, from a file of pairs or tuples, by who has an admin key."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from app.annotation.commands import Commands
from app.annotation.owning import KINDS
from app.annotation.rendering import AnnotationPageRoute, moved, page
from app.annotation.told import Told
from app.pages.forms import Form
from app.web.middleware.authority import admit
from app.web.problems import FORBIDDEN, WRONG_SHAPE, ProblemError
from app.web.requests.body import read_body

UPLOAD = {"multipart/form-data": "a form with files"}
"""The media type of a form that sends files, and what it is called."""

LONGEST_FIELD = 1 << 20
"""Bytes of one field: guidelines of any length."""

SUFFIXES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson")
"""How the name of a file of pairs or tuples may end."""

NUMBERS = {
    "wanted": (1, 1000),
    "session": (1, 10_000),
    "low": (0, 100),
    "high": (1, 100),
}
"""The fields that are whole numbers, between which."""

SHARES = ("gold_share", "repeat_share")
"""The fields that are percentages."""

router = APIRouter(include_in_schema=False, route_class=AnnotationPageRoute)


@dataclass(frozen=True, slots=True)
class Upload:
    """A form with its files: of each field its name and its content, where one was chosen."""

    form: Form
    files: dict[str, tuple[str, bytes]]


class MadeProject(msgspec.Struct, frozen=True):
    """What is read of what the command line says of a project that it made."""

    address: str


@router.get("/annotation/new")
async def new(request: Request) -> Response:
    """The form."""
    _admit(request)
    return _form(request, Form(()))


@router.post("/annotation/new")
async def create(request: Request) -> Response:
    """Make a project, and lead to its owner's page."""
    _admit(request)
    upload = await _uploaded(request)
    try:
        with tempfile.TemporaryDirectory(prefix="wort-project-") as folder:
            arguments = _arguments(upload, Path(folder))
            commands: Commands = request.app.state.annotation_commands
            written = await commands.run(("create", *arguments, "--json", "--quiet"))
    except ProblemError as problem:
        told = Told(problem.detail, amiss=True)
        return _form(request, upload.form, told, problem.kind.status)
    token = msgspec.json.decode(written, type=MadeProject).address.rpartition("/")[2]
    return moved(request, f"annotation/project/{token}")


def _admit(request: Request) -> None:
    """Let nobody pass but who has an admin key, and means it.

    Raises:
        ProblemError: they have none; or a page of another site has the browser send it, with the key.
    """
    admit(request, "makes no projects in the browser")
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        raise ProblemError(FORBIDDEN, "A page of another site asks for this. Open the address yourself.")


async def _uploaded(request: Request) -> Upload:
    """The form that a request posts.

    Raises:
        ProblemError: it is none; or as ``read_body``.
    """
    body = await read_body(request, UPLOAD)

    async def stream() -> AsyncGenerator[bytes, None]:
        yield body

    parser = MultiPartParser(
        request.headers, stream(), max_files=2, max_fields=40, max_part_size=LONGEST_FIELD
    )
    try:
        data = await parser.parse()
    except (MultiPartException, KeyError, ValueError) as error:
        said = getattr(error, "message", "it has no boundary")
        raise ProblemError(WRONG_SHAPE, f"The form cannot be read: {said}.") from None
    fields: list[tuple[str, str]] = []
    files: dict[str, tuple[str, bytes]] = {}
    try:
        for name, value in data.multi_items():
            if not isinstance(value, UploadFile):
                fields.append((name, value.replace("\r\n", "\n")))
            elif value.filename:
                files[name] = value.filename, await value.read()
    finally:
        await data.close()
    return Upload(Form(tuple(fields), posted=True), files)


def _arguments(upload: Upload, folder: Path) -> list[str]:
    """What the command line is told, of files that are written to ``folder``.

    Raises:
        ProblemError: a field is not what it should be.
    """
    form = upload.form
    kind = form.one("kind")
    if kind not in KINDS:
        raise ProblemError(WRONG_SHAPE, f"What is asked is one of {', '.join(KINDS)}.")
    if not form.one("title"):
        raise ProblemError(WRONG_SHAPE, "Give the project a title: annotators see it.")
    if "file" not in upload.files:
        raise ProblemError(WRONG_SHAPE, "Choose the file of pairs or tuples.")
    given: dict[str, Any] = {
        "title": form.one("title"),
        "kind": kind,
        "sides": "terms" if form.one("sides") == "terms" else "concepts",
        "language": form.one("language") or "en",
    }
    for name, (least, most) in NUMBERS.items():
        if kind == "graded" or name not in ("low", "high"):
            given[name] = _number(form, name, least, most)
    for name in SHARES:
        percent = _number(form, name, 0, 100)
        given[name] = None if percent is None else percent / 100
    if guidelines := form.one("guidelines"):
        written = folder / "guidelines.txt"
        written.write_text(guidelines, "utf-8")
        given["guidelines"] = written
    best_worst = kind == "best-worst"
    pairs = upload.files.get("pairs" if best_worst else "file")
    tuples = upload.files["file"] if best_worst else None
    if tuples is not None:
        given["tuples"] = _kept(folder / "tuples", *tuples)
    options = [f"--{name.replace('_', '-')}={value}" for name, value in given.items() if value is not None]
    details = [line.strip() for line in form.one("details").split("\n") if line.strip()]
    options += [f"--detail={line}" for line in details]
    return options if pairs is None else [*options, str(_kept(folder / "pairs", *pairs))]


def _kept(path: Path, name: str, content: bytes) -> Path:
    """A file with the ending of its own name."""
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise ProblemError(WRONG_SHAPE, f"The name of a file ends in one of {', '.join(SUFFIXES)}.")
    file = path.with_suffix(suffix)
    file.write_bytes(content)
    return file


def _number(form: Form, name: str, least: int, most: int) -> int | None:
    text = form.one(name)
    if not text:
        return None
    if not text.isdecimal() or not least <= int(text[:9]) <= most:
        raise ProblemError(WRONG_SHAPE, f"{name}: a whole number from {least} to {most:,}, or nothing.")
    return int(text)


def _form(request: Request, form: Form, told: Told | None = None, status: int = 200) -> Response:
    return page(
        request,
        "new.html",
        status=status,
        form=form,
        kinds=KINDS,
        told=told,
        language=request.app.state.source.current.scorer.snapshot_info.language,
        largest=request.app.state.settings.max_body >> 20,
    )
