"""Fact keys: which slot of a person's life a clause fills, with which value, and whether it ends one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar.attributes import ATTRIBUTES
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.named import is_person_name
from wellkept.judges.english.slots import by_verb, tastes
from wellkept.judges.english.slots.values import HELD, Slot
from wellkept.judges.english.worth import topics
from wellkept.patterns import deferred
from wellkept.values import frozen, once

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.vocabulary import Polarity

__all__ = ["Correction", "Slot", "correction", "polarity", "slot_of"]


@frozen
class Correction:
    """Whether a clause corrects something, and the value it says is wrong."""

    is_correction: bool = False
    corrects: str | None = None


_NO_CORRECTION = Correction()
_ENDING = deferred(
    r"(?i)\b(?:no longer|not any ?more|any ?more|any longer|stopped|quit|gave up|given up|giving up|used to"
    r"|cancell?ed)\b"
)
_NO_MORE = deferred(r"(?i)\b(?:no longer|any ?more|any longer)\b")
_SPOKEN = deferred(r"(?i)\b(?:answer|reply|respond|speak|talk|write)\b.{0,20}? in ([a-z]+)\b")
_MANNER = deferred(
    r"(?i)\b(?:briefly|brief|concisely|concise|short(?:er)?|formal(?:ly)?|casual(?:ly)?|friendly|polite(?:ly)?"
    r"|informal(?:ly)?|funny|serious|warm|direct)\b"
)
_LESS = deferred(r"(?i)(?:\b(?:less|not|never|stop|quit|avoid|without)|n['’]t)(?: \w+){0,2} $")
"""What turns a manner into its contrary, shortly before it."""
_WISHED_MANNER = deferred(
    r"(?i)^\W*i(?:['’]d| would)?\s+(?:really |always |much |generally )?(?:prefer|like|love|want|appreciate)\s+"
    r"(?:it (?:when|if) you(?:r (?:answers|replies) are| are| use| keep)\s+)?(?:an? |your |you to use (?:an? )?)?"
    r"(?:more |very |rather |quite )?(?P<manner>(?:less )?(?:brief|concise|short(?:er)?|formal|casual|friendly|polite"
    r"|informal|funny|serious|warm|direct))\s+(?:tone|style|answers?|replies|responses|explanations)\b"
)
_ENDING_VERBS = frozenset(("stop", "quit", "give"))
_CORRECTING = deferred(
    r"(?i)^\s*(?:(?:oh|sorry|oops|wait|no|hmm|ah|well|my bad|scratch that)[,.! ]+)*(?:actually|correction|i meant"
    r"|i mean|to correct|let me correct"
    r"|sorry,|oops|scratch that|small correction|edit)\b|\bi (?:meant|misspoke|was wrong)\b|\bnot \S.{0,40}?,? but\b"
    r"|\binstead of\b|,\s*not\s+\S"
)
_NOT_B = deferred(r"(?i)(?:,|\s-)\s*(?:and )?not\s+(?P<wrong>(?:[^,.;!?]|[.,](?=\d)){1,60})[.!?]*\s*$")
_NOT_A_BUT = deferred(r"(?i)\bnot\s+(?P<wrong>(?:[^,.;!?]|[.,](?=\d)){1,50}?),?\s+but\b")
_INSTEAD = deferred(r"(?i)\b(?:instead of|rather than)\s+(?P<wrong>[^,.;!?]{1,50})")


def _plain_manner(word: str) -> str:
    """The wish behind a word: "casually" and "casual", "shorter" and "short" are one."""
    plain = word.casefold()
    return "short" if plain == "shorter" else plain.removesuffix("ly") if plain != "friendly" else plain


def manner_of(order: str) -> Slot | None:
    """The language or the tone in which an order wants to be answered."""
    spoken = _SPOKEN.search(order)
    if spoken is not None and spoken.group(1).casefold() in topics.LANGUAGES:
        return Slot(name="language", value=spoken.group(1).casefold())
    manner = _MANNER.search(order)
    if manner is None:
        return None
    less = "less " if _LESS.search(order[: manner.start()]) else ""
    return Slot(name="tone", value=f"{less}{_plain_manner(manner.group())}")


def slot_of(clause: Clause, known: frozenset[str] = frozenset()) -> Slot | None:
    """The slot that the clause fills for its first subject, or for the speaker. `known` are names of people."""
    found, is_manner = once(clause, "_filled", _filled)
    if is_manner:
        return found
    if clause.type == "imperative" and found is not None and found.is_retracted:
        return None
    if found is None or _is_of_several(clause.subject, found) or _is_of_a_thing(clause, found, known):
        return None
    if found.name in _WORK and _BESIDE.search(clause.text):
        return None  # a second job ends none
    return found


def _filled(clause: Clause) -> tuple[Slot | None, bool]:
    """The slot by the words of the clause alone, and whether it is the manner in which the speaker wants answers."""
    manner = manner_of(clause.text) if clause.type == "imperative" else None
    if manner is not None:
        return manner, True
    wished = _WISHED_MANNER.search(clause.text)
    if wished is not None:
        return Slot(name="tone", value=_plain_manner(wished.group("manner"))), True
    return by_verb.find(clause), False


_WORK = frozenset(("job", "employer"))
_BESIDE = deferred(
    r"(?i)\b(?:also|too|as well|besides|in addition|on the side|side (?:job|gig|hustle)|second(?:ary)? (?:job|gig)"
    r"|(?:another|extra) (?:job|gig)|(?:(?:on|at) )?(?:the )?weekends|on (?:satur|sun)days)\b"
)


_PERSONAL = frozenset(
    (
        "city", "country", "address", "hometown", "birthplace", "employer", "job", "school", "car", "likes", "dislikes",
        "allergies", "languages", "skills", "goals", "spouse", "salary", "weight", "age", "habits", "diet",
    )
)  # fmt: skip


def _is_of_a_thing(clause: Clause, slot: Slot, known: frozenset[str]) -> bool:
    """Whether a dog, a team or everybody does it: "my dog loves cheese" tells nothing of its owner's tastes."""
    subject, verb = clause.subject, clause.verb
    if subject is None or verb is None or slot.name not in _PERSONAL or clause.type == "imperative":
        return False
    if subject.pronoun is not None:
        return subject.pronoun not in {"i", "we", "he", "she", "they", "you"}
    if subject.name is not None and not subject.head:
        return not is_person_name(subject, known)
    is_thing = bool(subject.head) and subject.relation is None and subject.handle is None
    is_own = ATTRIBUTES.get(subject.label) == slot.name and subject.owner is not None  # "my salary was raised"
    return is_thing and not is_own and (verb.lemma != "be" or _is_animal(subject))


