"""A message as the todos read it: one clause of the speaker's own words at a time."""

from __future__ import annotations

import re

from wellkept.judges.english.grammar.parser import sentences
from wellkept.patterns import deferred

_PRONOUN = r"(?:i|we|he|she|they|it|you|this|that|there|nobody|somebody|everyone|everybody|nothing)\b(?!-)"
_TIME_FIRST = (
    r"(?:(?:on|by|in|at|from|after|before|until|this|next|every|each|the) )*(?:tomorrow|today|tonight|now|then|later|"
    r"once a \w+|twice a \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|week|weekend|morning|evening|afternoon"
    r"|night|"
    r"month|year|one day|some ?day)(?: on)?,? "
)
_ADVERBS = (
    r"(?:(?:also|then|maybe|perhaps|possibly|still|just|now|later|after that|afterwards|so|even so|yet"
    r"|therefore) )"
)
_ELIDED = r"(?:have to|need to|must|will|want to|going to|might|may|should|keep \w+ing|can't)\b"
_SPLIT = deferred(
    rf"\s*;\s+|\s+[-–—]+\s+|\.\.\.+\s*"
    rf"|,? (?=(?:and|but|so|because|since|although|though|yet|plus|or else"
    rf"|while) {_ADVERBS}*(?:{_TIME_FIRST})?{_PRONOUN})"
    rf"|, (?={_ADVERBS}*(?:{_TIME_FIRST})?{_PRONOUN})"
    rf"|,? (?=(?:and|but|then|so) {_ADVERBS}*{_ELIDED})|, (?={_ELIDED})"
    rf"|(?:,? (?=(?:and|but|so|because|since) )|, )(?=(?:(?:and|but|so|because|since) )?{_ADVERBS}*(?:my|the|our"
    rf"|his|her"
    r"|their) [\w'-]+(?: [\w'-]+){0,2}? (?:is|are|was|were|will|has|have|had|won't|can't|isn't|doesn't|didn't|says?"
    r"|said|broke"
    r"|needs?|wants?|died|called)\b)",
    re.IGNORECASE,
)
_QUOTED = deferred(r"[\"“«][^\"”»]{3,}[\"”»]")


def prose(text: str) -> tuple[str, ...]:
    """The sentences of a text that are the speaker's own words: no quote, no code."""
    return tuple(sentence.text for sentence in sentences(_QUOTED.sub("…", text)) if sentence.kind == "prose")


def clauses(sentence: str) -> tuple[str, ...]:
    """The clauses of a sentence, each with its conjunction."""
    found: list[str] = []
    for piece in _SPLIT.split(sentence):
        told = piece.strip(" ,")
        if told:
            found.append(told)
    return tuple(found)
