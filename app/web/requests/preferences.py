"""What a client says that it takes, in ``Accept`` and the headers like it (RFC 9110, section 12.4)."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request


def wants_page(request: Request) -> bool:
    """Whether a person's browser asks, which says that it takes HTML; programs do not."""
    return "text/html" in weights(request.headers.getlist("accept"))


def weights(headers: Sequence[str]) -> dict[str, float]:
    """How gladly each value of a header is taken, from 0 (not at all) to 1; one without a weight has 1.

    ``headers``: each time that the header was sent. A weight that is no number from 0 to 1 counts as 0.

    >>> weights(["gzip;q=0.5, br", "Identity ; Q=0"])
    {'gzip': 0.5, 'br': 1.0, 'identity': 0.0}
    """
    entries = (entry.split(";") for entry in ",".join(headers).lower().split(","))
    return {value.strip(): _weight(parameters) for value, *parameters in entries if value.strip()}


def _weight(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                weight = float(value)
            except ValueError:
                return 0.0
            return weight if 0 <= weight <= 1 else 0.0
    return 1.0