def _is_animal(subject: Noun) -> bool:
    return subject.head in relations.PETS or subject.head.rstrip("s") in relations.PETS


_TIES = ("relation:", "spouse", "children")


def _is_of_several(subject: Noun | None, slot: Slot) -> bool:
    """Whether several people are the subject: a slot is one person's, and never the speaker's by default."""
    if subject is None or slot.name.startswith(_TIES):
        return False
    is_group = subject.pronoun == "they" or (subject.relation is not None and subject.is_plural)
    inner = subject.owner or subject.of
    return is_group or bool(subject.parts) or (inner is not None and _is_of_several(inner, slot))


def polarity(clause: Clause, slot: Slot | None) -> Polarity:
    """Whether the clause asserts its value or takes it back."""
    verb = clause.verb
    if verb is None:
        return "assert"
    text = clause.text
    if (
        verb.modal == "used to"
        or (
            verb.lemma in {"stop", "quit"}
            and not verb.is_negative
            and verb.modal not in {"want to", "will", "going to"}
        )
        or (verb.lemma == "give" and verb.particle == "up")
    ):
        return "retract"
    if _NO_MORE.search(text):
        return "assert" if tastes.is_lasting_dislike(slot, verb) else "retract"
    if slot is not None and slot.is_retracted:
        return "retract"
    if verb.is_negative and slot is not None and slot.name in HELD and verb.tense == "past":
        return "retract"
    if verb.is_negative and slot is not None and slot.name in HELD and slot.name != "diet":
        return "retract"
    return "assert"


@lru_cache(maxsize=256)
def correction(sentence: str) -> Correction:
    """What the sentence around a clause says about its being a correction."""
    if _CORRECTING.search(sentence) is None:
        return _NO_CORRECTION
    for pattern in (_NOT_B, _NOT_A_BUT):
        match = pattern.search(sentence)
        if match is not None:
            return Correction(is_correction=True, corrects=match.group("wrong").strip(" .,'\""))
    is_marked = re.match(
        r"(?i)^\s*(?:(?:oh|sorry|oops|wait|no|hmm|ah|well)[,.! ]+)*(?:actually|correction|i meant|i mean|sorry|oops"
        r"|scratch|edit|small)",
        sentence,
    ) or re.search(r"(?i)\bi (?:meant|misspoke|was wrong)\b", sentence)
    return Correction(is_correction=is_marked is not None)
