"""What a request says: its body, its query, what it takes for an answer."""
