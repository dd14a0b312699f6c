"""Names as a text may write them: abbreviated, numbered, without accents, in another spelling."""
