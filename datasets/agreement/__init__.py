"""What judgements are worth: how far annotators agree, and scores with their reliability."""
