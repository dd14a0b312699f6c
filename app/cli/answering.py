"""What the commands have in common that answer one question: whom they ask, and how they tell it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.printable import STEERING, printable
from app.cli.settings import LOOKED_AT, read_settings
from app.wording import ended

if TYPE_CHECKING:
    import msgspec

    from app.scoring.terms import TermScorer
    from app.serving.serving import Serving
    from app.serving.source import Source
    from app.serving.trial import Trials
    from app.settings import Settings
    from wort.schemas.described import ModelInfo, SnapshotInfo
    from wort.schemas.sides import Side

SEARCH = "wort search"
"""What finds titles, on the command line."""

JsonOrText = Annotated[
    bool | None,
    typer.Option(
        "--json/--text",
        help="Answer in JSON, as the server does, or for people; without either, for people on a terminal.",
        show_default=False,
    ),
]


def encodable(value: str | list[str] | None) -> str | list[str] | None:
    """An argument as it is.

    Raises:
        typer.BadParameter: it is not in the encoding of the terminal, so that it is no text.
    """
    for text in [value] if isinstance(value, str) else value or ():
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise typer.BadParameter("it is not UTF-8.")
    return value


def settings_for(snapshot: Path | None, model: Path | None, terms: bool, strict: bool = False) -> Settings:
    """The settings that what scores is opened by; ``model`` is one of terms where ``terms``."""
    from app.scoring.offered import NAMES

    # A name is that of a model of terms, and of the one of concepts that goes with it.
    by_name = terms and str(model) in NAMES
    return read_settings(
        LOOKED_AT if terms else ("snapshot", "model"),
        snapshot=snapshot,
        strict=strict or None,
        model=model if by_name or not terms else None,
        term_model=model if terms else None,
    )


def serving(settings: Settings) -> Serving:
    """What a server with these settings serves."""
    return opened(settings).current


def opened(settings: Settings, trials: Trials | None = None) -> Source:
    """What a server with these settings serves, and follows; ``trials`` as ``app.serving.follower.source``.

    Of a release that cannot be used it is said in a sentence what is wrong, and which one answers instead.
    """
    from app.serving.follower import source

    # It would log what is wrong with a release, as it does of those that come while it serves.
    with _untroubled():
        served = source(settings, trials=trials)
    unserved, answers = served.state.unserved, served.current.scorer.model_info.release
    if unserved is not None and answers is not None:
        number, reason = unserved
        said = f"release {number} cannot be used: {ended(reason)} Release {answers} answers instead."
        typer.echo(f"wort: {printable(said)}", err=True)
    return served


@contextmanager
def _untroubled() -> Iterator[None]:
    """Within the block, no warning or error is logged: what is to be known of it is said in words."""
    import structlog

    def told_of(_: Any, level: str, event: MutableMapping[str, Any]) -> Any:  # noqa: ANN401 as structlog has it
        if level in ("warning", "error"):
            raise structlog.DropEvent
        return event

    kept = structlog.get_config()
    structlog.configure(processors=[told_of, *kept["processors"]])
    try:
        yield
    finally:
        structlog.configure(**kept)


def term_scorer(settings: Settings) -> TermScorer:
    """What scores terms where a server with these settings serves."""
    from app.serving.models import TermSettings
    from app.serving.serving import Serving
    from app.serving.starter import open_scorer

    if settings.snapshot is None:
        return serving(settings).terms()
    # A model of concepts need not suit the snapshot where terms are scored.
    scorer = open_scorer(settings.snapshot, settings.model)
    return Serving(scorer, TermSettings.of(settings)).terms()


def asked(snapshot: Path | None, model: Path | None = None, scored: bool = True) -> Serving:
    """What answers a question about concepts.

    ``scored``: the answer has scores, so that a model that was trained elsewhere is told of.
    """
    from app.serving.garbage import starting

    with starting():
        loaded = serving(settings_for(snapshot, model, terms=False))
    if scored:
        warn(loaded.scorer.model_info)
    return loaded


def warn(model: ModelInfo) -> None:
    """Tell that a model was trained on another snapshot, if it was."""
    if model.warning is not None:
        typer.echo(f"wort: {printable(model.warning)}", err=True)


def tell(answer: msgspec.Struct, lines: Callable[[], Iterable[str]], as_json: bool | None) -> None:
    """Print an answer: as JSON, or ``lines`` for people, in which nothing steers the terminal.

    ``as_json``: None for JSON where standard output is no terminal.
    """
    terminal = sys.stdout.isatty()
    if not (not terminal if as_json is None else as_json):
        text = "".join(f"{printable(line)}\n" for line in lines())
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        return
    import msgspec

    encoded = msgspec.json.encode(answer)
    text = (msgspec.json.format(encoded, indent=2) if terminal else encoded).decode()
    # Line ends are between the values, all else within them: another way to write the same.
    escaped = STEERING.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)
    sys.stdout.flush()
    sys.stdout.buffer.write(f"{escaped}\n".encode())
    sys.stdout.buffer.flush()


def rests_on(model: ModelInfo | None, snapshot: SnapshotInfo) -> str:
    """The line that says which model and which snapshot an answer rests on."""
    from app.scoring.in_words import snapshot_name

    by = "" if model is None else f"{model_name(model)}, on "
    return f"({by}{snapshot.id}: {snapshot_name(snapshot)})"


def model_name(model: ModelInfo) -> str:
    """A model's name; of the release in force, its version and the number too."""
    return model.name if model.version is None else f"{model.version} of release {model.release}"


def trouble(snapshot: SnapshotInfo, sides: Sequence[Side], terms: str | None = None) -> str | None:
    """What to ask instead of the sides that name no concept or several; None where all name one.

    ``terms``: the command that compares any words, where they may be compared.
    """
    from app.scoring.in_words import advice_on

    unclear = [(side.asked, side) for side in sides if side.status != "ok"]
    return advice_on(snapshot, unclear, SEARCH, terms) if unclear else None
