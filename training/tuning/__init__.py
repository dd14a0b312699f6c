"""Tuning a sentence encoder to people's judgements; needs the extra ``tune``, which no server has."""
