"""The commands of ``redpen``, one module a group; a module is imported when one of its commands is used."""
