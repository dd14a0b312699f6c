"""``wort dataset select``: pairs that are worth a person's judgement, by a published protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.cli.progress import steps

if TYPE_CHECKING:
    import msgspec

    from datasets.selection.lexicons import SenseLexicon
    from datasets.selection.selection import Selection
    from datasets.selection.texts import Texts
    from snapshots.snapshot import Snapshot

    Settings = TypeVar("Settings", bound=msgspec.Struct)

select = typer.Typer(
    no_args_is_help=True,
    help="Select pairs to be judged, each protocol as its paper has it: docs/selecting-pairs.md.",
)

Output = Annotated[
    Path, typer.Option("--output", "-o", help="The folder to make, with pairs.csv and selection.json.")
]
Seed = Annotated[int, typer.Option(help="The same seed gives the same pairs, to the byte.", min=0)]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the protocol. Repeatable."),
]
Dump = Annotated[
    Path | None, typer.Option(help="The dump that has the articles: .xml, .xml.bz2, or multistream.")
]
TextsFolder = Annotated[
    Path | None, typer.Option("--texts", help="A folder of texts of your own instead, as TITLE.txt in UTF-8.")
]
AskedSnapshot = Annotated[
    Path | None, typer.Option("--snapshot", help="The snapshot that annotates; without it, the starter.")
]
First = Annotated[
    int | None, typer.Option(help="Without a list of titles: only the first articles of the dump.", min=1)
]
Language = Annotated[str, typer.Option(help="The language of the texts, as a code.")]
StopWords = Annotated[
    Path | None, typer.Option(help="A file of stop words, one a line; else the list that comes with wort.")
]
WordNetFolder = Annotated[
    Path | None, typer.Option(help="The folder of WordNet's own files; else where Debian puts them.")
]
LexiconName = Annotated[
    str | None, typer.Option(help="A lexicon of the package wn instead of WordNet, such as odenet:1.4.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


@select.command()
def word(
    output: Output,
    articles: Annotated[
        Path | None, typer.Option(help="The titles of the articles, one a line; else all that there are.")
    ] = None,
    dump: Dump = None,
    texts: TextsFolder = None,
    first: First = None,
    snapshot: AskedSnapshot = None,
    settings: Set = None,
    seed: Seed = 1,
    quiet: Quiet = False,
) -> None:
    """Pairs of concepts that are over-represented in the same article, as WORD's (LREC 2018)."""
    from app.cli.printable import printable
    from datasets.selection.word import WordSettings, known_articles
    from datasets.selection.word import select as selected

    parameters = _parameters(WordSettings, settings)
    check_new_folder(output)
    titles = None if articles is None else _titles(articles)
    source = _source(dump, texts, first)
    opened = _snapshot(snapshot)
    with steps(quiet) as shown:
        if titles is None:
            documents = {document.title: document for document in source.every(shown)}
        else:
            documents = source.read(titles, shown)
        known, unknown = known_articles(opened, documents.values(), titles is not None)
        selection = selected(opened, known, parameters, seed, shown, source.described())
    for title in unknown:
        typer.echo(printable(f"wort: {title} is left out: the snapshot has no such article."), err=True)
    written(selection, output)


@select.command()
def tr9856(
    output: Output,
    topics: Annotated[
        Path, typer.Option(help="A TOML file of topics: definition, its terms, titles of its articles.")
    ],
    dump: Dump = None,
    texts: TextsFolder = None,
    language: Language = "en",
    stop_words: StopWords = None,
    settings: Set = None,
    seed: Seed = 1,
    quiet: Quiet = False,
) -> None:
    """Pairs of terms that dominate the articles of a topic, as TR9856's (ACL 2015)."""
    from datasets.selection.stop_words import chosen_stop_words
    from datasets.selection.topics import read_topics
    from datasets.selection.tr9856 import Tr9856Settings
    from datasets.selection.tr9856 import select as selected

    parameters = _parameters(Tr9856Settings, settings)
    check_new_folder(output)
    listed = read_topics(topics)
    ignored = chosen_stop_words(language, stop_words)
    source = _source(dump, texts, None)
    with steps(quiet) as shown:
        titles = list(dict.fromkeys(title for topic in listed for title in topic.articles))
        documents = source.read(titles, shown)
        selection = selected(listed, documents, ignored, parameters, seed, shown, source.described())
    written(selection, output)


@select.command()
def bird(
    output: Output,
    dump: Dump = None,
    texts: TextsFolder = None,
    first: First = None,
    phrase_table: Annotated[
        Path | None,
        typer.Option(help="A phrase table in the format of Moses, gzipped or not; else no co-aligned terms."),
    ] = None,
    wordnet: WordNetFolder = None,
    lexicon: LexiconName = None,
    leave_out: Annotated[
        Path | None, typer.Option(help="A file of terms that nobody would understand, one a line.")
    ] = None,
    language: Language = "en",
    settings: Set = None,
    seed: Seed = 1,
    quiet: Quiet = False,
) -> None:
    """Bigrams with their transposes and related terms, in tuples, as BiRD's (NAACL 2019)."""
    from datasets.selection.bird.protocol import BirdSettings
    from datasets.selection.bird.protocol import select as selected
    from datasets.selection.tagging import HanTaTagger

    parameters = _parameters(BirdSettings, settings)
    check_new_folder(output)
    senses, tagger = _lexicon(wordnet, lexicon), HanTaTagger(language)
    left_out = frozenset() if leave_out is None else frozenset(_titles(leave_out))
    source = _source(dump, texts, first)
    with steps(quiet) as shown:
        documents, said = source.every(shown), source.described()
        selection = selected(documents, tagger, senses, phrase_table, left_out, parameters, seed, shown, said)
    written(selection, output)


