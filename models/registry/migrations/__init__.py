"""The steps from one version of the registry's tables to the next."""
