"""Who does it and to whom: a question about what one person does to another is answered by no other pair."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import Clause, Noun
from wellkept.judges.english.questions import concepts
from wellkept.judges.english.questions.frames import Frame, Holder, holder_of
from wellkept.patterns import deferred

# Both do it alike: who lives with me is whom I live with.
_MUTUAL_VERBS = lexicon.words("marry meet date know divorce be")
_MUTUAL_PREPOSITIONS = frozenset(("with", "to", "than", "like"))
# What somebody tells is told to whoever keeps it, said or not.
_TELLING = lexicon.words("tell say mention ask recommend suggest advise show teach explain promise")
_ASKER = deferred(r"\b(?:the user|i|me|my|mine|myself|we|us|our)\b", re.IGNORECASE)


def toward(clauses: tuple[Clause, ...], *, asks_who: bool) -> tuple[Holder, ...]:
    """The people to whom something is done, where the question says or asks by whom; each a name or the asker."""
    main = next((clause for clause in clauses if clause.verb is not None), None)
    if main is None or main.verb is None or main.verb.lemma in _MUTUAL_VERBS:
        return ()
    doer = holder_of(main.subject)
    if not (doer.kind == "person" or (asks_who and main.subject is None)):
        return ()
    found = [holder_of(noun) for noun in _others(clauses, main) if _is_bare(noun)]
    is_told = main.verb.lemma in _TELLING
    return tuple(one for one in found if one.kind == "person" or (one.kind == "asker" and not is_told))


def _others(clauses: tuple[Clause, ...], main: Clause) -> Iterator[Noun]:
    yield from filter(None, (main.object, main.indirect))
    for phrase in main.phrases:
        if phrase.noun is not None and phrase.preposition not in _MUTUAL_PREPOSITIONS:
            yield phrase.noun
    for other in (*main.inner, *clauses):
        if other is not main and other.subject is not None:
            yield other.subject


def _is_bare(noun: Noun) -> bool:
    """Whether a noun is a person and not something of theirs, and says who without a relation."""
    holder = holder_of(noun)
    return holder.relation is None and (holder.start, holder.end) == (noun.start, noun.end)


def is_done_to(people: tuple[Holder, ...], text: str, frame: Frame) -> bool:
    """Whether a statement speaks of all of them as somebody other than the one who does it."""
    subject = frame.clause.subject
    rest = text if subject is None else _after(text, subject)
    names = {word.casefold() for word in re.findall(r"[\w@-]+", rest)}
    return all(
        _ASKER.search(rest) is not None
        if one.kind == "asker"
        else bool(one.name) and set((one.name or "").casefold().split()) <= names
        for one in people
    )


def _after(text: str, subject: Noun) -> str:
    """The statement without its subject."""
    place = text.casefold().find(subject.text.casefold())
    return text if place < 0 else text[:place] + text[place + len(subject.text) :]


def credited(words: tuple[str, ...], frame: Frame) -> frozenset[str]:
    """What a statement offers of the person it is about.

    In "Mei thinks Ines is brilliant" it is Ines who is: that counts for a question about what Mei thinks.
    """
    verb = frame.clause.verb
    is_asked = verb is None or any(concepts.asked_by(word) & concepts.offered_by(verb.lemma) for word in words)
    return frame.keys if is_asked else frame.own_keys
