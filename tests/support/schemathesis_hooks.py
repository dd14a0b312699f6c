"""What Schemathesis is told of this interface: how bodies that are no JSON are sent."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson", "text/csv", "text/tab-separated-values")
def text_of(_: schemathesis.SerializationContext, value: Any) -> Any:
    """The body as it was made: a text."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
