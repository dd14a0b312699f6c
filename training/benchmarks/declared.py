"""Benchmarks as declared data: one TOML file each, those that ship and a person's own alike.

A declaration says what a benchmark is, which files hold it as its authors release them, how these are laid
out, and what must be found in them. Files are looked for and never fetched.
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from models.given import content_of
from training.benchmarks.judgements import BenchmarkKind
from training.errors import NotABenchmark

Layout = Literal["delimited", "json-lines", "word", "tr9856", "tr9856-json", "lp50", "kore"]
"""How a file is laid out: the name of its reader."""

Record = tuple[str, str, float]
"""The two sides of a pair and its score."""

DECLARATIONS = Path(__file__).parent / "declarations"
"""The folder of the declarations that ship."""

_KINDS_OF: dict[str, tuple[BenchmarkKind, ...]] = {"lp50": ("documents",), "kore": ("rankings",)}
"""The kinds that a layout can hold; any other layout holds concepts or terms."""

_JSON_LINES = frozenset({".jsonl", ".ndjson"})

_OF_ONE_FORM = frozenset({"files", "checksum", "first", "last", "beside", "alternates"})
"""What an alternate form does not take from the main one."""


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a benchmark is and how its files are read. All but ``name`` and ``files`` can be left out.

    Attributes:
        name: what ``--benchmark`` takes.
        files: names or relative paths of the file that holds the judgements; the first that is found is read.
        title: its name in full.
        version: of the data.
        kind: what a row holds: two concepts, two free terms, two documents, or a seed with ranked concepts.
        language: the language of its titles and terms, as Wikipedia's hosts have it; None if unknown.
        licence: the terms under which its authors released it.
        citation: the paper to cite.
        source: where to get it.
        layout: the reader; None for the one that the file's suffix tells.
        beside: files that must lie in the same folder, each with its checksum or "" where that is unknown.
        low: the lowest score that may stand in a row.
        high: the highest.
        rows: exactly how many pairs, or ranked concepts; None where any number will do.
        splits: exactly how many of them are marked Train and Test, where they are marked.
        absent: what stands for a side that has no article; pairs with one are counted and left out.
        columns: the columns in their order; where there is a header, those that it must name.
        left: the column of one side.
        right: the column of the other.
        score: the column of the score.
        topic: the column of the topic, "" for none.
        delimiter: what separates columns, "whitespace" for any run of blanks; None for the suffix's.
        header: whether the first line names the columns.
        encoding: of the text.
        tag: what separates a word from a part of speech that is written behind it, "" for none.
        checksum: BLAKE2b-256 of the file that was declared, in hex.
        first: the first record.
        last: the last record.
        shares: names of shipped benchmarks that judge the same pairs, a fifth or more of those of the smaller
            one; said by one of the two.
        alternates: further forms of the same data: tables of what differs from the main one.
    """

    name: Annotated[str, msgspec.Meta(pattern=r"^[^\s/\\]+$")]
    files: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    title: str = ""
    version: str = ""
    kind: BenchmarkKind = "concepts"
    language: str | None = None
    licence: str = "not stated"
    citation: str = ""
    source: str = ""
    layout: Layout | None = None
    beside: dict[str, str] = {}
    low: float = 0.0
    high: float = 1.0
    rows: Annotated[int, msgspec.Meta(gt=0)] | None = None
    splits: dict[Literal["train", "test"], int] = {}
    absent: str = ""
    columns: tuple[str, ...] = ()
    left: str = "left"
    right: str = "right"
    score: str = "score"
    topic: str = ""
    delimiter: str | None = None
    header: bool = True
    encoding: Literal["utf-8", "utf-16", "latin-1", "cp1252", "mac-roman"] = "utf-8"
    tag: str = ""
    checksum: str | None = None
    first: Record | None = None
    last: Record | None = None
    shares: tuple[str, ...] = ()
    alternates: tuple[dict[str, Any], ...] = ()

    @property
    def forms(self) -> tuple[Declaration, ...]:
        """The main form and its alternates, each a declaration of its own."""
        return (self, *(self._alternate(changed) for changed in self.alternates))

    def form(self, path: Path) -> Declaration:
        """The form that a file has, by its name; the main one where none of them names it."""
        names = {Path(file).name.lower(): form for form in reversed(self.forms) for file in form.files}
        return names.get(path.name.lower(), self)

    @property
    def reader(self) -> Layout:
        """The layout, the suffix's where none is declared."""
        if self.layout is not None:
            return self.layout
        return "json-lines" if Path(self.files[0]).suffix.lower() in _JSON_LINES else "delimited"

    def _alternate(self, changed: dict[str, Any]) -> Declaration:
        kept = {
            name: value
            for name, value in msgspec.to_builtins(self).items()
            if name not in _OF_ONE_FORM and value is not None
        }
        return msgspec.convert(kept | changed, Declaration)


def shipped() -> dict[str, Declaration]:
    """The benchmarks that come with wort, by name: those of concepts, terms, documents, rankings."""
    return {declaration.name: declaration for declaration in _shipped()}


@cache
def _shipped() -> tuple[Declaration, ...]:
    declarations = map(load, DECLARATIONS.glob("*.toml"))
    return tuple(sorted(declarations, key=lambda one: (get_args(BenchmarkKind).index(one.kind), one.name)))


def declared_as(checksum: str, name: str = "") -> frozenset[str]:
    """The shipped benchmark of a file: by its ``checksum``, in whichever form, or by its ``name``."""
    return frozenset(
        one.name
        for one in _shipped()
        if one.name == name or checksum in {form.checksum for form in one.forms}
    )


def sharing(names: frozenset[str]) -> frozenset[str]:
    """The shipped benchmarks of these names, and those that judge a good part of the same pairs."""
    pairs = {(one.name, other) for one in _shipped() for other in one.shares}
    return names | {two for one, two in pairs if one in names} | {one for one, two in pairs if two in names}


