"""The schemas of requests and responses: decoding, encoding and the OpenAPI document derive from them."""
