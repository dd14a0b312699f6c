"""From a dump to a snapshot: the stages in order, resumed where an earlier run left off."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from tables.errors import SnapshotError
from tables.manifest import Source, checksum
from tables.runner import Progress, Runner, explained_failures
from tables.settings import BuildSettings
from tables.snapshot import Snapshot, SnapshotWriter
from tables.stage import Association, Build, Stage, run_stages
from tables.stages import (
    anchors,
    assemble,
    categories,
    comentions,
    concepts,
    esa,
    links,
    pages,
    tfidf,
    word2vec,
    word_pairs,
    words,
)
from tables.stages import annotations as annotated_text
from wiki.dump import Dump

STAGES: tuple[Stage, ...] = (
    pages.STAGE,
    concepts.STAGE,
    links.STAGE,
    categories.STAGE,
    words.STAGE,
    tfidf.STAGE,
    esa.STAGE,
    word_pairs.STAGE,
    anchors.STAGE,
    annotated_text.STAGE,
    comentions.STAGE,
    word2vec.STAGE,
    assemble.STAGE,
)
"""Every stage, in the order of the build."""

LICENCE = "CC BY-SA"


def work_folder(target: Path) -> Path:
    """Where a build of ``target`` keeps what is finished."""
    return target.with_name(target.name + ".build")


def build_snapshot(
    dump: Dump,
    target: Path,
    runner: Runner,
    association: Association,
    settings: BuildSettings | None = None,
    *,
    dump_date: str = "",
    without: frozenset[str] = frozenset(),
    announce: Callable[[Stage], None] = lambda stage: None,
    progress: Progress = lambda done, total: None,
    keep_work: bool = False,
) -> Snapshot:
    """Build the snapshot ``target`` from ``dump``.

    ``association`` weighs concept co-occurrence (``features.measures``). ``without`` names stages to leave
    out; their tables read as empty. A build that stops for any reason is resumed by the same call.

    Raises:
        SnapshotError: ``target`` exists.
        BuildError, wiki.errors.DumpError: the build cannot go on; what is finished is kept.
    """
    if target.exists():
        raise SnapshotError(
            f"{target} exists already, and a snapshot is never overwritten. Remove it or name another folder."
        )
    work = work_folder(target)
    settings = settings or BuildSettings()
    build = Build(dump, work, runner, settings, association, progress)
    stages = [stage for stage in STAGES if stage.name not in without]
    with explained_failures(work):
        work.mkdir(parents=True, exist_ok=True)
        source = Source(dump.path.name, dump.size, checksum(dump.path))
        run_stages(build, stages, source.blake2b, announce)
        snapshot = _gathered(build, target, source, dump_date, without)
        if not keep_work:
            shutil.rmtree(work)
    return snapshot


def _gathered(
    build: Build, target: Path, source: Source, dump_date: str, without: frozenset[str]
) -> Snapshot:
    writer = SnapshotWriter(target)
    counts = assemble.gather(build, writer)
    siteinfo = build.siteinfo
    wiki = siteinfo.dbname or source.name.split("-")[0]
    date = dump_date or date_in_name(source.name)
    return writer.finish(
        lambda digest: {
            "id": "-".join(part for part in (wiki, date.replace("-", ""), digest) if part),
            "wiki": wiki,
            "language": siteinfo.language,
            "dump_date": date,
            "siteinfo": siteinfo.to_json(),
            "sources": [source],
            "settings": msgspec.to_builtins(build.settings) | {"without": sorted(without)},
            "counts": counts,
            "licence": LICENCE,
            "attribution": attribution(siteinfo.sitename, wiki, date),
            "stages": build.entries,
        }
    )


def date_in_name(name: str) -> str:
    """The date that a dump's file name states, as YYYY-MM-DD, or nothing."""
    found = re.search(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)", name)
    return "-".join(found.groups()) if found else ""


def attribution(sitename: str, wiki: str, date: str) -> str:
    """Whose work the tables were computed from."""
    dated = f" of {date}" if date else ""
    return (
        f"Computed from the {wiki} dump{dated} of {sitename}. "
        "Its text is by its contributors, under CC BY-SA and the GFDL."
    )
