"""What a project can be taken away as."""

from __future__ import annotations

from datasets.annotation.records import Kind


def offered(kind: Kind) -> list[tuple[str, str]]:
    """The formats of a kind of project: their names, and what people call them."""
    return []
