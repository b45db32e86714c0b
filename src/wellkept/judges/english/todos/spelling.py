"""The usual spelling of what people type in a hurry, as far as todos rest on it."""

from __future__ import annotations

import re

from wellkept.judges.english.grammar.lexicon import words
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.messages.slips import is_slip
from wellkept.patterns import deferred

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
    "coz": "because", "bc": "because", "evry": "every", "hvae": "have", "teh": "the", "wiht": "with",
    "evryday": "every day", "everyday": "every day",
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
    r"(^|[.!?,;:] |\b(?:and|but|so|if|then|know|days?|tomorrow|tonight|today|later|maybe|perhaps|think|guess"
    r"|hope|promise"
    r"|swear|probably|sure|ok|okay|yes|yeah|\w{3,6}day|that|said|once|when) )(?:ill|il"
    r"|i ll)(?= [a-z])",
    re.IGNORECASE,
)
_TO_LIST = deferred(
    r"\b((?:add|put|write|jot|note) (?:down )?)[\"“]([^\"“”]{3,80})[\"”](?= (?:to|on|onto|in)\b)", re.IGNORECASE
)
_ID = deferred(r"(^|[.!?,;] |\b(?:and|but) )id(?= (?:like|love|better|rather|have|go|say)\b)", re.IGNORECASE)
_TWO = deferred(r"(?:(?<=need )|(?<=have )|(?<=want )|(?<=going )|(?<=got ))2(?= [a-z]{3,})", re.IGNORECASE)
_LOOSE_VERB = deferred(r"^(?:(?:and|but|so|ok|okay|well|then|also|just|still) )*going to\b", re.IGNORECASE)
MISTYPED_MIN = 5
_TELLING = words(
    "tomorrow tonight morning evening afternoon weekend every remember reminder finally probably definitely "
    "maybe perhaps "
    "monday tuesday wednesday thursday friday saturday sunday struggling thinking appointment"
)
"""Words that decide what kind of intent a message is: known with one letter wrong, missing, doubled or swapped."""
_OTHER_WORDS = words("mourning sundry avery evert weekender")


def plain(text: str) -> str:
    """The text with straight apostrophes and the usual spelling of hurried words."""
    told = _APOSTROPHES.sub("'", text)
    told = _TO_LIST.sub(r"\1\2", told)
    told = _ID.sub(r"\1I'd", _ILL.sub(r"\1I'll", told))
    told = _WORD.sub(_spelled, _TWO.sub("to", told))
    return _LOOSE_VERB.sub(lambda found: f"I'm {found[0]}", told) if _LOOSE_VERB.match(told) else told


def _spelled(found: re.Match[str]) -> str:
    word = found[0]
    # Capitals are a name or an abbreviation: "HV" is none of ours.
    if len(word) > 1 and word.isupper():
        return word
    told = _SPELLINGS.get(word.casefold()) or _meant(word)
    if told is None:
        return word
    return told[:1].upper() + told[1:] if word[:1].isupper() else told


def _meant(word: str) -> str | None:
    """The word that a mistyped one stands for; None when it may be a word of its own."""
    if len(word) < MISTYPED_MIN or not word.islower() or not word.isalpha() or verb_form(word) or word in _OTHER_WORDS:
        return None
    if word.endswith("in") and verb_form(f"{word}g") is not None:
        return f"{word}g"
    return next((one for one in sorted(_TELLING) if one[0] == word[0] and one != word and is_slip(word, one)), None)
