"""A checkout works uninstalled: this loads the plugin, unless its entry point has done so.

``pytester`` is for the plugin's own tests; pytest takes it from no conftest but this one.
"""

pytest_plugins = ["redpen_evals.plugin", "pytester"]
