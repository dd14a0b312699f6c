"""A small wiki with names: its titles, ambiguous ones, and a mention dictionary, each as the test says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import marisa_trie
import msgspec
import numpy as np

from building.names_writer import write_names
from building.writer import SnapshotWriter
from snapshots.annotator.annotator import TRIE
from snapshots.naming.names import ARTICLE, DISAMBIGUATION
from snapshots.snapshot import Snapshot
from tests.support.csr import csr_of_mappings
from tests.support.served import SITE
from tests.wikis.small_wiki import SmallWiki, write_snapshot

Dictionary = Mapping[str, Mapping[int, float]]
"""Mentions in the form of the dictionary, and the commonness of each one's concepts."""


def named_snapshot(
    folder: Path, wiki: SmallWiki, ambiguous: Mapping[str, Sequence[int]], mentions: Dictionary
) -> Snapshot:
    """The wiki's snapshot in ``folder``; ``ambiguous``: the concepts that each disambiguation page names."""
    bare = write_snapshot(wiki, folder / "bare")
    writer = SnapshotWriter(folder / "snapshot")
    for file in bare.manifest.files:
        writer.adopt_file(bare.folder / file, file)
    # The writer knows of the tables that it writes itself; these were taken over.
    writer._tables.update(bare.manifest.tables)
    names = [
        *({"title": t, "kind": ARTICLE, "concept": i, "in_links": 9} for i, t in enumerate(wiki.titles)),
        *({"title": t, "kind": DISAMBIGUATION, "concept": -1, "in_links": 0} for t in ambiguous),
    ]
    senses = [
        {"title": title, "rank": rank, "concept": concept}
        for title, concepts in ambiguous.items()
        for rank, concept in enumerate(concepts)
    ]
    write_names(writer, lambda: names, lambda: senses, lambda: [])
    writer.trie("words", "<I", [(word, (number,)) for number, word in enumerate(wiki.words)])
    dictionary = marisa_trie.Trie(mentions)
    dictionary.save(str(writer.file(TRIE)))
    rows = [mentions[dictionary.restore_key(number)] for number in range(len(dictionary))]
    writer.csr("senses", csr_of_mappings([dict(row) for row in rows], wiki.universe))
    writer.array("link_probability", np.full(len(rows), 0.5, np.float32))
    facts = msgspec.structs.asdict(bare.manifest)
    known = ("wiki", "language", "dump_date", "sources", "settings", "counts", "licence", "attribution")
    counts = {**facts["counts"], "mentions": len(rows)}
    writer.finish(
        lambda digest: {
            **{name: facts[name] for name in known},
            "id": f"named-{digest}",
            "siteinfo": SITE.to_json(),
            "counts": counts,
        }
    )
    return Snapshot.open(folder / "snapshot")
