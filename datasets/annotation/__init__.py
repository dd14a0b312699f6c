"""People judge items in the browser: projects, who may do what, what was said, and what it is exported as."""
