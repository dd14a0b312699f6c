"""Files of people's judgements, read: WORD in its two layouts, and pairs of any other source."""
