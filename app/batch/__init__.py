"""Files of pairs: read, scored, resumed, written."""
