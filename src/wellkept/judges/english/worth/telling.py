"""What a statement tells: its hard words, and the time, habit or name by which it can be looked up again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.people import relations, secrecy
from wellkept.judges.english.people.callings import is_addressed
from wellkept.judges.english.worth.moments import HABIT
from wellkept.judges.english.worth.soft_words import LIGHT_VERBS, PRAISE, SOFT
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.tokens import Token


def hard_words(clause: Clause) -> Iterator[str]:
    """The words from the verb on that tell something: names, numbers, and whatever is not soft."""
    verb = clause.verb
    if verb is not None and not _is_light(clause) and not _is_of_soft(clause):
        yield verb.lemma
    yield from (
        token.lower for token in clause.tokens if verb is None or token.start >= verb.end if _is_hard(clause, token)
    )


CHEER_WORDS = 3  # an order or exclamation that is no longer asks for no memory


def is_cheer(content: str, *, is_first: bool) -> bool:
    """Whether an overheard "remember …" asks for no memory: "Remember that staying calm is key. Rock on!" cheers."""
    found = parse(content)
    if not found:
        return True
    is_short = found[0].type in {"imperative", "fragment"} and len(content.split()) <= CHEER_WORDS
    is_soft = all(clause.verb is not None and next(hard_words(clause), None) is None for clause in found)
    return is_soft or (is_short and not is_first)


def _is_of_soft(clause: Clause) -> bool:
    """For "I visualize my goals", "I chase my dreams": a verb tells no more than what it is done to."""
    thing = clause.object
    if thing is None or thing.relation is not None or not thing.head or thing.head in lexicon.TIME_NOUNS:
        return False
    inside = [token for token in clause.tokens if thing.start <= token.start < thing.end]
    return bool(inside) and not any(token.tag == "pronoun" or _is_hard(clause, token) for token in inside)


def _is_hard(clause: Clause, token: Token) -> bool:
    if token.tag == "number":
        return not _counts_soft(clause, token)
    if token.tag == "name":
        return not _is_called(clause, token)
    if token.tag in {"word", "adjective"}:
        return not _is_soft(token.lower.rstrip("'’"), token.form.lemma if token.form is not None else None)
    return token.tag in {"handle", "url", "quoted"}


def _is_called(clause: Clause, name: Token) -> bool:
    """For "thanks, John!" and "I love the thought John!": the name is that of the listener."""
    before = next((token for token in reversed(clause.tokens) if token.end <= name.start), None)
    is_last = not any(token.start >= name.end and token.tag != "punctuation" for token in clause.tokens)
    ahead = [token.tag for token in clause.tokens if before is not None and token.end <= before.start][-1:]
    is_noun = (
        before is not None and before.tag == "word" and bool({"determiner", "possessive", "adjective"} & set(ahead))
    )
    is_hung_on = is_noun and before is not None and is_last and _is_soft(before.lower, None)
    return is_hung_on or is_addressed(name.text, clause.text)


def _is_light(clause: Clause) -> bool:
    """Whether the verb tells nothing by itself: "have", "work on", but not "I'm seeing someone", "she's coming"."""
    verb = clause.verb
    if verb is None or verb.lemma == "work":
        return clause.rest.casefold().startswith(("on ", "hard", "toward", "together", "through"))
    return verb.lemma in LIGHT_VERBS and not (verb.lemma in {"see", "come"} and verb.aspect == "progressive")


_ABSTRACT_ENDINGS = ("ness", "ship", "ance", "ence", "hood")
_CONCRETE = lexicon.words(
    "business illness fitness wilderness witness harness insurance residence ambulance dance finance advance fence "
    "conference science audience neighbourhood neighborhood sickness internship apprenticeship citizenship "
    "scholarship sponsorship relationship appliance distance fragrance inheritance governess partnership"
)


def _counts_soft(clause: Clause, number: Token) -> bool:
    """For "two options", "one": a number of what tells nothing."""
    after = next((token for token in clause.tokens if token.start >= number.end), None)
    if after is None or number.lower in {"one", "1", "100"}:
        return number.lower in {"one", "1", "100"}
    is_soft = after.lower in SOFT and after.lower not in lexicon.TIME_NOUNS
    return is_soft and relations.relation_of(after.lower.removesuffix("s")) is None


def _is_soft(word: str, lemma: str | None) -> bool:
    singular = word.removesuffix("s")
    is_doing = word.endswith("ing") and lemma is not None
    if lemma in LIGHT_VERBS or word in SOFT or (not is_doing and singular in SOFT):
        return True
    compared = re.sub(r"i?(?:er|est)$", "", word)
    if compared != word and ({compared, compared[:-1], f"{compared}y", f"{compared}e"} & PRAISE):
        return True
    is_spoken = word.endswith("in") and f"{word}g" in SOFT
    return is_spoken or (singular.endswith(_ABSTRACT_ENDINGS) and singular not in _CONCRETE)


def is_anchored(clause: Clause) -> bool:
    """Whether a time, a habit, a name or a number makes it something to look up again."""
    start = clause.verb.end if clause.verb is not None else clause.start
    named = any(
        (
            token.tag in {"name", "number", "handle", "quoted"}
            and token.lower not in {"one", "1", "100"}
            and not _is_called(clause, token)
        )
        or token.lower == "there"
        for token in clause.tokens
        if token.start >= start
    )
    return named or WHEN.search(clause.text) is not None or HABIT.search(clause.text) is not None


_OF_THE_HOUR = deferred(
    r"(?i)\b(?:today|tonight|yesterday|(?:this|last) (?:morning|afternoon|evening|night|weekend)|now|already|finally)\b"
    r"|\b(?:chapter|lesson|page|level|episode|unit|set|round|take|try|number) \d+\b"
    r"|[$€£¥]?\d[\d.,]*\s?(?:k|km|kms|miles?|hours?|hrs?|minutes?|mins?|times|pages|steps|kilos?|kg|g|ml|boxes|bucks|yen"
    r"|dollars|euros|pounds|%|percent|am|pm|reps|sets|laps|cups|pieces)?\b"
)


def is_anchored_beyond_today(clause: Clause) -> bool:
    """Whether more than a day just past, an hour or an amount makes it something to look up again."""
    start = clause.verb.end if clause.verb is not None else clause.start
    named = any(
        token.tag in {"name", "handle"} and not _is_called(clause, token)
        for token in clause.tokens
        if token.start >= start
    )
    left = _OF_THE_HOUR.sub(" ", clause.text) if not _YEAR.search(clause.text) else clause.text
    return named or WHEN.search(left) is not None or HABIT.search(left) is not None


_YEAR = deferred(r"\b(?:19|20)\d\d\b")
WHEN = deferred(
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|past) (?:night|week|weekend|month|year|summer"
    r"|winter|spring|fall|autumn|semester|term|(?:mon|tue|tues|wed|wednes|thu|thurs|fri|sat|satur|sun)(?:day)?|morning"
    r"|afternoon|evening|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|ago|in (?:the )?(?:january|february|march|april|may|june|july"
    r"|august|september|october|november|december|spring|summer|autumn|fall|winter)|years?|decades?"
    r"|as an? (?:kid|child|teen|teenager|student|girl|boy)|growing up|in (?:college|school|high school|university)"
    r"|birthday|christmas|easter|thanksgiving|eid|diwali|first time)\b|\b\d"
)


def adds_nothing(clause: Clause) -> bool:
    """For "between us" and the "but I stopped" after "I used to play": said of the statement beside it."""
    verb = clause.verb
    is_echo = verb is not None and verb.lemma in {"stop", "quit"} and not clause.rest.strip() and not verb.is_negative
    return is_echo or secrecy.ASIDE.search(clause.text) is not None
