"""What starts a project and its scenarios: ``redpen init`` and ``redpen new``."""
