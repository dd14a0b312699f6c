"""What goes over the wire, declared once: decoding, encoding and the OpenAPI document derive from it."""
