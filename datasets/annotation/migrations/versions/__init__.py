"""One module a version, in the order of ``datasets.annotation.layout.REVISIONS``."""
