"""Judges: guards that ask a model closed questions; they may block only after a measurement."""

from redpen.judges.judge import Judge
from redpen.judges.loading import judge_names, load_judge
from redpen.judges.measured import Measured
from redpen.judges.model import Gate, JudgeFile, Question

__all__ = ["Gate", "Judge", "JudgeFile", "Measured", "Question", "judge_names", "load_judge"]
