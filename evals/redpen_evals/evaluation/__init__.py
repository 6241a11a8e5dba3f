"""Evaluate runs: replay or record them, then judge them."""

from redpen_evals.evaluation.evaluator import Evaluator, StaleRecordingError, live_result, replay_result

__all__ = ["Evaluator", "StaleRecordingError", "live_result", "replay_result"]
