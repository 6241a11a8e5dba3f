"""Redpen's harness: scenarios, cassettes, verdicts and the pytest plugin.

PYTEST_DONT_REWRITE: the harness asserts nothing, so pytest has nothing to rewrite in it. Without this word
pytest warns in a session that runs inside another one. Pytest marks plugins' packages for rewriting, but
its import hook does not see those of an editable install, which a finder of its own maps: the outer session
imports this package unrewritten, and the inner one finds it imported.
"""

from redpen_evals.name_clash import check_import_name

check_import_name()
