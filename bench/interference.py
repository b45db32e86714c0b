"""Non-interference: one user's answers are byte-identical with and without the private data of the others.

`python bench/interference.py --worlds 1000 [--postgres]`. Each world is played twice from one seed. What the asker may
see is there both times; what the others keep to themselves only the first time, between the asker's own steps. Every
answer of the asker (ids, order, scores, reasons, counts, errors) is written down and must be the same text.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wellkept
from bench import stores
from bench.stores import Places
from bench.worlds import Clock, WordVectors, question, sentence
from wellkept.api import Memory as App
from wellkept.api import Viewpoint
from wellkept.config import Config, MemoryTable
from wellkept.errors import WellkeptError
from wellkept.policies.words import term_counts
from wellkept.store.contract import NewestRows, Store
from wellkept.surfaces.cli.screen import progress
from wellkept.types import as_json

ASKER = "ada"
FRIENDS = ("omar", "lin")
"""They share the group with the asker; what they keep private is not the asker's to see."""
STRANGERS = ("zoe", "yan", "kai")
STEPS = 10
AT_ONE_PLACE = 25
"""Worlds after which a folder or a server is left behind for a new one."""
Wrap = Callable[[Store], Store]


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing the asker does, with everything chosen beforehand."""

    verb: str
    text: str = ""
    place: str = "dm"
    number: int = 0


@dataclass(kw_only=True)
class Diary:
    """What the asker was told, and the ids that others hold."""

    lines: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    foreign: list[list[str]] = field(default_factory=list)
    """The others' ids as they were known at each step."""


def place(app: App, name: str) -> Viewpoint:
    match name:
        case "group":
            return app.at(user=ASKER, chat="team", chat_type="group", participants=FRIENDS, display_name="Ada")
        case "coach":
            return app.at(user=ASKER, chat="dm", persona="coach", display_name="Ada")
        case "bare":
            return app.at(user=ASKER, display_name="Ada")
        case _:
            return app.at(user=ASKER, chat="dm", thread="t1", display_name="Ada")


def plan(chance: random.Random) -> list[Step]:
    verbs = (
        "remember", "remember", "remember", "add", "recall", "recall", "list", "context", "chat", "history", "id",
        "observe", "observe",
    )  # fmt: skip
    steps = []
    for _ in range(STEPS):
        verb = chance.choice(verbs)
        text = sentence(chance) if verb in ("remember", "add", "observe") else question(chance)
        if verb == "chat":
            text = chance.choice((sentence, question))(chance)
        where = chance.choice(("dm", "dm", "group", "coach", "bare"))
        steps.append(Step(verb=verb, text=text, place=where, number=chance.randrange(1 << 30)))
    steps += [Step(verb="list"), Step(verb="list", place="group"), Step(verb="recall", text=question(chance))]
    # The shortest prefixes of own ids: unique for the asker, whoever else has ids that begin so.
    return [*steps, *(Step(verb="history", number=4 * number) for number in range(4))]


def share(app: App, chance: random.Random) -> None:
    """What all of them know: the group's own memories, and public words about the asker."""
    for friend in FRIENDS:
        at = app.at(
            user=friend, chat="team", chat_type="group", participants=(ASKER, *FRIENDS), display_name=friend.title()
        )
        at.remember(sentence(chance), shared=True)
        at.remember(f"Ada loves {chance.choice(('ramen', 'paella'))}")
        # Only recorded: what friends say later in private may replace what they said of themselves here.
        at.observe([{"content": sentence(chance)}, {"role": "assistant", "content": question(chance)}], extract=False)


