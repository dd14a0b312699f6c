"""A run that was stopped goes on where it was, and nobody can tell from the output."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from io import FileIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.batch.files.formats import Format, format_of
from app.batch.files.rows import Position
from app.batch.partial import Partial
from app.batch.results import ConceptRowScorer
from app.batch.scoring import ScoringJob, provenance_path, run
from app.errors import OutputBusy
from app.scoring.concepts import Scorer
from tests.app.batch.test_batch import Recorder, write
from tests.app.batch.test_batch import job as job_of
from tests.support.served import toy_files, toy_scorer
from tests.wikis.toy import TITLES

ROWS = 10


class Stopped(Exception):
    """What a stopper raises."""


class Stopper(Recorder):
    """Stops the run after some chunks."""

    def __init__(self, chunks: int) -> None:
        super().__init__()
        self.left = chunks

    def advance(self, position: Position, counts: Counter[str]) -> None:
        super().advance(position, counts)
        self.left -= 1
        if not self.left:
            raise Stopped


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("resume"))


def job(source: Path, output: Path, **options: Any) -> ScoringJob:
    """A job of small chunks."""
    return job_of(source, output, chunk_rows=ROWS, **options)


def make_source(path: Path) -> Path:
    rows = [
        {"left": left, "right": right, "note": f'a "quoted"\n{number}'}
        for number, (left, right) in enumerate((a, b) for a in (*TITLES, "", "Mouse") for b in TITLES[:4])
    ]
    write(path, rows)
    return path


@pytest.mark.parametrize("output_format", list(Format))
@pytest.mark.parametrize("source_format", list(Format))
def test_stopped_after_any_chunk(
    scorer: Scorer, tmp_path: Path, source_format: Format, output_format: Format
) -> None:
    source = make_source(tmp_path / f"pairs.{source_format}")
    whole = job(source, tmp_path / f"whole.{output_format}")
    expected = run(whole, ConceptRowScorer(scorer), Recorder())
    output = tmp_path / f"out.{output_format}"
    partial = tmp_path / f"out.{output_format}.partial"
    for chunks in (1, 2, 5):
        again = job(source, output)
        stopper, second, last = Stopper(chunks), Stopper(1), Recorder()
        with pytest.raises(Stopped):
            run(again, ConceptRowScorer(scorer), stopper)
        assert not output.exists()
        # What a killed process may have written beyond what its state speaks of.
        with partial.open("ab") as file:
            file.write(b"half a r")
        with pytest.raises(Stopped):
            run(again, ConceptRowScorer(scorer), second)
        assert second.resumed == stopper.positions[-1]
        assert run(again, ConceptRowScorer(scorer), last) == expected
        assert last.resumed == second.positions[-1]
        assert output.read_bytes() == whole.output.read_bytes()
        outputs = [output, whole.output]
        told = [] if output_format is Format.PARQUET else list(map(provenance_path, outputs))
        assert set(tmp_path.iterdir()) == {source, *outputs, *told}
        assert len({path.read_bytes() for path in told}) <= 1
        output.unlink()


def test_rows_groups_are_the_same_however_chunks_fell(scorer: Scorer, tmp_path: Path) -> None:
    source = make_source(tmp_path / "pairs.csv")
    run(job(source, tmp_path / "out.parquet", group_rows=16), ConceptRowScorer(scorer), Recorder())
    written = pq.ParquetFile(tmp_path / "out.parquet").metadata
    assert [written.row_group(group).num_rows for group in range(written.num_row_groups)] == [16, 16, 16, 8]


def test_parquet_in_several_row_groups_goes_on_within_one(scorer: Scorer, tmp_path: Path) -> None:
    source = tmp_path / "pairs.parquet"
    pairs = [(left, right) for left in TITLES for right in TITLES]
    pq.write_table(
        pa.table({"left": [a for a, _ in pairs], "right": [b for _, b in pairs]}), source, row_group_size=7
    )
    run(job(source, tmp_path / "whole.csv"), ConceptRowScorer(scorer), Recorder())
    with pytest.raises(Stopped):
        run(job(source, tmp_path / "out.csv"), ConceptRowScorer(scorer), Stopper(3))
    run(job(source, tmp_path / "out.csv"), ConceptRowScorer(scorer), Recorder())
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_another_job_begins_anew(scorer: Scorer, tmp_path: Path) -> None:
    source, output = make_source(tmp_path / "pairs.csv"), tmp_path / "out.csv"

    def stop() -> None:
        with pytest.raises(Stopped):
            run(job(source, output), ConceptRowScorer(scorer), Stopper(2))

    def resumed(again: ScoringJob) -> Position | None:
        recorder = Recorder()
        run(again, ConceptRowScorer(scorer), recorder, force=True)
        return recorder.resumed

    stop()
    assert resumed(job(source, output, explain=True)) is None
    output.unlink()
    stop()
    source.write_bytes(source.read_bytes().replace(b"Cat", b"Dog"))
    os.utime(source, ns=(1, 1))
    assert resumed(job(source, output)) is None
    assert b"Cat" not in output.read_bytes()
    output.unlink()
    stop()
    (tmp_path / "out.csv.partial").write_bytes(b"shorter than its state says")
    assert resumed(job(source, output)) is None
    output.unlink()
    stop()
    (tmp_path / "out.csv.partial.state").write_bytes(b'{"job": "cut o')
    assert resumed(job(source, output)) is None


def test_two_runs_do_not_write_one_output(scorer: Scorer, tmp_path: Path) -> None:
    source, output = make_source(tmp_path / "pairs.csv"), tmp_path / "out.csv"

    class Second(Recorder):
        def advance(self, position: Position, counts: Counter[str]) -> None:
            with pytest.raises(OutputBusy):
                run(job(source, output), ConceptRowScorer(scorer), Recorder())
            super().advance(position, counts)

    recorder = Second()
    counts = run(job(source, output), ConceptRowScorer(scorer), recorder)
    assert len(recorder.positions) == 6
    assert counts.total() == 56


def test_an_output_that_was_finished_meanwhile_is_left_alone(
    scorer: Scorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other run moves its file to its place after this one has opened it, and before it is locked."""
    output, partial = tmp_path / "out.csv", tmp_path / "out.csv.partial"
    partial.write_bytes(b"a whole answer")
    lock = fcntl.flock

    def finish_and_lock(file: FileIO, operation: int) -> None:
        if not output.exists():
            partial.rename(output)
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", finish_and_lock)
    growing = Partial(output, "a job")
    growing.append(b"another answer", None, {})
    assert output.read_bytes() == b"a whole answer"
    assert partial.read_bytes() == b"another answer"
    with pytest.raises(OutputBusy):
        Partial(output, "a job")
    growing.close()


@pytest.mark.slow
def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    """The command itself, killed without warning again and again until it is through."""
    snapshot, model = toy_files(tmp_path)
    source = tmp_path / "pairs.csv"
    line = b"".join(f"{left},{right}\n".encode() for left in TITLES for right in TITLES)
    source.write_bytes(b"left,right\n" + line * 100)
    options = ["--snapshot", str(snapshot), "--model", str(model), "--explain", "--quiet"]
    command = [sys.executable, "-m", "app.cli", "score", str(source), *options, "-o"]
    subprocess.run([*command, str(tmp_path / "whole.csv")], check=True, capture_output=True)
    output = tmp_path / "out.csv"
    state = tmp_path / "out.csv.partial.state"
    kills = 0
    while not output.exists():
        before = state.read_bytes() if state.exists() else b""
        with subprocess.Popen([*command, str(output)], stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and kills < 2:
                now = state.read_bytes() if state.exists() else b""
                if now != before and b'"ok"' in now:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
                    break
                time.sleep(0.002)
    assert kills == 2
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert format_of(output) is Format.CSV
