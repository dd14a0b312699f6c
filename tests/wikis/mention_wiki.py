"""A wiki of a few sentences in which one word has two senses, built up to its co-mentions.

Mercury is a planet beside the Sun and Venus, and an element beside metal and iron; only the context says
which. The name "quicksilver" is a redirect.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.dataset as ds

from building.engines.local import LocalRunner
from building.stage import Build
from building.stages import anchors, comentions, concepts, links
from building.stages.annotations import STAGE as ANNOTATIONS
from snapshots.settings import BuildSettings
from tests.support.building import ROOM
from tests.support.pages import page, write_pages
from wiki.siteinfo import Namespace, Siteinfo

SITEINFO = Siteinfo("Toy", "toywiki", "en", "first-letter", (Namespace(0, ""), Namespace(10, "Template")))

ARTICLES = {
    "Sun": [
        "The [[planet]] [[Mercury (planet)|Mercury]] is near the sun.",
        "Metals melt. Mercury boils.",
    ],
    "Planet": ["Round the [[Sun]] go [[Mercury (planet)|Mercury]] and [[Venus]].", "A planet, not a star."],
    "Mercury (planet)": ["A [[planet]] near the [[Sun]].", "Mercury is hot; Venus is hotter than Mercury."],
    "Mercury (element)": ["A liquid [[metal]], unlike [[iron]].", "It is also called quicksilver."],
    "Metal": ["[[Iron]] and [[Mercury (element)|mercury]] are metals.", "A metal."],
    "Iron": ["A [[metal]] that mercury leaves alone.", "Iron is found in the sun."],
    "Venus": ["The second [[planet]] of the [[Sun]], after [[Mercury (planet)|Mercury]]."],
    "Thermometer": ["Filled with [[Mercury (element)|mercury]], a [[metal]], and not with [[iron]]."],
    "Amalgam": ["[[Metal]] in [[quicksilver]].", "Thermometers hold none.", ""],
}
REDIRECTS = {"Quicksilver": "Mercury (element)", "Sol": "Sun"}

_LINK = re.compile(r"\[\[([^|\]]*)\|?([^\]]*)\]\]")


def article(page_id: int, title: str, paragraphs: list[str]) -> dict[str, Any]:
    """A row of the pages data set, from paragraphs with links in double brackets."""
    texts, found = [], []
    for number, marked in enumerate(paragraphs):
        text = ""
        end = 0
        for link in _LINK.finditer(marked):
            text += marked[end : link.start()]
            target, anchor = link[1][:1].upper() + link[1][1:], link[2] or link[1]
            found.append({"target": target, "anchor": anchor, "paragraph": number, "start": len(text)})
            text += anchor
            end = link.end()
        texts.append(text + marked[end:])
    return page(page_id, title, paragraphs=texts, links=found)


ROWS = [article(i, title, paragraphs) for i, (title, paragraphs) in enumerate(ARTICLES.items())] + [
    page(100 + i, title, redirect=target) for i, (title, target) in enumerate(REDIRECTS.items())
]
TITLES = list(ARTICLES)
CONCEPT = {title: concept for concept, title in enumerate(TITLES)}
TEXTS = {row["title"]: row["paragraphs"] for row in ROWS[: len(TITLES)]}
LINKS = [
    (source, CONCEPT[REDIRECTS.get(link["target"], link["target"])], link)
    for source, row in enumerate(ROWS[: len(TITLES)])
    for link in row["links"]
]
"""Every link: source, target, and the link as the pages data set has it."""


def build_mentions(work: Path, settings: BuildSettings) -> Build:
    """The wiki's stages from concepts to co-mentions, run in ``work``."""
    write_pages(work, ROWS)
    with LocalRunner(1, ROOM, work / "scratch") as runner:
        dump: Any = SimpleNamespace(siteinfo=SITEINFO)
        build = Build(dump, work, runner, settings)
        for stage in (concepts.STAGE, links.STAGE, anchors.STAGE, ANNOTATIONS, comentions.STAGE):
            build.folder(stage.name).mkdir()
            stage.run(build)
    return build


def rows(build: Build, *path: str) -> list[dict[str, Any]]:
    """The rows of a data set of the build."""
    listed: list[dict[str, Any]] = ds.dataset(build.work.joinpath(*path)).to_table().to_pylist()
    return listed
