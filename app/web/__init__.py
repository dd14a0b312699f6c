"""What routes share: what every request passes, how it is read and answered, its problems, the document."""
