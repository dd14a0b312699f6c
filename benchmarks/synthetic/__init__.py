"""A synthetic Wikipedia of any size: a real multistream dump of made-up pages, shaped as real wikis are.

``measure`` reads what real dumps are like; ``figures`` keeps what it found; ``titles``, ``text`` and
``pages`` make pages by those figures; ``dump`` writes them.
"""
