"""Evaluating one run: replay or record it, then judge it."""

from redpen_evals.evaluation.evaluator import Evaluator, StaleRecordingError, live_result, replay_result

__all__ = ["Evaluator", "StaleRecordingError", "live_result", "replay_result"]
