"""From what somebody writes to the concept that is meant, and what else it may mean."""
