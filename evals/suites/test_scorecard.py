"""The guards over the labelled drafts: how much they catch, and how much they block for nothing."""

from redpen_evals.plugin import Scorecard


def test_scorecard(scorecard: Scorecard) -> None:
    """Every guard set holds its thresholds on the split `test`."""
    scorecard.check()


def test_disguises(scorecard: Scorecard) -> None:
    """What is judged rightly is judged so however it is disguised."""
    scorecard.check_disguises()
