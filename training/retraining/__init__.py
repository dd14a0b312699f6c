"""Retraining on a user's judgements: validated, held out, compared with the champion, and gated."""
