"""What stands before a statement: a time without its comma, and words that only say that something will be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.dates.calendar_words import MONTHS
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.patterns import deferred

if TYPE_CHECKING:
    import re

_UNITS = (
    "days?|weeks?|weekends?|months?|years?|mornings?|afternoons?|evenings?|nights?|springs?|summers?|autumns?|falls?"
    "|winters?|quarters?|semesters?|holidays|christmas|easter|ramadan|diwali"
)
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTHS = "|".join(sorted(MONTHS, key=len, reverse=True))
_FRONT = deferred(
    rf"(?:^|(?<=[.!?]\s))(?i:(?:(?:on|in|at|every|each|during|from|until|by|last|next|this|one|two|three|\d+)\s+)"
    rf"(?:(?:the|a|every|other|last|next|this|early|late|first|few)\s+)*"
    rf"(?:{_DAYS}|{_MONTHS}|{_UNITS}|(?:19|20)\d\d)(?:\s+(?:ago|(?:19|20)\d\d|{_UNITS}))?)"
    r"(?P<gap>\s)(?=(?!I\b)[A-Z][\w'\u2019-]*\s+(?:and\s+|[a-z]))"
)


def with_comma(text: str) -> str:
    """The same text, letter for letter in length, with a comma for the blank before such a subject.

    >>> with_comma("Last year Tariq moved to Ghent.")
    'Last year,Tariq moved to Ghent.'
    >>> with_comma("In May I go to Rome")
    'In May I go to Rome'
    """
    return _FRONT.sub(lambda match: f"{match[0][: match.start('gap') - match.start()]},", text)


_ANNOUNCING = deferred(
    r"(?:^|(?<=[.!?\n]\s)|(?<=\n))\s*"
    r"(?i:(?:(?:oh|so|and|but|well|also|hey|btw|anyway|okay|ok|yeah|yes)[,!]?\s+)*"
    r"(?:(?:i(?:['\u2019]ve| have)?\s+)?(?:just\s+)?(?:wanted|want|have|got|had|need|forgot)\s+to\s+"
    r"(?:let\s+(?:you|u)\s+know|tell\s+(?:you|u|ya)|share(?:\s+with\s+you)?|say|mention"
    r"|give\s+you\s+the\s+heads[- ]?up)"
    r"|i(?:['\u2019]m|\s+am)\s+(?:so\s+|really\s+|very\s+|super\s+|pretty\s+)?"
    r"(?:excited|happy|glad|thrilled|proud|sad|sorry|pleased|stoked|delighted)\s+to\s+(?:tell\s+(?:you|u)|share|say"
    r"|announce|report|let\s+you\s+know)"
    r"|(?:great|good|big|sad|bad|exciting|amazing)\s+news|guess\s+what|fun\s+fact|jok(?:es|ing)\s+aside|seriously(?:\s+though)?|did\s+i\s+(?:tell\s+you|mention)|you\s+know\s+what"
    r"|(?:just\s+)?(?:(?:an?|one|my)\s+)?(?:(?!(?:my|our|the|a|an|to|is|are|was)\b)[a-z]+\s+){1,2}"
    r"(?:updates?|notes?|news|thought|tidbit|recap)(?=\s*[:\u2013\u2014]|\s+-\s)"
    r"|(?:(?:ps|p\.s|nb|n\.b)\.?|psa|tl;?dr|fyi|disclaimer|confession|context|background)(?=\s*[:\u2013\u2014]|\s+-\s)"
    r"|just\s+so\s+you\s+know|for\s+the\s+record|long\s+story\s+short|as\s+you\s+(?:may|might)\s+know|full\s+disclosure)"
    r"(?:\s+that(?=\s+(?:i|we|my|our|he|she|they|the|[A-Z])))?\s*[,:!.\u2013\u2014-]*\s+)(?=\S)"
)


def unannounced(text: str) -> str:
    """The same text with blanks for what only announces a statement.

    >>> unannounced("I'm so happy to tell you that I passed.").strip()
    'I passed.'
    >>> unannounced("Okay, so I passed").strip()
    'I passed'
    """
    return _ANNOUNCING.sub(_blank, _SO.sub(_blank, text))


_SO = deferred(
    r"(?:^|(?<=[.!?\n]\s)|(?<=\n))\s*(?i:(?:(?:ok(?:ay)?|right|alright|lol|ha(?:ha)+|hmm+|um+|yeah|well)[,.\u2026]*\s+)+so,?\s+)"
    r"(?=\S)"
)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


# What somebody adds in chat without a subject, and what is said with "no" and without a verb.
_ASIDE = deferred(
    r"(?i)(?<=\w),(?= (?:brb|gtg|gotta|afk|ugh|sigh|smh|gonna"
    r"|so (?:annoying|annoyed|excited|happy|sad|tired|proud|glad|cool|nice|weird|good|bad|stressful|unfair|funny)\W*$))"
    r"|^(?:no|zero|never|not) [^,.!?]{2,40}(?P<no>,)(?= (?:i|we|my)\b)"
    r"|(?<=\w),(?= (?:(?:the )?new )?(?:boss|manager|supervisor|team lead(?:er)?|landlord|landlady|teacher|roommate"
    r"|flatmate|coach|trainer) (?:is|will be)\b)"
)


def with_stops(text: str) -> str:
    """The same text, letter for letter in length, with a full stop before and behind such an aside.

    >>> with_stops("I'm parched, brb")
    "I'm parched. brb"
    >>> with_stops("No dairy for me, I'm lactose intolerant")
    "No dairy for me. I'm lactose intolerant"
    """
    return _ASIDE.sub(lambda match: f"{match[0][:-1]}.", text) if "," in text else text


_ONE_OF = deferred(r"\b(?i:one of (?:them|whom)),\s+(?P<name>[^\W\d_]\w+),")


def named_one(text: str) -> str:
    """The same text with blanks around the one who is named: "and one of them, Luka, plays" is what Luka plays.

    >>> named_one("one of them, Luka, sings").split()
    ['Luka', 'sings']
    """
    return _ONE_OF.sub(lambda match: match["name"].rjust(len(match[0]) - 1) + " ", text) if "," in text else text


_NAMED_NEXT = deferred(
    r"(?P<one>\b(?:an?|another|two|three|four|some|(?:the|our|my) new)(?: [a-z][a-z'-]*){1,4})"
    r"(?P<link>[.!,;:]+ (?:and )?(?i:(?:his|her|its|their) names?(?:'s| is| are| will be|:)"
    r"|(?:he|she|it|they)(?:'s| is|'re| are| will be) (?:called|named))) (?=[A-Z])"
)


def named_next(text: str) -> str:
    """The same text, letter for letter in length, with a name told in the next breath put beside whom it names.

    >>> " ".join(named_next("I have a sister. Her name is Ana.").split())
    'I have a sister named Ana.'
    >>> " ".join(named_next("We got two kittens, they're called Pip and Moz").split())
    'We got two kittens named Pip and Moz'
    """
    if "name" not in text and "called" not in text:
        return text
    return _NAMED_NEXT.sub(lambda match: f"{match['one']} {'named'.ljust(len(match['link']) - 1)} ", text)


_HUNG = deferred(
    r"(?i),\s+(?:just |then |already |still |always )?(?P<verb>[a-z]+) (?:it|them)\b[^,.;:!?\n]*(?=$|[.;!?\n])"
)
_PARTING = lexicon.words("sell return cancel quit end lose break give drop stop leave delete throw scrap donate")


def unhung(body: str) -> str:
    """The text, letter for letter in length, without what is hung on a statement about a thing of it.

    >>> unhung("I have asthma, had it for years").strip()
    'I have asthma'
    """
    return _HUNG.sub(_blank_hung, body) if "," in body else body


_ENDED = deferred(r"(?i)\b(?:stopped|quit|gave up|no longer|cancell?ed)\b")


def _blank_hung(found: re.Match[str]) -> str:
    said = found["verb"].casefold()
    form = verb_form(said)
    lemma = form.lemma if form is not None else said.removesuffix("d").removesuffix("e")
    is_verb = said in {"had", "have", "did"} or said.endswith("ed") or (form is not None and "past" in form.forms)
    is_parting = lemma in _PARTING or f"{lemma}e" in _PARTING
    is_over = _ENDED.search(found.string, 0, found.start()) is not None
    return " " * len(found[0]) if is_verb and (is_over or not is_parting) else found[0]
