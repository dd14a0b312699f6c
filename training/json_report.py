"""What every report is, of an evaluation or of judgements: a structure that is kept as JSON."""

from __future__ import annotations

import msgspec


class JSONReport(msgspec.Struct, frozen=True):
    """What is kept and handed on as a file of JSON."""

    def json(self) -> bytes:
        """The whole as JSON, unrounded, to be read by people too."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"
