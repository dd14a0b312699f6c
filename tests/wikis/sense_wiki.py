"""A wiki in which one anchor leads to two articles: a jaguar is a cat in some sentences and a car in others.

"Python" is ambiguous by its title as well: a disambiguation page names a snake and a language.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from building.build import build_snapshot, work_folder
from building.engines.local import LocalRunner
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot
from tests.support.building import ROOM
from tests.support.dumps import write_dump
from wiki.dump import Dump
from wiki.page import RawPage

ARTICLES = {
    "Jaguar (animal)": "The [[jaguar (animal)|jaguar]] is a large [[cat]] of the [[forest]]. It hunts "
    "[[deer]] and swims in the [[river]].",
    "Jaguar (car)": "A [[jaguar (car)|jaguar]] is a fast [[car]] with a strong [[engine]]. It is driven on "
    "the [[road]] on four [[wheel]]s.",
    "Cat": "A [[cat]] hunts. The [[Jaguar (animal)|jaguar]] and the [[leopard]] are big cats of "
    "the [[forest]].",
    "Leopard": "The [[leopard]] is a [[cat]] that hunts [[deer]] in the [[forest]], as the [[Jaguar "
    "(animal)|jaguar]] does.",
    "Forest": "In a [[forest]] live the [[deer]], the [[leopard]] and the [[Jaguar (animal)|jaguar]] "
    "by the [[river]].",
    "Deer": "The [[deer]] of the [[forest]] drinks from the [[river]] and fears the [[leopard]].",
    "River": "A [[river]] runs through the [[forest]]. A [[python (snake)|python]] swims in it.",
    "Car": "A [[car]] has an [[engine]] and a [[wheel]] or four. The [[Jaguar (car)|jaguar]] is "
    "one. It needs a [[road]].",
    "Engine": "The [[engine]] of a [[car]] turns each [[wheel]]. That of the [[Jaguar (car)|jaguar]] "
    "is loud.",
    "Wheel": "A [[wheel]] of a [[car]] rolls on the [[road]]; an [[engine]] turns it.",
    "Road": "On the [[road]] a [[Jaguar (car)|jaguar]] overtakes each other [[car]].",
    "Python (snake)": "The [[python (snake)|python]] is a snake of the [[forest]] that eats [[deer]].",
    "Python (language)": "A [[python (language)|python]] program is written as text and run by a machine.",
    "Python": "{{disambiguation}}\n'''Python''' may mean:\n* [[Python (snake)]]\n* [[Python (language)]]",
}


def build_senses(
    folder: Path, encoder: Path | None = None, articles: Mapping[str, str] = ARTICLES
) -> Snapshot:
    """The wiki's snapshot in ``folder``, built from a dump; word vectors are left out."""
    pages = [
        RawPage(number, 0, title, None, text) for number, (title, text) in enumerate(articles.items(), 1)
    ]
    dump = write_dump(folder / "toywiki-20200203-pages-articles.xml", pages)
    target = folder / "senses"
    settings = BuildSettings(minimum_document_frequency=1)
    with LocalRunner(1, ROOM, work_folder(target) / "scratch") as runner:
        return build_snapshot(
            Dump.open(dump), target, runner, settings, without=frozenset({"word2vec"}), encoded_by=encoder
        )
