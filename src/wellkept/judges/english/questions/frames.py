"""What a statement is about and what it offers to a question: the person it belongs to, and keys for its words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import Clause, Noun, Token, parse
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions import concepts
from wellkept.judges.english.slots.favorites import turned
from wellkept.patterns import deferred
from wellkept.values import frozen

TEXT_MAX = 4000
HolderKind = Literal["asker", "person", "thing", "unknown"]
CONTENT_TAGS = frozenset(("word", "name", "adjective", "number", "adverb", "handle", "quoted", "url", "interjection"))
LIGHT = lexicon.words(
    "be have do get got make go take give the user thing things kind type sort one ones exactly really again still "
    "also too very just now currently please actually already always usually often ever never yet anything "
    "something "
    "someone anyone somebody anybody more most much many few lot own so well maybe know remember tell say there here "
    "moment days nowadays lately recently today "
    "am is are was were been being has had does did can could will would should may might must shall as like-that "
    "called-for not no long ago own about me i my mine you your we us our he she they him her them his their it its"
) - {"own"}


@frozen
class Holder:
    """Whose fact it is: the asker, a person by name or by relation to somebody, or a thing."""

    kind: HolderKind
    name: str | None = None
    relation: str | None = None
    of: Holder | None = None
    """Whose relation; None: the asker's."""
    words: tuple[str, ...] = ()
    """What else is said of the person: "piano" in "my piano teacher"."""
    start: int = 0
    end: int = 0

    def covers(self, token: Token) -> bool:
        """Whether a word is part of naming the holder."""
        return self.start <= token.start and token.end <= self.end


@frozen
class Frame:
    """One clause of a fact as a question sees it."""

    clause: Clause
    holder: Holder
    words: tuple[str, ...]
    """Content words outside the holder's name, lower case."""
    keys: frozenset[str]
    names: frozenset[str]
    """Every name in the clause, lower case, word by word."""
    is_negative: bool = False
    own_keys: frozenset[str] = frozenset()
    """The keys without those of a clause in it that is about another person."""


_AGE_WORDS = lexicon.words("old older oldest young younger youngest little big dear dearest beloved new late own best")
_PRONOUNS_OF_ASKER = frozenset(("i", "we"))
_UNKNOWN_PRONOUNS = frozenset(("he", "she", "they"))


def read(text: str) -> tuple[Clause, ...]:
    """The clauses of a text, without its empty ones."""
    return tuple(clause for clause in parse(text[:TEXT_MAX]) if clause.tokens)


def is_asker(noun: Noun) -> bool:
    """Whether a noun is the one who asks or told: I, we, "the user"."""
    return noun.pronoun in _PRONOUNS_OF_ASKER or (noun.head == "user" and noun.determiner == "the" and not noun.owner)


def holder_of(noun: Noun | None) -> Holder:
    """The person that a noun names or belongs to."""
    if noun is None:
        return Holder(kind="thing")
    if is_asker(noun):
        return Holder(kind="asker", start=noun.start, end=noun.end)
    if noun.pronoun in _UNKNOWN_PRONOUNS:
        return Holder(kind="unknown", start=noun.start, end=noun.end)
    if noun.parts:
        return holder_of(noun.parts[0])
    if noun.relation is not None:
        return _relative(noun)
    if noun.handle is not None or (noun.name is not None and noun.owner is None and noun.of is None and not noun.head):
        return Holder(kind="person", name=noun.handle or noun.name, start=noun.start, end=noun.end)
    for inner in (noun.owner, noun.of):
        if inner is not None:
            found = holder_of(inner)
            if found.kind != "thing":
                return found
    return Holder(kind="thing")


def _relative(noun: Noun) -> Holder:
    owner = noun.owner or noun.of
    of = holder_of(owner) if owner is not None else None
    if of is not None and of.kind in ("asker", "thing"):
        of = None
    relation_words = (noun.relation or "").split()
    words = tuple(word for word in noun.modifiers if word not in _AGE_WORDS and word not in relation_words)
    return Holder(
        kind="person", name=noun.name, relation=noun.relation, of=of, words=words, start=noun.start, end=noun.end
    )


def content_words(tokens: Iterable[Token], holder: Holder) -> tuple[str, ...]:
    """The words that carry meaning, outside the holder's name."""
    return tuple(
        token.lower
        for token in tokens
        if token.tag in CONTENT_TAGS and token.lower not in LIGHT and not holder.covers(token)
    )


