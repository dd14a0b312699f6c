"""``python -m app.cli``: the command line where its script is not installed."""

from app.cli import main

# Worker processes load this module again, under another name.
if __name__ == "__main__":
    main()
