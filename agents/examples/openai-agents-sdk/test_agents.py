def test_agent(scenario_run):
    """Run every scenario of this folder, each as a test of its own."""
    scenario_run.check()
