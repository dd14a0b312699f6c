"""One module a version, in the order of ``models.registry.layout.REVISIONS``."""
