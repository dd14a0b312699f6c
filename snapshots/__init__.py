"""What a snapshot holds, and how it is read: tables here, names in ``naming``, texts in ``annotator``."""
