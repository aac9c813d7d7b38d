"""Runs language-neutral cases of the rules against the engine (proto/vectors/rules).

A case is a JSON file: a position or a deal, the actions taken in it, and what each must cause.  `load` reads one and
refuses whatever the format does not know, `run` plays it and names the first step that differs.
"""

from referee.cases.errors import BadCase, NoCases
from referee.cases.files import iter_cases, load
from referee.cases.model import Case
from referee.cases.runner import CaseResult, run

__all__ = ["BadCase", "Case", "CaseResult", "NoCases", "iter_cases", "load", "run"]
