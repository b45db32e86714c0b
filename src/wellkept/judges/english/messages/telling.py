"""Whether a message states anything, and whether a sentence tells what happened: by their grammar alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english import privacy
from wellkept.judges.english.grammar import language
from wellkept.judges.english.grammar.units import units
from wellkept.judges.english.messages import openers, requests
from wellkept.judges.english.slots import addressing
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause

_NOTE = deferred(r"\d|[:;]\s*\S|,[^,]+,")
"""A number or a list: whoever jots that down wants to find it again."""
_QUOTED = deferred(r"^\s*[\"“'‘]|[\"”'’],? (?:says?|said)\b")


def states_nothing(text: str) -> bool:
    """Whether a message only orders, exclaims or speaks to the listener.

    >>> states_nothing("Write me a poem"), states_nothing("You are great"), states_nothing("My cat is called Tom")
    (True, True, False)
    """
    if requests.recognise(text) is not None or addressing.is_wish(text):
        return False
    if privacy.is_suspect(text):
        return True
    text = openers.unopened(requests.without_confidence(text)[0]).text.strip()
    if language.guess(text) != "en" or _NOTE.search(text):
        return False
    return not any(_states(unit.clause) for unit in units(text, values_max=1))


def _states(clause: Clause) -> bool:
    subject = clause.subject
    is_of_something = subject is None or subject.pronoun not in {"you", "it", "this", "that"}
    return clause.type == "declarative" and clause.verb is not None and is_of_something


def tells_what_happened(text: str) -> bool:
    """Whether a sentence tells in the past what somebody did, with what or where."""
    if _QUOTED.search(text) or requests.recognise(text) is not None or language.guess(text) != "en":
        return False
    first = next((unit.clause for unit in units(text, values_max=1)), None)
    if first is None or not _states(first) or first.verb is None:
        return False
    is_past = first.verb.tense == "past" or first.verb.aspect == "perfect"
    return is_past and (first.object is not None or first.complement is not None or bool(first.phrases))
