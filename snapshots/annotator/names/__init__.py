"""What a text may call a concept: mentions that editors link, aliases, spellings; and how often it does."""
