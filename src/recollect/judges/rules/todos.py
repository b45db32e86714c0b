"""Reads what somebody means to do (commitments, habits, threads, frictions) and what they say is done or given up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.judges.rules import times
from recollect.judges.rules import todo_words as said
from recollect.judges.rules.verbs import verb_form
from recollect.patterns import deferred
from recollect.policies.todos import Ending, Intent, Intents, TodoKind
from recollect.policies.tokens import clipped
from recollect.policies.words import STOP_WORDS, query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

TEXT_MAX = 160
READ_MAX = 2_000
INTENTS_MAX = 5
KEY_WORDS_MAX = 8
MATCH_MIN = 0.5
DISMISS_MIN = 0.34
_SENTENCE = deferred(r"(?<=[.!?])\s+(?=[A-Z\"'])|\n+")
_BEFORE_TIME = deferred(
    r"(?:[,\s]+(?:by|on|before|at|in|until|till|this|the|for|from|around|next|sometime))*[,\s]*$", re.IGNORECASE
)
_NEXT_CLAUSE = deferred(
    r"(?:,|;| -|,? (?:and|but|so|because|since)) (?:and |but |so )?(?=(?:i|my|we|our|it|he|she|they|you|that|this)\b)",
    re.IGNORECASE,
)
_OPENING = deferred(
    r"^(?:(?:i['’]d|i['’]m|i am|i['’]ve been|i have been|i was|we['’]re|i|we|and|but|so|well|ok(?:ay)?|alright|yes"
    r"|hmm)\b[,\s]*)+",
    re.IGNORECASE,
)
_LIGHT = frozenset(
    {"go", "make", "do", "take", "get", "have", "be", "finish", "start", "try", "thing", "maybe", "today", "think"}
)
_LEADING = frozenset(
    {
        "i", "we", "just", "finally", "already", "yes", "yep", "ok", "so", "also", "i've", "i’ve", "mean", "yesterday",
        "today", "earlier", "then", "this", "last", "morning", "night",
    }
)  # fmt: skip
"""Words before the verb of a clause that tells what was done."""
_ALIKE = {"phone": "call", "talk": "call", "fix": "repair", "letter": "write", "complete": "finish"}


def read(text: str, *, now: datetime | None, open_todos: Sequence[str] = ()) -> Intents:
    """The intents of a message, and which open todo it ends; what ends one promises nothing."""
    body = text[:READ_MAX].strip()
    ending = _ending(body, open_todos)
    if ending is not None:
        return Intents(ending=ending)
    found: dict[str, Intent] = {}
    for sentence in _SENTENCE.split(body):
        intent = _intent(sentence.strip(), now)
        if intent is not None:
            found.setdefault(intent.key, intent)
    return Intents(new=tuple(found.values())[:INTENTS_MAX])


def _intent(sentence: str, now: datetime | None) -> Intent | None:
    asked = said.ASKED.match(sentence)
    if not sentence or (asked is None and said.QUESTION.match(sentence)):
        return None
    recurs = said.RECURRENCE.search(sentence) is not None
    if asked is not None:
        kind = TodoKind.HABIT if recurs else TodoKind.COMMITMENT
        return _made(kind, sentence[asked.end() :], sentence, now)
    if said.FRICTION.search(sentence):
        return _made(TodoKind.FRICTION, sentence, sentence, now)
    is_firm = said.ALSO_WILL.search(sentence) is not None
    is_wish = said.WISH.search(sentence) is not None and said.VAGUE.search(sentence) is None
    if said.HEDGE.search(sentence) and not is_firm and not (is_wish and (recurs or _is_dated(sentence, now))):
        is_own = said.OF_SPEAKER.search(sentence) is not None
        return _made(TodoKind.THREAD, _opened(sentence), sentence, now) if is_own else None
    if said.IDLE.search(sentence):
        return None
    return _firm(sentence, now, recurs=recurs, is_firm=is_firm)


def _firm(sentence: str, now: datetime | None, *, recurs: bool, is_firm: bool) -> Intent | None:
    kind = TodoKind.HABIT if recurs else TodoKind.COMMITMENT
    marker = said.FIRM.search(sentence) or (said.NOW_ON.search(sentence) if recurs else None)
    if marker is not None:
        rest, before = sentence[marker.end() :], sentence[: marker.start()]
        if said.UNSURE.search(before):
            return _made(TodoKind.THREAD, _opened(sentence), sentence, now)
        is_none = said.NEGATED.match(rest) or said.SUPPOSED.search(before)
        return None if is_none else _made(kind, rest, sentence, now)
    dated = _is_dated(sentence, now)
    wish = said.WISH.search(sentence)
    if wish is not None and (recurs or dated or is_firm):
        return _made(kind, sentence[wish.end() :], sentence, now)
    doing = said.DOING.search(sentence)
    if doing is not None and (dated or recurs):
        form = verb_form(doing[1].casefold())
        verb = form.lemma if form is not None else doing[1]
        return _made(kind, f"{verb}{sentence[doing.end() :]}", sentence, now)
    return None


def _is_dated(sentence: str, now: datetime | None) -> bool:
    return now is not None and any(mention.to > now for mention in times.mentions(sentence, now))


def _made(kind: TodoKind, phrase: str, sentence: str, now: datetime | None) -> Intent | None:
    """The intent with its own words, without the date that stands in its field."""
    due_at = None
    if kind is TodoKind.COMMITMENT and now is not None:
        found = [mention for mention in times.mentions(sentence, now) if mention.to > now]
        due_at = found[0].to if found else None
    bare = said.ALSO_WILL.sub("", phrase)
    if kind in (TodoKind.COMMITMENT, TodoKind.HABIT):
        bare = _NEXT_CLAUSE.split(bare, maxsplit=1)[0]
    if kind is TodoKind.COMMITMENT and now is not None:
        bare = _undated(bare, now)
    text = bare.strip(" .,;:!-")
    if not text:
        text = sentence.strip(" .,;:!-")
    key = key_of(text)
    if not key:
        return None
    return Intent(kind=kind, text=clipped(text[:1].upper() + text[1:], TEXT_MAX), key=key, due_at=due_at)


def _undated(text: str, now: datetime) -> str:
    for mention in reversed(times.mentions(text, now)):
        before = _BEFORE_TIME.sub("", text[: mention.start])
        text = f"{before} {text[mention.end :].strip()}".replace(" ,", ",").strip()
    return text


def _opened(sentence: str) -> str:
    return _OPENING.sub("", sentence) or sentence


def key_of(text: str) -> str:
    """What every telling of one intent has in common: its words without dates, repetition and light verbs, in order."""
    bare = said.PASSING.sub(" ", said.RECURRENCE.sub(" ", text))
    terms = query_terms(bare) or query_terms(text)
    roots = {_root(term) for term in terms}
    telling = roots - _LIGHT - STOP_WORDS
    return " ".join(sorted(telling or roots)[:KEY_WORDS_MAX])


def _root(word: str) -> str:
    form = verb_form(word)
    base = form.lemma if form is not None else word
    return _ALIKE.get(base, base)


# --- endings ---


def _ending(text: str, open_todos: Sequence[str]) -> Ending | None:
    if not open_todos or said.QUESTION.match(text):
        return None
    if said.DISMISSED.search(text):
        which = _which(text, open_todos, DISMISS_MIN)
        if which is None and said.DISMISSED_BARE.match(text):
            which = len(open_todos) - 1
        return None if which is None else Ending(effect="dismissed", which=which)
    if said.DONE_BARE.match(text):
        return Ending(effect="done", which=len(open_todos) - 1)
    if said.UNDONE.search(text) or not _tells_of_doing(text):
        return None
    which = _which(text, open_todos, MATCH_MIN)
    if which is None or (said.ENDING.match(open_todos[which]) and not said.ENDED.search(text)):
        return None
    return Ending(effect="done", which=which)


def _tells_of_doing(text: str) -> bool:
    """The speaker did something, or something of theirs is done."""
    if said.DONE_PASSIVE.search(text):
        return True
    for clause in re.split(r"[,;]|\.\.\.|\band\b", text):
        words = re.findall(r"[\w'’]+", clause.casefold())
        while words and words[0] in _LEADING:
            words = words[1:]
        if not words or (words[0] in {"my", "the", "he", "she", "they", "it", "a"}):
            continue
        form = verb_form(words[0])
        if words[0].endswith("ed") or words[0] in {"did", "been", "got"} or (form is not None and "past" in form.forms):
            return True
    return False


def _which(text: str, open_todos: Sequence[str], least: float) -> int | None:
    """The open todo that shares most of its words with the text; none when two share alike."""
    words = {_root(word) for word in query_terms(text)}
    scores = [_overlap(words, todo) for todo in open_todos]
    best = max(scores)
    return scores.index(best) if best >= least and scores.count(best) == 1 else None


def _overlap(words: set[str], todo: str) -> float:
    wanted = key_of(todo).split()
    if not wanted:
        return 0.0
    return sum(any(_alike(one, word) for word in words) for one in wanted) / len(wanted)


def _alike(one: str, other: str) -> bool:
    shared = min(len(one), len(other), 5)
    return one == other or (shared > 3 and one[:shared] == other[:shared])
