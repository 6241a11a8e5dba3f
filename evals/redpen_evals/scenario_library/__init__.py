"""The scenario library: YAML files, checked as they are read, each fault with its file and line."""
