"""The registry: every model that was registered, every release, every retraining."""
