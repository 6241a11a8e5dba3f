"""The commands of ``redpen``, one module a group; what they do is imported when one is used."""
