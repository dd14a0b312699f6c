"""Reports on the terminal: of one judgement, and of many beside one another."""
