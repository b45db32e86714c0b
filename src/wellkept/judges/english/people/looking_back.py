"""Whom and what the messages before the one that is read speak of."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.messages import requests
from wellkept.judges.english.people.discourse import Earlier
from wellkept.judges.english.wording.retelling import steps
from wellkept.patterns import deferred

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.types import Message


def look_back(messages: Sequence[Message], wrong: str | None, known: frozenset[str]) -> Earlier:
    """What the messages before the last one speak of; last the one with the words that are put right."""
    clauses: list[tuple[int, Clause | None]] = []
    last_said: Sequence[Clause] = ()
    *before, last = messages
    told = [
        (number, one)
        for number, one in enumerate(before)
        if one.role in {"user", "assistant"} and not is_of_another_talk(one, last)
    ]
    mended = next((one for _, one in reversed(told) if wrong and one.role == "user" and wrong in one.content), None)
    for number, message in [*told, *(((len(before), mended),) if mended is not None else ())]:
        asked = requests.recognise(message.content) if message.role == "user" else None
        text = _LABEL.sub(_blank, message.content) if asked is None else asked.payload
        said = parse(text)
        is_own = message.role == "user" and (None in {message.speaker, last.speaker} or message.speaker == last.speaker)
        for clause in said:
            if message.role == "assistant" and _names_somebody_new(clause, before, known):
                continue
            clauses.append((number, clause if is_own or not _is_of_their_own(clause) else None))
        if message.role == "user":
            last_said = said
    return Earlier(clauses=clauses, last=last_said)


TALK_LASTS = timedelta(hours=6)
"""Whom a talk spoke of that ended longer ago, a pronoun does not mean."""


def is_of_another_talk(earlier: Message, last: Message) -> bool:
    """Whether a message is of a talk that was over before the last one."""
    return earlier.at is not None and last.at is not None and last.at - earlier.at > TALK_LASTS


_LABEL = deferred(r"^\s*[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2}:(?=\s)")
"""Who speaks, where a chat writes it before what is said: that names nobody who is spoken of."""


def _names_somebody_new(clause: Clause, before: Sequence[Message], known: frozenset[str]) -> bool:
    """For "Opposite hours to yours?": a reply speaks of those of whom the user spoke, and a first word is no name."""
    names = [noun.name.casefold() for noun in clause.nouns if noun.name is not None]
    if not names:
        return False
    heard = " ".join([one.content for one in before if one.role == "user"]).casefold()
    return any(name not in heard and name not in known and name.split()[0] not in lexicon.FIRST_NAMES for name in names)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _is_of_their_own(clause: Clause) -> bool:
    """Whether somebody else speaks of people of theirs: their "my friends" are not the speaker's."""
    return any(
        step.relation is not None and step.owner is not None and step.owner.pronoun in {"i", "we"}
        for noun in clause.nouns
        for step in steps(noun)
    )
