"""How many redirects, and how many texts of links, other names find again when the redirects are hidden.

``python -m benchmarks.aliases DUMP [FOLDER]`` reads a dump, forgets its redirects and makes the table of
aliases of what is left. A folder of wikitexts, a file a page named by its title, is taken for a dump in the
language that ``--language`` names.
Then it asks for each redirect, and for the text of each link that is no title. Of those names it prints, as
JSON, the share that the aliases answer and answer right (``recall``), the share of the answers that are right
(``precision``), and the share that they call ambiguous with the right concept among the candidates. What
differs from an article's title in case or accents alone is found without aliases, and is left out.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from building.dataset import rows
from building.engines.local import LocalRunner
from building.stage import Build, run_stages
from building.stages import aliases, concepts, links, names, pages
from snapshots.naming.aliases import CERTAIN, Aliases
from snapshots.naming.mentions import mention_of
from snapshots.naming.names import ARTICLE, REDIRECT
from snapshots.settings import BuildSettings
from tests.support.dumps import ENGLISH, write_dump
from wiki.dump import Dump
from wiki.folding import fold
from wiki.page import RawPage
from wiki.siteinfo import Siteinfo

STAGES = (pages.STAGE, concepts.STAGE, links.STAGE, names.STAGE)

_ARTICLES = f"SELECT title, kind, concept, target FROM names WHERE kind = {ARTICLE}"


@dataclass(slots=True)
class Found:
    """What became of some names: how many were asked for, answered, answered right, and called ambiguous."""

    asked: int = 0
    answered: int = 0
    right: int = 0
    ambiguous: int = 0
    among: int = 0
    by_kind: Counter[tuple[str, bool]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def count(self, known: Aliases, name: str, concept: int, times: int = 1) -> None:
        """Ask for a name that stands for a concept, and count the answer so many times."""
        self.asked += times
        candidates = known.named(name)
        if not candidates:
            return
        best = candidates[0]
        if best.share <= CERTAIN:
            self.ambiguous += times
            self.among += times * any(each.concept == concept for each in candidates)
            return
        right = best.concept == concept
        self.answered += times
        self.right += times * right
        for kind in best.kinds:
            self.by_kind[kind, right] += times
        if not right:
            self.wrong.append(f"{name} → {best.concept} ({', '.join(best.kinds)}), not {concept}")

    def figures(self) -> dict[str, object]:
        """The shares, with the counts that they are of."""
        kinds = sorted({kind for kind, _ in self.by_kind})
        return {
            "names": self.asked,
            "recall": round(self.right / max(self.asked, 1), 3),
            "precision": round(self.right / max(self.answered, 1), 3),
            "ambiguous": round(self.ambiguous / max(self.asked, 1), 3),
            "ambiguous_with_the_right_one": round(self.among / max(self.asked, 1), 3),
            "right_by_kind": {kind: self.by_kind[kind, True] for kind in kinds},
            "wrong_by_kind": {kind: self.by_kind[kind, False] for kind in kinds},
        }


def found_again(build: Build, folder: Path) -> dict[str, Found]:
    """What aliases find of redirects and of links' texts; ``folder``: room for the tables."""
    listed = build.folder("concepts") / "names"
    build.sql(_ARTICLES, folder / "articles", names=listed)
    aliases.write_aliases(build, folder, folder / "articles")
    known = Aliases.of_stage(folder)
    found = {"redirects": Found(), "texts of links": Found()}
    all_names = list(rows(listed))
    plain = {fold(name["title"]) for name in all_names if name["kind"] == ARTICLE}
    titled = {mention_of(name["title"], 12) for name in all_names}
    for name in all_names:
        if name["kind"] == REDIRECT and fold(name["title"]) not in plain:
            found["redirects"].count(known, name["title"], name["concept"])
    linked = Counter((row["anchor"], row["target"]) for row in rows(build.folder("links") / "occurrences"))
    for (text, concept), times in linked.items():
        if fold(text) not in plain and mention_of(text, 12) not in titled:
            found["texts of links"].count(known, text, concept, times)
    return found


def dump_of_folder(folder: Path, target: Path, language: str) -> Path:
    """The dump of a folder of wikitexts; pages that the wiki's first line redirects are redirects there."""
    siteinfo = Siteinfo("Wikipedia", f"{language}wiki", language, ENGLISH.case, ENGLISH.namespaces)

    def read() -> Iterable[RawPage]:
        for number, path in enumerate(sorted(folder.rglob("*.mw")), start=1):
            yield RawPage(number, 0, path.stem.replace("_", " "), None, path.read_text(errors="replace"))

    written = [page for page in read() if ":" not in page.title]
    return write_dump(target, written, siteinfo=siteinfo, version="0.5")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--language", default="gd")
    parser.add_argument("--wrong", type=int, default=0, help="wrong answers to print")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as scratch,
        LocalRunner(2, 2_000_000_000, Path(scratch) / "s") as runner,
    ):
        work = Path(scratch)
        path = asked.dump
        if path.is_dir():
            path = dump_of_folder(path, work / "pages.xml", asked.language)
        build = Build(Dump.open(path), work / "work", runner, BuildSettings())
        run_stages(build, STAGES, "measured", lambda *_: None)
        for name, found in found_again(build, work / "aliases").items():
            print(json.dumps({"what": name, **found.figures()}, indent=2))
            titles = {row["concept"]: row["title"] for row in rows(build.folder("concepts") / "articles")}
            for line in found.wrong[: asked.wrong]:
                print("  ", line, titles.get(int(line.rsplit(" ", 1)[1])))


if __name__ == "__main__":
    main()
