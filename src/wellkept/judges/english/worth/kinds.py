"""The memory type of a fact, which decides how long it lives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.worth import topics
from wellkept.judges.english.worth.moments import HABIT, LASTS, is_context, is_mood
from wellkept.judges.english.worth.soft_words import MOODS
from wellkept.judges.english.worth.turning_points import is_outcome
from wellkept.patterns import deferred
from wellkept.vocabulary import Kind, MemoryType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.slots.values import Slot
    from wellkept.types import Reference


_LIKING = lexicon.words("like love hate prefer enjoy dislike adore detest loathe despise fancy crave")


LASTING_SLOTS = lexicon.words(
    "name nickname preferred_name pronouns city country timezone language job employer birthday age spouse car "
    "phone-model editor units diet "
    "commute school hometown height shoe-size email phone address languages skills allergies native_language salary "
    "anniversary rent mortgage wage household savings"
)


_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug"
    "|sept?|oct|nov|dec"
)
_TIMED = deferred(
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|last (?:night|week|weekend|month|year|summer|winter|spring|fall"
    r"|autumn|\w+day)|this (?:morning|afternoon|evening|week|weekend|month)"
    r"|next (?:week|weekend|month|year|\w+day)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day|ago|in (?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december|spring|summer|autumn|fall|winter|\d+ (?:days|weeks|months))|at \d"
    r"|\d{1,2}(?::\d\d)? ?(?:am|pm)|(?:on )?(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d{1,2}|\d{1,2}(?:st|nd|rd"
    r"|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december))\b"
)


_DATED = deferred(
    rf"(?i)\b(?:on|from|until|by) (?:the )?(?:{_MONTHS} \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS}))\b"
    r"|\b(?:tomorrow|tonight|next (?:week|month|weekend))\b"
)
"""A day that comes once, whatever hour or habit is named with it."""


def type_of(
    clause: Clause | None, slot: Slot | None, subjects: Sequence[Reference], text: str, *, polarity: str = "assert"
) -> MemoryType:
    """The memory type of a fact."""
    if clause is None or clause.verb is None:
        return _type_of_text(clause, slot, text)
    others = [who for who in subjects if not who.is_speaker] if subjects and not subjects[0].is_speaker else []
    by_slot = _type_of_slot(clause, slot, others)
    if by_slot is not None:
        return by_slot
    verb = clause.verb
    if _is_preference(clause) and not is_outcome(clause):
        return MemoryType.PREFERENCE
    if _is_tie(clause):
        return MemoryType.RELATIONSHIP
    if _is_task(clause):
        return MemoryType.TASK
    if is_mood(clause, text):
        return MemoryType.OBSERVATION
    if is_context(clause, text):
        return MemoryType.CONTEXT
    if _is_event(clause, text):
        return MemoryType.EVENT
    if polarity == "retract" and verb.lemma in {"drink", "eat", "use", "like"} and not others:
        return MemoryType.PREFERENCE
    return _lasting(clause, others)


def _lasting(clause: Clause, others: Sequence[Reference]) -> MemoryType:
    subject = clause.subject
    if others and (subject is None or subject.pronoun != "i"):
        return MemoryType.KNOWLEDGE
    if subject is None or subject.pronoun == "i":
        return MemoryType.IDENTITY
    if subject.pronoun == "we":
        return (
            MemoryType.KNOWLEDGE
            if clause.verb is not None and (clause.verb.lemma in topics.DECISIONS or _has_work(clause))
            else MemoryType.IDENTITY
        )
    if (
        subject.owner is not None
        and subject.owner.pronoun == "i"
        and subject.head not in topics.WORK | {"company", "laptop", "office"}
        and subject.head not in relations.PETS
    ):
        return MemoryType.IDENTITY
    return MemoryType.KNOWLEDGE


def _has_work(clause: Clause) -> bool:
    return any(token.lower in topics.WORK for token in clause.tokens)


_BUSY = deferred(r"(?i)(?:working|currently|looking)\b")


def _type_of_text(clause: Clause | None, slot: Slot | None, text: str) -> MemoryType:
    if slot is not None and slot.name in {"allergies", "diet"}:
        return MemoryType.IDENTITY
    if clause is not None and clause.complement is not None and MOODS & set(clause.complement.text.casefold().split()):
        return MemoryType.OBSERVATION
    if _BUSY.match(text):
        return MemoryType.CONTEXT
    return MemoryType.KNOWLEDGE


def _type_of_slot(clause: Clause, slot: Slot | None, others: Sequence[Reference]) -> MemoryType | None:
    if slot is None:
        return None
    name = slot.name
    if slot.is_retracted and clause.verb is not None and clause.verb.lemma == "leave":
        return None
    if name.startswith("favorite:") or name in {"likes", "dislikes", "goals", "tone", "units", "language"}:
        return MemoryType.PREFERENCE
    if name.startswith(("relation:", "pet:")) or name in {"spouse", "children"}:
        return MemoryType.RELATIONSHIP
    if name.startswith(("schedule:", "tool:", "location:", "project:")):
        return MemoryType.KNOWLEDGE
    if name.startswith("date:"):
        return MemoryType.EVENT
    if name == "age" and clause.verb is not None and clause.verb.lemma == "turn" and clause.verb.tense != "past":
        return MemoryType.EVENT
    is_coming = clause.verb is not None and clause.verb.tense == "future"
    # "My new address will be …" stays true when it has come true.
    is_attribute = clause.subject is not None and bool(clause.subject.head) and clause.subject.relation is None
    is_lasting = not is_coming or (is_attribute and name != "age")
    if name in LASTING_SLOTS and clause.verb is not None and is_lasting:
        return MemoryType.KNOWLEDGE if others else MemoryType.IDENTITY
    if name == "habits":
        return MemoryType.IDENTITY if not others else MemoryType.KNOWLEDGE
    return None


_FAVORED = deferred(r"\b(?:favou?rite|can['’]?t stand|big fan|not a fan|obsessed with)\b")
_INTO = deferred(r"\binto\b")


def _is_preference(clause: Clause) -> bool:
    verb = clause.verb
    if verb is None:
        return False
    if verb.lemma in _LIKING and verb.tense == "past" and verb.modal is None and not HABIT.search(clause.text):
        # "Dad loved the tickets" tells of an occasion.
        return False
    if verb.lemma in _LIKING or "rather" in clause.adverbs:
        return True
    if clause.type == "imperative" and verb.modal != "let's":
        return True
    text = clause.text.casefold()
    if _FAVORED.search(text) or (verb.lemma in {"be", "get", "seem"} and _INTO.search(clause.rest.casefold())):
        return True
    if (
        verb.lemma == "want"
        and not _wants_of_speaker(clause)
        and (clause.object is not None or clause.complement is not None)
    ):
        return True
    return (
        verb.is_negative
        and verb.lemma in {"drink", "eat", "use", "wear", "order"}
        and verb.tense == "present"
        and any(token.lower == "never" for token in clause.tokens)
    )


def _wants_of_speaker(clause: Clause) -> bool:
    """Somebody else wants the speaker to do something: no taste of theirs."""
    return (
        clause.subject is not None
        and clause.subject.pronoun != "i"
        and clause.object is not None
        and clause.object.pronoun == "i"
    )


def _is_tie(clause: Clause) -> bool:
    verb = clause.verb
    if verb is None or verb.lemma not in {"be", "have", "get"}:
        return False
    thing = clause.object or (clause.complement.noun if clause.complement is not None else None)
    if thing is None:
        return False
    members = thing.parts or (thing,)
    if verb.lemma in {"have", "get"}:
        head = members[0].head
        is_kin = relations.relation_of(thing.head) is not None or relations.relation_of(head) is not None
        is_own = (
            thing.owner is None
            and verb.modal is None
            and (
                clause.subject is None
                or clause.subject.pronoun in {"i", "we"}
                or clause.subject.is_person
                or clause.subject.name is not None
            )
        )
        return (
            is_own
            and (is_kin or head in relations.PETS or head.rstrip("s") in relations.PETS)
            and verb.aspect != "progressive"
            and not _TIMED.search(clause.rest)
        )
    return any(part.relation is not None and part.owner is not None for part in members) and not verb.is_negative


def _is_task(clause: Clause) -> bool:
    verb = clause.verb
    if verb is None or verb.tense == "past":
        return False
    if verb.lemma == "need" and clause.rest.startswith(":"):
        return True
    if verb.modal in {"need to", "have to", "must", "should", "supposed to"} and verb.lemma not in {
        "be",
        "have",
        "wear",
        "take",
        "eat",
        "avoid",
    }:
        return not HABIT.search(clause.rest) or verb.lemma == "call"
    if verb.modal in {"need to", "have to", "must"} and verb.lemma in {"take", "be"} and _TIMED.search(clause.rest):
        return True
    if verb.modal == "will" and verb.lemma in {
        "send",
        "bring",
        "review",
        "handle",
        "write",
        "prepare",
        "fix",
        "deliver",
        "submit",
        "buy",
        "book",
        "call",
        "draft",
        "update",
        "share",
        "organize",
        "pick",
        "schedule",
        "check",
        "finish",
        "email",
    }:
        return True
    return verb.lemma == "need" and clause.complement is not None and clause.complement.kind == "infinitive"


def _is_event(clause: Clause, text: str) -> bool:
    verb = clause.verb
    if verb is None:
        return False
    if verb.tense == "past" and verb.modal != "used to":
        return _happened(clause, text)
    if verb.form == "quit" and verb.modal is None and not HABIT.search(clause.rest):
        return True
    if verb.tense == "future" or verb.modal in {"will", "going to"}:
        return True
    if verb.aspect == "perfect" and not LASTS.search(text) and verb.lemma not in _STAYING:
        return True
    if _DATED.search(clause.rest) and verb.lemma not in _LIKING and not re.search(r"(?i)\b(?:every|each)\b", text):
        return True
    if verb.aspect == "progressive":
        return verb.lemma not in {"expect", "live", "study"} and not HABIT.search(clause.rest)
    return (
        bool(_TIMED.search(clause.rest))
        and not HABIT.search(clause.rest)
        and verb.lemma not in {"wake", "get"} | _LIKING
    )


_LEFT_TRACES = lexicon.words("diagnose bear raise limit base name call write build")
_LIVED = lexicon.words("study work live graduate grow decide agree choose")


def _happened(clause: Clause, text: str) -> bool:
    """Whether a past tense tells of what happened, and not of a life: "I was born in Accra", "I studied law"."""
    verb = clause.verb
    if verb is None or "never" in [token.lower for token in clause.tokens]:
        return False
    if verb.lemma == "be" and not verb.is_passive:
        return bool(_TIMED.search(text))
    return not (verb.is_passive and verb.lemma in _LEFT_TRACES) and verb.lemma not in _LIVED


_STAYING = lexicon.words(
    "be have live work know love like hate own study teach play use speak want need stay keep eat drink smoke hold "
    "become get see read watch visit travel"
)
"""Verbs whose perfect tells of what still is, or of a life so far; that of others tells of what happened."""


def kind_of(memory_type: MemoryType, clause: Clause | None) -> Kind:
    """The channel: what happened is episodic, steps are procedural, the rest is semantic."""
    if memory_type is MemoryType.PROCEDURAL:
        return Kind.PROCEDURAL
    if (
        memory_type is MemoryType.EVENT
        and clause is not None
        and clause.verb is not None
        and clause.verb.tense == "past"
    ):
        return Kind.EPISODIC
    return Kind.SEMANTIC
