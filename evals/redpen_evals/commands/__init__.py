"""The commands of ``redpen``, one module per group, imported when a command is used."""
