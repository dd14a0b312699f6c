"""What runs a build: the two operations that builders are written on, on one machine or on Spark."""
