"""The scenario library: YAML files, validated on loading, each fault with its file and line."""
