"""The schemas of retrainings; as ``wort.schemas``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

State = Literal["running", "promoted", "registered", "refused", "failed"]


class RetrainingInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A retraining: what it does, or how it ended."""

    number: int
    state: Annotated[
        State,
        Meta(
            description="`running`; or how it ended. `promoted`: its model is in force. `registered`: it is "
            "not, and that was all that was asked. `refused`: it is not, because of the gate. `failed`: it "
            "has no model, or its process died."
        ),
    ]
    who: Annotated[str, Meta(description="Who began it.")]
    began: Annotated[str, Meta(description="When it began: ISO 8601, UTC.")]
    updated: Annotated[str, Meta(description="When its process last gave a sign of life.")]
    parameters: Annotated[dict[str, Any], Meta(description="What was asked.")]
    step: Annotated[str, Meta(description="What it does, or did last.")]
    done: Annotated[int | None, Meta(description="How much of the step is done.")] = None
    total: Annotated[int | None, Meta(description="How much there is to do in the step.")] = None
    message: Annotated[str, Meta(description="Why it ended so, in words.")] = ""
    model: Annotated[str | None, Meta(description="The model that it registered: name and version.")] = None
    report: Annotated[str | None, Meta(description="Where its report is, once there is one.")] = None


class RetrainingsResponse(msgspec.Struct, frozen=True):
    """Retrainings, the newest first."""

    retrainings: list[RetrainingInfo]
