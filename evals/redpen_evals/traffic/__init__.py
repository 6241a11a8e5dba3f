"""The HTTP traffic of runs, whatever client makes it: each request is handed to the run that it belongs to."""