def disturb(app: App, chance: random.Random) -> Iterator[str]:
    """What the others keep to themselves, in the same words, names and slots; gives the ids it made."""
    who = chance.choice((*FRIENDS, *STRANGERS))
    text = sentence(chance)
    if who in STRANGERS:
        chat = chance.choice((None, f"dm-{who}", "team-of-strangers"))
        kind = "group" if chat == "team-of-strangers" else "private"
        at = app.at(user=who, chat=chat, chat_type=kind, display_name=chance.choice((who.title(), "Sarah")))
        outcome = at.remember(text, shared=chat is not None and chance.random() < 0.3)
    else:
        at = app.at(user=who, chat=f"dm-{who}", persona="coach", display_name=who.title())
        way = chance.choice(("personal", "sensitive", "persona"))
        if way == "persona":
            outcome = at.remember(text, only_persona=True)
        else:
            outcome = at.add(text, sensitivity=way, type="auto")
    if chance.random() < 0.2:
        at.context(question(chance))
    if chance.random() < 0.5:
        # What friends say of themselves in private is told on; only their words are not.
        at.observe([{"content": sentence(chance)}, {"content": question(chance)}], extract=who in STRANGERS, wait=True)
    for made in (outcome, *outcome.others):
        if made.id is not None:
            yield made.id


def perform(step: Step, app: App, diary: Diary, foreign: Sequence[str]) -> object:
    """One step of the asker; an error is an answer too."""
    at = place(app, step.place)
    match step.verb:
        case "remember":
            return _kept(at.remember(step.text, shared=step.place == "group" and step.number % 3 == 0), diary)
        case "add":
            return _kept(at.add(step.text, type="auto", only_persona=step.place == "coach"), diary)
        case "observe":
            seen = at.observe([{"content": step.text}], wait=step.number % 2 == 0)
            return [seen.ids, seen.outcomes, at.recall(step.text, sources=("messages",), threshold=0.0)]
        case "recall":
            return at.recall(step.text, threshold=0.0 if step.number % 2 else None, limit=50)
        case "list":
            before = foreign[step.number % len(foreign)] if foreign and step.number % 3 == 1 else None
            return at.list(limit=200, before=before)
        case "context":
            block = at.context(step.text)
            return [str(block).replace(block.nonce, "nonce"), block.verdict, block.memory_ids, block.tokens]
        case "chat":
            return at.chat(step.text)
        case "history":
            ids = diary.own or [*foreign] or ["m_none"]
            return at.history(_cut(ids[step.number % len(ids)], step.number))
        case _:
            ids = [*foreign] or ["m_none"]
            verb = (at.history, at.forget, at.pin, at.restore)[step.number % 4]
            return verb(_cut(ids[step.number % len(ids)], step.number))


def _kept(outcome: Any, diary: Diary) -> object:  # noqa: ANN401 -- an Outcome with others inside
    diary.own += [made.id for made in (outcome, *outcome.others) if made.id is not None]
    return outcome


def _cut(memory_id: str, number: int) -> str:
    """The whole id or a prefix of it."""
    return memory_id[: (3, 4, 6, 18)[number % 4]]


def play(seed: int, url: str, *, wrap: Wrap | None = None, replay: Diary | None = None) -> Diary:
    """The world of a seed. With `replay` the others stay silent and the asker names the same foreign ids."""
    clock = Clock()
    chance = random.Random(seed)
    config = Config(memory=MemoryTable(auto_gc=False))
    app = wellkept.open(url, config=config, clock=clock, worker="off", embedder=WordVectors() if seed % 2 else "none")
    if wrap is not None:
        app.engine = replace(app.engine, store=wrap(app.engine.store))
    diary = Diary()
    steps = plan(chance)
    share(app, chance)
    noise = random.Random(seed + 1)
    foreign: list[str] = []
    for number, step in enumerate(steps):
        clock.advance()
        if replay is None:
            foreign += disturb(app, noise)
            diary.foreign.append(list(foreign))
        known = diary.foreign[number] if replay is None else replay.foreign[number]
        try:
            answer = perform(step, app, diary, known)
        except WellkeptError as error:
            answer = {"error": type(error).__name__, "code": error.code, "message": str(error)}
        diary.lines.append(json.dumps([vars(step), as_json(answer)], ensure_ascii=False, sort_keys=True))
    diary.lines.append(json.dumps(sizes(app)))
    app.close()
    return diary


