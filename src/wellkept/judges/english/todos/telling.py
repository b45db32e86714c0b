"""What a stretch of a message says was done: by the speaker, to a thing, or as somebody else got to know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.todos import ending_words as said
from wellkept.judges.english.todos.keys import compared, lemma
from wellkept.patterns import deferred
from wellkept.policies.words import query_terms
from wellkept.values import frozen

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

_WORD = deferred(r"[^\W_]+(?:'[^\W_]+)?")


@frozen
class Told:
    """A stretch of a message and what its words say was done."""

    text: str
    words: frozenset[str]
    """Every telling word, as its lemma."""
    verbs: frozenset[str]
    """What the speaker did, as lemmas; empty when they tell of something else."""
    result: frozenset[str]
    """What something is now: "sent", "clean"."""
    now: frozenset[str]
    """The words after "is" and its like."""
    head: frozenset[str]
    """The words before the verb of a result, or of somebody who has something."""
    passive: tuple[str, frozenset[str]]
    """What was done to the things named before it: "orchids watered", "papers handed in this morning"."""
    receiver: frozenset[str]
    """Who got, liked or was glad of something: it has reached them."""
    handled: frozenset[str]
    """What the speaker did something with: the words between the verb and the next preposition."""
    is_liked: bool
    """The receiver is told to like it, and not only to have it."""
    seen_by: frozenset[str]
    """Who did something for the speaker: "the dentist pulled my tooth"."""
    is_had: bool
    is_of_it: bool
    """The deed is done to something named before: "called her"."""
    is_lone: bool
    """Nothing but the deed is said: "packed!"."""
    is_bare: bool
    """Of whom or what it was done is not said here: "we spoke on the phone"."""
    is_new: bool
    """Something is called new: who had none has it now."""


def told_by(text: str) -> Told:
    """A stretch of a message taken apart."""
    words = [word.casefold() for word in _WORD.findall(text)]
    at = 0
    while at < len(words) and words[at] in said.LEADING:
        at += 1
    found = said.RESULT.search(text)
    had = said.HAD.search(text)
    before = text[: found.start()] if found is not None else text[: had.start()] if had is not None else ""
    after = said.COPULA.search(text)
    received = said.RECEIVED.match(text)
    attended = said.ATTENDED.match(text)
    return Told(
        text=text,
        words=telling(text),
        verbs=_verbs(text, words, at),
        result=frozenset() if found is None else _result(found),
        now=frozenset() if after is None else _now(after[1]),
        head=telling(before) | (telling(text.rpartition(" with ")[2]) if words[:1] == ["we"] else frozenset()),
        passive=_passive(words),
        receiver=telling(received[1]) if received is not None else frozenset(),
        handled=telling(said.PREPOSITION.split(" ".join(words[at + 1 :]), maxsplit=1)[0]),
        is_liked=received is not None and received[2] is not None,
        seen_by=telling(attended[1]) if attended is not None else frozenset(),
        is_had=had is not None,
        is_of_it=len(words) > at + 1 and words[at + 1] in said.IT,
        is_lone=len(words) == at + 1 or said.THANKED.search(text) is not None,
        is_bare=not telling(text) - {lemma(word) for word in words[: at + 1]} - said.PASSING_BY,
        is_new=said.NEW.match(text) is not None,
    )


def telling(text: str) -> frozenset[str]:
    """The words of a text that tell something, as they are compared."""
    return frozenset(compared(word.removesuffix("'s")) for word in query_terms(text))


def _verbs(text: str, words: Sequence[str], at: int) -> frozenset[str]:
    found = set(_deeds_of_speaker(words[at:], has_subject=bool(said.SPEAKERS & set(words[: at + 1]))))
    if said.OWN_HAD.match(text):
        found.add("get")
    if said.KNOWN.match(text):
        found.add("learn")
    if found and said.TOUCHED_UP.search(text):
        found.add("finish")
    if said.READY.match(text):
        found.add("prepare")
    thanked = said.THANKED.search(text)
    if thanked is not None:
        found.add(lemma(thanked[1].casefold()))
    signed = said.IS_IN.match(text)
    if signed is not None:
        found.add(lemma(signed[1].casefold()))
    if said.BEEN_AT.match(text):
        found |= {"visit", "go", *(lemma(word) for word in words)}
    return frozenset(found)


def _now(after: str) -> frozenset[str]:
    told = [word for word in _WORD.findall(after.casefold()) if not word.endswith("ing")]
    return frozenset({*told, *(lemma(word) for word in told)})


def _passive(words: Sequence[str]) -> tuple[str, frozenset[str]]:
    """A participle and the things it was done to; a person who called is another matter than somebody called."""
    cut = said.PREPOSITION.split(" ".join(words), maxsplit=1)[0].split() or words
    end = len(cut)
    while end > 1 and (cut[end - 1] in said.LEADING or cut[end - 1] in said.TRAILING):
        end -= 1
    word = cut[end - 1] if end > 1 else ""
    is_done = word != lemma(word) and not word.endswith("ing") and lemma(word) not in said.OF_PEOPLE
    return (lemma(word), telling(" ".join(cut[: end - 1]))) if is_done else ("", frozenset())


def _deeds_of_speaker(words: Sequence[str], *, has_subject: bool) -> frozenset[str]:
    """The past verb at the head of the words, and what it makes of a noun: "had my swim", "got the gate sorted"."""
    if not words or (words[0] in said.OTHERS and not has_subject):
        return frozenset()
    first = words[0]
    form = verb_form(first)
    is_past = form is not None and bool({"past", "participle"} & form.forms) and first != lemma(first)
    is_past = is_past or first in said.PAST_AS_BASE or (form is None and first.endswith("ed"))
    if not is_past:
        return frozenset()
    verb = lemma(first)
    found = {verb}
    if verb in said.LIGHT_VERBS:
        # "got the gate sorted", "managed to fix the tap", "had a word with": the deed stands in the rest.
        found |= {lemma(word) for word in words[1:]}
    if said.IN_TALK.search(" ".join(words)):
        found.add("call")
    if said.BEEN_TO.match(" ".join(words)):
        found.add("visit")
    return frozenset(found)


def _result(found: re.Match[str]) -> frozenset[str]:
    return frozenset({lemma(word) for word in _WORD.findall(found[0].casefold())} - said.AUXILIARIES)
