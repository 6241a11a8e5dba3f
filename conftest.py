"""A checkout works uninstalled: this loads the plugin, unless its entry point has done so."""

pytest_plugins = ["redpen_evals.plugin"]