def sizes(app: App) -> list[int]:
    """How much there is to see, by every way of counting."""
    counts = []
    for name in ("dm", "group", "coach", "bare"):
        at = place(app, name)
        counts += [len(at.list(limit=1_000)), len(at.recall("Where do I live?", limit=1_000, threshold=0.0))]
    return counts


def differs(seed: int, *, wrap: Wrap | None = None, places: Places | None = None) -> tuple[str, str] | None:
    """The first answer that is not the same with and without the others, if there is one."""
    with contextlib.ExitStack() as until_end:
        where = places or until_end.enter_context(stores.places("sqlite"))
        loud = play(seed, where.new(), wrap=wrap)
        quiet = play(seed, where.new(), wrap=wrap, replay=loud)
    pairs = zip(loud.lines, quiet.lines, strict=True)
    return next(((one, other) for one, other in pairs if one.encode() != other.encode()), None)


class GlobalStatistics:
    """Control: a store that weighs words by how rare they are among all rows, everybody's included."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- everything else is the store's own
        return getattr(self._store, name)

    def everybodys_ids(self, tenant: str) -> set[str]:
        """The ids of all memories of the tenant, whoever may see them."""
        return {row.entry.memory_id for row in self._store.ledger(NewestRows(tenant=tenant, limit=10_000))} - {None}

    def candidates(self, search: Any, **more: Any) -> tuple[Any, ...]:  # noqa: ANN401 -- as the store has it
        memories = (self._store.memory(search.view.tenant, name) for name in self.everybodys_ids(search.view.tenant))
        texts = [set(term_counts(memory.content)) for memory in memories if memory is not None]
        held = [sum(term in text for text in texts) for term in search.terms]
        rarity = [math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for count in held]
        weight = sum(rarity) / (len(rarity) * math.log(2 * len(texts) + 2)) if rarity else 1.0
        return tuple(
            item if item.bm25 is None else replace(item, bm25=item.bm25 * weight, share=(item.share or 0.0) * weight)
            for item in self._store.candidates(search, **more)
        )


class GlobalPrefixes(GlobalStatistics):
    """Control: a store in which an id prefix must be unique among everybody's rows."""

    def candidates(self, search: Any, **more: Any) -> tuple[Any, ...]:  # noqa: ANN401 -- as the store has it
        return self._store.candidates(search, **more)

    def seen(self, view: Any, listing: Any) -> tuple[Any, ...]:  # noqa: ANN401 -- as the store has it
        found = self._store.seen(view, listing)
        alike = sorted(name for name in self.everybodys_ids(view.tenant) if name.startswith(listing.prefix or "-"))
        is_unique = len(alike) < 2 or listing.prefix in alike
        return found if is_unique else tuple(self._store.memory(view.tenant, name) for name in alike[:2])


def run(worlds: int, *, first_seed: int = 0, kind: str = "sqlite") -> list[int]:
    """The seeds of the worlds in which something differs."""
    different = []
    with progress(f"of {worlds:,} worlds") as show:
        for start in range(first_seed, first_seed + worlds, AT_ONE_PLACE):
            with stores.places(kind) as places:
                seeds = range(start, min(start + AT_ONE_PLACE, first_seed + worlds))
                different += [seed for seed in seeds if differs(seed, places=places) is not None]
            show(seeds.stop - first_seed)
    return different


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--worlds", type=int, default=1_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--postgres", action="store_true")
    chosen = options.parse_args()
    began = time.perf_counter()
    different = run(chosen.worlds, first_seed=chosen.seed, kind="postgres" if chosen.postgres else "sqlite")
    seconds = time.perf_counter() - began
    print(f"worlds: {chosen.worlds}; different: {len(different)} {different[:10]}; {seconds:.0f} s")
    for name, wrap in (("global word statistics", GlobalStatistics), ("global id prefixes", GlobalPrefixes)):
        caught = sum(differs(seed, wrap=wrap) is not None for seed in range(20))
        print(f"control, {name}: different in {caught} of 20 worlds")
    if different:
        one, other = differs(different[0]) or ("", "")
        raise SystemExit(f"with the others:\n{one}\nwithout:\n{other}")


if __name__ == "__main__":
    main()
