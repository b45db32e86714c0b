"""What holds for the moment: moods, aches, and what is going on just now; and the words that say that it lasts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.worth.soft_words import MOODS
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause

ACHES = frozenset(("headache", "back", "head", "throat", "stomach", "knee", "migraine"))


NOW = deferred(
    r"(?i)\b(?:currently|right now|at the moment|these days|this (?:week|month|semester|term|weekend)|until|for now"
    r"|lately|on leave|on vacation|on holiday|out of office|on call|temporarily|for the next)\b"
)


_HERE = deferred(r"(?i)(?:presenting|next(?! to)|in \w+ until)")
_JUST_NOW = deferred(r"(?i)\b(?:currently|right now|at the moment|for now|lately|coming up)\b")


HABIT = deferred(
    r"(?i)\b(?:every|each(?! other)|always|usually|often|never|daily|weekly"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|weekends|twice a|once a|most (?:days|mornings)|mornings?|regularly|since"
    r"|from \w+day to \w+day|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
)


LASTS = deferred(r"(?i)\b(?:since|for \w+ (?:years?|months?|decades?)|years|never|always|ever|all my life)\b")


def is_mood(clause: Clause, text: str) -> bool:
    verb = clause.verb
    if verb is None:
        return False
    if verb.lemma in {"mention", "complain", "say", "report", "admit"} and MOODS & set(clause.rest.casefold().split()):
        return True
    if verb.tense == "past":
        return False
    if verb.lemma == "feel" and not HABIT.search(clause.rest):
        return True
    complement = clause.complement
    words = clause.rest.casefold().strip(" .!").split()
    if verb.lemma == "be" and words[:2] in (["a", "bit"], ["a", "little"]) and MOODS & set(words):
        return True
    if verb.lemma == "be" and complement is not None and complement.kind == "adjective":
        last = complement.text.casefold().split()[-1]
        return last in MOODS and not any(item.preposition in {"of", "with"} for item in clause.phrases)
    is_ache = clause.subject is not None and clause.subject.head in ACHES
    return (is_ache and verb.tense == "present" and not LASTS.search(text)) or (
        verb.lemma == "be" and words[:2] in (["out", "sick"], ["under", "the"])
    )


_BOND = deferred(r"(?i)\b(?:a crush on|mortgage is|being sued)\b")


def is_context(clause: Clause, text: str) -> bool:
    verb = clause.verb
    if verb is None or verb.tense == "past":
        return False
    is_just_now = verb.lemma != "be" and _JUST_NOW.search(text) is not None
    is_going_on = verb.lemma == "keep" and clause.complement is not None and clause.complement.kind == "gerund"
    if is_just_now or is_going_on:
        return True
    if (
        verb.aspect == "progressive"
        and verb.tense == "present"
        and verb.lemma
        not in {
            "be",
            "get",
            "have",
            "move",
            "come",
            "visit",
            "go",
            "launch",
            "ship",
            "start",
            "fly",
            "arrive",
            "host",
            "marry",
            "turn",
            "live",
            "expect",
        }
    ):
        # "I'm taking metformin twice a day", "she's seeing a therapist every week": so it is, not just now.
        is_habit = HABIT.search(clause.rest) is not None
        return not ((verb.lemma in {"study", "live"} or is_habit) and not NOW.search(text))
    if (
        verb.aspect == "perfect progressive"
        and not re.search(r"(?i)\b(?:since|for \w+ (?:years?|months?)|years)\b", clause.rest)
        and verb.lemma in {"work", "look", "try", "write", "read", "think", "plan", "prepare", "train", "build"}
    ):
        return True
    if (
        verb.aspect == "progressive"
        and verb.lemma in {"go", "get"}
        and re.search(r"(?i)\b(?:through a|a divorce)\b", clause.rest)
    ):
        return True
    if verb.lemma == "be" and not verb.is_passive and (NOW.search(clause.rest) or _HERE.match(clause.rest)):
        return True
    if verb.lemma == "park":
        return True
    return _BOND.search(text) is not None
