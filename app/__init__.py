"""What people and programs talk to: the HTTP service, the batch scorer, the page, the command line."""
