"""Dumps from the official dumps site: which files there are, and fetching them.

Layout of the site: a folder for each wiki, in it one for each date ("20240101") and one named "latest"; in
these the dump files "{wiki}-{date}-….bz2" with a list of their SHA-1 sums, "{wiki}-{date}-sha1sums.txt".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

import httpx

from wiki.errors import DownloadError, DumpNotFound
from wiki.patience import Patience
from wiki.transfer import Checksum, Progress, fetch_file, fetch_text

OFFICIAL_SITE: Final = "https://dumps.wikimedia.org"

# What to fetch, the best first: (dump, its index). Multistream dumps are read in parallel.
_CHOICES: Final = (
    ("pages-articles-multistream.xml.bz2", "pages-articles-multistream-index.txt.bz2"),
    ("pages-articles.xml.bz2",),
)
_SUMS: Final = (("sha1", "sha1sums.txt"), ("md5", "md5sums.txt"))
_SUM_LINE = re.compile(r"^([0-9A-Fa-f]{32,40}) [ *](\S+)$", re.MULTILINE)
_DATE_FOLDER = re.compile(r'href="(?:[^"]*/)?(\d{8})/?"')
_WIKI_NAME = re.compile(r"[a-z][a-z0-9_]*")
_DATE = re.compile(r"latest|\d{8}")


@dataclass(frozen=True, slots=True)
class _Release:
    """The files to fetch of one dump, by name, with their checksums; ``folder`` is their address."""

    folder: str
    files: dict[str, Checksum]


def download(
    wiki: str,
    target: Path,
    date: str = "latest",
    base_url: str = OFFICIAL_SITE,
    progress: Progress | None = None,
    patience: Patience | None = None,
) -> list[Path]:
    """Fetch a wiki's pages-articles dump into the folder ``target``; return the paths, the dump's first.

    The multistream dump and its index are taken where the site has them, the plain dump otherwise.
    ``wiki`` is a database name ("simplewiki"), ``date`` a dump date ("20240101") or "latest", which is
    resolved to its date, so that the files' names say what they hold. ``progress`` is called with a file's
    name, bytes received, and bytes in all.

    Files that are complete are not fetched again; incomplete ones are resumed. Every file has the checksum
    that the site publishes. Raises DumpNotFound, ServerUnavailable, ChecksumMismatch, NotEnoughSpace, or
    another DownloadError.
    """
    if not _WIKI_NAME.fullmatch(wiki):
        raise DownloadError(f"{wiki!r} is no wiki's database name; such names are 'simplewiki' or 'ltgwiki'.")
    if not _DATE.fullmatch(date):
        raise DownloadError(f"{date!r} is no dump date; give 'latest' or eight digits such as '20240101'.")
    if not base_url.startswith(("https://", "http://")):
        raise DownloadError(f"{base_url!r} is no address of a dumps site; one is {OFFICIAL_SITE!r}.")
    patience = patience or Patience()
    target.mkdir(parents=True, exist_ok=True)
    with _client() as client:
        site = _Site(client, base_url.rstrip("/"), wiki, patience)
        release = site.latest() if date == "latest" else site.release(date)
        for name, checksum in release.files.items():
            url = f"{release.folder}/{name}"
            fetch_file(client, url, target / name, checksum, patience, progress or _silent)
    return [target / name for name in release.files]


@dataclass(frozen=True, slots=True)
class _Site:
    """One wiki's part of a dumps site."""

    client: httpx.Client
    base_url: str
    wiki: str
    patience: Patience

    def release(self, date: str) -> _Release:
        """Return the files of one date. Raises DumpNotFound if it lacks them or their checksums."""
        release = self._release_in(date)
        if release is None:
            raise DumpNotFound(
                f"{self._folder(date)}/ lists no complete pages-articles dump. {self._advice()}"
            )
        return release

    def latest(self) -> _Release:
        """Return the files of the newest date that is complete."""
        # The newest run may still be going on: its list of checksums exists and lacks the dump.
        release = self._release_in("latest")
        if release is not None:
            return release
        listing = fetch_text(self.client, f"{self.base_url}/{self.wiki}/", self.patience)
        for date in sorted(set(_DATE_FOLDER.findall(listing)), reverse=True):
            release = self._release_in(date)
            if release is not None:
                return release
        raise DumpNotFound(
            f"{self.base_url}/{self.wiki}/ has no complete pages-articles dump. {self._advice()}"
        )

    def _release_in(self, folder: str) -> _Release | None:
        sums = self._sums(folder)
        for kinds in _CHOICES:
            for name in sorted(sums, reverse=True):
                match = re.fullmatch(rf"{self.wiki}-(\d{{8}})-{re.escape(kinds[0])}", name)
                if match and folder in ("latest", match[1]):
                    names = [f"{self.wiki}-{match[1]}-{kind}" for kind in kinds]
                    if all(name in sums for name in names):
                        return _Release(self._folder(match[1]), {name: sums[name] for name in names})
        return None

    def _sums(self, folder: str) -> dict[str, Checksum]:
        """Return the checksums in a folder by file name; empty if it, or its list, does not exist."""
        for algorithm, ending in _SUMS:
            url = f"{self._folder(folder)}/{self.wiki}-{folder}-{ending}"
            try:
                text = fetch_text(self.client, url, self.patience)
            except DumpNotFound:
                continue
            return {name: Checksum(algorithm, digits) for digits, name in _SUM_LINE.findall(text)}
        return {}

    def _folder(self, date: str) -> str:
        return f"{self.base_url}/{self.wiki}/{date}"

    def _advice(self) -> str:
        return f"See {self.base_url}/{self.wiki}/ for the dates there are, and check the wiki's name."


def _client() -> httpx.Client:
    wort = f"wort/{version('wort-server')} (concept relatedness from Wikipedia dumps)"
    agent = f"{wort} httpx/{httpx.__version__}"
    return httpx.Client(
        headers={"User-Agent": agent, "Accept-Encoding": "identity"},
        follow_redirects=True,
        timeout=httpx.Timeout(60.0, connect=30.0),
    )


def _silent(name: str, received: int, total: int) -> None:
    """Report progress to nobody."""
