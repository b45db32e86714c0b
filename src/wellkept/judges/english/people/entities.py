"""The entities that a clause names: people, organisations, places and projects, as `type:slug`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.slots import topics
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.types import Reference

REFS_MAX = 5
_PROJECT_NAME = deferred(
    r"(?:\b[Pp]roject ((?:[A-Z0-9][\w-]*)(?: [A-Z0-9][\w-]*)*)|((?:[A-Z][\w-]*)(?: [A-Z][\w-]*)*) project\b)"
)
_PLACE_PREPOSITIONS = frozenset(("in", "from", "near", "around", "outside", "to"))
_PLACE_VERBS = lexicon.words("live move be work bear grow study travel go fly visit come raise relocate stay base")


def entities(clause: Clause | None, subjects: Sequence[Reference], text: str) -> tuple[tuple[str, str], ...]:
    """(ref, label) pairs, the primary first, at most five: the project it is about, then its people, then the rest."""
    found: list[tuple[str, str]] = []

    def add(kind: str, name: str) -> None:
        key = slug(name)
        if key and all(ref != f"{kind}:{key}" for ref, _ in found):
            found.append((f"{kind}:{key}", name))

    for name in _projects(clause, text):
        add("project", name)
    for who in subjects:
        if who.name is not None:
            add("person", who.name)
        elif who.handle is not None:
            add("person", who.handle.removeprefix("@"))
    if clause is not None:
        for kind, name in _others(clause):
            add(kind, name)
    return tuple(found[:REFS_MAX])


def _projects(clause: Clause | None, text: str) -> Iterator[str]:
    match = _PROJECT_NAME.search(text) if "roject" in text else None
    if match is not None:
        yield match.group(1) or match.group(2)
        return
    if clause is None or clause.verb is None:
        return
    verb = clause.verb
    if (verb.lemma in {"work", "build", "develop"} and verb.aspect == "progressive") or verb.form in {
        "working",
        "building",
    }:
        on = next((item.noun for item in clause.phrases if item.preposition == "on" and item.noun is not None), None)
        thing = on if verb.lemma == "work" else clause.object
        if thing is not None and thing.pronoun is None and thing.relation is None:
            yield _bare(thing)
    elif verb.lemma in {"launch", "ship", "release"} and clause.object is not None and clause.object.pronoun is None:
        yield _bare(clause.object)
    elif clause.subject is not None and clause.subject.head == "project":
        yield " ".join(clause.subject.modifiers) or "project"


def _bare(noun: Noun) -> str:
    return re.sub(
        r"(?i)^(?:a|an|the|my|our|some|new|his|her|their)\s+",
        "",
        re.sub(r"(?i)^(?:a|an|the|my|our)\s+(?:new\s+)?", "", noun.text),
    )


def _others(clause: Clause) -> Iterator[tuple[str, str]]:
    lemma = clause.verb.lemma if clause.verb is not None else ""
    for phrase in clause.phrases:
        noun = phrase.noun
        if noun is None or noun.name is None or noun.relation is not None:
            continue
        first = noun.name.split()[0].casefold()
        if first in lexicon.TIME_NOUNS:
            continue
        if lemma in {"work", "interview", "intern"} and phrase.preposition in {"at", "for", "with"}:
            yield "org", noun.name
        elif (
            phrase.preposition in _PLACE_PREPOSITIONS
            and (lemma in _PLACE_VERBS or phrase.preposition in {"in", "from"})
            and first not in lexicon.FIRST_NAMES
            and first not in topics.WORK
        ):
            yield "place", noun.name
    for noun in clause.nouns:
        for part in (noun, noun.of):
            if part is not None and part.name is not None and part.name.split()[-1].casefold() in lexicon.ORG_SUFFIXES:
                yield "org", part.name
