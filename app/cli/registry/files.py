"""Model files and reports that go into the registry or come out of it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from app.scoring.model_kinds import is_of_terms
from features.catalogue import SIGNATURES
from features.terms.catalogue import TERM_SIGNATURES
from models.errors import ModelError, WrongFeatures
from models.files import loads
from models.given import content_of, refuse_repeated_keys
from models.protocol import RelatednessModel
from models.registry.errors import BadEntry


class _Report(msgspec.Struct):
    """What ties a report to its model."""

    snapshot: str
    checksum: str


def usable(content: bytes, name: str) -> RelatednessModel:
    """A model of the concepts' features or of the terms' that are computed here.

    Raises:
        ModelError: the file ``name`` holds none.
    """
    try:
        return loads(content, TERM_SIGNATURES if is_of_terms(content) else SIGNATURES)
    except ModelError as error:
        raise type(error)(f"{name}: {error}") from error


def releasable(content: bytes, ref: str) -> RelatednessModel:
    """A registered model that a release can hold: one of concepts.

    Raises:
        ModelError: it is a model of free terms, or of features that are not computed here.
    """
    try:
        return loads(content, SIGNATURES)
    except WrongFeatures as error:
        if is_of_terms(content):
            raise WrongFeatures(
                f"{ref} is a model of free terms, and a release holds a model of concepts. `wort score "
                "--terms` scores with its file (`wort models show --save-model`), and `wort serve` takes "
                "that by WORT_TERM_MODEL."
            ) from None
        raise WrongFeatures(f"{ref}: {error}") from error


def check_report(content: bytes, model: RelatednessModel, name: str) -> None:
    """See that a report is of the judgements and the snapshot that the model was trained on.

    Raises:
        BadEntry: it is not, or it is no report.
    """
    try:
        report = msgspec.json.decode(content, type=_Report)
        refuse_repeated_keys(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadEntry(f"{name} is no report ({error}). `wort train --report` writes one.") from None
    for what, of_report, of_model in (
        ("snapshot", report.snapshot, model.snapshot),
        ("judgements", report.checksum, model.trained_on.checksum),
    ):
        if of_report != of_model:
            raise BadEntry(
                f"{name} is a report on other {what} ({of_report}) than the model was trained on "
                f"({of_model}). Name the report that was written with it."
            )


def page_of(path: Path) -> str:
    """The report as a page, in a file.

    Raises:
        BadEntry: it is no text.
        OSError: it cannot be read.
    """
    try:
        return content_of(path).decode()
    except UnicodeDecodeError:
        raise BadEntry(f"{path} is no page: it is not UTF-8. `wort train --html` writes one.") from None
