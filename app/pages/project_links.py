"""What pages lead to outside this server: the source of wort, what comes with it, and its guides."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from urllib.parse import urlsplit

DISTRIBUTION = "wort-server"
"""The distribution whose metadata say where the project is."""

_SOURCES = frozenset({"source", "source code", "repository"})
"""What metadata call the address of the source."""

_FILES = {"github": "blob/HEAD", "gitlab": "-/blob/HEAD"}
"""What stands before the path of a file, by the forge; HEAD is its default branch."""


def project_links(source: str | None) -> tuple[tuple[str, str], ...]:
    """Names and addresses: that of the ``source`` which a setting gives, else those of the distribution."""
    return _of_distribution() if source is None else (("Source", source),)


def guide(links: Iterable[tuple[str, str]], name: str) -> str | None:
    """Where the guide ``name`` can be read, a file of the folder ``docs`` of the source, by the links above.

    None where no source is named, or it is on a host of which it is not known how files are addressed.

    >>> guide([("Source", "https://github.com/somebody/wort")], "features")
    'https://github.com/somebody/wort/blob/HEAD/docs/features.md'
    >>> guide([("Source", "https://example.org/wort")], "features")
    """
    for called, url in links:
        host = urlsplit(url).hostname or ""
        way = next((way for forge, way in _FILES.items() if forge in host.split(".")), None)
        if called.lower() in _SOURCES and way is not None:
            return f"{url.rstrip('/').removesuffix('.git')}/{way}/docs/{name}.md"
    return None


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
