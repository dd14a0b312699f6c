"""Terms: how related two free terms ("violent video games") are, by their words and by what they may name."""
