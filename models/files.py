"""Model files: read as what their type says, and refused where they cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from models.errors import ModelError, NotAModel, WrongFeatures, WrongModelFormat
from models.given import content_of, refuse_repeated_keys
from models.linear import LinearModel
from models.log_logistic import LogLogisticModel
from models.protocol import FORMAT, RelatednessModel, name_of

TYPES: dict[str, type[RelatednessModel]] = {"linear": LinearModel, "log-logistic": LogLogisticModel}
"""What a file's ``type`` makes it: every kind of model that is known here."""

FEW = 5
"""Names of features that a message lists."""


def load(path: Path | str, signatures: Sequence[str]) -> RelatednessModel:
    """Read a model file; ``signatures`` are those of the features computed here, in whatever order.

    Raises:
        ModelError: the file cannot be used as a model of these features; nothing else is raised.
    """
    try:
        content = content_of(Path(path))
    except OSError as error:
        raise NotAModel(f"{path} cannot be read as a model file: {error.strerror or error}.") from error
    try:
        return loads(content, signatures)
    except ModelError as error:
        raise type(error)(f"{path}: {error}") from error


def loads(content: bytes, signatures: Sequence[str]) -> RelatednessModel:
    """The model of a model file's ``content``; ``signatures`` as for ``load``.

    Raises:
        ModelError: the content cannot be used as a model of these features; nothing else is raised.
    """
    model = decode(content)
    _check_features(model.features, signatures)
    return model


class _ModelHeader(msgspec.Struct):
    """What is read of a file first, to tell another version from a damaged file."""

    format: Any = None
    type: Any = None


def decode(content: bytes) -> RelatednessModel:
    """The model of a model file's ``content``, to be looked at, whatever features it reads.

    Raises:
        ModelError: the content is no model that is known here; nothing else is raised.
    """
    try:
        header = msgspec.json.decode(content, type=_ModelHeader)
        if header.format is None or header.type is None:
            raise NotAModel(
                "this is JSON, but not a model: it states no format and type. `wort train` writes one."
            )
        if header.format != FORMAT or isinstance(header.format, bool):
            raise WrongModelFormat(
                f"the model has format {header.format!r}, and this version of wort reads {FORMAT}. "
                "Use the version that wrote it, or train it again with `wort train`."
            )
        if not isinstance(header.type, str) or header.type not in TYPES:
            raise WrongModelFormat(
                f"the model is of type {header.type!r}, and this version of wort knows "
                f"{' and '.join(TYPES)} ones alone. "
                "Use the version that wrote it, or train it again with `wort train`."
            )
        refuse_repeated_keys(content)
        return msgspec.json.decode(content, type=TYPES[header.type])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotAModel(
            f"this is not a whole model file ({error}). Copy it again, or write it again with `wort train`."
        ) from error


def _check_features(wanted: Sequence[str], here: Sequence[str]) -> None:
    """Refuse a model that reads a feature which is not computed here, or is defined otherwise."""
    computed = {name_of(signature): signature for signature in here}
    gone = [name_of(signature) for signature in wanted if name_of(signature) not in computed]
    changed = [signature for signature in wanted if signature not in here]
    if gone:
        more = f" and {len(gone) - FEW} more" if len(gone) > FEW else ""
        reason = f"reads {', '.join(gone[:FEW])}{more}, which this version of wort does not compute"
    elif changed:
        reason = (
            f"was trained on {changed[0]}, and this version of wort computes {computed[name_of(changed[0])]}"
        )
    else:
        return
    raise WrongFeatures(
        f"the model {reason}. Use the version that trained it, or train it again with `wort train`."
    )
