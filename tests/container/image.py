"""Images built and run by what Linux itself has: chroot, and namespaces that leave nothing behind.

It stands in for a container engine. What it cannot show: the layers, the image's own format, and the base
image itself, in whose place there is a minimal Debian with its Python.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.container.dockerfile import Instruction, Stage, context, stages

DEBIAN = "bookworm"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NETWORK = ("INDEX_URL", "EXTRA_INDEX_URL", "DEFAULT_TIMEOUT", "PROXY")
"""Settings of this machine's pip that building needs too; they do not get into the image."""


@dataclass(frozen=True)
class Image:
    """A root file system and the configuration that goes with it."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    user: str = "0:0"
    folder: str = "/"


def base(root: Path) -> Path:
    """A minimal Debian with its Python in ``root``, as the base image has it: called ``python``."""
    packages = "--include=python3,python3-venv,ca-certificates"
    command = ["debootstrap", "--variant=minbase", packages, DEBIAN, str(root)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    return root


def build(folder: Path, debian: Path, into: Path) -> Image:
    """The image of ``folder``'s Dockerfile; each stage is executed in a copy of ``debian`` under ``into``."""
    built: dict[str, Image] = {}
    image = Image(debian)
    for number, stage in enumerate(stages(folder / "Dockerfile")):
        root = into / f"stage-{number}"
        subprocess.run(["cp", "-a", "--reflink=auto", str(debian), str(root)], check=True)
        image = _executed(stage, Image(root), folder, built)
        if stage.name is not None:
            built[stage.name] = image
    return image


def _executed(stage: Stage, image: Image, folder: Path, built: dict[str, Image]) -> Image:
    for instruction in stage.instructions:
        match instruction.name:
            case "RUN":
                _run(image, instruction.rest)
            case "COPY":
                _copy(image, instruction, folder, built)
            case "ENV":
                pairs = dict(word.split("=", 1) for word in instruction.words)
                found = {name: _filled(value, image.environment) for name, value in pairs.items()}
                image = replace(image, environment=image.environment | found)
            case "WORKDIR":
                image = replace(image, folder=instruction.rest)
                (image.root / instruction.rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "USER":
                image = replace(image, user=instruction.rest)
    return image


def _filled(value: str, environment: dict[str, str]) -> str:
    return re.sub(r"\$(\w+)", lambda match: environment.get(match[1], ""), value)


def _copy(image: Image, instruction: Instruction, folder: Path, built: dict[str, Image]) -> None:
    *sources, target = instruction.words
    into = image.root / (Path(image.folder) / target).as_posix().lstrip("/")
    if "from" in instruction.options:
        (source,) = sources
        of = built[instruction.options["from"]].root / source.lstrip("/")
        into.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", f"{of}/.", str(into)], check=True)
        return
    files = context(folder)
    for source in sources:
        under = [file for file in files if file.is_relative_to(source)]
        assert under, f"COPY {source}: .dockerignore leaves nothing of it"
        for file in under:
            (into / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(folder / file, into / file)


def _run(image: Image, command: str) -> None:
    """Execute a RUN, with this machine's network and nothing else of it."""
    environment = image.environment | pip_settings()
    mounts = f"mount -t proc proc {image.root}/proc"
    for file in ("resolv.conf", "ssl/certs/ca-certificates.crt"):
        inside = image.root / "etc" / file
        inside.touch()
        mounts += f" && mount --bind /etc/{file} {inside}"
    words = ["chroot", str(image.root), *_as(image, environment), "/bin/sh", "-c", command]
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "sh", "-c", f'{mounts} && exec "$@"', "sh", *words],
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"RUN {command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


def pip_settings() -> dict[str, str]:
    """What this machine's pip is told about where packages come from, as variables."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], check=True, capture_output=True, text=True
    ).stdout
    found = re.findall(r"^(?:global|:env:)\.([a-z-]+)='(.*)'$", listed, re.MULTILINE)
    named = {name.upper().replace("-", "_"): value for name, value in found if "file:" not in value}
    return {f"PIP_{name}": named[name] for name in NETWORK if name in named}


def _as(image: Image, environment: dict[str, str]) -> list[str]:
    """What a command is put after, so that it runs as the image's user, in its folder and environment."""
    user, group = image.user.split(":")
    variables = [f"{name}={value}" for name, value in environment.items()]
    privileges = [] if user == "0" else ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    identity = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", *privileges]
    return ["env", "-i", f"--chdir={image.folder}", *variables, *identity]


class Container:
    """A command that runs in an image: read-only root, /tmp and /data of its own, no network but loopback."""

    def __init__(self, image: Image, command: Sequence[str], **environment: str) -> None:
        user, group = image.user.split(":")
        self.image = replace(image, environment=image.environment | environment)
        root = image.root
        steps = (
            "ip link set lo up",
            f"mount --bind {root} {root}",
            f"mount -o remount,bind,ro {root}",
            f"mount -t proc proc {root}/proc",
            f"mount -t tmpfs -o size=64m,mode=1777 tmpfs {root}/tmp",
            f"mount -t tmpfs -o size=64m tmpfs {root}/dev/shm",
            f"mount -t tmpfs -o uid={user},gid={group} tmpfs {root}/data",
            'exec "$@"',
        )
        inside = ["chroot", str(root), *_as(self.image, self.image.environment), *command]
        namespaces = ["unshare", "--mount", "--pid", "--net", "--ipc", "--fork", "--kill-child"]
        self.process = subprocess.Popen(
            [*namespaces, "sh", "-ec", " && ".join(steps), "sh", *inside],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        while not (found := children.read_text().split()):
            time.sleep(0.01)
        (self.first,) = map(int, found)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """``command``, run in the container beside what it runs."""
        into = ["nsenter", f"--target={self.first}", "--mount", "--pid", "--net", "--ipc"]
        inside = ["chroot", str(self.image.root), *_as(self.image, self.image.environment)]
        return subprocess.run([*into, *inside, *command], check=False, capture_output=True, text=True)

    def stop(self) -> tuple[int, str]:
        """End it as an engine does: the exit status of its first process, and what that wrote as errors."""
        os.kill(self.first, signal.SIGTERM)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said

    def kill(self) -> None:
        """End it at once, if it runs."""
        self.process.kill()
        self.process.communicate()
