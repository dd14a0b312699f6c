"""Annotation in the browser: the pages of those who judge and of those who own a project."""
