"""What is said of arguments and options that a command cannot take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, get_args

import typer

from app.cli.printable import printable
from app.wording import ended, worded

_Misuse: Any = typer.BadParameter.__bases__[0]
"""What typer raises of each fault in the arguments, which it has no public name for."""


class PlainMisuse(typer.BadParameter):
    """A fault in the arguments, in a sentence of its own."""

    def format_message(self) -> str:
        """The sentence."""
        return self.message


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Have the faults in arguments that the block finds told of in plain sentences.

    Raises:
        PlainMisuse: in place of what typer raises of one.
    """
    try:
        yield
    except PlainMisuse:
        raise
    except _Misuse as fault:
        said = _SAID.get(type(fault).__name__, _of_anything)(fault)
        if said is None:  # no arguments at all: help was shown
            raise
        raise PlainMisuse(said, ctx=getattr(fault, "ctx", None)) from fault


def _of_value(fault: Any) -> str:  # noqa: ANN401 the type that typer has here is its own
    """What is said of a value: its option, and what is wrong with it."""
    found = getattr(fault.__cause__, "errors", None)
    said = worded(found()[0]) if found is not None else str(fault.message)
    return ended(": ".join([*_named(fault), said]))


def _of_missing(fault: Any) -> str:  # noqa: ANN401 as above
    (name,) = _named(fault) or [""]
    help_text = getattr(fault.param, "help", None) or ""
    said = (
        f"{name} is missing: {help_text[:1].lower()}{help_text[1:]}" if help_text else f"{name} is missing."
    )
    described = getattr(fault.param, "type_descriptor", None)
    if described is None or not described.is_choice:
        return said
    # The sentence of the help does not list them: help shows them beside it.
    names = get_args(described.annotation) or [one.value for one in described.annotation]
    return f"{said} Give one of {', '.join(map(str, names))}."


def _of_option(fault: Any) -> str:  # noqa: ANN401 as above
    meant = meant_by(sorted(fault.possibilities or ()))
    return f"There is no option {printable(fault.option_name)}.{meant}"


def _of_use(fault: Any) -> str:  # noqa: ANN401 as above
    """What is said of an option without its value, or a flag with one."""
    if "requires" in fault.message:
        return f"A value has to follow {fault.option_name}."
    return f"{fault.option_name} takes no value."


def _of_anything(fault: Any) -> str | None:  # noqa: ANN401 as above
    if type(fault) is not _Misuse:
        return None
    said = str(fault.message)
    context = fault.ctx
    if said.startswith("No such command") and context is not None:
        # It is quoted as Python does it, with either mark.
        quoted = said.removeprefix("No such command ")
        name = quoted[1:].partition(quoted[:1])[0]
        meant = meant_by(get_close_matches(name, context.command.list_commands(context)))
        return f"There is no command {name!r}.{meant}"
    if said.startswith("Got unexpected extra argument"):
        extra = said.partition(") (")[2].removesuffix(")")
        return f"This is more than is asked for: {extra}. Put quotes around what has blanks in it."
    return ended(said)


_SAID: dict[str, Callable[[Any], str | None]] = {
    "BadParameter": _of_value,
    "MissingParameter": _of_missing,
    "NoSuchOption": _of_option,
    "BadOptionUsage": _of_use,
}
"""What is said of each kind of fault, by what typer calls it."""


def _named(fault: Any) -> list[str]:  # noqa: ANN401 as above
    """The option or argument that a fault is in, if it is known."""
    if fault.param_hint is not None:
        hints = [fault.param_hint] if isinstance(fault.param_hint, str) else list(fault.param_hint)
        return [" or ".join(hints)]
    if fault.param is None:
        return []
    if fault.param.param_type_name == "argument":
        return [str(fault.param.metavar)]
    return [max(fault.param.opts, key=len)]


def meant_by(names: Iterable[str]) -> str:
    """What may have been meant, as a question; nothing where nobody knows."""
    listed = " or ".join(names)
    return f" Is {listed} meant?" if listed else ""
