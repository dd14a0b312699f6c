"""Retraining on a user's judgements: validated, held out, compared with the model in force, and gated."""
