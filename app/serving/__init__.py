"""What answers requests, and how it becomes another release while requests are answered."""
