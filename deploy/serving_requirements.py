"""``python deploy/serving_requirements.py``: what serving alone needs, of all that ``requirements.txt`` pins.

What it prints is ``requirements-serve.txt``. It goes by what the installed packages say that they need, so it
is run where ``requirements.txt`` is installed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent

OWN = "wort"
"""The client, which is of this project and pinned nowhere."""


def needed(requirements: Iterable[str]) -> set[str]:
    """The names of the distributions that ``requirements`` name, and of those that these need."""
    extras_of: dict[str, set[str]] = {}
    coming = [Requirement(text) for text in requirements]
    while coming:
        requirement = coming.pop()
        name = canonicalize_name(requirement.name)
        extras = {"", *requirement.extras}
        if name in extras_of and extras <= extras_of[name]:
            continue
        extras_of.setdefault(name, set()).update(extras)
        for text in distribution(name).requires or ():
            further = Requirement(text)
            if further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in extras):
                coming.append(further)
    return set(extras_of) - {OWN}


ENCODER = "encoder"
"""The extra without which terms are compared by a table of tokens, to which the model is not calibrated."""


def declared() -> list[str]:
    """What the server and the client declare that they need, and what the encoder does that comes along."""
    server, client = (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"] for folder in ("", "wort")
    )
    optional: list[str] = server["optional-dependencies"][ENCODER]
    return [*server["dependencies"], *client["dependencies"], *optional]


def pinned() -> dict[str, str]:
    """The lines of ``requirements.txt``, by the distribution that they pin, without comments.

    A distribution may be pinned several times, for several versions of Python.
    """
    text = (ROOT / "requirements.txt").read_text()
    blocks = re.findall(r"^[A-Za-z0-9][^\n]*\n(?:    --hash[^\n]*\n)+", text, re.MULTILINE)
    of_name: dict[str, str] = {}
    for block in blocks:
        name = canonicalize_name(re.split(r"[\[= ]", block)[0])
        of_name[name] = of_name.get(name, "") + block.rstrip(" \\\n") + "\n"
    return of_name


def serving() -> str:
    """The content of ``requirements-serve.txt``."""
    names, blocks = needed(declared()), pinned()
    return (
        "# What serves, of all that requirements.txt pins; deploy/serving_requirements.py writes it.\n"
        + "".join(blocks[name] for name in sorted(names))
    )


if __name__ == "__main__":
    sys.stdout.write(serving())
