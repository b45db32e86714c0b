"""Things that belong to nobody in words and yet to the speaker's world: the launch, the spare key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.dates.days import NAMED, WEEKDAY
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people.named import is_team
from wellkept.judges.english.slots import dates, things
from wellkept.judges.english.worth import topics
from wellkept.judges.english.worth.weights import CHANGEABLE, LIKELY, NONE, Worth
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

LOCAL_THINGS = topics.WORK | lexicon.words(
    "key keys router wifi password-not spare passport remote charger umbrella toolbox ladder car bike parking gate "
    "door alarm thermostat boiler plumber fuse "
    "wedding party anniversary appointment flight trip train rent lease mortgage landlord apartment flat house "
    "office cabin garage gym class lesson choir band "
    "school daycare exam interview recital game tournament rehearsal concert dinner picnic bbq reunion funeral "
    "surgery vet visa contract insurance"
)
_PASTIMES = lexicon.words("hobby hobbies passion passions outlet outlets pastime interest interests therapy")


def thing(subject: Noun, clause: Clause) -> Worth:
    """Things of the speaker's world that have no owner in words: the launch, the standup, the spare key."""
    words = {subject.head, *subject.modifiers, *(subject.text.casefold().split())}
    reason = _sure(subject, clause, words)
    if reason is not None:
        return Worth(confidence=LIKELY, reason=reason)
    if not words & LOCAL_THINGS or subject.determiner in _ANY:
        return Worth(confidence=NONE, reason="general")
    verb = clause.verb
    if not clause.rest.strip():
        return Worth(confidence=NONE, reason="passing")
    if verb is None or (
        verb.tense == "past"
        and not verb.is_passive
        and verb.lemma not in {"move", "change", "start", "switch", "migrate"}
    ):
        return Worth(confidence=NONE, reason="passing")
    is_adjective = clause.complement is not None and clause.complement.kind == "adjective" and not clause.phrases
    if is_adjective or topics.TECH_TROUBLE.search(clause.text):
        return Worth(confidence=NONE, reason="passing")
    if subject.determiner is None and not (words & topics.WORK):
        is_dated = CHANGEABLE.search(clause.rest) is not None
        return Worth(confidence=0.75, reason="thing") if is_dated else Worth(confidence=NONE, reason="general")
    return Worth(confidence=LIKELY, reason="thing")


_ANY = frozenset(("a", "an", "every", "some", "this", "that", "these", "those", "any"))


def _sure(subject: Noun, clause: Clause, words: set[str]) -> str | None:
    """Why a thing is the speaker's own though no word says so."""
    named = clause.complement.noun if clause.complement is not None else None
    if named is not None and named.owner is not None and named.owner.pronoun == "i" and named.head in _PASTIMES:
        return "pastime"
    if subject.determiner is None and words & {"favorite", "favourite", "name"}:
        return "note"
    if _is_kept(clause):
        return "kept"
    if is_team(subject) and subject.determiner in {"our", "my", "the"}:
        return "team"
    if _is_appointed(subject, clause):
        return "appointed"
    return "figure" if subject.determiner == "the" and _is_set(subject, clause) else None


def _is_set(subject: Noun, clause: Clause) -> bool:
    """For "the rate limit is 600", "the fee was raised to 5 euros", "the choir is led by Inés".

    "The radius is 5" is of some exercise.
    """
    found = things.changed_to(clause) or things.find(clause)
    is_now = "now" in clause.adverbs
    if found is not None and found.name.startswith((things.VALUES, things.HOLDERS)):
        return is_now or clause.verb is None or clause.verb.lemma not in things.DOING
    is_called = len(things.thing_words(subject)) > 1 or is_now
    is_being = clause.verb is not None and clause.verb.lemma == "be" and clause.verb.tense == "present"
    is_told = is_now or things.is_figure(clause)
    return is_called and is_being and is_told and things.value(clause, subject) is not None


def _is_kept(clause: Clause) -> bool:
    """For "the epipen lives in my green backpack": where a thing of the speaker's is."""
    verb = clause.verb
    is_place = verb is not None and verb.lemma in {"live", "sit", "be", "stay", "hang"}
    is_now = is_place and verb is not None and verb.tense == "present" and clause.complement is None
    return is_now and any(
        item.preposition in {"in", "on", "under", "behind", "inside", "at"}
        and re.search(r"(?i)\b(?:my|our)\b", item.text) is not None
        for item in clause.phrases
    )


_ON_A_DAY = deferred(rf"(?i)\b(?:on|to|at|from|until) (?:the )?(?:{WEEKDAY}\b|{NAMED})|\b(?:tomorrow|tonight)\b")
_DAY_FIRST = deferred(rf"(?i)(?:every |on |in )?(?:{WEEKDAY}s?\b|tomorrow\b|{NAMED})")
_COMING = lexicon.words("be come arrive start begin open happen move get deliver visit end")


def _is_appointed(subject: Noun, clause: Clause) -> bool:
    """For "the inspector comes on Friday", "the viva was pushed to the 20th", "finals are on 3 May"."""
    verb = clause.verb
    if verb is None or subject.pronoun is not None:
        return False
    day = dates.told(clause)
    if day is not None and (subject.determiner == "the" or day.is_retracted or dates.is_moved(clause)):
        return True
    if verb.is_negative:
        return False
    is_own = subject.determiner is None and subject.name is None and not {subject.head} & lexicon.TIME_NOUNS
    if is_own and verb.lemma == "be" and verb.tense == "present" and _DAY_FIRST.match(clause.rest):
        return True
    if not _ON_A_DAY.search(clause.rest):
        return False
    is_bare = subject.determiner is None and verb.lemma == "be" and clause.complement is None
    return is_bare or (subject.determiner == "the" and verb.lemma in _COMING and verb.tense != "past")
