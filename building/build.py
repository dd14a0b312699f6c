"""From a dump to a snapshot: the stages in order, resumed where an earlier run left off."""

from __future__ import annotations

import fcntl
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from building.assembly import NEEDED, assemble
from building.engines.failures import explained_failures
from building.engines.runner import Progress, Runner, no_progress
from building.stage import Announce, Build, GivenEncoder, Stage, announce_nothing, run_stages
from building.stages import (
    aliases,
    anchors,
    categories,
    comentions,
    concepts,
    encoder,
    esa,
    links,
    names,
    pages,
    tfidf,
    word2vec,
    word_pairs,
    words,
)
from building.stages import annotations as annotated_text
from building.stop_words import recorded
from building.target import check_target
from building.writer import SnapshotWriter
from encoders.encoder import open_encoder
from snapshots.arrays import map_array
from snapshots.errors import BuildError
from snapshots.layout import TABLES, Table
from snapshots.manifest import DumpFile, checksum
from snapshots.page_ids import PageIds
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot
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
    encoder.STAGE,
    names.STAGE,
    aliases.STAGE,
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
    settings: BuildSettings | None = None,
    *,
    dump_date: str = "",
    works: Sequence[str] = (),
    invented_ids_from: int | None = None,
    without: frozenset[str] = frozenset(),
    encoded_by: Path | None = None,
    announce: Announce = announce_nothing,
    progress: Progress = no_progress,
    keep_work: bool = False,
    stages: Sequence[Stage] = STAGES,
    tables: Sequence[Table] = TABLES,
) -> Snapshot:
    """Build the snapshot ``target`` from ``dump``: the ``tables``, by the ``stages``.

    ``works`` and ``invented_ids_from`` are what ``Manifest`` says of a dump that was assembled. ``without``
    names stages to leave out; their tables read as empty. ``encoded_by`` is the folder of a sentence encoder,
    without which the tables of vectors of titles and leads are left out. A build that stops for any reason is
    resumed by the same call.

    Raises:
        SnapshotError: ``target`` exists.
        BuildError: a stage that is left out is needed, or another build of ``target`` is running.
        EncoderError: the encoder cannot be used.
        BuildError, wiki.errors.DumpError: the build cannot go on; what is finished is kept.
    """
    check_left_out(without, stages)
    check_target(target)
    work = work_folder(target)
    settings = settings or BuildSettings()
    build = Build(dump, work, runner, settings, progress, encoder=encoder_in(encoded_by))
    with explained_failures(work), _alone(work):
        check_target(target)  # another build may have ended just now
        announce("Checking the dump", "bytes")
        source = DumpFile(dump.path.name, dump.size, checksum(dump.path, progress))
        chosen = [stage for stage in stages if stage.name not in without]
        run_stages(build, chosen, source.blake2b, announce)
        announce("Gathering the tables", "")
        writer = SnapshotWriter(target, tables)
        counts = assemble(build, writer, tables)
        snapshot = _finished(writer, build, counts, source, dump_date, works, invented_ids_from, without)
        if not keep_work:
            shutil.rmtree(work)
    return snapshot


def encoder_in(folder: Path | None) -> GivenEncoder | None:
    """The encoder in a folder, which is opened once, so that what is wrong with it is known before a build.

    Raises:
        EncoderError: it cannot be used.
    """
    if folder is None:
        return None
    opened = open_encoder(folder)
    return GivenEncoder(folder, opened.name, opened.digest, opened.kind)


def described(given: GivenEncoder) -> dict[str, str]:
    """What a manifest says of the encoder that vectors were made with."""
    return {"name": given.name, "digest": given.digest, "kind": given.kind}


def left_out_with(stages: Sequence[Stage] = STAGES) -> dict[str, frozenset[str]]:
    """The stages that may be left out, each with those that must then be left out too: its readers."""
    needed = set(NEEDED)
    readers: dict[str, frozenset[str]] = {}
    for stage in reversed(stages):  # readers come after what they read
        if stage.name in needed:
            needed |= set(stage.reads)
            continue
        direct = {reader.name for reader in stages if stage.name in reader.reads}
        readers[stage.name] = frozenset(direct).union(*(readers[name] for name in direct))
    return {stage.name: readers[stage.name] for stage in stages if stage.name in readers}


def check_left_out(without: frozenset[str], stages: Sequence[Stage] = STAGES) -> None:
    """Check that a build can do without some stages.

    Raises:
        BuildError: it cannot; the message says what it can do without.
    """
    possible = left_out_with(stages)
    listed = ", ".join(
        name + (f" (only with {' and '.join(sorted(readers))})" if readers else "")
        for name, readers in possible.items()
    )
    for name in sorted(without):
        if name not in possible or not possible[name] <= without:
            known = name in {stage.name for stage in stages}
            reason = "what is kept needs it" if known else "there is no such stage"
            raise BuildError(f"The stage {name} cannot be left out: {reason}. What can be: {listed}.")


@contextmanager
def _alone(work: Path) -> Iterator[None]:
    """Keep other builds away from the folder ``work``, which is made if it is not there."""
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildError(
                f"Another build is at work in {work}. Wait for it to end, or name another folder."
            ) from None
        yield


def _finished(
    writer: SnapshotWriter,
    build: Build,
    counts: dict[str, int],
    source: DumpFile,
    dump_date: str,
    works: Sequence[str],
    invented_ids_from: int | None,
    without: frozenset[str],
) -> Snapshot:
    counts["invented_ids"] = PageIds(map_array(build.page_ids), invented_ids_from).invented
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
            "settings": msgspec.to_builtins(build.settings)
            | recorded(siteinfo.language)
            | ({} if build.encoder is None else {"encoder": described(build.encoder)})
            | {"without": sorted(without)},
            "counts": counts,
            "licence": LICENCE,
            "attribution": attribution(siteinfo.sitename, wiki, date, works),
            "works": list(works),
            "invented_ids_from": invented_ids_from,
            "stages": build.entries,
        }
    )


def date_in_name(name: str) -> str:
    """The date that a dump's file name states, as YYYY-MM-DD, or nothing."""
    match = re.search(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)", name)
    return "-".join(match.groups()) if match else ""


def attribution(sitename: str, wiki: str, date: str, works: Sequence[str] = ()) -> str:
    """Whose work the tables were computed from: the ``works`` that are named, else the wiki's alone."""
    if works:
        return (
            f"Computed from {'; '.join(works)}. "
            "The texts are by their contributors, under CC BY-SA and the GFDL."
        )
    dated = f" of {date}" if date else ""
    return (
        f"Computed from the {wiki} dump{dated} of {sitename}. "
        "Its text is by its contributors, under CC BY-SA and the GFDL."
    )
