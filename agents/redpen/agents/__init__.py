"""The three agents, each a sequence of model calls with the gateway between them."""
