"""The versions of the tables of annotation projects, made one after the other by Alembic."""
