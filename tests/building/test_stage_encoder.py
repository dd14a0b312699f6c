"""The encoder stage: its tables hold what the encoder gives of each title and lead, however it is run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from building.build import build_snapshot, work_folder
from building.engines.local import LocalRunner
from building.stages import encoder as stage
from encoders.encoder import open_encoder
from encoders.errors import NotAnEncoder
from encoders.texts import described, opening
from snapshots.scaled import ScaledVectors
from snapshots.snapshot import Snapshot, verify
from tests.building.test_build import LEFT_OUT, SETTINGS, small_wiki
from tests.support.building import ROOM
from tests.support.dumps import write_dump
from tests.support.encoders import write_encoder
from wiki.dump import Dump

WITHOUT = LEFT_OUT | {"esa", "word_pairs", "comentions", "word2vec"}


def built(folder: Path, encoder: Path | None, name: str = "toy", workers: int = 1) -> Snapshot:
    dump = folder / "toywiki-20200203-pages-articles.xml"
    if not dump.exists():
        write_dump(dump, small_wiki())
    target = folder / name
    with LocalRunner(workers, ROOM, work_folder(target) / "scratch") as runner:
        return build_snapshot(
            Dump.open(dump), target, runner, SETTINGS, without=WITHOUT, encoded_by=encoder, keep_work=True
        )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("encoded")
    write_encoder(made / "encoder")
    return made


@pytest.fixture(scope="module")
def snapshot(folder: Path) -> Snapshot:
    return Snapshot.open(built(folder, folder / "encoder").folder)


def test_vectors_are_those_of_titles_and_leads(folder: Path, snapshot: Snapshot) -> None:
    encoder = open_encoder(folder / "encoder")
    titles = [snapshot.concept_titles[concept] for concept in range(snapshot.concepts)]
    of_titles, of_leads = snapshot.scaled("title_vectors"), snapshot.scaled("lead_vectors")
    assert snapshot.manifest.language == "en"
    said = [encoder.encode([title, f"the meaning of {title}"]).sum(0, np.float64) for title in titles]
    expected = ScaledVectors.of(np.array([each / np.linalg.norm(each) for each in said], np.float32))
    assert np.array_equal(of_titles.vectors, expected.vectors)
    assert np.array_equal(of_titles.scales, expected.scales)
    texts = {page.title: page.text.partition("\n\n[[Category")[0] for page in small_wiki()}
    plain = [re.sub(r"\[\[|\]\]|'''", "", texts[title]).split("\n\n") for title in titles]
    leads = encoder.encode(
        [described(title, opening(title, of)) for title, of in zip(titles, plain, strict=True)]
    )
    assert np.array_equal(of_leads.vectors, ScaledVectors.of(leads).vectors)
    assert (of_leads.vectors != of_titles.vectors).any()
    assert verify(snapshot.folder) == []


def test_the_manifest_says_which_encoder(folder: Path, snapshot: Snapshot) -> None:
    encoder = open_encoder(folder / "encoder")
    said = {"name": "toy", "digest": encoder.digest, "kind": encoder.kind}
    assert snapshot.manifest.settings["encoder"] == said


def test_a_build_without_one_has_no_vectors(folder: Path, snapshot: Snapshot) -> None:
    bare = built(folder, None, "bare")
    assert "encoder" not in bare.manifest.settings
    assert not any("vectors" in name for name in bare.manifest.files)
    assert bare.scaled("title_vectors").vectors.shape == (snapshot.concepts, 1)


def test_pieces_that_are_finished_are_not_encoded_again(
    folder: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    work = work_folder(snapshot.folder) / "encoder"
    pieces = sorted((work / "encoded").glob("*.parquet"))
    assert pieces
    kept = [piece.stat().st_mtime_ns for piece in pieces]
    (work / "done").unlink()
    target = snapshot.folder.rename(tmp_path / "toy")
    again = built(folder, folder / "encoder")
    assert [piece.stat().st_mtime_ns for piece in pieces] == kept
    assert again.manifest.files == Snapshot.open(target).manifest.files
    assert again.id == snapshot.id


def test_another_encoder_writes_other_vectors(folder: Path, snapshot: Snapshot) -> None:
    write_encoder(folder / "other", seed=2)
    # The folder of work is that of the first build, whose other stages are not run again.
    work_folder(snapshot.folder).rename(work_folder(folder / "second"))
    second = built(folder, folder / "other", "second")
    assert second.id != snapshot.id
    first = snapshot.scaled("title_vectors")
    assert not np.array_equal(second.scaled("title_vectors").vectors, first.vectors)
    assert [entry.name for entry in second.manifest.stages if entry.name == stage.STAGE.name] == ["encoder"]


def test_what_is_no_encoder_stops_the_build_before_it_begins(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(NotAnEncoder):
        built(folder, tmp_path, "none")
    assert not work_folder(folder / "none").exists() or not any(
        path.name == "pages" for path in work_folder(folder / "none").iterdir()
    )


def test_a_build_that_is_not_whole_has_no_encoder_to_read() -> None:
    with pytest.raises(ValueError, match="no encoder"):
        stage.run(type("Build", (), {"encoder": None})())