def named(benchmark: str) -> Declaration:
    """The declaration that a person names: that of a shipped benchmark, or a file of TOML.

    Raises:
        NotABenchmark: there is none of that name, or the file declares none.
    """
    if benchmark.lower().endswith(".toml"):
        return load(Path(benchmark))
    declarations = shipped()
    if benchmark in declarations:
        return declarations[benchmark]
    near = difflib.get_close_matches(benchmark.lower(), declarations, n=3) or list(declarations)
    raise NotABenchmark(
        f"No benchmark is called {benchmark!r}. There is {', '.join(near)}; `wort benchmarks` lists all, and "
        "a file of TOML declares one of your own."
    )


def load(path: Path) -> Declaration:
    """A declaration from a file of TOML. Relative paths in a person's own are relative to that file.

    Raises:
        NotABenchmark: it cannot be read, or declares what cannot be; the message says where.
    """
    try:
        declaration = msgspec.toml.decode(content_of(path), type=Declaration)
        forms = declaration.forms
    except OSError as error:
        raise NotABenchmark(f"{path} cannot be read: {error.strerror or error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotABenchmark(f"{path} does not declare a benchmark: {error}.") from None
    for form in forms:
        if wrong := _contradiction(form):
            raise NotABenchmark(f"{path} does not declare a benchmark: {wrong}")
    if path.parent == DECLARATIONS:
        return declaration
    folder = path.parent.absolute()
    return msgspec.structs.replace(
        declaration,
        files=tuple(str(folder / file) for file in declaration.files),
        alternates=tuple(
            {**changed, "files": [str(folder / file) for file in form.files]}
            for changed, form in zip(declaration.alternates, forms[1:], strict=True)
        ),
    )


def write_declaration(path: Path, keys: Mapping[str, object]) -> Path:
    """Declare the file at ``path`` in one beside it, of the same name in .toml, which is returned.

    ``keys``: those of a ``Declaration``, each a text, a number, or a list of these.
    """
    toml = path.with_suffix(".toml")
    # What JSON writes of text, numbers and lists of them is TOML, too.
    lines = (f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in keys.items())
    toml.write_text("".join(lines), encoding="utf-8")
    return toml


def _contradiction(form: Declaration) -> str | None:
    """What in a declaration cannot be, and what to do about it."""
    kinds = _KINDS_OF.get(form.reader, ("concepts", "terms"))
    if form.kind not in kinds:
        return f"the layout {form.reader} holds {' or '.join(kinds)}, not {form.kind}. Change one of the two."
    if not (math.isfinite(form.low) and math.isfinite(form.high) and form.low < form.high):
        return f"scores from {form.low:g} to {form.high:g} are no range. Set low below high."
    if form.delimiter not in {None, "whitespace"} and (
        len(str(form.delimiter)) != 1 or str(form.delimiter) in '\r\n"'
    ):
        return f'delimiter is {form.delimiter!r}. It is one character, or "whitespace".'
    asked = {form.left, form.right, form.score, form.topic} - {""}
    if form.columns and asked - set(form.columns):
        lacking = ", ".join(sorted(asked - set(form.columns)))
        return f"columns does not name {lacking}. Set left, right, score and topic to names among columns."
    return None


def find(declaration: Declaration, data_dir: Path | None) -> Path | None:
    """The file of a benchmark in ``data_dir`` or below; None if there is none, or no such folder is set.

    The files that it declares are tried in their order, as paths from ``data_dir``, then from the folders
    below, those nearest first. An absolute path, as a person's own declaration has, is taken as it is.
    """
    return find_all([declaration], data_dir).get(declaration.name)


def find_all(declarations: Iterable[Declaration], data_dir: Path | None) -> dict[str, Path]:
    """``find`` for many benchmarks: the files of those that were found, by name."""
    declarations = list(declarations)
    wanted = {
        Path(file).name.lower()
        for declaration in declarations
        for form in declaration.forms
        for file in form.files
    }
    present = [] if data_dir is None else _present(data_dir, wanted)
    of_name = {}
    for declaration in declarations:
        files = (Path(file) for form in declaration.forms for file in form.files)
        places = (place for file in files for place in _places(file, present))
        if (place := next(places, None)) is not None:
            of_name[declaration.name] = place
    return of_name


def locate(declaration: Declaration, data_dir: Path | None) -> Path:
    """The file of a benchmark.

    Raises:
        NotABenchmark: it is not there; the message says what was looked for, and where it can be got.
    """
    path = find(declaration, data_dir)
    if path is None:
        files = ", ".join(file for form in declaration.forms for file in form.files)
        where = "and no folder of data is set" if data_dir is None else f"under {data_dir}"
        get = f" Get it from {declaration.source}." if declaration.source else ""
        raise NotABenchmark(
            f"{declaration.title or declaration.name} was not found {where} (looked for {files}).{get} "
            "Nothing is downloaded: put it into a folder and set WORT_DATA_DIR to that."
        )
    return path


def _places(file: Path, present: Iterable[Path]) -> Iterable[Path]:
    """Where a declared file is, the place nearest to the folder that is looked through first."""
    if file.is_absolute():
        return [file] if file.is_file() else []
    parts = tuple(part.lower() for part in file.parts)
    return (path for path in present if tuple(p.lower() for p in path.parts[-len(parts) :]) == parts)


def _present(folder: Path, names: set[str]) -> list[Path]:
    """The files below ``folder`` of some names, whatever their case, the least deep first."""
    paths = [
        Path(base, file) for base, _, files in os.walk(folder) for file in files if file.lower() in names
    ]
    return sorted(paths, key=lambda path: (len(path.parts), path))
