"""The toy wiki with everything that serving needs: names, redirects, an ambiguous title, and a model."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import uvicorn
from fastapi import FastAPI

from app.scoring.concepts import Scorer
from app.service import create_app
from app.settings import Settings
from app.web.connection import Connection
from building.names_writer import write_names
from building.writer import SnapshotWriter
from features.catalogue import OF_WORT, SIGNATURES
from features.terms.catalogue import TERM_FEATURE_NAMES, TERM_FEATURES
from models.linear import LinearModel
from models.protocol import Coefficient, TrainingSet
from snapshots.naming.names import ARTICLE, DISAMBIGUATION, REDIRECT
from tests.wikis.small_wiki import SmallWiki, write_snapshot
from tests.wikis.toy import TITLES, TOY, concept
from wiki.siteinfo import FIRST_LETTER, Namespace, Siteinfo

REDIRECTS = {"Felis catus": "Cat", "Mus": "House mouse"}
AMBIGUOUS = {"Mouse": ("House mouse", "Computer mouse"), "Keyboard": ()}
SITE = Siteinfo("Toy", "toywiki", "en", FIRST_LETTER, (Namespace(0, ""), Namespace(14, "Category")))


def page_id(title: str) -> int:
    """The page id of the toy's article ``title``."""
    return 100 + 7 * concept(title)


def served_snapshot(
    folder: Path,
    wiki: SmallWiki = TOY,
    titles: Sequence[str] = TITLES,
    redirects: Mapping[str, str] = MappingProxyType(REDIRECTS),
    **more: Any,
) -> Path:
    """The toy wiki, or one with its titles, as a snapshot that can be asked by title, in ``folder``.

    ``titles``: what its concepts are called; ``redirects``: other names, and the toy's title of each.
    ``more``: what its manifest says besides.
    """
    bare = write_snapshot(wiki, folder.with_name(folder.name + "-bare"))
    writer = SnapshotWriter(folder)
    for name in bare.manifest.files:
        shutil.copy(bare.folder / name, writer.file(name))
    # The writer knows of the tables that it wrote itself; these were copied.
    writer._tables.update(bare.manifest.tables)
    names = [
        *({"title": t, "kind": ARTICLE, "concept": i, "in_links": 20 - i} for i, t in enumerate(titles)),
        *(
            {"title": t, "kind": REDIRECT, "concept": concept(to), "in_links": 1}
            for t, to in redirects.items()
        ),
        *({"title": t, "kind": DISAMBIGUATION, "concept": -1, "in_links": 0} for t in AMBIGUOUS),
    ]
    senses = [
        {"title": title, "rank": rank, "concept": concept(sense)}
        for title, meant in AMBIGUOUS.items()
        for rank, sense in enumerate(meant)
    ]
    writer.trie("words", "<I", [(word, (number,)) for number, word in enumerate(wiki.words)])
    write_names(writer, lambda: names, lambda: senses, lambda: [])
    manifest = msgspec.structs.asdict(bare.manifest)
    known = ("wiki", "language", "dump_date", "sources", "settings", "counts", "licence", "attribution")
    facts = {name: manifest[name] for name in known}
    writer.finish(lambda digest: {"id": f"toy-{digest}", "siteinfo": SITE.to_json(), **facts, **more})
    return folder


def toy_model(path: Path, snapshot: str, intercept: float = 0.1) -> Path:
    """A model with a different weight for each feature, one of them negative, trained on ``snapshot``."""
    coefficients = tuple(
        Coefficient(name, "identity", 0.01 * (number + 1) * (-1 if number == 1 else 1))
        for number, name in enumerate(OF_WORT)
    )
    LinearModel(
        name="toy",
        features=SIGNATURES[: len(OF_WORT)],
        coefficients=coefficients,
        intercept=intercept,
        trained_on=TrainingSet("made up", "00", 0, 0, 0),
        snapshot=snapshot,
        metrics={},
        cross_validation=(),
        created="2001-01-15T00:00:00+00:00",
        code_version="0",
    ).save(path)
    return path


def toy_term_model(path: Path, snapshot: str) -> Path:
    """A model of free terms with a different weight for each feature."""
    coefficients = tuple(
        Coefficient(name, "identity", 0.01 * (number + 1)) for number, name in enumerate(TERM_FEATURE_NAMES)
    )
    LinearModel(
        name="toy-terms",
        features=tuple(feature.signature for feature in TERM_FEATURES),
        coefficients=coefficients,
        intercept=0.05,
        trained_on=TrainingSet("made up", "00", 0, 0, 0),
        snapshot=snapshot,
        metrics={},
        cross_validation=(),
        created="2001-01-15T00:00:00+00:00",
        code_version="0",
    ).save(path)
    return path


def toy_files(folder: Path) -> tuple[Path, Path]:
    """A snapshot and a model trained on it, both in ``folder``."""
    snapshot = served_snapshot(folder / "snapshot")
    identity = msgspec.json.decode((snapshot / "manifest.json").read_bytes())["id"]
    return snapshot, toy_model(folder / "model.json", identity)


def toy_scorer(folder: Path) -> Scorer:
    """The scorer of the toy's files, written to ``folder``."""
    return Scorer.open(*toy_files(folder))


@contextmanager
def serving(app: FastAPI, warm: bool = True, **options: Any) -> Iterator[str]:
    """The address at which a real server serves ``app`` until the block ends; at first ``warm`` or not.

    ``options``: more of uvicorn's.
    """
    # As ``wort serve`` has it; some applications are made by a test, and have no settings.
    settings = getattr(app.state, "settings", None) or Settings()
    options.setdefault("http", partial(Connection, send_seconds=settings.send_seconds))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, access_log=False, **options))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started or (warm and not app.state.ready):
            time.sleep(0.01)
            assert thread.is_alive()
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def toy_app(folder: Path, **settings: Any) -> FastAPI:
    """The service over the toy wiki, written to ``folder``, with some ``settings``."""
    return create_app(Settings(**settings), toy_scorer(folder))
