"""Reports as pages: one HTML file with its figures drawn in it, that needs nothing else to be read."""
