"""Leak fuzz: canary facts of many people, random questions from random viewpoints; no answer may hold a foreign canary.

`python bench/leaks.py --queries 200000`. Every canary says by its kind who may meet it, in one line of `may_meet`, and
every answer is searched as text: memories, cards, related lines, context blocks, chat replies, histories and errors.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from worlds import CITIES, FOODS, PEOPLE, START, WordVectors, question, token

import wellkept
from wellkept.api import Memory as App
from wellkept.api import Viewpoint
from wellkept.config import Config, MemoryTable
from wellkept.errors import WellkeptError
from wellkept.policies.words import term_counts
from wellkept.store.contract import Attendance, Change, Entry, Store, UserLink
from wellkept.surfaces.cli.screen import progress
from wellkept.types import Edge, Memory, Person, as_json
from wellkept.types import Viewpoint as Place
from wellkept.vocabulary import EdgeKind, Sensitivity, Space

USERS = tuple(f"user{number:02d}" for number in range(30))
GROUPS = tuple(f"group{number}" for number in range(10))
PERSONAS = ("coach", "critic")
TENANTS = ("default", "acme")
CANARY = re.compile(r"canary[0-9a-f]{12}")
HOSTILE = (
    "*",
    "%",
    "_",
    "m_",
    "'; DROP TABLE memories; --",
    '"canary" OR 1=1',
    "NEAR(a b)",
    "user:*",
    "\u202e",
    "ｕｓｅｒ",
)


@dataclass(frozen=True, kw_only=True)
class Canary:
    """A fact with a word of its own, and where it belongs."""

    word: str
    kind: str
    tenant: str
    user: str | None = None
    chat: str | None = None
    persona: str | None = None
    memory_id: str


def may_meet(canary: Canary, place: Place, listeners: Collection[str] = ()) -> bool:
    """Whether this viewpoint may meet the canary: the whole oracle.

    `listeners` are the people of the canary's group, where its words are met but not its memory: in private, those who
    were there may be reminded of what was said, replies that told of it included.
    """
    if canary.tenant != place.tenant or (canary.persona is not None and canary.persona != place.persona):
        return False
    match canary.kind:
        case "note" | "persona":
            return canary.user == place.user
        case "sensitive":
            return canary.user == place.user and place.chat_type == "private"
        case "confidential":
            return canary.user == place.user and canary.chat == place.chat
        case _:
            present = {f"p_{user}" for user in (place.user, *place.participants)}
            is_heard = place.chat_type == "private" and canary.chat in GROUPS and present <= set(listeners)
            return canary.chat == place.chat or is_heard


@dataclass(kw_only=True)
class Tally:
    """What was asked, what came back, and what should not have."""

    queries: int = 0
    own: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)


def canaries() -> list[Canary]:
    made: list[Canary] = []

    def one(kind: str, tenant: str, **where: str | None) -> None:
        word = token(kind, tenant, sorted(where.items(), key=str))
        made.append(Canary(word=word, kind=kind, tenant=tenant, memory_id=_memory_id(word), **where))

    for tenant in TENANTS:
        for user in USERS:
            one("note", tenant, user=user)
            one("sensitive", tenant, user=user)
            one("confidential", tenant, user=user, chat=f"dm-{user}")
            for persona in PERSONAS:
                one("persona", tenant, user=user, persona=persona)
        for chat in (*GROUPS, *(f"dm-{user}" for user in USERS)):
            one("chat", tenant, chat=chat)
    return made


def _memory_id(word: str) -> str:
    """In the form of real ids: letters and the digits 2 to 7."""
    return "m_" + (word[6:] + word[6:10]).translate(str.maketrans("0189", "wxyz"))


def memory_of(canary: Canary) -> Memory:
    food, city = FOODS[len(canary.word + canary.kind) % len(FOODS)], CITIES[int(canary.word[6:], 16) % len(CITIES)]
    is_private = canary.kind in ("sensitive", "confidential", "persona")
    return Memory(
        id=canary.memory_id,
        tenant=canary.tenant,
        content=f"The {food} from {city} is for {canary.word}",
        space=Space.USER if canary.user else Space.CHAT,
        owner=canary.user or canary.chat or "",
        persona_id=canary.persona,
        subject_person_ids=(f"p_{canary.user}",) if canary.kind == "sensitive" else (),
        stated_by=f"p_{canary.user}" if canary.user else None,
        learned_in=f"dm-{canary.user}" if canary.user else canary.chat,
        learned_in_type="private" if canary.user or str(canary.chat).startswith("dm") else "group",
        entity_refs=(f"place:{city.lower()}", "project:launch"),
        memory_key="project|project|launch|fact",
        discriminator=canary.word,
        sensitivity=Sensitivity.SENSITIVE if canary.kind == "sensitive" else Sensitivity.PUBLIC,
        confidential=canary.kind == "confidential",
        pinned=not is_private and canary.word.endswith("0"),
        importance=3.0,
        created_at=START,
        observed_at=START,
        updated_at=START,
    )


def build(store: Store, made: Sequence[Canary], model: str, vectors: WordVectors) -> None:
    """Everybody, their chats and the canaries; each canary is related to the next, whoever owns that."""
    with store.transaction():
        for tenant in TENANTS:
            for number, user in enumerate(USERS):
                name = PEOPLE[number % len(PEOPLE)]
                store.keep(Person(id=f"p_{user}", tenant=tenant, name=name, created_by=user, created_at=START))
                store.keep(UserLink(tenant=tenant, user=user, person_id=f"p_{user}", username=user, display_name=name))
                store.keep(
                    Attendance(
                        tenant=tenant, chat=f"dm-{user}", chat_type="private", person_ids=(f"p_{user}",), at=START
                    )
                )
            for number, group in enumerate(GROUPS):
                store.keep(
                    Attendance(
                        tenant=tenant,
                        chat=group,
                        chat_type="group",
                        person_ids=tuple([f"p_{user}" for user in USERS[number::3]]),
                        at=START,
                    )
                )
        rows = vectors.embed([memory_of(canary).content for canary in made])
        for number, (canary, following) in enumerate(zip(made, [*made[1:], made[0]], strict=True)):
            memory = memory_of(canary)
            edges = (Edge(kind=EdgeKind.RELATED_TO, src=memory.id, dst=following.memory_id, strength=0.9),)
            entry = Entry(op="create", memory_id=memory.id, version=1, category=memory.category)
            change = Change(
                memory=memory,
                entry=entry,
                is_new=True,
                terms=term_counts(memory.content),
                vectors=rows[number : number + 1],
                model=model,
                edges=edges if canary.tenant == following.tenant else (),
            )
            store.apply([change], at=START)


def viewpoint(app: App, chance: random.Random) -> Viewpoint:
    user = chance.choice((*USERS, *USERS, "stranger", chance.choice(HOSTILE)))
    tenant = chance.choice((*TENANTS, TENANTS[0], "nobody"))
    persona = chance.choice((None, None, *PERSONAS, "*"))
    match chance.randrange(5):
        case 0:
            return app.at(user=user, tenant=tenant, persona=persona)
        case 1:
            return app.at(user=user, chat=f"dm-{user}"[:500], tenant=tenant, persona=persona)
        case 2:
            return app.at(user=user, chat=chance.choice(("elsewhere", "%", "dm-")), tenant=tenant, persona=persona)
        case 3:
            others = chance.sample(USERS, 2)
            return app.at(user=user, chat="elsewhere", participants=others, tenant=tenant, persona=persona)
        case _:
            others = chance.sample(USERS, 4)
            group = chance.choice(GROUPS)
            return app.at(user=user, chat=group, chat_type="group", participants=others, tenant=tenant, persona=persona)


def words(made: Sequence[Canary], chance: random.Random) -> str:
    """What is asked: questions, single words of canaries, or syntax that should mean nothing."""
    parts = [chance.choice((question(chance), chance.choice(made).word, chance.choice(HOSTILE), "ramen Lisbon launch"))]
    if chance.random() < 0.4:
        parts.append(chance.choice(made).word)
    return " ".join(parts)


def ask(at: Viewpoint, made: Sequence[Canary], chance: random.Random) -> object:
    """One read by a random path."""
    asked, target = words(made, chance), chance.choice(made)
    match chance.choice(PATHS):
        case "recall":
            found = at.recall(asked, limit=chance.choice((5, 50)), threshold=chance.choice((None, 0.0)))
            return replace(found, query="")
        case "filtered":
            filters = {"user_id": target.user, "entity": chance.choice((None, "project:launch"))}
            return replace(at.recall(asked, filters=filters, threshold=0.0), query="")
        case "about":
            return replace(at.recall(asked, about=[chance.choice((*PEOPLE, f"@{target.user}"))]), query="")
        case "list":
            options: dict[str, Any] = {"include_expired": chance.random() < 0.5, "limit": 200}
            if chance.random() < 0.3:
                options["before"] = target.memory_id
            return at.list(**options)
        case "context":
            return str(at.context(asked, budget_tokens=4_000)).replace(asked, "")
        case "chat":
            # A chat keeps what it is asked and may quote it later; in capitals that is told from an answer.
            return at.chat(f"What do you know about {asked.upper()}?")
        case "people":
            return [at.people(), at.person(chance.choice(PEOPLE)), at.stats()]
        case verb:
            tell = {"history": at.history, "show": at.show, "why": at.why}[verb]
            return tell(target.memory_id[: chance.choice((3, 4, 18))])


PATHS = ("recall", "recall", "filtered", "about", "list", "list", "history", "show", "why", "people", "context", "chat")


def check(answer: object, place: Place, by_text: Mapping[str, Canary], tally: Tally, store: Store) -> None:
    """Every canary in the answer, as text, must be one that this viewpoint may meet; so must every id."""
    text = answer if isinstance(answer, str) else json.dumps(as_json(answer), default=str)
    for found in {*CANARY.findall(text), *re.findall(r"m_[a-z2-7]{16}", text)}:
        canary = by_text.get(found)
        if canary is None:
            continue
        chats = [canary.chat] if canary.chat in GROUPS and found == canary.word else []
        listeners = store.attendance(canary.tenant, chats).get(canary.chat or "", frozenset())
        if may_meet(canary, place, listeners):
            tally.own += 1
        else:
            tally.leaks.append(f"{canary} met by {place}")


def fuzz(
    queries: int, *, seed: int = 0, embedder: WordVectors | None = None, wrap: Callable[[Store], Store] | None = None
) -> Tally:
    """Ask at random; what was asked, met and leaked."""
    chance = random.Random(seed)
    made = canaries()
    by_text = {canary.word: canary for canary in made} | {canary.memory_id: canary for canary in made}
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = Config(memory=MemoryTable(auto_gc=False))
        vectors = embedder or WordVectors()
        url = Path(folder, "canaries.db")
        app = wellkept.open(url, config=config, clock=lambda: START, embedder=embedder or "none")
        build(app.engine.store, made, f"{vectors.model_id}@{vectors.weights_hash[:8]}", vectors)
        if wrap is not None:
            app.engine = replace(app.engine, store=wrap(app.engine.store))
        with progress(f"of {queries:,} queries") as show:
            for number in range(queries):
                at = viewpoint(app, chance)
                tally.queries += 1
                try:
                    answer = ask(at, made, chance)
                except WellkeptError as error:
                    tally.errors[error.code] += 1
                    answer = str(error)
                check(answer, at.place, by_text, tally, app.engine.store)
                show(number)
        app.close()
    return tally


class Careless:
    """Control: a store that forgets to ask who is looking when memories are related."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- everything else is the store's own
        return getattr(self._store, name)

    def linked(self, view: Any, memory_ids: Sequence[str], *, limit: int) -> tuple[Any, ...]:  # noqa: ANN401 -- as the store has it
        edges = [edge for name in memory_ids for edge in self._store.edges(view.tenant, name, [EdgeKind.RELATED_TO])]
        return tuple(
            (edge.src, memory, edge.strength)
            for edge in edges[:limit]
            if (memory := self._store.memory(view.tenant, edge.dst)) is not None
        )


def report(name: str, tally: Tally) -> None:
    bound = f"below {3 / tally.queries:.1e} a query (95 %)" if not tally.leaks else "not bounded"
    print(
        f"{name}: {tally.queries} queries, {tally.own} own canaries met, {len(tally.leaks)} foreign ones; "
        f"leak rate {bound}; errors {dict(tally.errors)}"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--queries", type=int, default=200_000)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    began = time.perf_counter()
    by_words = fuzz(chosen.queries * 3 // 4, seed=chosen.seed)
    by_vectors = fuzz(chosen.queries - by_words.queries, seed=chosen.seed + 1, embedder=WordVectors())
    report("words", by_words)
    report("words and vectors", by_vectors)
    report("control, careless about relations", fuzz(1_000, seed=chosen.seed, wrap=Careless))
    both = Tally(queries=chosen.queries, own=by_words.own + by_vectors.own, leaks=by_words.leaks + by_vectors.leaks)
    report(f"all, {time.perf_counter() - began:.0f} s", both)
    if both.leaks:
        raise SystemExit("\n".join(both.leaks[:10]))


if __name__ == "__main__":
    main()
