"""Whether two statements say the same, contradict each other, or neither; "different" whenever that is not sure."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime

from wellkept.judges.base import Verdict
from wellkept.judges.english.dates import times
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.questions import concepts
from wellkept.judges.english.questions.statements import Statement, canonical, statement
from wellkept.judges.english.slots.endings import as_it_was
from wellkept.patterns import deferred
from wellkept.types import Claim, Memory

_SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_UNITS = deferred(
    r"\d\s?(?P<unit>%|°?[CF]\b|k?m\b|cm\b|mm\b|kg\b|g\b|lbs?\b|miles?\b|km/h|mph|euros?|dollars?|pounds?|kronor|yen"
    r"|years?|months?|weeks?|days?|hours?|minutes?|am\b|pm\b)|(?P<sign>[$€£¥₹])",
    re.IGNORECASE,
)
_LIKING = {"like": 1, "love": 1, "dislike": -1, "hate": -1}
_ANTONYMS = tuple(
    frozenset(canonical(word) for word in pair.split())
    for pair in (
        "open closed", "married single", "married divorced", "single divorced", "left-handed right-handed", "hot cold",
        "employed unemployed", "on off", "early late", "dark light", "alive dead", "happy unhappy", "vegan omnivore",
        "public private", "enabled disabled", "approved rejected", "allowed forbidden", "win lose",
        "full-time part-time", "introvert extrovert", "guilty innocent", "safe dangerous", "healthy ill", "rich poor",
    )
)  # fmt: skip
_FUNCTIONAL = lexicon.words(
    "favorite name nickname birthday age deadline timezone pronoun city hometown address editor job employer height "
    "weight rent salary size number type language anniversary wedding phone laptop computer title surname email status "
    "budget capital color brand model password browser currency locale zodiac sign landlord version"
)
_STABLE_VERBS = lexicon.words(
    "be have own weigh earn wake go leave close open start begin end cost sleep get measure live"
)
_CHOOSING = lexicon.words("prefer decide choose pick opt want use")
"""What is told of one thing instead of another."""
_OURS = frozenset({("user",), ("team",), ("we",)})
_US = Counter({"user": 1, "team": 1})
_ALSO = deferred(r"(?i)\b(?:also|too|as well|another|both)\b")
_PLACED_VERBS = lexicon.words("live reside bear base")


def guards(a: str, b: str) -> tuple[str, ...]:
    """What speaks against two texts being one fact, by name: numbers, dates, names, units, negation and the like."""
    first, second = statement(a), statement(b)
    found = {
        "numbers": first.numbers != second.numbers,
        "dates": _dates(a) != _dates(b),
        "names": Counter(first.names) != Counter(second.names),
        "units": _units(a) != _units(b),
        "negation": first.is_negative != second.is_negative,
        "polarity": _liking(first) != _liking(second),
        "tense": first.tense != second.tense,
        "subjects": first.subject != second.subject and not _is_turned(first, second),
    }
    return tuple(name for name, differs in found.items() if differs)


def _dates(text: str) -> tuple[str, ...]:
    return tuple(sorted(mention.bracket for mention in times.mentions(text, _SOME_DAY)))


def _units(text: str) -> Counter[str]:
    return Counter((match["unit"] or match["sign"]).casefold().rstrip("s") for match in _UNITS.finditer(text))


def _liking(one: Statement) -> int:
    sign = next((_LIKING[word] for word in one.words if word in _LIKING), 0)
    return -sign if one.is_negative else sign


def _is_turned(first: Statement, second: Statement) -> bool:
    """Whether the two are one equation turned round: "Sarah is the user's wife", "the user's wife is Sarah"."""
    is_same = Counter(first.tokens) == Counter(second.tokens)
    are_equations = first.is_equation and second.is_equation
    return is_same and (are_equations or (first.is_mutual and second.is_mutual))


def compare(new: Claim, old: Memory) -> Verdict:
    """Whether a claim says what a memory says, contradicts it, or neither."""
    by_slot = _by_slot(new, old)
    if by_slot is not None:
        return by_slot
    if new.polarity == "retract" and takes_back(new.content, old.content):
        return "contradicts"
    if new.is_correction and _puts_right(new.content, old.content):
        return "contradicts"
    return verdict(new.content, old.content)


def _puts_right(new: str, old: str) -> bool:
    """Whether a correction tells the same anew with another choice or value: "Actually, I prefer tabs"."""
    first, second = statement(new), statement(old)
    if first.is_complex or second.is_complex or first.is_negative != second.is_negative or _ALSO.search(new):
        return False
    if (first.verb, first.tense, first.mood) != (second.verb, second.tense, second.mood) or first.verb is None:
        return False
    left = Counter(first.tokens) - Counter(second.tokens)
    right = Counter(second.tokens) - Counter(first.tokens)
    if {first.subject, second.subject} <= _OURS:
        left, right = left - _US, right - _US
    elif first.subject != second.subject:
        return False
    if not left or not right:
        return False
    if first.verb in _CHOOSING:
        return True
    if sum(left.values()) != 1 or sum(right.values()) != 1 or first.prepositions != second.prepositions:
        return False
    shared = set(first.tokens) & set(second.tokens) - {*first.subject, first.verb}
    is_value = (_are_numbers(left) and _are_numbers(right)) or (_are_names(first, left) and _are_names(second, right))
    return bool(shared) or is_value or any(first.prepositions)


def takes_back(new: str, old: str) -> bool:
    """Whether an ending ends the old statement: the same is done, however much more the old one said of it."""
    before = as_it_was(new)
    if before is None:
        return False
    first, second = statement(before), statement(old)
    if second.is_complex:
        second = statement(old.split(",", maxsplit=1)[0])  # what is hung on with a comma ends with it
    if first.is_complex or second.is_complex or second.is_negative or second.tense.startswith("past"):
        return False
    are_alike = (first.subject, first.verb, _mood(first)) == (second.subject, second.verb, _mood(second))
    return are_alike and not Counter(first.tokens) - Counter(second.tokens)


def _by_slot(new: Claim, old: Memory) -> Verdict | None:
    """The verdict of a slot that both fill, for what can have one value only."""
    key = old.fact_key
    if new.slot is None or key is None or not (key == new.slot or key.endswith(f":{new.slot}")):
        return None
    if new.polarity == "retract" or new.value is None or old.value is None:
        return None
    if new.value.casefold() == old.value.casefold():
        is_equal = not guards(new.content, old.content)
        return "same" if is_equal else None
    are_alike = statement(new.content).subject == statement(old.content).subject
    return "contradicts" if new.cardinality == "one" and are_alike else None


def verdict(new: str, old: str) -> Verdict:
    """The verdict on two texts alone."""
    first, second = statement(new), statement(old)
    if not first.tokens or not second.tokens or first.is_complex or second.is_complex:
        is_equal = first.plain == second.plain and bool(first.plain)
        return "same" if is_equal else "different"
    if _is_same(first, second, new, old) or _is_restated(first, second, new, old):
        return "same"
    return "contradicts" if _contradicts(first, second) else "different"


def _is_same(first: Statement, second: Statement, new: str, old: str) -> bool:
    if Counter(first.tokens) != Counter(second.tokens):
        return False
    if first.is_negative != second.is_negative or first.tense != second.tense:
        return False
    if first.numbers != second.numbers or _dates(new) != _dates(old):
        return False
    if "over" in first.tokens and first.tokens != second.tokens:
        return False
    if _is_turned(first, second):
        return True
    return first.subject == second.subject and (first.names == second.names or (first.is_list and second.is_list))


def _is_restated(first: Statement, second: Statement, new: str, old: str) -> bool:
    """Whether the new words say again what the old ones say, but for a name after a preposition: "to Tokyo".

    The same is done at the same time, and only where or with whom is left out.
    """
    left = Counter(second.tokens) - Counter(first.tokens)
    if not left or Counter(first.tokens) - Counter(second.tokens) or not first.complement or not first.is_person:
        return False
    if first.is_negative or second.is_negative or first.numbers != second.numbers or _dates(new) != _dates(old):
        return False
    are_alike = (first.subject, first.verb, first.tense) == (second.subject, second.verb, second.tense)
    more = Counter(second.prepositions) - Counter(first.prepositions)
    return are_alike and _mood(first) == _mood(second) and set(left) <= set(second.names) and sum(more.values()) == 1


def _mood(one: Statement) -> str:
    """Before a name or a noun, "going to" is a movement and no plan."""
    return one.mood.replace("going to", "").strip()


def _contradicts(first: Statement, second: Statement) -> bool:
    if first.tense != second.tense or first.mood != second.mood:
        return False
    if first.subject != second.subject:
        return False
    left = Counter(first.tokens) - Counter(second.tokens)
    right = Counter(second.tokens) - Counter(first.tokens)
    if not left and not right:
        return first.is_negative != second.is_negative or _is_preference_turned(first, second)
    if first.is_negative != second.is_negative:
        return False
    if _are_antonyms(left, right) or _are_values(first, second, left, right):
        return not first.is_negative
    return False


def _is_preference_turned(first: Statement, second: Statement) -> bool:
    """Whether it is tea over coffee against coffee over tea."""
    return "prefer" in first.tokens and "over" in first.tokens and first.tokens != second.tokens


def _are_antonyms(left: Counter[str], right: Counter[str]) -> bool:
    if sum(left.values()) != 1 or sum(right.values()) != 1:
        return False
    one, other = next(iter(left)), next(iter(right))
    if one in _LIKING and other in _LIKING:
        return _LIKING[one] != _LIKING[other]
    return frozenset((one, other)) in _ANTONYMS


def _are_values(first: Statement, second: Statement, left: Counter[str], right: Counter[str]) -> bool:
    """Whether the two differ only in the value of something that has one value at a time."""
    if first.verb != second.verb or not left or not right:
        return False
    if _are_numbers(left) and _are_numbers(right) and first.is_person and first.verb == "be" and not first.prepositions:
        return True
    if first.is_equation and second.is_equation:
        return _is_functional(first) and _fills_complement(first, left) and _fills_complement(second, right)
    if first.prepositions != second.prepositions:
        return False
    if _are_numbers(left) and _are_numbers(right):
        is_had = first.verb in {"have", "own"}
        return first.verb in _STABLE_VERBS and (not is_had or (first.is_counted and second.is_counted))
    if first.verb in _PLACED_VERBS or "bear" in first.tokens or "born" in first.tokens:
        return _are_names(first, left) and _are_names(second, right)
    is_ranked = "over" in first.tokens or "over" in second.tokens
    return first.verb == "prefer" and first.head is not None and first.head == second.head and not is_ranked


def _is_functional(one: Statement) -> bool:
    """Whether what the equation defines can be one thing only."""
    return bool(_FUNCTIONAL & set(one.label)) or one.is_singular_role or one.is_named


def _fills_complement(one: Statement, difference: Counter[str]) -> bool:
    return set(difference) <= set(one.complement) and bool(one.complement)


def _are_numbers(words: Counter[str]) -> bool:
    return all(re.fullmatch(r"\d+(?:[.:,]\d+)*(?:am|pm)?|am|pm", word) for word in words)


def _are_names(one: Statement, words: Counter[str]) -> bool:
    return all(word in one.names or word.isdigit() or word in concepts.KINDS["month"] for word in words)
