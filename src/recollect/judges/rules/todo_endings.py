"""Which open todos a message says are done, or given up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.judges.rules import todo_ending_words as said
from recollect.judges.rules import todo_text
from recollect.judges.rules.todo_keys import Deed, deed_of, is_alike, lemma
from recollect.judges.rules.todo_words import FIRM, IRONY, QUESTION
from recollect.judges.rules.verbs import verb_form
from recollect.patterns import deferred
from recollect.policies.todos import Ending
from recollect.policies.words import query_terms
from recollect.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

SCORE_MIN = 0.3
_WORD = deferred(r"[^\W_]+(?:'[^\W_]+)?")
_SEGMENT = deferred(r"[,;]\s+|\s+(?:and|but|so|because)\s+|\.\.\.+|:\s+")


@frozen
class _Told:
    """A stretch of a message and what its words say was done."""

    text: str
    words: frozenset[str]
    """Every telling word, as its lemma."""
    verbs: frozenset[str]
    """What the speaker did, as lemmas; empty when they tell of something else."""
    result: frozenset[str]
    """What something is now: "sent", "clean"."""
    head: frozenset[str]
    """The words before the verb of a result, or of somebody who has something."""
    last: str
    """The last word, where it is a participle: "orchids watered"."""
    is_had: bool
    is_of_it: bool
    """The deed is done to something named before: "called her"."""
    is_lone: bool
    """Nothing but the deed is said: "packed!"."""


def endings(sentences: Sequence[str], open_todos: Sequence[str]) -> tuple[tuple[Ending, ...], tuple[str, ...]]:
    """What is ended, and the words that are left to promise something; each todo ends once."""
    found: dict[int, Ending] = {}
    rest: list[str] = []
    deeds = [deed_of(todo) for todo in open_todos]
    for sentence in sentences:
        here, left = _of_sentence(sentence, open_todos, deeds) if deeds else ((), [sentence])
        for ending in here:
            found.setdefault(ending.which, ending)
        rest += left
    return tuple(found.values()), tuple(rest)


def _of_sentence(sentence: str, open_todos: Sequence[str], deeds: Sequence[Deed]) -> tuple[Sequence[Ending], list[str]]:
    last = len(deeds) - 1
    if sentence.rstrip().endswith("?"):
        return (), [sentence]
    if said.DISMISSED_BARE.match(sentence):
        return [Ending(effect="dismissed", which=last)], []
    if said.DONE_BARE.match(sentence):
        return [Ending(effect="done", which=last)], []
    if QUESTION.match(sentence) or IRONY.match(sentence) or said.UNREAL.search(sentence):
        return (), [sentence]
    done: dict[int, None] = {}
    left = []
    for clause in todo_text.clauses(sentence):
        here = [which for part in _segments(clause) if (which := _done(part, open_todos, deeds)) is not None]
        done |= dict.fromkeys(here)
        if not here and FIRM.search(clause):
            left.append(clause)
    if done:
        return [Ending(effect="done", which=which) for which in done], left
    dismissed = _dismissed(sentence, deeds)
    if dismissed is not None:
        return [Ending(effect="dismissed", which=dismissed)], []
    return (), [sentence]


def _segments(clause: str) -> list[str]:
    parts = [part for part in _SEGMENT.split(clause) if part.strip()]
    return [clause] if len(parts) < 2 else [*parts, clause]


# --- done ---


def _done(text: str, open_todos: Sequence[str], deeds: Sequence[Deed]) -> int | None:
    if said.UNDONE.search(text):
        return None
    told = _told(text)
    scores = [_score(told, deed) for deed in deeds]
    best = max(scores)
    if best < SCORE_MIN or scores.count(best) > 1:
        return None
    which = scores.index(best)
    is_end = said.ENDING.match(open_todos[which]) is not None
    return None if is_end and not said.ENDED.search(text) else which


def _told(text: str) -> _Told:
    words = [word.casefold() for word in _WORD.findall(text)]
    at = 0
    while at < len(words) and words[at] in said.LEADING:
        at += 1
    verbs = _deeds_of_speaker(words[at:], has_subject=bool({"i", "we", "i've", "we've"} & set(words[: at + 1])))
    if said.OWN_HAD.match(text):
        verbs |= {"get"}
    found = said.RESULT.search(text)
    had = said.HAD.search(text)
    before = text[: found.start()] if found is not None else text[: had.start()] if had is not None else ""
    result = frozenset() if found is None else _result(found)
    return _Told(
        text=text,
        words=_telling(text),
        verbs=verbs,
        result=result,
        head=_telling(before),
        last=_last(words),
        is_had=had is not None,
        is_of_it=len(words) > at + 1 and words[at + 1] in said.IT and len(words) <= at + 3,
        is_lone=len(words) == at + 1,
    )


def _last(words: Sequence[str]) -> str:
    """A participle that ends the words; a person who called is another matter than somebody called."""
    while len(words) > 1 and words[-1] in said.LEADING:
        words = words[:-1]
    word = words[-1] if len(words) > 1 else ""
    return lemma(word) if word != lemma(word) and lemma(word) not in said.OF_PEOPLE else ""


def _telling(text: str) -> frozenset[str]:
    return frozenset(lemma(word.removesuffix("'s")) for word in query_terms(text))


def _deeds_of_speaker(words: Sequence[str], *, has_subject: bool) -> frozenset[str]:
    """The past verb at the head of the words, and what it makes of a noun: "had my swim", "got the gate sorted"."""
    if not words or (words[0] in said.OTHERS and not has_subject):
        return frozenset()
    first = words[0]
    form = verb_form(first)
    is_past = form is not None and bool({"past", "participle"} & form.forms) and first != lemma(first)
    is_past = is_past or first in said.PAST_AS_BASE or (form is None and first.endswith("ed"))
    if not is_past:
        return frozenset()
    verb = lemma(first)
    found = {verb}
    if verb in said.LIGHT_VERBS:
        # "got the gate sorted", "managed to fix the tap", "had a word with": the deed stands in the rest.
        found |= {lemma(word) for word in words[1:]}
    if said.IN_TALK.search(" ".join(words)):
        found.add("call")
    if said.BEEN_TO.match(" ".join(words)):
        found.add("visit")
    return frozenset(found)


def _result(found: re.Match[str]) -> frozenset[str]:
    return frozenset({lemma(word) for word in _WORD.findall(found[0].casefold())} - said.AUXILIARIES)


def _score(told: _Told, deed: Deed) -> float:
    """How surely the words tell that the deed was done; 0 when they do not."""
    hits = sum(any(is_alike(thing, word) for word in told.words) for thing in deed.things)
    share = hits / len(deed.things) if deed.things else 1.0
    is_deed = bool(told.verbs & deed.verbs) or any(is_alike(deed.verb, verb) for verb in told.verbs)
    if is_deed and (hits or not deed.things):
        return 1.0 + share / 2
    if is_deed and (told.is_of_it or told.is_lone):
        return 0.5
    if told.verbs and hits and any(is_alike(deed.verb, word) for word in told.words):
        # "gave the orchids some water": the deed is named as a thing.
        return 0.9 + share / 2
    if told.verbs & said.FINISHING and hits:
        return 0.6 + share / 2
    return _score_of_result(told, deed, share) if hits else 0.0


def _score_of_result(told: _Told, deed: Deed, share: float) -> float:
    after = said.COPULA.search(told.text)
    told_now = _WORD.findall(after[1].casefold()) if after is not None else ()
    now = {lemma(word) for word in told_now if not word.endswith("ing")}
    if {deed.verb, deed.first} & (told.result | now) or (told.last and told.last in deed.verbs):
        return 0.7 + share / 2
    if not any(is_alike(thing, word) for thing in deed.things for word in told.head):
        return 0.0
    states = said.STATES.get(deed.verb, frozenset())
    is_so = (
        now & states
        or told.result & (deed.verbs | said.FINISHED | states | deed.particles)
        or any(is_alike(deed.verb, one) for one in told.result)
    )
    if is_so:
        return 0.7 + share / 2
    return 0.6 + share / 2 if told.is_had and deed.verb in said.HANDING and share > SHARE_HAD else 0.0


SHARE_HAD = 0.5
"""Of the things of a todo that must be named where somebody only has something now: "Abuela has her dish back"."""


# --- given up ---


def _dismissed(sentence: str, deeds: Sequence[Deed]) -> int | None:
    cue = said.DISMISSED.search(sentence)
    if cue is None or said.FOR_NOW.search(sentence):
        return None
    words = _telling(sentence)
    scores = [_share(words, deed) for deed in deeds]
    best = max(scores)
    return scores.index(best) if best >= SCORE_MIN and scores.count(best) == 1 else None


def _share(words: frozenset[str], deed: Deed) -> float:
    things = sum(any(is_alike(thing, word) for word in words) for thing in deed.things)
    is_named = any(is_alike(verb, word) for verb in (deed.verb, deed.first) for word in words)
    return (things + is_named) / (len(deed.things) + 1)
