"""Files of other tools and of the four data sets, read and written: a module a format."""
