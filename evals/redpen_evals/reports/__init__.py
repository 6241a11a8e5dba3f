"""Reports of a run, rendered from its record alone: a page, a comment, a document."""

from redpen_evals.errors import ReportError
from redpen_evals.reports.subject import Subject
from redpen_evals.reports.writing import SUFFIXES, check_suffix, write_report

__all__ = ["SUFFIXES", "ReportError", "Subject", "check_suffix", "write_report"]
