"""The OpenAPI document, and what it says of every operation alike."""
