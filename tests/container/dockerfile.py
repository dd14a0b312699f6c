"""A Dockerfile and its .dockerignore, read as far as this project's need it; what is not known is refused."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

KNOWN = {
    "FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "LABEL", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL",
    "ENTRYPOINT", "CMD",
}  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    """One instruction: its name in capitals, its ``--options``, and the rest of it."""

    name: str
    options: dict[str, str]
    rest: str

    @property
    def words(self) -> list[str]:
        """The rest as words: a JSON list as it stands, else as the shell would split it."""
        if self.rest.startswith("["):
            words: list[str] = json.loads(self.rest)
            return words
        return shlex.split(self.rest)


@dataclass
class Stage:
    """What begins with a FROM: an image, perhaps a name, and instructions."""

    image: str
    name: str | None
    instructions: list[Instruction] = field(default_factory=list)

    def last(self, name: str) -> Instruction:
        """The instruction ``name`` that holds: the last of them."""
        return next(entry for entry in reversed(self.instructions) if entry.name == name)

    @property
    def healthcheck(self) -> list[str]:
        """The command that says whether a container is healthy."""
        _, command = self.last("HEALTHCHECK").rest.split(maxsplit=1)
        return Instruction("CMD", {}, command).words


def stages(path: Path) -> list[Stage]:
    """The stages of the Dockerfile at ``path``.

    Raises:
        ValueError: it has an instruction that nothing here executes.
    """
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    found: list[Stage] = []
    for text in filter(str.strip, re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()):
        name, rest = text.split(maxsplit=1)
        if name not in KNOWN:
            raise ValueError(f"{path} has {name}, which is not executed here. Add it to tests/container.")
        if name == "FROM":
            image, *named = rest.split()
            found.append(Stage(image, named[1] if named else None))
            continue
        options = {}
        while match := re.match(r"--([a-z-]+)=(\S+)\s+", rest):
            options[match[1]] = match[2]
            rest = rest[match.end() :]
        found[-1].instructions.append(Instruction(name, options, rest.strip()))
    return found


def context(folder: Path) -> list[Path]:
    """The files of ``folder``, relative to it, that its .dockerignore lets into the image's context."""
    patterns = [line.strip() for line in (folder / ".dockerignore").read_text().splitlines() if line.strip()]
    found: list[Path] = []
    pending = [folder]
    while pending:
        for path in sorted(pending.pop().iterdir()):
            relative = path.relative_to(folder)
            if path.is_dir():
                if not _ignored(relative, patterns) or _holds_wanted(relative, patterns):
                    pending.append(path)
            elif not _ignored(relative, patterns):
                found.append(relative)
    return sorted(found)


def _ignored(path: Path, patterns: list[str]) -> bool:
    """Whether the last pattern that fits ``path`` or a folder above it leaves it out."""
    ignored = False
    for pattern in patterns:
        wanted = pattern.startswith("!")
        if any(_fits(part, pattern.removeprefix("!")) for part in (path, *path.parents)):
            ignored = not wanted
    return ignored


def _holds_wanted(folder: Path, patterns: list[str]) -> bool:
    """Whether a pattern takes up again something within ``folder``, which is itself left out."""
    return any(pattern.startswith(f"!{folder.as_posix()}/") for pattern in patterns)


def _fits(path: Path, pattern: str) -> bool:
    expression = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return path != Path() and re.fullmatch(expression, path.as_posix()) is not None
