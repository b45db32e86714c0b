"""What means something only in the chat where it is said: whose turn it is, who brings what, who is late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.patterns import deferred
from wellkept.vocabulary import MemoryType

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.judges.english.slots.values import Slot
    from wellkept.judges.english.wording.retelling import Voice

_STAYS = {MemoryType.TASK, MemoryType.OBSERVATION}
_MAY_STAY = {MemoryType.CONTEXT, MemoryType.EVENT, MemoryType.KNOWLEDGE}
_OPERATIONAL = deferred(
    r"(?i)\b(?:eod|eow|asap|by (?:tonight|tomorrow|noon|eod|monday|tuesday|wednesday|thursday|friday)|next up"
    r"|presenting|taking (?:the )?(?:notes|minutes)|on call|out sick|ooo|out of office|on vacation|joining (?:the"
    r"|late)|running late|"
    r"bring(?:ing|s)? (?:the )?(?:snacks|drinks|food|cake|wine|dessert)|send(?:s|ing)? (?:the|a|out)|(?:client "
    r"|team )?call (?:is |was |got )?moved|meeting (?:is |was |got )?moved|covering for|handles? the demo"
    r"|hosting (?:the|today)|"
    r"parked|level \d|will review|reviews? my pr|(?:is|goes|up) next(?=\W*$)|agenda|minutes|in the (?:meeting|call))\b"
)
# Whose turn it is, and how somebody takes part just now.
_TURN = deferred(
    r"(?i)\b(?:(?:is|are|'s|be) up (?:next|first|last|now|after|before)|(?:goes|go|speaks?|starts?|presents?|plays?)"
    r" (?:first|next|last|second)\b|'s turn\b|(?:has|have|had) the (?:floor|mic|microphone|screen|talking stick)"
    r"|(?:is|are|'s) (?:un)?muted|(?:our|the) (?:next|first|last|opening|closing) (?:speaker|presenter|talk|guest)"
    r"|on mute|afk|brb|away from (?:the )?keyboard|stuck in (?:traffic|a meeting)|on (?:the|his|her|their|my) way"
    r"|(?:is|are|'s) (?:almost |nearly )?(?:here|late|ready|online|offline))\b"
)
_SOON = deferred(
    r"(?i)\b(?:tonight|today|tomorrow|right now|just now|this (?:morning|afternoon|evening)|in a (?:bit|minute|sec)"
    r"|in \d+ (?:minutes?|mins?|hours?)|at \d{1,2}(?::\d\d)?\s?(?:am|pm|h)?|at noon|for (?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day)\b|(?-i:\b(?:tonight|today|tomorrow)['’]s\b)"
)
_ARRANGING = lexicon.words(
    "chair host moderate facilitate lead run present share book reserve pick choose order bring carry join send "
    "collect fetch print set cook cover handle take demo kick dial record organise organize"
)
_GATHERING = lexicon.words(
    "meeting call standup stand-up retro retrospective agenda slides slide deck minutes notes floor session workshop "
    "table room venue restaurant screen link recording demo sync huddle seats tickets taxi pizza pizzas bill tab "
    "playlist snacks drinks cake chairs invite poll round game match rehearsal webinar panel"
)
_MOMENTARY = lexicon.words(
    "wait sit stand type dial set buy order share hold walk talk speak eat watch present moderate pick queue park cook "
    "drive bring carry chair host join cover record fetch read listen nap shower cry laugh stretch"
)
"""Verbs that say in the progressive what is over in an hour."""


def is_portable(kind: MemoryType, text: str, clause: Clause | None, slot: Slot | None) -> bool:
    """Whether the fact means something outside the chat: not for tasks, moods and what is going on in the chat."""
    if kind in _STAYS:
        return False
    if kind not in _MAY_STAY:
        return True
    if _OPERATIONAL.search(text) or _TURN.search(text):
        return False
    if clause is None or (slot is not None and not _SOON.search(clause.text)):
        return True
    return not _is_arrangement(clause)


def _is_arrangement(clause: Clause) -> bool:
    """Something that somebody is about, or that was agreed among those who are here, and over soon."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or not _is_somebody(subject):
        return False
    words = {token.lower for token in clause.tokens}
    if verb.lemma in _ARRANGING and words & _GATHERING:
        return True
    if verb.lemma in _ARRANGING | _MOMENTARY and "us" in words:
        return True
    is_open = verb.tense in {"present", "future"}
    is_brief = verb.lemma in _ARRANGING | _MOMENTARY | {"be", "have"}
    if is_open and is_brief and _SOON.search(clause.text):
        return True
    return verb.lemma in _MOMENTARY and verb.aspect == "progressive" and verb.tense == "present"


def _is_somebody(noun: Noun) -> bool:
    if noun.pronoun is not None:
        return noun.pronoun in {"i", "we", "he", "she", "they"}
    return noun.handle is not None or noun.relation is not None or (noun.name is not None and not noun.head)


_AGREEING = lexicon.words("decide agree vote settle meet")


def is_of_us(clause: Clause, voice: Voice) -> bool:
    """Whether it is told of "us" who talk, and not of a family: "We meet at the pier", "Our standup is at 9"."""
    subject, verb = clause.subject, clause.verb
    if subject is None or verb is None or subject.relation is not None:
        return False
    if subject.pronoun == "we":
        return verb.lemma in _AGREEING or voice.is_work
    return subject.owner is not None and subject.owner.pronoun == "we" and voice.is_work
