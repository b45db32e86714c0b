"""Slots of what has one day or hour at a time, whatever it is: "the viva is on 3 June", "was pushed to the 9th"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.dates.days import DAY, HOUR, is_dated, is_weekly
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import ATTRIBUTES, AWAITED, EVENTS, PRICED, SCHEDULED
from wellkept.judges.english.slots import favorites
from wellkept.judges.english.slots.values import Slot
from wellkept.judges.english.slots.visits import visited
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug
from wellkept.values import changed

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

DATES, HOURS = "date:", "schedule:"
"""The slot of a day that comes once, and of an hour or of a day that comes again."""
DATED = (DATES, HOURS)
_HAPPENING = lexicon.words("start begin happen open kick take leave depart arrive land come resume")
MOVING = lexicon.words(
    "move push postpone reschedule shift delay bring schedule set put change slip book plan fix rearrange reset switch "
    "extend"
)
"""What is done to a day."""
_FIXING = lexicon.words("schedule book plan fix")
_HELPING = frozenset(("be", "get", "have"))
_HAVING = frozenset(("have", "get", "see"))
_GOING = lexicon.words("go travel fly drive head visit")
VERBS = _HAPPENING | MOVING | _HAVING | _GOING | {"cancel", "scrap", "scrub", "call"}
"""Verbs besides "be" that may give a thing its day."""
_FIRM = frozenset((None, "will", "going to", "have to", "need to"))
_MOVED = (
    r"(?:moved|pushed|postponed|rescheduled|shifted|delayed|brought|put|changed|slipped|set|scheduled|booked|planned"
    r"|rearranged|switched|extended)"
)
_BACK = r"(?:(?:back|forward|forwards|up|off|out|ahead|down|now|again|again now) )*"
_WHEN = (
    rf"(?:the |late |early |mid-|around |about )*(?P<value>(?:{DAY}|{HOUR})[^,;.!]*)"
    r"|(?P<hour>(?:[01]?\d|2[0-4])(?:\.[0-5]\d)?"
    r"(?=\W*$|[,;.!](?!\d)| (?:on|every|tomorrow|today|tonight|this|next|sharp|now|instead|in the)\b)[^,;.!]*)"
)
_IS = deferred(
    rf"(?i)(?:(?:now|only|still|scheduled|planned|booked|due|not) )*"
    rf"(?:(?:on|in|for|by|from|at|until|till|around) (?:{_WHEN})"
    rf"|(?:the )?(?P<bare>(?:{DAY}|{HOUR}|in \d+ (?:days|weeks|months|years)\b)[^,;.!]*))"
)
_MOVED_TO = deferred(
    rf"(?i)(?P<moved>(?:been )?{_MOVED} )?(?P<thing>[^,.;]*?)\b{_BACK}(?P<link>to|for|until|till|on|at) (?:{_WHEN})"
)
_SHIFTED = deferred(r"(?i)\b(?:mov|push|postpon|reschedul|shift|delay|brought|bring|put)")
_TAIL = deferred(
    r"(?i)(?:,? (?:now|instead|actually|though|again|please|not .*|because .*|due to .*|since .*|so .*|but .*))+$"
)


def thing_of(slot: str) -> str:
    """The name of the thing whose day or hour a slot is."""
    return slot.split(":", 1)[-1]


def is_same_appointment(new: str, new_value: str | None, old: str, old_value: str | None) -> bool:
    """Whether two slots tell the day, or the hour, of one thing, which one of them calls by a shorter name.

    >>> is_same_appointment("date:surgery", "12 may", "date:knee_surgery", "5 may")
    True
    >>> is_same_appointment("schedule:party", "8 pm", "date:party", "friday")
    False
    """
    if not old.startswith(DATED):
        return False
    names = [thing_of(slot).split("_") for slot in (new, old)]
    shorter, longer = sorted(names, key=len)
    if shorter[-1] != longer[-1] or not set(shorter) <= set(longer):
        return False
    if new.partition(":")[0] == old.partition(":")[0] or new_value is None:
        return True
    if new.startswith(HOURS) and is_weekly(new_value or ""):
        return True
    # An hour that changes ends what told the day with the old hour.
    return new.startswith(HOURS) and _AN_HOUR.search(old_value or "") is not None


_AN_HOUR = deferred(rf"(?i)\b{HOUR}")


def off(slot: str) -> frozenset[str]:
    """The words that name what a slot says is off; what it was to be, a trip or a plan, is no name.

    >>> sorted(off("date:bornova_plan")), sorted(off("date:school_picnic"))
    (['bornova'], ['picnic', 'school'])
    """
    return frozenset(thing_of(slot).split("_")) - _PLANS


_PLANS = lexicon.words("plan trip visit weekend holiday vacation journey tour idea thing")


def told(clause: Clause) -> Slot | None:
    """The day or hour that a clause gives to a thing: it is then, starts then, or was moved to it."""
    verb = clause.verb
    if verb is None or verb.modal not in _FIRM:
        return None
    if _is_called_off(clause):
        return Slot(name=f"{DATES}{slug(_label(clause.subject))}", is_retracted=True) if clause.subject else None
    place = _given_up(clause)
    if place is not None:
        return Slot(name=f"{DATES}{slug(place)}_plan", is_retracted=True)
    found = _being(clause) if verb.lemma == "be" or verb.lemma in _HAPPENING else _had(clause)
    if found is None and verb.lemma in MOVING | _HELPING:
        found = _moved(clause)
    if found is None:
        return None
    thing, when = found
    label = slug(_label(thing))
    if thing.head == "deadline" and _hung(thing):
        return Slot(name=f"project:{slug(_hung(thing))}:deadline", value=when.strip(" .!").casefold())
    value = _TAIL.sub("", when.strip(" .!")).casefold()
    if not label or not value:
        return None
    is_hour = is_weekly(when) or not is_dated(when)
    is_one_more = thing.determiner in {"a", "an", "another"}  # who has an appointment may have another one
    return Slot(name=f"{HOURS if is_hour else DATES}{label}", value=value, cardinality="many" if is_one_more else "one")


def is_visit(clause: Clause) -> bool:
    """Whether a profession in it stands for an appointment and not for somebody: "the dentist is now on Friday"."""
    is_named = visited(clause.subject) is not None or visited(clause.object) is not None
    return is_named and told(clause) is not None


def _had(clause: Clause) -> tuple[Noun, str] | None:
    """For "I have the dentist on Monday", "I've got a physio appointment on Thursday"."""
    verb, thing = clause.verb, clause.object
    is_own = clause.subject is None or clause.subject.pronoun in {"i", "we"}
    is_to_come = verb is not None and verb.tense == "present" and verb.modal is None and not verb.is_negative
    if verb is None or verb.lemma not in _HAVING or not is_to_come or not is_own:
        return None
    when = _ON.search(clause.rest) if thing is not None and visited(thing) else None
    return (thing, when["value"]) if when is not None and thing is not None else None


_ON = deferred(rf"(?i)\b(?:on |at |for )?(?:the )?(?P<value>{DAY}[^,;.!]*)")


def is_moved(clause: Clause) -> bool:
    """Whether a thing was given another day, as only what somebody waits for is: "the play got moved to the 14th"."""
    verb = clause.verb
    is_done = verb is not None and (verb.lemma in _HELPING or (verb.is_passive and verb.lemma in MOVING))
    return is_done and _moved(clause) is not None


def _is_called_off(clause: Clause) -> bool:
    """For "the gala was cancelled", "the retreat got called off", "dinner's off": it has no day any more."""
    verb, thing = clause.verb, clause.subject
    if verb is None or thing is None or not (_is_thing(thing) or _is_noted_event(thing)):
        return False
    is_awaited = thing.head in AWAITED
    if verb.is_negative:
        return is_awaited and _HAPPENS.match(f"{verb.lemma} {clause.rest}") is not None
    is_done = verb.is_passive and (verb.lemma in {"cancel", "scrap", "scrub"} or (verb.lemma, verb.particle) == _OFF)
    is_off = verb.lemma == "be" and is_awaited and _IS_OFF.match(clause.rest) is not None
    return is_done or is_off or (verb.lemma in _HELPING and _CALLED_OFF.match(clause.rest) is not None)


def _is_noted_event(noun: Noun) -> bool:
    """Whether it is something awaited as notes name it: "dinner is cancelled", "dentist got called off"."""
    is_bare = noun.determiner is None and noun.head in AWAITED and noun.name is None and not noun.parts
    return is_bare or (visited(noun) is not None and noun.determiner not in _ANY)


def _given_up(clause: Clause) -> str | None:
    """Where, or what for, somebody was to go and does not: "we're not going to Bornova after all"."""
    verb = clause.verb
    if verb is None or not verb.is_negative or verb.lemma not in _GOING or not _AFTER_ALL.search(clause.text):
        return None
    is_own = clause.subject is not None and clause.subject.pronoun in {"i", "we"}
    to = next((item.noun for item in clause.phrases if item.preposition == "to"), None)
    place = clause.object if verb.lemma == "visit" else to
    if place is None and clause.complement is not None and clause.complement.kind == "gerund":
        is_plan = is_own and "after all" in clause.text.casefold()  # who goes jogging no more ends a habit
        return clause.complement.text.split()[0] if is_plan else None
    return place.name if is_own and place is not None and not place.head else None


_AFTER_ALL = deferred(r"(?i)\b(?:after all|any ?more|any longer)\b")
_HAPPENS = deferred(r"(?i)(?:happen|take place|go ahead)\b")
_OFF = ("call", "off")
_IS_OFF = deferred(r"(?i)(?:all |now )?off(?= (?:now|then|after all|because|due|as|since)\b|[,;:]|\W*$)")
_CALLED_OFF = deferred(
    r"(?i)(?:been )?(?:cancell?ed|called off)(?= (?:again|now|this|tonight|today|because|due)\b|[,;:]|\W*$)"
)


def _being(clause: Clause) -> tuple[Noun, str] | None:
    """For "the viva is on 3 June", "it isn't until March", "the talk takes place at noon"."""
    verb, thing = clause.verb, clause.subject
    if verb is None or thing is None or verb.tense == "past" or not _is_noted(thing):
        return None
    rest = clause.rest
    if verb.lemma == "take":
        if not rest.casefold().startswith("place "):
            return None
        rest = rest[len("place ") :]
    if verb.is_negative and not rest.casefold().startswith(("until ", "till ")):
        return None
    found = _IS.match(rest)
    if found is None or (visited(thing) and _AWAY.match(rest)):
        return None
    return thing, found["value"] or found["hour"] or found["bare"]


_AWAY = deferred(r"(?i)(?:\w+ )*?(?:in|by|from|until|till)\b")
"""For "the vet is away until May", "the doctor is in on Monday"."""


def _moved(clause: Clause) -> tuple[Noun, str] | None:
    """For "the exam got moved to Tuesday", "they put my scan off until May", "we brought the trip forward to June"."""
    verb = clause.verb
    if verb is None or verb.is_negative:
        return None
    found = _MOVED_TO.match(clause.rest)
    if found is None or (verb.lemma in _HELPING and found["moved"] is None):
        return None
    link = found["link"].casefold()
    if link in {"on", "at"} and verb.lemma not in _FIXING:
        return None  # what changed on a day was not moved to it
    if link in {"until", "till"} and verb.lemma in _FIXING:
        return None  # the vet is booked until May
    if found["value"] is None and not _SHIFTED.search(f"{verb.text} {found['moved'] or ''}"):
        return None  # what was set to 10 need not be at ten
    moved, subject = clause.object if found["moved"] is None else None, clause.subject
    when = found["value"] or found["hour"]
    if moved is not None and _is_thing(moved):
        return moved, when
    return (subject, when) if subject is not None and _is_noted(subject) else None


def _is_thing(noun: Noun) -> bool:
    """Whether it is one thing that people wait for: no person, no time, and not any of its kind."""
    if noun.relation is not None or noun.pronoun is not None or noun.parts or noun.handle is not None:
        return False
    if not noun.head:
        return noun.name is not None and noun.determiner in {"the", "my", "our"}  # "the Nikah"
    is_time = noun.head in lexicon.TIME_NOUNS and not set(noun.modifiers) - _POINTING  # "our open day" is none
    if is_time or noun.head in _NUMBERED or noun.label in ATTRIBUTES or noun.determiner in _ANY:
        return False
    is_listed = noun.head in EVENTS or noun.head in SCHEDULED
    return is_listed or noun.owner is not None or noun.determiner in {"the", "my", "our"}


def _is_noted(noun: Noun) -> bool:
    """Whether it is a thing as notes name it, without an article: "school play got moved", "dentist is on Friday"."""
    if visited(noun):
        return noun.determiner not in _ANY
    is_bare = noun.determiner is None and not noun.is_plural and bool(noun.head)
    return _is_thing(changed(noun, determiner="the") if is_bare else noun)


_POINTING = lexicon.words("next last first other same previous best following whole")
_NUMBERED = PRICED | lexicon.words(
    "time list page line row column range count counter chapter section array loop score temperature "
    "timer alarm clock oven thermostat volume limit level step number code password story plot movie film novel book"
)
"""What has a number that is no hour, or is set by hand from day to day."""
_ANY = frozenset(("a", "an", "every", "some", "any", "no", "this", "that", "these", "those", "each"))


def _label(noun: Noun) -> str:
    """What the thing is called: "the launch of the app" is the app launch, and the date of a thing is the thing's."""
    profession = visited(noun)
    if profession is not None:
        return f"{profession} appointment"
    if not noun.head:
        return (noun.name or "").casefold()
    label = favorites.label(noun).removesuffix(" date")
    return f"{_hung(noun)} {label}".strip()


def _hung(noun: Noun) -> str:
    """The words for what it is of or for, without their small ones."""
    after = noun.text.casefold().rpartition(noun.head)[2] if noun.head in noun.text.casefold() else ""
    return " ".join(word for word in after.split() if word not in _SMALL)


_SMALL = lexicon.words("of for on in at to with the a an my our their his her project")
