"""The statements of a message one by one: adjuncts with their clause, relative clauses apart, a list value by value."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import clauses, lexicon
from wellkept.judges.english.grammar.nouns import Noun
from wellkept.judges.english.grammar.parser import parse, sentence_clauses, sentences
from wellkept.judges.english.grammar.verbs import NOUN_FIRST, verb_form
from wellkept.judges.english.slots import topics
from wellkept.judges.english.slots.fact_keys import slot_of
from wellkept.values import changed, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.tokens import Token
    from wellkept.judges.english.slots.fact_keys import Slot

# Clauses that only say when, where or how far the main clause holds; they stay with it.
_ADJUNCTS = frozenset(
    ("when", "whenever", "while", "until", "till", "before", "after", "once", "as", "since", "where", "if", "unless")
)

_TALKING = frozenset(("talk", "speak", "chat", "meet", "see", "catch"))
"""For "since we last spoke": says when the talk was, not when the fact."""


@frozen
class Unit:
    """A main clause with the adjuncts that hang on it, and the sentence it stands in."""

    clause: Clause
    adjuncts: tuple[Clause, ...]
    sentence: str
    is_one_of: bool = False
    """One member of what the subject names as several: "my hobbies are …"."""


def units(body: str, *, values_max: int) -> list[Unit]:
    """Every statement of a message; a list of more than `values_max` values stays one statement."""
    parts = sentences(body)
    found: list[Unit] = []
    waiting: list[Clause] = []
    for clause in [one for whole in parse(body) for one in _relatives(body, _own_word(body, whole))]:
        if clause.type in {"code", "quote"}:
            continue
        sentence = parts[clause.sentence].text
        if clause.conjunction == "since" and clause.verb is not None and clause.verb.lemma in _TALKING:
            continue
        is_adjunct = clause.conjunction in _ADJUNCTS and clause.subject is not None and clause.type == "declarative"
        if found and _ends_what_was(clause, found[-1].clause):
            found[-1] = changed(found[-1], adjuncts=(*found[-1].adjuncts, _told_of(clause, found[-1].clause)))
            continue
        if is_adjunct and found and found[-1].clause.sentence == clause.sentence:
            found[-1] = changed(found[-1], adjuncts=(*found[-1].adjuncts, clause))
        elif is_adjunct:
            waiting.append(clause)
        else:
            mine = tuple(item for item in waiting if item.sentence == clause.sentence) if waiting else ()
            waiting = []
            unit = Unit(clause=clause, adjuncts=mine, sentence=sentence)
            found.extend(_values(body, unit, values_max) or _possessions(unit))
    return found


_QUITTING = frozenset(("quit", "stop", "give", "end"))


def _ends_what_was(clause: Clause, before: Clause) -> bool:
    """For "I used to smoke but quit in 2021": one fact, and its end is the half that counts."""
    verb, was = clause.verb, before.verb
    is_past_habit = was is not None and (was.modal == "used to" or before.text.casefold().find("used to ") >= 0)
    is_end = verb is not None and verb.lemma in _QUITTING and clause.conjunction in {"but", "and"}
    return is_past_habit and is_end and clause.sentence == before.sentence and bool(clause.rest.strip())


def _told_of(clause: Clause, before: Clause) -> Clause:
    """The clause with the subject of the one before, done and over as that one is."""
    verb = changed(clause.verb, tense="past") if clause.verb is not None else None
    return changed(clause, type="declarative", subject=before.subject, verb=verb, is_elided=False, is_shared=True)


_AMBIENT = lexicon.words(
    "warm hot cold cool humid dark light late early quiet loud noisy rainy sunny windy snowy icy foggy wet dry busy"
)


def is_ambient(adjunct: Clause) -> bool:
    """For "when it's warm", "before it gets dark": "it" is nothing that was named."""
    verb, words = adjunct.verb, {token.lower for token in adjunct.tokens}
    is_it = adjunct.subject is not None and adjunct.subject.pronoun == "it" and verb is not None
    return is_it and verb is not None and (verb.lemma in {"rain", "snow"} or not words.isdisjoint(_AMBIENT))


_ANNOUNCING = frozenset(("tell", "say", "announce", "admit", "confess", "confirm", "inform"))


def _own_word(text: str, clause: Clause) -> Clause:
    """For "I told my parents that I'm dropping out": what somebody said of themself is so, whomever they told it."""
    verb, inner = clause.verb, clause.inner[0] if clause.inner else None
    if inner is None or inner.verb is None or inner.subject is None or verb is None or verb.lemma not in _ANNOUNCING:
        return clause
    is_own = clause.subject is not None and {clause.subject.pronoun, inner.subject.pronoun} <= {"i", "we"}
    is_so = verb.tense == "past" and not verb.is_negative and verb.modal is None
    is_now = inner.verb.tense == "present" and inner.verb.modal in {None, "will"}
    if not (is_own and is_so and is_now):
        return clause
    told = _read_again(text, clause, [one for one in clause.tokens if one.start >= inner.subject.start])
    return clause if told is None else changed(told, conjunction=None)


# Relative clauses


def _relatives(text: str, clause: Clause) -> Iterable[Clause]:
    """For "I have a sister, Inês, who lives in Faro": the statement, and what "who" says of the person before it."""
    if clause.type != "declarative" or clause.verb is None or clause.inner:
        return (clause,)
    who = [k for k, token in enumerate(clause.tokens) if token.lower == "who" and k and token.tag == "wh"]
    return _apart(text, clause, who[0]) if who else (clause,)


def _apart(text: str, clause: Clause, at: int) -> Iterator[Clause]:
    has_comma = clause.tokens[at - 1].text == ","
    before = clause.tokens[at - 2 if has_comma else at - 1]
    stop = _relative_end(clause, at, has_comma=has_comma)
    rest = (*clause.tokens[: at - has_comma], *clause.tokens[stop:])
    main = _read_again(text, clause, rest)
    noun = next((one for one in main.nouns if one.end == before.end and _is_somebody(one)), None) if main else None
    if main is None or noun is None or main.verb is None:
        yield clause
        return
    yield main
    subject = clause.tokens[at]
    stand_in = replace(subject, lower="he", tag="pronoun", form=None)
    whose = _with_owner(noun, main)
    for inner in sentence_clauses(text, (stand_in, *clause.tokens[at + 1 : stop]), clause.sentence):
        is_theirs = inner.subject is not None and inner.subject.start == subject.start
        yield changed(inner, subject=whose, is_shared=True, conjunction=None) if is_theirs else inner


def _relative_end(clause: Clause, at: int, *, has_comma: bool) -> int:
    """Where a relative clause ends: with the comma that closes it, else with the clause."""
    tokens = clause.tokens
    is_early = clause.verb is not None and tokens[at].start < clause.verb.start
    for k in range(at + 1, len(tokens) - 1):
        ahead = tokens[k + 2] if k + 2 < len(tokens) else None
        begins = ahead is not None and ahead.tag in {"pronoun", "possessive", "determiner", "name"}
        closes = tokens[k + 1].tag == "preposition" or (tokens[k + 1].tag == "coordinator" and begins)
        if has_comma and tokens[k].text == "," and (is_early or closes):
            return k + 1
    return len(tokens)


def _is_somebody(noun: Noun) -> bool:
    return noun.relation is not None or (noun.name is not None and not noun.head)


def _with_owner(noun: Noun, main: Clause) -> Noun:
    """The person with whose they are, when the statement before says who has them."""
    is_had = main.verb is not None and main.verb.lemma in {"have", "get"} and noun.relation is not None
    if not is_had or noun.owner is not None or main.subject is None:
        return noun
    parts = main.subject.parts or (main.subject,)
    return changed(noun, owner=next((part for part in parts if part.pronoun in {"i", "we"}), parts[0]))


def _read_again(text: str, clause: Clause, tokens: Sequence[Token]) -> Clause | None:
    """The clause without some of its words."""
    again = clauses.read(text, tokens, clause.sentence, is_question=False)
    if again is None:
        return None
    words = " ".join(token.text for token in again.tokens)
    if clause.is_shared:
        again = changed(again, subject=clause.subject, is_elided=False, is_shared=True)
    return changed(again, text=words, conjunction=clause.conjunction, auxiliary=clause.auxiliary)


# Lists


_WHOLE = ("children", "relation:", "goals", "school", "has", "tool:", "habits")
_ITEM = frozenset(("adjective", "number", "word", "name", "determiner", "url"))
_PAIRS = frozenset(
    tuple(pair.split())
    for pair in (
        "mac cheese", "fish chips", "rock roll", "drum bass", "salt pepper", "salt vinegar", "bread butter",
        "gin tonic", "ham cheese", "ham eggs", "bacon eggs", "eggs bacon", "rice beans", "beans rice", "peas rice",
        "rice peas", "biscuits gravy", "chicken waffles", "butter jelly", "milk cookies", "cookies cream",
        "arts crafts", "cut paste", "dungeons dragons", "bed breakfast", "rhythm blues", "country western",
        "surf turf", "sweet sour", "tom jerry", "bangers mash", "pork beans", "spaghetti meatballs",
        "strawberries cream", "wine cheese", "peace quiet", "science technology", "song dance", "track field",
        "crime punishment", "war peace", "pride prejudice", "hide seek", "tea biscuits", "meat potatoes",
        "soup salad", "black white", "horse carriage", "simon garfunkel",
    )
)  # fmt: skip
"""Two words that "and" makes one thing of."""


def _values(text: str, unit: Unit, values_max: int) -> list[Unit]:
    """A list in a slot that takes many values, one unit a value, so that each can end by itself; else nothing."""
    clause = unit.clause
    slot = slot_of(clause)
    if slot is None or slot.cardinality != "many" or slot.name.startswith(_WHOLE) or clause.type != "declarative":
        return []
    begin = _list_start(clause, slot)
    first = next((k for k, token in enumerate(clause.tokens) if begin is not None and token.start >= begin), None)
    if first is None:
        return []
    items = _items(clause, first, slot)
    if not 2 <= len(items) <= values_max:
        return []
    is_one_of = clause.complement is not None and clause.subject is not None and clause.subject.is_plural
    if is_one_of:
        lone: list[Clause | None] = [_member(text, clause, first, item) for item in items]
    else:
        lone = [_read_again(text, clause, (*clause.tokens[:first], *item)) for item in items]
    told = [one for one in lone if one is not None and _fills(one, slot)]
    return [changed(unit, clause=one, is_one_of=is_one_of) for one in told] if len(told) == len(items) else []


def _member(text: str, clause: Clause, first: int, item: tuple[Token, ...]) -> Clause:
    """For "My hobbies are chess and sailing": the clause with one of them; read anew, "are sailing" would be a verb."""
    start, end = item[0].start, item[-1].end
    value = text[start:end]
    noun = Noun(text=value, start=start, end=end, head=item[-1].lower)
    complement = clauses.Phrase(text=value, start=start, end=end, kind="noun", noun=noun)
    tokens = (*clause.tokens[:first], *item)
    return changed(clause, complement=complement, rest=value, rest_start=start, end=end, tokens=tokens)


def _fills(clause: Clause, slot: Slot) -> bool:
    found = slot_of(clause)
    return found is not None and found.name == slot.name and found.value is not None


def _list_start(clause: Clause, slot: Slot) -> int | None:
    """Where the values begin: the object, a gerund, or the noun after "to", "of", "in" that names them."""
    complement = clause.complement
    if slot.name == "languages" and clause.verb is not None and clause.verb.lemma in {"speak", "know"}:
        return clause.rest_start
    if complement is not None and complement.kind == "gerund":
        return complement.start
    nouns = [clause.object, complement.noun if complement is not None else None]
    nouns += [phrase.noun for phrase in clause.phrases]
    for noun in nouns:
        if noun is not None and (noun.parts or (noun.of is not None and noun.of.parts)):
            return noun.start if noun.parts else noun.of.start if noun.of is not None else None
    named = next((noun for noun in nouns if noun is not None), None)
    return named.of.start if named is not None and named.of is not None else named.start if named is not None else None


def _items(clause: Clause, first: int, slot: Slot) -> list[tuple[Token, ...]]:
    """The members of a plain list that goes on to the end of the clause; none where its words hang together."""
    verb = clause.verb
    joints = {"and", "plus"} | ({"or", "nor"} if verb is not None and verb.is_negative else set())
    items: list[tuple[Token, ...]] = []
    item: list[Token] = []
    for token in clause.tokens[first:]:
        if token.text == "," or (token.tag == "coordinator" and token.lower in joints):
            if item:
                items.append(tuple(item))
            item = []
        elif not (token.lower == "also" and not item):
            item.append(token)
    items.append(tuple(item))
    items = _paired([one for one in items if one])
    return items if _are_plain(items, slot) else []


def _paired(items: list[tuple[Token, ...]]) -> list[tuple[Token, ...]]:
    """Joins "mac" and "cheese"."""
    out: list[tuple[Token, ...]] = []
    for item in items:
        if out and (out[-1][-1].lower, item[0].lower) in _PAIRS:
            out[-1] = (*out[-1], *item)
        else:
            out.append(item)
    return out


def _are_plain(items: list[tuple[Token, ...]], slot: Slot) -> bool:
    starts = [_is_doing(item[0]) for item in items]
    for item, following in itertools.pairwise([*items, ()]):
        is_free = all(starts) or (len(items) > 2 and not following)
        if not is_free and not all(token.tag in _ITEM or token.lower == "of" or _is_doing(token) for token in item):
            return False
        if slot.name != "languages" and all(_describes(token) for token in item):
            # "Italian and French food": the noun at the end is meant for both.
            return False
        if following and len(item) > 1 and _is_doing(item[0]) and not _is_doing(following[0]):
            # "Playing chess and football" is playing both.
            return False
    return True


def _is_doing(token: Token) -> bool:
    return token.form is not None and "ing" in token.form.forms


def _describes(token: Token) -> bool:
    return token.tag == "adjective" or token.lower in topics.LANGUAGES


def _possessions(unit: Unit) -> list[Unit]:
    """For "I have two kids and a dog called Rex" tells two facts; "I have two cats, Miso and Tofu" one."""
    clause = unit.clause
    verb, thing = clause.verb, clause.object
    if (
        verb is None
        or verb.lemma not in {"have", "get", "own"}
        or thing is None
        or len(thing.parts) < 2
        or clause.complement is not None
    ):
        return [unit]
    if thing.parts[0].head in lexicon.ADJECTIVES:
        return [unit]  # "an amazing and emotional ceremony" is one
    if any(part.text.isdigit() for part in thing.parts):
        return [unit]  # "a deadline of March 15, 2024"
    groups: list[list[Noun]] = []
    for part in thing.parts:
        is_new = part.determiner in {"a", "an"} or (part.modifiers and part.head) or part.text[:1].isdigit()
        if is_new:
            groups.append([part])
        elif groups and part.name is not None and not part.head and groups[-1][0].name is None:
            groups[-1].append(part)
        else:
            return [unit]
    out: list[Unit] = []
    for group in groups if len(groups) > 1 else ():
        start, end = group[0].start, group[-1].end
        tokens = tuple(token for token in clause.tokens if token.start < verb.end or start <= token.start < end)
        value = clause.text[start - clause.start : end - clause.start]
        had = group[0] if len(group) == 1 else changed(thing, parts=tuple(group), text=value, start=start, end=end)
        lone = changed(clause, object=had, rest=value, rest_start=start, end=end, phrases=(), tokens=tokens)
        out.append(changed(unit, clause=lone))
    return out or [unit]


__all__ = ["Unit", "units"]


def is_deed(text: str) -> bool:
    """Whether it begins with what to do and tells nothing of anybody: "buy stamps"."""
    word = text.split(" ", 1)[0].casefold()
    form = verb_form(word)
    first = next((unit.clause for unit in units(text, values_max=1)), None)
    if first is None or form is None or "base" not in form.forms:
        return False
    # "Buy stamps tomorrow" is no sentence with "buy" as its subject.
    is_told = first.type == "declarative" and first.subject is not None
    return not is_told or (
        first.subject is not None and first.subject.text == text[: len(word)] and word not in NOUN_FIRST
    )
