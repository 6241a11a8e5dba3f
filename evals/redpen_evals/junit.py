"""What is stale or errored is an error in a JUnit report, not a failure: nothing is said of the agent."""

from __future__ import annotations

import pytest
from _pytest.junitxml import xml_key

_FAILURE, _ERROR = "failure", "error"


def mark_as_error(config: pytest.Config, report: pytest.TestReport) -> None:
    """Make the failure that pytest has noted of a test in its JUnit report an error.

    Args:
        config: of the session; where it writes no such report, nothing is done.
        report: of the test's call.
    """
    xml = config.stash.get(xml_key, None)
    if xml is None:
        return
    for node in xml.node_reporter(report).nodes:
        if node.tag == _FAILURE:
            node.tag = _ERROR
            xml.stats[_FAILURE] -= 1
            xml.stats[_ERROR] += 1
