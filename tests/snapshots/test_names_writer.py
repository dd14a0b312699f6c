"""The file of names and the tries beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import marisa_trie
from hypothesis import given, settings
from hypothesis import strategies as st

from building.names_writer import write_names
from building.writer import SnapshotWriter
from snapshots.naming.names import ARTICLE, DISAMBIGUATION, FILE, NAMES, RECORD, REDIRECT, Names
from wiki.folding import fold

TITLES = st.text(st.sampled_from("aAäÄ_ ß"), min_size=1, max_size=3)
KINDS = st.sampled_from([ARTICLE, REDIRECT, DISAMBIGUATION])
NAMED = st.dictionaries(TITLES, st.tuples(KINDS, st.integers(0, 3)), max_size=12)


def written(folder: Path, names: dict[str, tuple[int, int]]) -> SnapshotWriter:
    rows = [
        {
            "title": title,
            "kind": kind,
            "concept": -1 if kind == DISAMBIGUATION else concept,
            "in_links": len(title),
        }
        for title, (kind, concept) in sorted(names.items(), key=lambda name: name[1])
    ]
    writer = SnapshotWriter(folder / "snapshot")
    write_names(writer, lambda: rows, list, list)
    return writer


def only_meanings(names: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """What a folded title means: its articles' concept if that is one, its redirects' where no article is."""
    meant: dict[str, tuple[int, int]] = {}
    for folded in {fold(title) for title in names} - {""}:
        spelt = [meaning for title, meaning in names.items() if fold(title) == folded]
        for kind in (ARTICLE, REDIRECT):
            concepts = {concept for found, concept in spelt if found == kind}
            if concepts:
                if len(concepts) == 1:
                    meant[folded] = (kind, concepts.pop())
                break
    return meant


@given(NAMED)
@settings(max_examples=30, deadline=None)
def test_variants_are_the_spellings_with_one_meaning(names: dict[str, tuple[int, int]]) -> None:
    with TemporaryDirectory() as folder:
        writer = written(Path(folder), names)
        trie: Any = marisa_trie.RecordTrie(RECORD).mmap(str(writer.folder / "title_variants.marisa"))
        assert dict(trie.items()) == only_meanings(names)


def test_the_same_names_give_the_same_bytes(tmp_path: Path) -> None:
    names = {f"Title {number}": (REDIRECT, number % 7) for number in range(500)}
    first, second = (written(tmp_path / place, names).folder for place in "ab")
    for file in sorted(first.iterdir()):
        assert file.read_bytes() == (second / file.name).read_bytes(), file.name


def test_every_name_is_kept_with_its_folded_form(tmp_path: Path) -> None:
    folder = written(tmp_path, {"Über": (ARTICLE, 1), "Uber": (REDIRECT, 0), "Ubers": (DISAMBIGUATION, 0)})
    rows = list(Names(folder.folder / FILE).rows(NAMES))
    assert [(row["title"], row["folded"], row["concept"]) for row in rows] == [
        ("Über", fold("Über"), 1),
        ("Uber", fold("Uber"), 0),
        ("Ubers", fold("Ubers"), -1),
    ]


def test_what_is_sorted_is_sorted_on_the_disk_of_the_file(tmp_path: Path) -> None:
    """SQLite has one place for all that a process sorts, and says which."""
    seen = []

    def senses() -> list[dict[str, Any]]:
        seen.append(_sorting_place())
        return []

    before = _sorting_place()
    writer = SnapshotWriter(tmp_path / "it's here")
    write_names(writer, list, senses, list)
    assert seen == [str(writer.folder)]
    assert _sorting_place() == before


def _sorting_place() -> str | None:
    with closing(sqlite3.connect(":memory:")) as database:
        found = database.execute("PRAGMA temp_store_directory").fetchone()
        return None if found is None else str(found[0])
