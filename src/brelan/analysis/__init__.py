"""The analysis of matches: what was luck, and what was a seat's own.

`assessor` measures the moves of one view; `review` adds up a match; `beliefs`, `reading` and
`reasons` say what could be known and why a move is better. docs/analysis.md explains it.
"""

from brelan.analysis.assessor import Assessment, Assessor
from brelan.analysis.review import Decision, Review, analyse, review_steps, summary

__all__ = ["Assessment", "Assessor", "Decision", "Review", "analyse", "review_steps", "summary"]
