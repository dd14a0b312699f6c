"""What every request meets: its body, its place in the queue, its problems, the log, the document."""
