"""The same question as programs ask it: on the command line, and in Python."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import Request


@dataclass(frozen=True, slots=True)
class Programs:
    """How programs ask for what a page shows.

    ``operation``: where the interface describes it. ``json``: an address that answers it as JSON; None where
    the page's form asks for that. ``note``: in what programs are answered otherwise than the page, if in
    anything.
    """

    curl: str
    python: str
    operation: str
    json: str | None = None
    note: str | None = None


def programs(
    request: Request, path: str, body: Mapping[str, object], python: str, operation: str, each: str = ""
) -> Programs:
    """How ``body`` is sent to ``path`` of this server, and ``python``, an expression of ``client``.

    ``each``: what is printed of each ``one`` of many that this is; of the whole where it is empty.
    """
    sent = shlex.quote(json.dumps(body, ensure_ascii=False))
    header = "--header 'Content-Type: application/json'"
    return Programs(
        f"curl {shlex.quote(f'{request.base_url}{path}')} \\\n  {header} \\\n  --data {sent}",
        _in_python(request, python, each),
        f"docs#/{operation}",
    )


def form_programs(
    request: Request,
    page: str,
    fields: Sequence[tuple[str, str]],
    python: str,
    operation: str,
    note: str,
    each: str = "",
) -> Programs:
    """How the form of ``page`` is sent for the JSON of what it shows, where the interface has no such fields.

    ``python``: an expression of ``client``, which asks without them, as ``note`` says. ``each``: as above.
    """
    sent = " \\\n  ".join(f"--data-urlencode {shlex.quote(f'{name}={value}')}" for name, value in fields)
    return Programs(
        f"curl {shlex.quote(f'{request.base_url}{page}?as=json')} \\\n  {sent}",
        _in_python(request, python, each),
        f"docs#/{operation}",
        note=note,
    )


def reading_programs(
    request: Request, path: str, query: Mapping[str, object], python: str, operation: str, each: str = ""
) -> Programs:
    """How ``path`` of this server is read with ``query``, and ``python``, as ``programs`` has them."""
    address = f"{path}?{urlencode(query)}"
    return Programs(
        f"curl {shlex.quote(f'{request.base_url}{address}')}",
        _in_python(request, python, each),
        f"docs#/{operation}",
        address,
    )


def said_by(model: str) -> str:
    """How a call in Python names a ``model``, behind other arguments; empty for the one in force.

    >>> said_by("wort"), said_by("")
    (", model='wort'", '')
    """
    return f", model={model!r}" if model else ""


def _in_python(request: Request, expression: str, each: str) -> str:
    base = str(request.base_url)
    shown = f"for one in {expression}:\n        print({each})" if each else f"print({expression})"
    return f"from wort import Client\n\nwith Client({base!r}) as client:\n    {shown}"