@select.command("zesch-gurevych")
def zesch_gurevych(
    output: Output,
    dump: Dump = None,
    texts: TextsFolder = None,
    first: First = None,
    wordnet: WordNetFolder = None,
    lexicon: LexiconName = None,
    language: Language = "en",
    stop_words: StopWords = None,
    settings: Set = None,
    seed: Seed = 1,
    quiet: Quiet = False,
) -> None:
    """Pairs of senses of the heaviest words of the same text, as Zesch & Gurevych's (2006)."""
    from datasets.selection.stop_words import chosen_stop_words
    from datasets.selection.tagging import HanTaTagger
    from datasets.selection.zesch_gurevych import ZeschGurevychSettings
    from datasets.selection.zesch_gurevych import select as selected

    parameters = _parameters(ZeschGurevychSettings, settings)
    check_new_folder(output)
    ignored = chosen_stop_words(language, stop_words)
    senses, tagger = _lexicon(wordnet, lexicon), HanTaTagger(language)
    source = _source(dump, texts, first)
    with steps(quiet) as shown:
        documents, said = source.every(shown), source.described()
        selection = selected(documents, tagger, senses, ignored, parameters, seed, shown, said)
    written(selection, output)


@select.command()
def tuples(
    pairs: Annotated[
        Path, typer.Argument(help="A CSV file of pairs: pairs.csv of any protocol, or your own.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The CSV file to write.")],
    size: Annotated[int, typer.Option(help="How many pairs are judged together.", min=2)] = 4,
    per_pair: Annotated[int, typer.Option(help="How many tuples there are for each pair.", min=1)] = 2,
    seed: Seed = 1,
) -> None:
    """Tuples of the pairs of a file, of which people choose the best and the worst: BiRD's second step."""
    import csv

    from app.errors import OutputExists
    from app.outputs import check_output
    from datasets.selection.bird.protocol import PROTOCOL, tuples_table
    from datasets.selection.bird.tuples import best_worst_tuples
    from datasets.selection.selection import as_csv, generator

    check_output(output)
    if output.exists():
        raise OutputExists(f"{output} is there already. Name another file, or remove it.")
    with pairs.open(newline="", encoding="utf-8-sig") as file:
        numbers = [row.get("pair") or str(line) for line, row in enumerate(csv.DictReader(file), start=1)]
    places = best_worst_tuples(len(numbers), generator(seed, PROTOCOL, "tuples"), size, per_pair)
    named = [[numbers[number] for number in one] for one in places.tolist()]
    output.write_bytes(as_csv(tuples_table(named)))
    typer.echo(f"{output}: {len(named):,} tuples of {len(numbers):,} pairs")


def _lexicon(wordnet: Path | None, name: str | None) -> SenseLexicon:
    """WordNet's own files, or a lexicon of the package ``wn``."""
    if name is not None:
        from datasets.selection.lexicons import WnLexicon

        return WnLexicon(name)
    from datasets.selection.wordnet import DEBIAN, WordNet

    return WordNet(wordnet or DEBIAN)


def check_new_folder(output: Path) -> None:
    """Refuse a folder that is there already."""
    from app.errors import OutputExists
    from app.outputs import check_folder

    check_folder(output)
    if output.exists():
        raise OutputExists(f"{output} is there already. Name another folder, or remove it.")


def _snapshot(folder: Path | None) -> Snapshot:
    """The snapshot that was named, or the starter."""
    from app.serving.starter import snapshot_path
    from snapshots.snapshot import Snapshot

    return Snapshot.open(folder or snapshot_path())


def written(selection: Selection, output: Path) -> None:
    """Write a selection, and say what is in it."""
    from datasets.selection.selection import write_selection

    write_selection(selection, output)
    typer.echo(f"{output}: {len(selection.pairs.rows):,} pairs")


def _parameters(kind: type[Settings], given: Sequence[str] | None) -> Settings:
    """The settings of a protocol, with what ``--set`` says of them."""
    import msgspec

    named = dict(setting.partition("=")[::2] for setting in given or ())
    known = {field.name for field in msgspec.structs.fields(kind)}
    unknown = sorted(named.keys() - known)
    if unknown:
        raise typer.BadParameter(
            f"there is no parameter {', '.join(unknown)}; there are {', '.join(sorted(known))}",
            param_hint="--set",
        )
    try:
        return msgspec.convert(named, kind, strict=False)
    except msgspec.ValidationError as error:
        raise typer.BadParameter(str(error), param_hint="--set") from None


def _source(dump: Path | None, texts: Path | None, first: int | None) -> Texts:
    """Where texts come from: a dump or a folder."""
    if dump is not None and texts is None:
        from datasets.selection.dump_texts import DumpTexts
        from wiki.dump import Dump

        return DumpTexts(Dump.open(dump), first)
    if texts is not None and dump is None:
        from datasets.selection.texts import FolderTexts

        return FolderTexts(texts)
    raise typer.BadParameter("name one of the two, a dump or a folder", param_hint="--dump or --texts")


def _titles(path: Path) -> list[str]:
    """The titles in a file, one a line, each once; blank lines and what follows # are passed over."""
    lines = (line.strip() for line in path.read_text("utf-8-sig").splitlines())
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
