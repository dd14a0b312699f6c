"""Texts that pairs are selected from: of a dump's articles, or of a folder of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from datasets.selection.errors import UnusableInput
from snapshots.text import sentences
from training.progress import Steps, counting

EXTENSION = ".txt"
"""What the names of texts in a folder end with; before it stands their title."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its title, in paragraphs."""

    title: str
    paragraphs: tuple[str, ...]

    def sentences(self) -> Iterator[str]:
        """Its sentences, in order: the units in which terms are counted."""
        for paragraph in self.paragraphs:
            yield from sentences(paragraph)


class Texts(Protocol):
    """Where documents come from."""

    def read(self, titles: Sequence[str], steps: Steps) -> dict[str, Document]:
        """The documents of some titles, by the title that was asked for.

        Raises:
            UnusableInput: one is missing or empty.
        """

    def every(self, steps: Steps) -> Iterator[Document]:
        """All documents that there are, one after the other."""

    def described(self) -> dict[str, object]:
        """What the file of provenance says of them."""


class FolderTexts:
    """Texts in a folder: files in UTF-8 whose names are TITLE.txt, with an empty line between paragraphs."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UnusableInput(f"{folder} is no folder. Name one that holds texts, as TITLE{EXTENSION}.")
        self._folder = folder

    def read(self, titles: Sequence[str], steps: Steps) -> dict[str, Document]:
        """The documents of some titles; see ``Texts``."""
        steps.begin("Reading the texts", "texts")
        return {title: self._document(title) for title in counting(list(titles), steps.advance_to)}

    def every(self, steps: Steps) -> Iterator[Document]:
        """All documents, in the order of their names; see ``Texts``."""
        titles = sorted(path.stem for path in self._folder.glob(f"*{EXTENSION}"))
        if not titles:
            raise UnusableInput(
                f"There is no text in {self._folder}. Put some there, as TITLE{EXTENSION} in UTF-8."
            )
        steps.begin("Reading the texts", "texts")
        yield from map(self._document, counting(titles, steps.advance_to))

    def described(self) -> dict[str, object]:
        """What the file of provenance says of them."""
        return {"folder": self._folder.name}

    def _document(self, title: str) -> Document:
        path = self._folder / f"{title.replace('/', '_')}{EXTENSION}"
        try:
            text = path.read_text("utf-8-sig")
        except FileNotFoundError:
            raise UnusableInput(
                f"There is no {path.name} in {self._folder}. Put the text there, or leave it out."
            ) from None
        except UnicodeDecodeError as error:
            raise UnusableInput(f"{path}: byte {error.start + 1} is not UTF-8. Save it as UTF-8.") from None
        paragraphs = tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())
        if not paragraphs:
            raise UnusableInput(f"{path} is empty. Write its text there, or leave it out.")
        return Document(title, paragraphs)
