"""Creation of projects and scenarios: ``redpen init`` and ``redpen new``."""
