"""``python deploy/release.py 1.2.0``: everything that makes a release, up to its publication.

The version is set wherever it stands, the changelog's section gets it and the date, both are committed; the
wheels are built and their checksums written; the commit is tagged. Nothing leaves the machine: what is left
to do is said at the end. ``--dry-run`` does the same in a copy, and changes nothing here.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parent.parent

UNRELEASED = "## Unreleased"
"""The heading of what users get with the next release."""

WHEELS = ("./wort", "./deploy/starter", ".")
"""The projects of the three wheels: the client, the starter snapshot, the server."""


class VersionPlace(NamedTuple):
    """A file, and what in it says the version: ``pattern`` has it as its group, and is found once or more."""

    file: str
    pattern: str


PLACES = (
    VersionPlace("wort/__init__.py", r'(?m)^__version__ = "(.*)"$'),
    VersionPlace("pyproject.toml", r'"wort==([^"]+)"'),
    VersionPlace("pyproject.toml", r'"wort-starter==([^"]+)"'),
    VersionPlace("Dockerfile", r'org\.opencontainers\.image\.version="([^"]+)"'),
    VersionPlace("deploy/kubernetes/kustomization.yaml", r'newTag: "([^"]+)"'),
    VersionPlace("deploy/kubernetes/deployment.yaml", r"image: wort:(\S+)"),
    VersionPlace("deploy/kubernetes/snapshot-job.yaml", r"image: wort:(\S+)"),
    VersionPlace("CITATION.cff", r"(?m)^version: (.+)$"),
)
"""Wherever the version stands. The distributions read ``wort/__init__.py``."""


class ReleaseError(Exception):
    """There can be no release; the message says why, and what to do."""


def versions(root: Path = ROOT) -> dict[VersionPlace, set[str]]:
    """What each place of ``root`` says."""
    return {place: set(re.findall(place.pattern, (root / place.file).read_text())) for place in PLACES}


def current(root: Path = ROOT) -> Version:
    """The version that ``root`` has.

    Raises:
        ReleaseError: two places do not say the same, or one says nothing.
    """
    said = versions(root)
    for place, stated in said.items():
        if len(stated) != 1:
            raise ReleaseError(f"{place.file} says {sorted(stated) or 'no version'}; it has to say one.")
    (distinct, *others) = {min(stated) for stated in said.values()}
    if others:
        told = ", ".join(f"{place.file} {min(stated)}" for place, stated in said.items())
        raise ReleaseError(f"The places that say the version do not agree: {told}.")
    return Version(distinct)


def set_version(root: Path, version: Version) -> None:
    """Have every place of ``root`` say ``version``."""
    for file, pattern in PLACES:
        path = root / file
        path.write_text(
            re.sub(pattern, lambda match: match[0].replace(match[1], str(version)), path.read_text())
        )


def date_changelog(root: Path, version: Version, today: date) -> str:
    """Give what is unreleased its version and date; returns it.

    Raises:
        ReleaseError: there is nothing that is unreleased.
    """
    path = root / "CHANGELOG.md"
    before, heading, after = path.read_text().partition(f"\n{UNRELEASED}\n")
    notes, next_heading, older = after.partition("\n## ")
    if not heading or not notes.strip():
        raise ReleaseError(f"CHANGELOG.md has nothing under “{UNRELEASED}”: say what changes for users.")
    dated = f"\n{UNRELEASED}\n\n## {version} – {today.isoformat()}\n"
    path.write_text(before + dated + notes + next_heading + older)
    return notes.strip()


def next_version(root: Path, text: str) -> Version:
    """The version ``text``, which may come after that of ``root``.

    Raises:
        ReleaseError: it is none, not a final one, or not newer than the last release.
    """
    try:
        version = Version(text)
    except InvalidVersion:
        raise ReleaseError(f"{text!r} is no version. Write it as 1.2.0.") from None
    if str(version) != text or version.is_prerelease or version.local or len(version.release) != 3:
        raise ReleaseError(f"{text!r} is not a final version. Write it as 1.2.0.")
    before = current(root)
    # The first release may be of the version that has stood there all along.
    if version < before or (version == before and f"v{version}" in _git(root, "tag").split()):
        raise ReleaseError(f"{version} does not come after {before}, which was released.")
    return version


def check_ready(root: Path) -> None:
    """Do nothing where ``root`` holds nothing but what is committed.

    Raises:
        ReleaseError: something is not.
    """
    changed = [line[3:] for line in _git(root, "status", "--porcelain").splitlines()]
    if changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise ReleaseError(f"Files are not committed yet: {', '.join(changed[:3])}{more}.")


def build_wheels(root: Path, into: Path) -> list[Path]:
    """The wheels of ``root``, in ``into``, with the file SHA256SUMS of them beside."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(into)]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", *options, *WHEELS]
    subprocess.run(command, cwd=root, check=True)  # noqa: S603  # pip, on this project
    wheels = sorted(into.glob("*.whl"))
    sums = [f"{hashlib.sha256(wheel.read_bytes()).hexdigest()}  {wheel.name}\n" for wheel in wheels]
    (into / "SHA256SUMS").write_text("".join(sums))
    return wheels


def release(root: Path, text: str, today: date) -> list[Path]:
    """Make the release ``text`` of ``root``: its commit, its wheels in ``dist/VERSION``, its tag; its wheels.

    Raises:
        ReleaseError: it cannot be made; nothing has changed.
        subprocess.CalledProcessError: a wheel could not be built; the commit stands, without a tag.
    """
    check_ready(root)
    version = next_version(root, text)
    notes = date_changelog(root, version, today)
    set_version(root, version)
    say(f"the version is {version}; {len(notes.splitlines())} lines of the changelog are dated {today}")
    _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    into = root / "dist" / str(version)
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    wheels = build_wheels(root, into)
    for wheel in wheels:
        say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"wort {version}\n\n{notes}")
    say(f"tagged v{version}")
    return wheels


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    """A repository of its own with what ``root`` has under version control, as it stands now."""
    with tempfile.TemporaryDirectory(prefix="wort-release-") as folder:
        copy = Path(folder) / "wort"
        for name in _git(root, "ls-files", "-z").split("\0"):
            if name and (root / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, copy / name)
        _git(copy, "init", "--quiet")
        _git(copy, "config", "user.name", "dry run")
        _git(copy, "config", "user.email", "dry-run@localhost")
        _git(copy, "add", "--all")
        _git(copy, "commit", "--quiet", "--message", "As it stands")
        yield copy


def say(text: str) -> None:
    """Tell whoever releases how far it is."""
    print(f"release: {text}", flush=True)


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode != 0:
        raise ReleaseError(f"`git {' '.join(words[:2])}` failed: {done.stderr.strip()}")
    return done.stdout


def main(arguments: list[str]) -> int:
    """Make a release, or try to in a copy; the exit status."""
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument("version", help="the version to release, as 1.2.0")
    parser.add_argument("--dry-run", action="store_true", help="do everything in a copy, and throw it away")
    given = parser.parse_args(arguments)
    today = datetime.now(UTC).date()
    try:
        if given.dry_run:
            with copied(ROOT) as copy:
                release(copy, given.version, today)
            say("that was a dry run: nothing has changed here")
            return 0
        release(ROOT, given.version, today)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError:
        print("release: a wheel could not be built. What pip says is above.", file=sys.stderr)
        return 4
    say(
        f"left to do: docker build -t wort:{given.version} . && git push --follow-tags, and docs/releasing.md"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
