"""The container image without a container engine: the Dockerfile's own steps, executed in a bare Debian."""
