"""A message as the todos read it: usual spelling, one clause at a time."""

from __future__ import annotations

import re

from recollect.judges.rules.grammar import sentences
from recollect.patterns import deferred

_APOSTROPHES = deferred("[’‘ʼ`´]")
_SPELLINGS = {
    "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "tomoz": "tomorrow", "2moro": "tomorrow",
    "2morrow": "tomorrow", "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow",
    "tomorrw": "tomorrow", "tonite": "tonight", "2nite": "tonight", "2night": "tonight", "2day": "today",
    "wknd": "weekend", "thurs": "Thursday", "tues": "Tuesday", "weds": "Wednesday",
    "gonna": "going to", "gona": "going to", "gunna": "going to", "finna": "going to", "gotta": "have to",
    "gotto": "have to", "wanna": "want to", "hafta": "have to", "oughta": "ought to", "shoulda": "should have",
    "i'ma": "I'm going to", "imma": "I'm going to", "lemme": "let me", "hv": "have", "b4": "before", "abt": "about",
    "shud": "should", "cud": "could", "wud": "would", "w/": "with", "pls": "please", "plz": "please", "cuz": "because",
    "coz": "because", "bc": "because", "evry": "every", "evryday": "every day", "everyday": "every day",
    "idk": "I don't know", "dunno": "I don't know", "prolly": "probably", "prob": "probably", "mby": "maybe",
    "mabye": "maybe", "kep": "keep", "nd": "and", "u": "you", "thx": "thanks", "remeber": "remember",
    "definately": "definitely", "im": "I'm", "ive": "I've", "iam": "I am", "dont": "don't", "doesnt": "doesn't",
    "didnt": "didn't", "cant": "can't", "cannot": "can't", "couldnt": "couldn't", "wont": "won't",
    "wouldnt": "wouldn't",
    "shouldnt": "shouldn't", "havent": "haven't", "hasnt": "hasn't", "hadnt": "hadn't", "isnt": "isn't",
    "arent": "aren't", "wasnt": "wasn't", "thats": "that's", "theyre": "they're", "youre": "you're",
    "appt": "appointment", "min": "minutes", "mins": "minutes", "hrs": "hours", "ppl": "people", "msg": "message",
}  # fmt: skip
"""How people type in a hurry, and what they mean."""
_WORD = deferred(r"(?<![\w'/@.-])[\w']+(?![\w'@-])|(?<!\w)w/(?= )")
# "ill" and "id" are words of their own; they are "I'll" and "I'd" where a sentence about oneself begins.
_ILL = deferred(
    r"(^|[.!?,;] |\b(?:and|but|so|if|then|know|days?|tomorrow|tonight) )(?:ill|il"
    r"|i ll)(?= [a-z])",
    re.IGNORECASE,
)
_ID = deferred(r"(^|[.!?,;] |\b(?:and|but) )id(?= (?:like|love|better|rather|have|go|say)\b)", re.IGNORECASE)
_TWO = deferred(r"(?:(?<=need )|(?<=have )|(?<=want )|(?<=going )|(?<=got ))2(?= [a-z]{3,})", re.IGNORECASE)
_LOOSE_VERB = deferred(r"^(?:(?:and|but|so|ok|okay|well|then|also|just|still) )*going to\b", re.IGNORECASE)
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
    rf"|,? (?=(?:and|but|then|so) {_ADVERBS}*{_ELIDED})"
    rf"|(?:,? (?=(?:and|but|so|because|since) )|, )(?=(?:(?:and|but|so|because|since) )?{_ADVERBS}*(?:my|the|our"
    rf"|his|her"
    r"|their) [\w'-]+(?: [\w'-]+){0,2}? (?:is|are|was|were|will|has|have|had|won't|can't|isn't|doesn't|didn't|says?"
    r"|said|broke"
    r"|needs?|wants?|died|called)\b)",
    re.IGNORECASE,
)
_QUOTED = deferred(r"[\"“«][^\"”»]{3,}[\"”»]")


def plain(text: str) -> str:
    """The text with straight apostrophes and the usual spelling of hurried words."""
    told = _APOSTROPHES.sub("'", text)
    told = _ID.sub(r"\1I'd", _ILL.sub(r"\1I'll", told))
    told = _WORD.sub(_spelled, _TWO.sub("to", told))
    return _LOOSE_VERB.sub(lambda found: f"I'm {found[0]}", told) if _LOOSE_VERB.match(told) else told


def _spelled(found: re.Match[str]) -> str:
    word = found[0]
    # Capitals are a name or an abbreviation: "HV" is none of ours.
    if len(word) > 1 and word.isupper():
        return word
    told = _SPELLINGS.get(word.casefold())
    if told is None:
        return word
    return told[:1].upper() + told[1:] if word[:1].isupper() else told


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
