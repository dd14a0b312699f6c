"""Stages: the steps of a build, each finished once and found finished by the next run."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
import pyarrow as pa

from building.engines.runner import BatchMap, Progress, Runner, Task, no_progress, tasks_over
from building.memory import peak_bytes, release_memory, reset_peak
from snapshots.arrays import map_array
from snapshots.manifest import StageEntry
from snapshots.settings import BuildSettings
from wiki.dump import Dump
from wiki.siteinfo import Siteinfo


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a build.

    ``run`` reads the data sets of the stages in ``reads`` and writes its own below ``build.folder(name)``.
    ``settings`` names the fields of ``BuildSettings`` that change what it writes, ``version`` counts the
    changes of its code that do: a finished stage is run again when any of these, or a stage it reads,
    is another.
    """

    name: str
    reads: tuple[str, ...]
    run: Callable[[Build], None]
    settings: tuple[str, ...] = ()
    version: int = 1
    label: str = ""
    unit: str = ""
    """What its progress counts, where that is worth telling."""

    given: Callable[[Build], str | None] | None = None
    """What it rests on besides, of what the build was given; where that is None, there is nothing to do."""

    keeps_pieces: bool = False
    """Whether it knows its own finished pieces by their content, so that another source clears none."""


@dataclass(frozen=True, slots=True)
class GivenEncoder:
    """A sentence encoder to build with: where it is, and which."""

    folder: Path
    name: str
    digest: str
    kind: Literal["onnx", "static"]


@dataclass(slots=True)
class Build:
    """What a stage works with: where, with which engine, under which settings, and with which encoder."""

    dump: Dump
    work: Path
    runner: Runner
    settings: BuildSettings
    progress: Progress = no_progress
    encoder: GivenEncoder | None = None
    entries: list[StageEntry] = field(default_factory=list)

    @property
    def siteinfo(self) -> Siteinfo:
        """What the dump says about its wiki."""
        return self.dump.siteinfo

    def folder(self, stage: str) -> Path:
        """Where the stage of that name keeps its data sets."""
        return self.work / stage

    @property
    def page_ids(self) -> Path:
        """The page ids of the concepts, int64 and ascending, as the stage concepts leaves them."""
        return self.folder("concepts") / "page_ids.npy"

    @property
    def concepts(self) -> int:
        """How many concepts there are."""
        return len(map_array(self.page_ids))

    def map(
        self,
        function: BatchMap,
        over: Path | Sequence[Task],
        output: Path,
        schema: pa.Schema,
        columns: tuple[str, ...] | None = None,
        shown: bool = False,
    ) -> None:
        """Apply ``function`` to a data set, or to ``columns`` of it, or to some tasks (``Runner.map``).

        ``shown``: whether the progress of the build is that of this map.
        """
        tasks = tasks_over(over, columns=columns) if isinstance(over, Path) else over
        total = sum(task.size for task in tasks)
        self.runner.map(function, tasks, output, schema, self.progress if shown else no_progress, total)

    def sql(self, query: str, output: Path, **inputs: Path) -> None:
        """Run ``query`` over the named data sets into ``output``, unless that is there already."""
        if not output.exists():
            self.runner.sql(query, inputs, output, self.progress)


_KEY = "key"
_DONE = "done"


Announce = Callable[[str, str], None]
"""Called with what begins now, and the unit of its progress, or nothing."""


def announce_nothing(label: str, unit: str) -> None:
    """Tell nobody."""


def run_stages(build: Build, stages: Sequence[Stage], source: str, announce: Announce) -> None:
    """Run the stages that are not finished, in order.

    ``source`` identifies the dump. ``announce`` is called before each stage that runs.
    """
    keys: dict[str, str] = {}
    for stage in stages:
        if stage.given is not None and stage.given(build) is None:
            continue
        key = keys[stage.name] = _key(build, stage, [source, *(keys[name] for name in stage.reads)])
        folder = build.folder(stage.name)
        done = folder / _DONE
        if _content(folder / _KEY) != key:
            if stage.keeps_pieces:
                done.unlink(missing_ok=True)
            else:
                shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _KEY).write_text(key)
        if not done.exists():
            announce(stage.label or stage.name, stage.unit)
            build.runner.peak_since_asked()  # of what came before
            reset_peak()
            start = time.monotonic()
            stage.run(build)
            seconds = round(time.monotonic() - start, 3)
            peak = max(peak_bytes(), build.runner.peak_since_asked())
            release_memory()
            entry = StageEntry(stage.name, seconds, peak)
            done.with_suffix(".partial").write_bytes(msgspec.json.encode(entry))
            done.with_suffix(".partial").rename(done)
        build.entries.append(msgspec.json.decode(done.read_bytes(), type=StageEntry))
    whole = sum(entry.seconds for entry in build.entries) or 1.0
    build.entries = [
        msgspec.structs.replace(entry, share=round(entry.seconds / whole, 4)) for entry in build.entries
    ]


def _key(build: Build, stage: Stage, parents: list[str]) -> str:
    chosen = {name: getattr(build.settings, name) for name in stage.settings}
    content = [stage.name, stage.version, chosen, parents]
    if stage.given is not None:
        content.append(stage.given(build))
    return hashlib.blake2b(msgspec.json.encode(content), digest_size=16).hexdigest()


def _content(path: Path) -> str | None:
    return path.read_text() if path.exists() else None
