"""From the annotations of the corpus to the examples that the reader learns from."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from training import corpus
from training.corpus import HERE, Conversation, Fact, Turn
from training.package import spoken_sentences

Near = Callable[..., Any]
"""Texts in, the matrix of their similarities out; with others beside them, against those."""

RELATIONS = ("same", "replaces", "both")
VERDICTS = ("yes", "no", "unsaid")
STANCES = ("asserted", "chatter", *corpus.STANCES)
NEAREST, NEAR_ANSWERS, RETOLD_SHARE = 6, 20, 0.15
WRONG_MAX = 15
"""Texts that do not answer a question; a step of the training draws some of them."""
BEFORE_CHARACTERS, CONTEXT_SHARE = 120, 0.6
ALONE_SHARE = 0.3
"""How many turns are shown without what was said before them."""
TODOS = ("none", *corpus.TODOS)


@cache
def slots() -> tuple[str, ...]:
    return tuple(json.loads((HERE / "slots.json").read_text(encoding="utf-8"))["slots"])


def slot_of(word: str | None) -> str:
    """The closed slot that a free slot word of the corpus means."""
    if word is None:
        return "other"
    known = json.loads((HERE / "slots.json").read_text(encoding="utf-8")) if not _MEANS else None
    if known is not None:
        _MEANS.update({name: name for name in known["slots"]} | known["means"])
    return _MEANS.get(word.partition(":")[0].strip(), "other")


_MEANS: dict[str, str] = {}


@dataclass(kw_only=True)
class Sentence:
    """One sentence of a turn with what stands around it, and its labels; None: nothing is known of that label."""

    text: str
    turn: str
    before: tuple[str, ...]
    """The two messages before, the last one first, each with its speaker."""
    speaker: str
    labels: dict[str, str] = field(default_factory=dict)
    value: tuple[int, int] | None = None
    """Characters of the sentence."""
    source: str = ""
    turn_id: str = ""


@dataclass(kw_only=True)
class Pair:
    """Two texts and how they stand to each other."""

    first: str
    second: str
    label: str
    source: str = ""


def read_sentences(talk: Conversation, chance: random.Random | None = None) -> Iterator[Sentence]:
    """Every sentence that a person says.

    With `chance` the name of the speaker and what was said before are left out now and then, so that a message that
    stands alone is nothing new.
    """
    for number, turn in enumerate(talk.turns):
        if turn.is_assistant:
            continue
        before = tuple(
            f"{_name(talk, one, chance)}: {one.text}"
            for one in reversed(talk.turns[max(0, number - 2) : number])
            if one.session == turn.session
        )
        if chance is not None and chance.random() < ALONE_SHARE:
            before = ()
        for start, text in spoken_sentences(turn.text):
            said = Sentence(text=text, turn=turn.text, before=before, speaker=_name(talk, turn, chance))
            yield _labelled(talk, turn, start, said)


def _name(talk: Conversation, turn: Turn, chance: random.Random | None) -> str:
    name = talk.name(turn.speaker)
    if chance is None:
        return name
    draw = chance.random()
    return name if draw < 0.4 else name.split()[0] if draw < 0.75 else "assistant" if turn.is_assistant else "user"


def _home(fact: Fact) -> int:
    """Where the fact belongs: at its value if it has one, else where its words begin."""
    return (fact.value or fact.span)[0]


def _labelled(talk: Conversation, turn: Turn, start: int, one: Sentence) -> Sentence:
    stop = start + len(one.text)
    own = [fact for fact in turn.facts if start <= _home(fact) < stop]
    touched = [fact for fact in turn.facts if fact.span[0] < stop and fact.span[1] > start]
    traps = [trap for trap in turn.traps if start <= trap.span[0] < stop]
    one.source, one.turn_id = talk.path.stem, turn.id
    if own:
        first = own[0]
        one.labels = {
            "keep": "yes",
            "type": first.type,
            "holds": first.holds,
            "about": first.about,
            "privacy": max((fact.privacy for fact in own), key=corpus.PRIVACY.index),
            "slot": slot_of(first.slot),
            "todo": next((fact.todo.partition(":")[0] for fact in own if fact.todo), "none"),
            "quiet": "yes" if any(fact.is_quiet for fact in own) else "no",
            "stance": "asserted",
        }
        if first.value is not None and first.value[1] <= stop:
            one.value = (first.value[0] - start, first.value[1] - start)
    elif touched:
        # Part of a fact that belongs to another sentence: neither kept nor chatter.
        one.labels = {}
    else:
        one.labels = {"keep": "no", "stance": traps[0].stance if traps else "chatter", "todo": "none"}
    return one


def lines_of(path: Path, *, key: str, development: bool) -> Iterator[dict[str, Any]]:
    """The lines of a file of single examples; a tenth of them, by the text of `key`, is for development."""
    for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if (zlib.crc32(line[key].encode()) % 10 == 0) == development:
            yield line


def read_privacy(path: Path, *, development: bool = False) -> Iterator[Sentence]:
    """Single statements told in private."""
    for line in lines_of(path, key="text", development=development):
        labels = {"keep": "yes" if line["keep"] else "no", "privacy": line["sens"]}
        yield Sentence(text=line["text"], turn=line["text"], before=(), speaker="user", labels=labels, source=path.stem)


def read_statements(path: Path, *, development: bool = False) -> Iterator[Sentence]:
    """Messages with nothing before them, with all their labels."""
    for line in lines_of(path, key="text", development=development):
        text, value = line["text"], line.get("value")
        if line["keep"]:
            labels = {name: line[name] for name in ("type", "holds", "about", "privacy", "slot", "todo")}
            labels |= {"keep": "yes", "stance": "asserted"}
        else:
            labels = {"keep": "no", "stance": line["stance"], "todo": "none"}
        one = Sentence(text=text, turn=text, before=(), speaker="user", labels=labels, source=path.stem)
        one.value = (text.index(value), text.index(value) + len(value)) if value else None
        yield one


def read_facts(talk: Conversation) -> Iterator[Sentence]:
    """Facts as the store holds them, for their privacy, type, slot and subject."""
    for turn in talk.turns:
        for fact in turn.facts:
            labels = {"privacy": fact.privacy, "type": fact.type, "slot": slot_of(fact.slot), "holds": fact.holds}
            speaker = talk.name(turn.speaker)
            yield Sentence(
                text=fact.text, turn=fact.text, before=(), speaker=speaker, labels=labels, source=talk.path.stem
            )


# --- pairs ---


def read_relations(talk: Conversation, near: Near, chance: random.Random) -> Iterator[Pair]:
    """Facts that are linked, and many more that are not: the nearest ones, those of the same slot, and any other.

    A write compares a new fact with the nearest stored ones, nearly all of which it has nothing to do with.
    `near(texts)` gives the matrix of their similarities.
    """
    facts = [(turn, fact) for turn in talk.turns for fact in turn.facts]
    if not facts:
        return
    row = {id(fact): number for number, (_, fact) in enumerate(facts)}
    linked = _linked(talk, facts, row)
    scores = near([said(talk, *one) for one in facts])
    for new, old in sorted(linked):
        yield from _told(talk, facts[old], facts[new], linked[new, old], chance)
    related = _related(linked, len(facts))
    for new in range(len(facts)):
        earlier = [old for old in range(new) if related[old] != related[new]]
        for old in _unlinked(facts, new, earlier, scores[new], chance):
            yield from _told(talk, facts[old], facts[new], "both", chance, times=1)
        if chance.random() < RETOLD_SHARE:
            yield Pair(first=facts[new][1].text, second=said(talk, *facts[new]), label="same", source=talk.path.stem)


def _unlinked(
    facts: Sequence[tuple[Turn, Fact]], new: int, earlier: Sequence[int], scores: Sequence[float], chance: random.Random
) -> list[int]:
    """Earlier facts that stand beside a new one: three of the nearest, one of its slot, one drawn at random."""
    fact = facts[new][1]
    nearest = sorted(earlier, key=lambda old: -scores[old])[:NEAREST]
    same_slot = [old for old in earlier if fact.slot and facts[old][1].slot == fact.slot]
    drawn = [chance.sample(nearest, min(3, len(nearest))), chance.sample(same_slot, min(1, len(same_slot)))]
    return list(dict.fromkeys([*drawn[0], *drawn[1], *chance.sample(earlier, min(1, len(earlier)))]))


@dataclass(kw_only=True)
class Candidates:
    """A new fact with the nearest earlier ones, as they are said; `is_linked`: it replaces or ends an earlier one."""

    pairs: list[Pair]
    is_linked: bool


def read_candidates(talk: Conversation, near: Near, count: int, *, with_context: bool = False) -> Iterator[Candidates]:
    """What a write compares: each fact with the nearest of those that were told before it and still stand."""
    facts = [(turn, fact) for turn in talk.turns for fact in turn.facts]
    if not facts:
        return
    linked = _linked(talk, facts, {id(fact): number for number, (_, fact) in enumerate(facts)})
    told = [said(talk, *one) for one in facts]
    new_ones = [said(talk, *one, with_context=with_context) for one in facts]
    scores = near(told)
    gone: set[int] = set()
    for new in range(len(facts)):
        replaced = {old for old in range(new) if linked.get((new, old)) == "replaces"}
        standing = sorted((old for old in range(new) if old not in gone), key=lambda old: -scores[new][old])[:count]
        labels = [linked.get((new, old), "both") for old in standing]
        yield Candidates(
            pairs=[
                Pair(first=told[old], second=new_ones[new], label=label)
                for old, label in zip(standing, labels, strict=True)
            ],
            is_linked=bool(replaced),
        )
        gone |= replaced


def _linked(talk: Conversation, facts: Sequence[tuple[Turn, Fact]], row: dict[int, int]) -> dict[tuple[int, int], str]:
    linked = {}
    for new, (_, fact) in enumerate(facts):
        for link, label in (("replaces", "replaces"), ("ends", "replaces"), ("repeats", "same")):
            earlier = talk.fact(fact.links[link]) if link in fact.links else None
            if earlier is not None and row[id(earlier)] != new:
                linked[new, row[id(earlier)]] = label
        told = talk.fact(fact.links["happened"]) if "happened" in fact.links else None
        if told is not None and row[id(told)] != new:
            linked[new, row[id(told)]] = "both"
    return linked


def _related(linked: dict[tuple[int, int], str], count: int) -> list[int]:
    """Facts that hang together by links, as numbers of groups: nothing is said of two of one group."""
    group = list(range(count))

    def root(one: int) -> int:
        while group[one] != one:
            one = group[one]
        return one

    for new, old in linked:
        group[root(new)] = root(old)
    return [root(one) for one in range(count)]


def _told(
    talk: Conversation,
    old: tuple[Turn, Fact],
    new: tuple[Turn, Fact],
    label: str,
    chance: random.Random,
    *,
    times: int = 3,
) -> Iterator[Pair]:
    """The pair as it may be met: facts as they are stored, or as they were said."""
    ways = [
        (old[1].text, new[1].text),
        (old[1].text, said(talk, *new)),
        (said(talk, *old), said(talk, *new)),
        (old[1].text, said(talk, *new, with_context=True)),
        (said(talk, *old), said(talk, *new, with_context=True)),
    ]
    for first, second in chance.sample(ways, times):
        yield Pair(first=first, second=second, label=label, source=talk.path.stem)


def said(talk: Conversation, turn: Turn, fact: Fact, *, with_context: bool = False) -> str:
    """The sentences of a turn that hold a fact, with the speaker, and on request the end of what was said before."""
    start, stop = fact.span
    held = [text for at, text in spoken_sentences(turn.text) if at < stop and at + len(text) > start]
    told = f"{talk.name(turn.speaker).split()[0]}: {' '.join(held) or turn.text}"
    return before(talk, turn) + told if with_context else told


def before(talk: Conversation, turn: Turn) -> str:
    """The end of the message before a turn, with its speaker and a line break; empty at the start of a session."""
    number = talk.turns.index(turn)
    if not number or talk.turns[number - 1].session != turn.session:
        return ""
    earlier = talk.turns[number - 1]
    return f"{talk.name(earlier.speaker).split()[0]}: {earlier.text[-BEFORE_CHARACTERS:]}\n"


def read_pairs(path: Path, *, development: bool = False) -> Iterator[Pair]:
    labels = {"update": "replaces", "same": "same", "compatible": "both"}
    for line in lines_of(path, key="old", development=development):
        yield Pair(first=line["old"], second=line["new"], label=labels[line["rel"]], source=path.stem)


# --- answers ---


@dataclass(kw_only=True)
class Choice:
    """A question with texts of which some answer it, or none does."""

    question: str
    right: list[str]
    wrong: list[str]
    source: str = ""


def read_answers(talk: Conversation, near: Near, chance: random.Random) -> Iterator[Choice]:
    """Every question with what answers it and with the nearest texts that do not, outdated ones first."""
    documents, owners = [], []
    for turn in talk.turns:
        documents.append(f"{talk.name(turn.speaker).split()[0]}: {turn.text}")
        owners.append(turn.id)
        for fact in turn.facts:
            documents.append(fact.text)
            owners.append(turn.id)
    if not talk.questions:
        return
    turns = {turn.id: f"{talk.name(turn.speaker).split()[0]}: {turn.text}" for turn in talk.turns}
    scores = near([question.text for question in talk.questions], documents)
    for question, row in zip(talk.questions, scores, strict=True):
        order = sorted(range(len(documents)), key=lambda number: -row[number])
        hits = [number for number in order if owners[number] in question.evidence]
        others = [number for number in order if owners[number] not in question.evidence]
        stale = [number for number in others if owners[number] in question.stale][:1]
        right = chance.sample(hits, min(3, len(hits)))
        near_ones = [number for number in others[:NEAR_ANSWERS] if number not in stale]
        drawn = chance.sample(near_ones, min(WRONG_MAX - 1 - len(stale), len(near_ones)))
        # Without some that have nothing to do with the question, it would never learn what that looks like.
        far = chance.sample(others[NEAR_ANSWERS:], min(1, len(others[NEAR_ANSWERS:])))
        with_context = chance.random() < CONTEXT_SHARE

        def shown(number: int, *, with_context: bool = with_context) -> str:
            is_turn = documents[number].startswith(turns[owners[number]])
            return before(talk, talk.turn(owners[number])) * (with_context and is_turn) + documents[number]

        yield Choice(
            question=question.text,
            right=[shown(number) for number in right],
            wrong=[shown(number) for number in (*stale, *drawn, *far)],
            source=talk.path.stem,
        )


def read_verdicts(talk: Conversation, chance: random.Random) -> Iterator[Pair]:
    """Yes/no questions with what settles them (yes, no) and with other facts (unsaid)."""
    facts = [fact.text for turn in talk.turns for fact in turn.facts]
    for question in talk.questions:
        answer = question.answer.strip().lower()
        word = "yes" if answer.startswith("yes") else "no" if answer.startswith("no") else None
        if question.category != "yesno" or word is None:
            continue
        for one in question.evidence[-1:]:
            turn = talk.turn(one)
            told = f"{talk.name(turn.speaker).split()[0]}: {turn.text}"
            yield Pair(first=question.text, second=told, label=word, source=talk.path.stem)
            for fact in turn.facts[:1]:
                yield Pair(first=question.text, second=fact.text, label=word, source=talk.path.stem)
        for text in chance.sample(facts, min(2, len(facts))):
            yield Pair(first=question.text, second=text, label="unsaid", source=talk.path.stem)


def read_single_verdicts(path: Path, *, development: bool = False) -> Iterator[Pair]:
    for line in lines_of(path, key="q", development=development):
        yield Pair(first=line["q"], second=line["text"], label=line["verdict"], source=path.stem)


def read_single_answers(path: Path, *, development: bool = False) -> Iterator[Choice]:
    for line in lines_of(path, key="q", development=development):
        yield Choice(question=line["q"], right=line["yes"][:2], wrong=line["no"][:6], source=path.stem)
