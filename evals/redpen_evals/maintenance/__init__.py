"""Maintenance of cassettes: list, check, show and prune them."""
