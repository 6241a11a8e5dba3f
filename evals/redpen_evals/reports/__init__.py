"""Reports of a run, rendered from its record alone: a page, a comment, a document."""

from redpen_evals.errors import ReportError
from redpen_evals.reports.subject import PriceList, subject_of
from redpen_evals.reports.writing import SUFFIXES, check_suffix, write_report

__all__ = ["SUFFIXES", "PriceList", "ReportError", "check_suffix", "subject_of", "write_report"]
