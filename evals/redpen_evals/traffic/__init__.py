"""The HTTP traffic of runs, for all client libraries: each request is assigned to its run."""
