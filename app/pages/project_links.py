"""What the foot of every page leads to outside this server: the source of wort, and what comes with it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from urllib.parse import urlsplit

DISTRIBUTION = "wort-server"
"""The distribution whose metadata say where the project is."""


def project_links(source: str | None) -> tuple[tuple[str, str], ...]:
    """Names and addresses: that of the ``source`` which a setting gives, else those of the distribution."""
    return _of_distribution() if source is None else (("Source", source),)


@cache
def _of_distribution() -> tuple[tuple[str, str], ...]:
    try:
        entries = metadata(DISTRIBUTION).get_all("Project-URL") or ()
    except PackageNotFoundError:  # run from a checkout that is not installed
        entries = ()
    return tuple(project_urls(entries))


def project_urls(entries: Iterable[str]) -> list[tuple[str, str]]:
    """The names and addresses of ``entries``, as metadata write them, but for what is no address of the web.

    >>> project_urls(["Source, https://example.org/wort", "Mail, mailto:a@example.org", "nothing"])
    [('Source', 'https://example.org/wort')]
    """
    pairs = (entry.rpartition(", ")[::2] for entry in entries)
    return [(name, url) for name, url in pairs if name and urlsplit(url).scheme in ("http", "https")]
