"""The HTTP traffic of runs, whatever client makes it: each request goes to the run that it belongs to."""
