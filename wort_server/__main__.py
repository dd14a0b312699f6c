"""``python -m wort_server``: the command ``wort`` where its script is not at hand."""

from wort_server import main

# Worker processes load this module again, under another name.
if __name__ == "__main__":
    main()
