"""Files that people write in YAML: read with the line of every value, and with each fault in its place."""
