"""Wikitext, read: ``parse`` takes the text of a page to its paragraphs, links, categories and templates."""

from wiki.wikitext.extraction import parse

__all__ = ["parse"]
