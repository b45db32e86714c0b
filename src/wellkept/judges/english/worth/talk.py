"""Talk: what is said to the assistant, of the assistant or to keep a conversation going, with nothing in it to keep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import language, lexicon
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.grammar.units import units
from wellkept.judges.english.messages import openers
from wellkept.judges.english.slots.addressing import is_wish
from wellkept.judges.english.slots.fact_keys import slot_of
from wellkept.judges.english.worth import durable, keeping, requests, standing, topics, traits
from wellkept.judges.english.worth.telling import hard_words
from wellkept.judges.english.worth.weights import leaves_out, speaks_to_assistant
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.worth.weights import Worth

# A number, an hour or a list: whoever jots that down wants to find it again.
_NOTE = deferred(r"\d|[:;]\s*\S|,[^,]+,|\b(?:noon|midnight)\b")
_SUPPOSED = frozenset({"hypothetical", "conditional", "hedged"})
_OF_THE_TALK = frozenset({"about_assistant", "talk", "meta", "vague"})
_POINTING = frozenset({"it", "this", "that", "these", "those", "you"})
# What one asks an assistant to do, as opposed to what one has to do.
_ASKED_OF_ASSISTANTS = lexicon.words(
    "write tell show explain list translate summarize summarise describe draw sing play help search calculate compute "
    "compare recommend suggest imagine pretend stop try wait listen look let continue repeat shorten expand rewrite "
    "rephrase generate create draft define count convert guess act say speak talk answer reply respond come go keep"
)


def is_talk(text: str) -> bool:
    """Whether nothing in a message could be kept: compliments, orders for now, suppositions, exclamations."""
    if topics.JOKE.search(text) or (traits.is_suspect(text) and requests.recognise(text) is None):
        return True
    if standing.orders(text) or is_wish(text):
        return False
    text = openers.unopened(requests.without_confidence(text)[0]).text.strip()
    is_order = text.split(" ", 1)[0].casefold() in _ASKED_OF_ASSISTANTS
    if requests.recognise(text) is not None or (language.guess(text) != "en" and not is_order):
        return False
    found = units(text, values_max=1)
    if not found:
        return any(clause.conjunction in lexicon.CONDITIONALS for clause in parse(text))
    return all(
        _is_talk(unit.clause, keeping.weigh(unit.clause, known=frozenset(), sentence=unit.sentence)) for unit in found
    )


def _is_talk(clause: Clause, weight: Worth) -> bool:
    if weight.confidence > 0:
        return False
    subject, verb = clause.subject, clause.verb
    if leaves_out(clause):
        return True
    if weight.reason == "command":
        is_for_me = speaks_to_assistant(clause) or re.search(r"(?i)\b(?:me|us)\b", clause.text) is not None
        return verb is not None and (verb.lemma in _ASKED_OF_ASSISTANTS or is_for_me)
    if weight.reason in _SUPPOSED or (subject is not None and subject.pronoun == "you"):
        return True
    if _NOTE.search(clause.text) or (subject is None and any(token.tag == "name" for token in clause.tokens)):
        return False
    if weight.reason == "fragment":
        return True
    return weight.reason in _OF_THE_TALK or (subject is not None and subject.pronoun in _POINTING)


_HAPPENING = frozenset({None, "occasion"})
"""What an episode is for: outings and doings of a day, which are no facts by themselves."""
_QUOTED = deferred(r"^\s*[\"“'‘]|[\"”'’],? (?:says?|said)\b")


def is_happening(text: str) -> bool:
    """Whether a sentence tells what happened or was decided, and tells enough for a reader who was not there."""
    if is_talk(text) or _QUOTED.search(text) or requests.recognise(text) is not None:
        return False
    if language.guess(text) != "en":
        return False
    first = next(iter(units(text, values_max=1)), None)
    return first is not None and _happened(first.clause, first.sentence)


def _happened(clause: Clause, sentence: str) -> bool:
    verb, subject = clause.verb, clause.subject
    if verb is None or clause.type != "declarative" or (verb.tense != "past" and verb.aspect != "perfect"):
        return False
    is_bare = clause.object is None and clause.complement is None and not clause.phrases
    is_anybody = subject is not None and subject.determiner in {"a", "an", "some"}
    if is_bare or is_anybody or next(hard_words(clause), None) is None:
        return False
    weight = keeping.weigh(clause, known=frozenset(), sentence=sentence)
    is_told = weight.confidence > 0 or weight.reason == "general"
    return is_told and durable.fault(clause, slot_of(clause)) in _HAPPENING
