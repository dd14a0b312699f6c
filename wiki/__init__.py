"""A Wikipedia dump, read: pages, wikitext, titles, downloads."""