_NUMBER = r"(?:\d{1,3}|" + "|".join(sorted(lexicon.NUMBER_WORDS)) + ")"
_AGE = deferred(
    rf"\b(?:is|am|are|'s|'m) (?:now |almost |nearly |already )?{_NUMBER}(?=$|[.,;!]| and\b| age\b)"
    rf"|\b(?:turned|turns|turning) {_NUMBER}\b"
)
_YEARS_OLD = deferred(rf"\b(?:is|am|are|'s|'m) an? (?:\w+ )?{_NUMBER}[- ](?:year|month|week)s?[- ]old\b(?!['’]s)")
_EMPLOYER_PREPOSITIONS = frozenset(("at", "for", "with", "by", "in"))
_WORKING_PREPOSITIONS = _EMPLOYER_PREPOSITIONS | {"as", "on", "in"}
"""Where or for whom somebody works says what they do, when nothing says it better."""
_SLOT_KEYS: dict[str, tuple[str, ...]] = {
    "city": ("live", "home", "city", "town"),
    "country": ("live", "country"),
    "employer": ("work", "employer", "company"),
    "job": ("job",),
    "address": ("address", "live"),
    "spouse": ("marry", "spouse"),
    "hometown": ("origin",),
    "birthplace": ("birth", "origin"),
    "native_language": ("native", "language"),
    "last_name": ("surname", "last", "name"),
    "likes": ("like",),
    "dislikes": ("dislike",),
    "allergies": ("allergic", "avoid"),
    "allergy": ("allergic", "avoid"),
    "preferred_name": ("name", "call"),
    "phone-model": ("phone",),
    "units": ("unit",),
    "languages": ("speak", "language"),
    "children": ("child",),
    "skills": ("skill",),
    "goals": ("goal",),
}


def slot_keys(slot: str | None) -> frozenset[str]:
    """What a filled slot offers: `alice:favorite:color` offers favorite and color."""
    if not slot:
        return frozenset()
    parts = [part for part in re.split(r"[:]", slot) if part]
    keys: set[str] = set()
    for part in parts:
        for word in _SLOT_KEYS.get(part, tuple(part.replace("_", "-").split("-"))):
            keys |= concepts.asked_by(word)
    return frozenset(keys)


def _is_somebody(noun: Noun | None) -> bool:
    """Whether a subject is a person or an animal, and not something of theirs."""
    if noun is None or noun.head in relations.PETS:
        return noun is not None
    holder = holder_of(noun)
    return holder.kind != "thing" and (holder.start, holder.end) == (noun.start, noun.end)


def _is_trade(clause: Clause) -> bool:
    """Whether the clause says what somebody is by trade."""
    noun = clause.complement.noun if clause.complement else clause.object
    is_relative = noun is not None and noun.relation is not None and noun.owner is not None
    return noun is not None and not is_relative and concepts.is_occupation(noun.head)


def _clause_keys(clause: Clause, words: tuple[str, ...]) -> frozenset[str]:
    keys: set[str] = set()
    for word in words:
        keys |= concepts.offered_by(word)
    text = clause.text.casefold()
    verb = clause.verb
    if _YEARS_OLD.search(text) or (_AGE.search(text) and _is_somebody(clause.subject)):
        keys.add("age")
    if verb is None:
        return frozenset(keys)
    keys |= {verb.lemma} if verb.lemma in LIGHT else concepts.offered_by(verb.lemma)
    prepositions = {phrase.preposition for phrase in clause.phrases}
    if verb.lemma in ("work", "employ"):
        keys |= {"job"} if prepositions & _WORKING_PREPOSITIONS else set()
        keys |= {"employer", "company"} if prepositions & _EMPLOYER_PREPOSITIONS else set()
    if verb.lemma in ("be", "come", "hail") and ("from" in prepositions or "from" in clause.adverbs):
        keys.add("origin")
    keys |= _going_keys(verb.lemma, prepositions, keys)
    if verb.lemma in ("be", "become") and _is_trade(clause):
        keys |= {"job", "employer", "work"} if prepositions & {"at", "for", "with"} else {"job"}
    is_refused = verb.is_negative and verb.lemma in ("eat", "drink", "have")
    if is_refused or "avoid" in keys or {"dislike", "edible"} <= keys:
        keys |= {"avoid", "eat", "food"}
    return frozenset(keys)


def _going_keys(lemma: str, prepositions: set[str | None], keys: set[str]) -> frozenset[str]:
    """For "comes for Christmas", which is a visit, and "goes to Oakfield Academy", which is a school."""
    if lemma == "come" and prepositions & {"for", "to", "over", "at"} and "from" not in prepositions:
        return concepts.asked_by("visit")
    return frozenset({"attend"}) if lemma == "go" and "school" in keys else frozenset()


