"""The stages of a build, one module each: what it reads, what it writes, and how."""
