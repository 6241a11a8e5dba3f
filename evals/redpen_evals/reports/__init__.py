"""Reports of a run, rendered from its record alone: a page, a comment, a document."""

from redpen_evals.errors import ReportError
from redpen_evals.reports.subject import PriceList, Subject
from redpen_evals.reports.writing import SUFFIXES, check_suffix, write_report

__all__ = ["SUFFIXES", "PriceList", "ReportError", "Subject", "check_suffix", "write_report"]
