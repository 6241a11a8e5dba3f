"""The three built-in agents; the gateway checks each step between their model calls."""
