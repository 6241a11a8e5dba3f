"""Mutation of rule tables: each row is deleted in turn, and some example has to notice."""
