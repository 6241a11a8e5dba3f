"""Guards of other people: called by their parameters' names, their answers read in one form."""
