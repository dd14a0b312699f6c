"""The routes that programs call, a module a group."""
