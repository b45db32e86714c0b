"""Disposals: what a clause says is gone ("I sold my Peugeot", "we cancelled it"), in the words it was known by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.judges.english.grammar.verbgroup import Verb
    from wellkept.judges.english.people.discourse import Discourse

_ENDING = lexicon.words("cancel sell return donate quit drop end scrap terminate cancelled")
_ENDING_PAIRS = frozenset(
    (("give", "up"), ("give", "away"), ("throw", "out"), ("throw", "away"), ("get", "rid"), ("sell", "off"))
)
_PASSING = lexicon.words("old new current former other whole entire last") | lexicon.WEEKDAYS_AND_MONTHS
_TOO_GENERAL = lexicon.words(
    "trip meeting appointment order plan plans thing call event date dinner party lunch job ticket tickets reservation "
    "booking flight session stuff habit smoking drinking half part share lot bit"
)
"""Nouns of which there are many at once: which one is meant takes more than the noun."""


def ended(clause: Clause) -> str | None:
    """The words for what the clause says is gone; what was last said of it in these words holds no longer."""
    verb, thing = clause.verb, clause.object
    if verb is None or verb.is_negative or clause.type != "declarative":
        return None
    if _OUT.search(clause.text) and verb.modal is None:
        return HOSPITAL
    if _is_birth(clause, verb):
        return PREGNANT
    if thing is None:
        return None
    if verb.tense != "past" and verb.aspect != "perfect" and verb.form != "quit":
        return None
    is_ending = (
        verb.lemma in _ENDING or (verb.lemma, verb.particle) in _ENDING_PAIRS or clause.rest.startswith("rid of ")
    )
    if not is_ending or not _is_known(thing):
        return None
    words = [word for word in (*thing.modifiers, thing.head) if word and word not in _PASSING]
    if thing.name is not None:
        words = [thing.name.casefold()] if not thing.head else words
    place = _place(clause, thing)
    if not words or (len(words) == 1 and words[0] in _TOO_GENERAL and not place):
        return None
    return " ".join([*words, *place])


_OUT = deferred(
    r"(?i)\b(?:discharged|(?:came|come|is|are|back) (?:home|back) from (?:the )?hospital|out of (?:the )?hospital)\b"
)
"""Who is out of hospital is there no longer."""


def _is_birth(clause: Clause, verb: Verb) -> bool:
    """For "my sister gave birth", "Rowena had the baby last night", "Mukesh's baby came early"."""
    if verb.tense != "past" and verb.aspect != "perfect":
        return False
    thing, subject = clause.object, clause.subject
    is_had = thing is not None and verb.lemma in {"have", "deliver"} and thing.head in _BORN
    is_given = thing is not None and verb.lemma == "give" and thing.head == "birth"
    is_born = verb.lemma in {"come", "arrive", "bear"} or (verb.lemma == "be" and clause.rest.startswith("born"))
    is_there = subject is not None and subject.head in _BORN and is_born
    return is_had or is_given or is_there


PREGNANT, HOSPITAL = "pregnant", "hospital"
STATES = frozenset((PREGNANT, HOSPITAL))
"""Of somebody's body, and not of a thing that they have."""
_BORN = frozenset(("baby", "twins", "triplets", "boy", "girl"))


def _is_known(thing: Noun) -> bool:
    """Whether it is one that was there before: "my car", "the storage unit", not "a car"."""
    is_own = thing.owner is not None and thing.owner.pronoun in {"i", "we"}
    return thing.relation is None and not thing.parts and (is_own or thing.determiner in {"the", "my", "our"})


def _place(clause: Clause, thing: Noun) -> list[str]:
    """For "my trip to Rome": which trip it was."""
    found = next((item for item in clause.phrases if thing.end <= item.start <= thing.end + 1), None)
    named = found is not None and found.noun is not None and found.noun.name is not None
    return found.text.casefold().split() if found is not None and named else []


def owned_thing(clauses: Sequence[Clause]) -> str | None:
    """The one thing of the speaker's own that a message speaks of: "what was the number of our storage unit?"."""
    found = {
        part.text
        for clause in clauses
        for noun in clause.nouns
        for part in (noun, *((noun.of,) if noun.of is not None else ()))
        if part.owner is not None and part.owner.pronoun in {"i", "we"} and part.relation is None and part.head
    }
    return found.pop() if len(found) == 1 else None


def with_thing(clause: Clause, discourse: Discourse) -> Clause:
    """The clause with the thing for the "it" that is said to be gone."""
    verb, noun = clause.verb, clause.object
    if verb is None or noun is None or noun.pronoun != "it" or verb.lemma not in _ENDING:
        return clause
    thing = owned_thing(discourse.earlier.last)
    if thing is None:
        return clause
    *modifiers, head = thing.casefold().split()
    bare = [word for word in modifiers if word not in {"my", "our", "the"}]
    told = replace(noun, pronoun=None, head=head, modifiers=tuple(bare), text=thing, determiner="the")
    return replace(clause, object=told, rest=clause.rest.replace("it", thing, 1))
