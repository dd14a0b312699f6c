"""The schemas of requests and responses, declared once: decoding, encoding and the OpenAPI document derive from it."""
