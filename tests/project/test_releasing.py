"""A release: what it refuses, what it changes, and that it can be made from what is here."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest
from packaging.version import Version

from deploy import release

DAY = date(2031, 5, 6)
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- Cats are scored.\n\n## 0.0.9 – 2030-01-01\n\n- Dogs.\n"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with every place that says the version, committed."""
    for file, _ in release.PLACES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(release.ROOT / file, tmp_path / file)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "tests")
    git(tmp_path, "config", "user.email", "tests@localhost")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "All")
    return tmp_path


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", root, *words], check=True, capture_output=True, text=True).stdout


def after(root: Path) -> str:
    """The version after that of ``root``."""
    before = release.current(root)
    return f"{before.major}.{before.minor + 1}.0"


def no_wheels(root: Path, into: Path) -> list[Path]:
    """In place of what builds them."""
    return []


def test_the_places_that_say_the_version_agree() -> None:
    assert release.current() == Version(next(iter(release.versions().values())).pop())


def test_no_other_file_says_the_version(root: Path) -> None:
    said = f'"{release.current(root)}"'
    known = {place.file for place in release.PLACES}
    files = [*release.ROOT.glob("*"), *release.ROOT.glob("*/*.toml"), *release.ROOT.glob("deploy/**/*.yaml")]
    texts = [path for path in files if path.suffix in {".toml", ".yaml", ".cff", ""} and path.is_file()]
    assert known >= {
        path.relative_to(release.ROOT).as_posix()
        for path in texts
        if said in path.read_text(errors="replace")
    }


def test_a_release_sets_version_and_changelog_and_tags(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "build_wheels", no_wheels)
    version = after(root)
    release.release(root, version, DAY)
    assert all(found == {version} for found in release.versions(root).values())
    changelog = (root / "CHANGELOG.md").read_text()
    assert f"## Unreleased\n\n## {version} – 2031-05-06\n\n- Cats are scored.\n\n## 0.0.9" in changelog
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "log", "-1", "--format=%s").strip() == f"Release {version}"
    assert "Cats are scored." in git(root, "tag", "-l", "-n9", f"v{version}")
    assert "Dogs" not in git(root, "tag", "-l", "-n9", f"v{version}")


def test_what_was_released_is_not_released_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "build_wheels", no_wheels)
    version = after(root)
    release.release(root, version, DAY)
    with pytest.raises(release.ReleaseError, match="does not come after"):
        release.release(root, version, DAY)


@pytest.mark.parametrize("text", ["", "1", "1.2", "v1.2.0", "1.2.0rc1", "1.2.0+here", "0.0.1", "99.0.0; rm"])
def test_what_is_no_newer_final_version_changes_nothing(root: Path, text: str) -> None:
    before = git(root, "rev-parse", "HEAD")
    with pytest.raises(release.ReleaseError):
        release.release(root, text, DAY)
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == (before, "")


def test_a_tree_with_changes_is_refused(root: Path) -> None:
    version = after(root)
    (root / "notes.txt").write_text("Something.\n")
    with pytest.raises(release.ReleaseError, match=r"not committed yet: notes\.txt"):
        release.release(root, version, DAY)


@pytest.mark.parametrize(
    "changelog", ["# Changelog\n", "# Changelog\n\n## Unreleased\n\n## 0.0.9\n\n- Dogs.\n"]
)
def test_an_empty_changelog_is_refused(root: Path, changelog: str) -> None:
    (root / "CHANGELOG.md").write_text(changelog)
    git(root, "commit", "--quiet", "--all", "--message", "Nothing to say")
    with pytest.raises(release.ReleaseError, match="has nothing under"):
        release.release(root, after(root), DAY)
    assert git(root, "status", "--porcelain") == ""


def test_places_that_do_not_agree_are_refused(root: Path) -> None:
    (root / "CITATION.cff").write_text("version: 77.0.0\n")
    with pytest.raises(release.ReleaseError, match=r"CITATION\.cff 77\.0\.0"):
        release.current(root)


@pytest.mark.slow
@pytest.mark.skipif(not (release.ROOT / ".git").exists(), reason="this is no checkout")
def test_a_release_can_be_made_from_what_is_here(capfd: pytest.CaptureFixture[str]) -> None:
    version = after(release.ROOT)
    with release.copied(release.ROOT) as copy:
        wheels = release.release(copy, version, DAY)
        assert [wheel.name.partition("-")[0] for wheel in wheels] == ["wort", "wort_server", "wort_starter"]
        assert all(wheel.name.split("-")[1] == version for wheel in wheels)
        sums = (line.split() for line in (wheels[0].parent / "SHA256SUMS").read_text().splitlines())
        listed = {name: checksum for checksum, name in sums}
        assert listed == {wheel.name: hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels}
        assert git(copy, "tag").split() == [f"v{version}"]
    assert not copy.exists()
    assert "tagged" in capfd.readouterr().out
