"""Judge texts from the command line: explain one text, or print one verdict per line."""