def _arrived(clause: Clause) -> tuple[Token, ...]:
    """The words of a clause without where somebody moved away from: that is not where they are."""
    if clause.verb is None or clause.verb.lemma not in ("move", "relocate", "switch", "transfer"):
        return clause.tokens
    left = [phrase for phrase in clause.phrases if phrase.preposition == "from"]
    return tuple(token for token in clause.tokens if not any(one.start <= token.start < one.end for one in left))


def frame(clause: Clause) -> Frame:
    """A clause as a question sees it."""
    holder = holder_of(turned(clause) or clause.subject)
    tokens = _arrived(clause)
    words = content_words(tokens, holder)
    names = frozenset(part for token in tokens if token.tag in ("name", "handle") for part in token.lower.split())
    is_negative = clause.verb is not None and clause.verb.is_negative
    keys = _clause_keys(clause, words)
    told = [inner for inner in clause.inner if _is_of_another(holder_of(inner.subject), holder)]
    own = [token for token in tokens if not any(inner.start <= token.start < inner.end for inner in told)]
    own_keys = _clause_keys(clause, content_words(own, holder)) if told else keys
    if holder.kind == "person" and holder.relation and holder.name:
        names |= frozenset(holder.name.casefold().split())
    return Frame(
        clause=clause, holder=holder, words=words, keys=keys, names=names, is_negative=is_negative, own_keys=own_keys
    )


_SEPARATE = frozenset((None, "and", "but", "so", "or", "then", "yet", "plus"))


def units(content: str) -> tuple[str, ...]:
    """The statements of a fact as they stand in it; what a "because" or "when" adds stays with its statement."""
    text = content[:TEXT_MAX]
    clauses = read(text)
    if len(clauses) < 2:
        return (content,)
    groups: list[list[Clause]] = []
    for clause in clauses:
        is_new = clause.conjunction in _SEPARATE and clause.verb is not None and clause.subject is not None
        if groups and not is_new:
            groups[-1].append(clause)
        else:
            groups.append([clause])
    return tuple(_unit_text(text, group) for group in groups)


def _unit_text(text: str, group: list[Clause]) -> str:
    first = group[0]
    body = text[first.start : group[-1].end].strip(" ,;")
    if first.conjunction:
        body = re.sub(rf"^{re.escape(first.conjunction)}\b[ ,]*", "", body, flags=re.IGNORECASE)
    if first.is_shared and first.subject is not None:
        body = f"{first.subject.text} {body}"
    return body


@lru_cache(maxsize=2048)
def frames(content: str) -> tuple[tuple[str, Frame], ...]:
    """Each statement of a fact with its frame; set phrases count there as the one word that they mean."""
    found: list[tuple[str, Frame]] = []
    for unit in units(content):
        parts = [frame(clause) for clause in read(concepts.plain(unit))]
        if parts:
            found.append((unit, _merged(parts)))
    return tuple(found)


def _merged(parts: list[Frame]) -> Frame:
    """A statement and what hangs on it, as one."""
    first = parts[0]
    return replace(
        first,
        words=tuple(word for part in parts for word in part.words),
        keys=frozenset().union(*(part.keys for part in parts)),
        names=frozenset().union(*(part.names for part in parts)),
        own_keys=frozenset().union(*(part.own_keys for part in parts if not _is_of_another(part.holder, first.holder))),
    )


def _is_of_another(one: Holder, first: Holder) -> bool:
    if one.kind not in ("asker", "person"):
        return False
    return (one.kind, one.name, one.relation) != (first.kind, first.name, first.relation)


_SAME_RELATION: tuple[frozenset[str], ...] = (
    relations.SPOUSES | {"partner"},
    frozenset(("boss", "manager")),
)
_WIDER: dict[str, frozenset[str]] = {
    "child": relations.CHILDREN,
    "parent": frozenset(("mother", "father")),
    "sibling": frozenset(("brother", "sister")),
    "grandparent": frozenset(("grandmother", "grandfather")),
    "spouse": relations.SPOUSES,
    "friend": frozenset(("friend", "best friend")),
    "doctor": frozenset(("doctor",)),
}


def same_relation(asked: str, told: str) -> bool:
    """Whether somebody asked for by one relation may be the one told of by another."""
    if asked == told or told in _WIDER.get(asked, frozenset()):
        return True
    genders = {relations.gender_of(asked), relations.gender_of(told)}
    return any(asked in group and told in group for group in _SAME_RELATION) and genders != {"she", "he"}
