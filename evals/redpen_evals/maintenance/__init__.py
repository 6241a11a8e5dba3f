"""Looking after cassettes: list them, find what is wrong with them, read one, remove what nobody needs."""
