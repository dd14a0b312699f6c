"""What is given for a model: one of the names that come with wort, or a file."""

from __future__ import annotations

import os
from pathlib import Path

from app.errors import UnknownModelName
from app.scoring.offered import NAMES


def check_model_name(given: Path | None, setting: str | None = None) -> None:
    """Refuse what can only be meant for a name and is none, before it is taken for a file that is not there.

    ``setting``: the variable of the environment that gave it, if one did.

    Raises:
        UnknownModelName: it has no folder before it, and no such file exists.
    """
    if given is None or str(given) in NAMES or os.path.lexists(given) or len(given.parts) > 1:
        return
    *first, last = NAMES
    where = f"{setting}: " if setting else ""
    raise UnknownModelName(
        f"{where}there is no model {str(given)[:100]!r}, and no file of that name. The models that come with "
        f"wort are {', '.join(first)} and {last}; of another one, give the path of its file."
    )
