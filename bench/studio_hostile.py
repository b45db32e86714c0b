"""Strings that would like to do more than be read: kept in every field that the Studio shows, and sent to its pages."""

from __future__ import annotations

import random
import urllib.parse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, TypeVar

import wellkept
from wellkept.policies.summaries import SPINE_SECTIONS, Conversation, RollingSummary, Spine, SpineLine
from wellkept.policies.todos import Intent, TodoKind
from wellkept.store.contract import Change, Entry, NewJob, NewMessage, Place, Proposal
from wellkept.types import Alias, Message, Person, Relationship
from wellkept.types import Memory as Remembered
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from pathlib import Path

    from wellkept.api import Memory

SEEDS = (
    "<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>", '"><svg onload=window.pwned=1>',
    "'><iframe src=//192.0.2.1>", "{{ 7 * 7 }}{% raw %}", "${7*7}", "[x](javascript:window.pwned=1)",
    "![x](http://192.0.2.1/x.png)", "</textarea><script>window.pwned=1</script>", "</select></option><b>x</b>",
    "' onmouseover=window.pwned=1 autofocus onfocus=window.pwned=1 '", '" style="position:fixed;inset:0" x="',
    "<style>*{display:none}</style>", "<base href=//192.0.2.1/>", "<meta http-equiv=refresh content=0;url=//192.0.2.1>",
    "<a href=javascript:window.pwned=1>x</a>", "<math><mtext></form><form><mglyph><style></math><img src=x>",
    "<template><script>window.pwned=1</script></template>", "<!-- --!><img src=x onerror=window.pwned=1>",
    "&lt;b&gt;&#60;i&#62;", "%3Cscript%3E", "\\u003cscript\\u003e", "javascript:window.pwned=1",
    "data:text/html,<script>window.pwned=1</script>", "\x1b[31mred\x1b[0m\x1b]8;;http://192.0.2.1\x07x\x1b]8;;\x07",
    "\u202egnp.exe\u202c", "\u2066\u2067\u2069", "\u200bzero\u200dwidth\ufeff\u00ad", "\ufdd0\U0010fffe",
    "\U0001f600" + "\u0301" * 40, "مرحبا \u200f(بالعالم)", "名前" * 30, "W" * 900, "/" * 300,
    "a\tb\rc\u2028d\u2029e", "'; DROP TABLE x; --",
)  # fmt: skip
PER_PAGE = {
    "memories": 200, "names": 200, "replies": 900, "phases": 90, "proposals": 100, "todos": 200, "jobs": 50,
    "edits": 200,
}  # fmt: skip
"""How many strings of a kind one user, session or tenant has: no more than a page of theirs shows."""
COLUMNS = 10
LINES = 10
VERSIONS = 20

Item = TypeVar("Item")
Batch = Sequence[tuple[int, str]]


def batched(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def strings(count: int) -> list[str]:
    """So many, no two alike, each of one to four of the seeds."""
    chance = random.Random(7)
    return [f"{number} " + " ".join(chance.choices(SEEDS, k=chance.randint(1, 4))) for number in range(count)]


def fill(db: Path, texts: Sequence[str]) -> None:
    """Keep every string in every kind of field that pages show, past the gate that would refuse some of them."""
    with wellkept.open(db, embedder="none", worker="off") as memory:
        for part in (_memories, _names, _users, _versions, _replies, _phases, _kept):
            for batch in batched(list(enumerate(texts)), 1_000):
                with memory.engine.store.transaction(is_lazy=True):
                    part(memory, batch)


def _new(memory: Memory, text: str, *, tenant: str = "default", space: Space = Space.USER, owner: str) -> Change:
    """A memory as a write would make it."""
    store, now = memory.engine.store, memory.engine.clock()
    memory_id = store.next_id(tenant, space, owner, Kind.SEMANTIC)
    made = Remembered(
        id=memory_id,
        tenant=tenant,
        content=text,
        quote=text,
        space=space,
        owner=owner,
        learned_in=owner,
        memory_key="profile|person|user|fact",
        discriminator=memory_id,
        created_at=now,
        observed_at=now,
        updated_at=now,
    )
    entry = Entry(op="create", memory_id=memory_id, version=1, actor=owner[:300])
    return Change(memory=made, entry=entry, is_new=True, terms={"note": 1})


def _memories(memory: Memory, batch: Batch) -> None:
    """As content and quote."""
    owners = ((f"m{number // PER_PAGE['memories']}", text) for number, text in batch)
    memory.engine.store.apply([_new(memory, text, owner=owner) for owner, text in owners], at=memory.engine.clock())


def _names(memory: Memory, batch: Batch) -> None:
    """As name, alias and relation of a person."""
    store, now = memory.engine.store, memory.engine.clock()
    for number, text in batch:
        user = f"n{number // PER_PAGE['names']}"
        names = {"name": text[:200], "aliases": (Alias(value=text[:200], added_by=user),)}
        ties = (Relationship(relationship=text[:200], stated_by=user),)
        store.keep(
            Person(id=f"p_{number}", tenant="default", created_by=user, created_at=now, relationships=ties, **names)
        )


def _users(memory: Memory, batch: Batch) -> None:
    """As id of a user, and of a chat, in a tenant of their own."""
    store, now = memory.engine.store, memory.engine.clock()
    for number, text in batch:
        chat = f"{number} c{text}"[:300]
        entry = Entry(op="create", status="denied", reason="quality", actor=text[:300])
        store.record("users", Space.CHAT if number % 2 else Space.USER, chat, entry, at=now)


def _versions(memory: Memory, batch: Batch) -> None:
    """As one of many texts of a memory."""
    store, now = memory.engine.store, memory.engine.clock()
    last = _new(memory, f"Edited {batch[0][1]}", owner="editor")
    store.apply([last], at=now)
    kept = last.memory
    for number, text in batch:
        if number % PER_PAGE["edits"] == 0:
            kept = (first := _new(memory, f"Edited {number}", owner="editor")).memory
            store.apply([first], at=now)
        kept = replace(kept, content=text, version=kept.version + 1)
        entry = Entry(op="update", memory_id=kept.id, version=kept.version, reason="edited", actor=text[:300])
        store.apply([Change(memory=kept, entry=entry, is_text_changed=True, terms={"note": 1})], at=now)


def _replies(memory: Memory, batch: Batch) -> None:
    """As something that was said, and as who said it."""
    store, now = memory.engine.store, memory.engine.clock()
    for some in batched(batch, PER_PAGE["replies"]):
        user = f"s{some[0][0] // PER_PAGE['replies']}"
        turn = memory.at(user=user).turn(f"Hello {some[0][1]}"[:500])
        person = store.person("default", user=user)
        place = Place(tenant="default", user=user, audience=frozenset({person.id} if person else ()))
        told = [
            Message(id=f"x{number}", role="user", content=text, speaker=text[:200], at=now, session_id=turn.session.id)
            for number, text in some
        ]
        store.add_messages(place, [NewMessage(message=one, terms={"note": 1}) for one in told], model=None, at=now)


def _phases(memory: Memory, batch: Batch) -> None:
    """As the name of a phase; the first of each session is the session's own name too."""
    for some in batched(batch, PER_PAGE["phases"]):
        session = memory.governed(session=some[0][1][:300])
        for _, text in some:
            # A phase has no name with control signs: the rest of the string is kept.
            session.start_phase("".join(sign if sign.isprintable() else " " for sign in text)[:100].strip())


def _kept(memory: Memory, batch: Batch) -> None:
    """What judges, summaries and jobs would write: proposals, profile, todos, summaries, spines, payloads."""
    store, now = memory.engine.store, memory.engine.clock()
    for number, text in batch:
        user = f"p{number // PER_PAGE['proposals']}"
        store.keep(Proposal(id=f"c_{number}", tenant="default", user_id=user, field="city", old=text, new=text, at=now))
        line = Conversation(tenant="default", owner=f"t{number // PER_PAGE['todos']}", persona="p")
        intent = Intent(kind=TodoKind.THREAD, text=text, key=f"k{number}")
        store.add_todo(line, intent, at=now, session_id=None)
        if number % LINES == 0:
            told = "\n".join(one for _, one in batch[number - batch[0][0] :][:LINES])
            store.keep_in(line, RollingSummary(version=0, at=now, message_count=number, content=told))
            content = {name: (SpineLine(memory_id="m_x", text=told),) for name in SPINE_SECTIONS}
            version = number // LINES % VERSIONS + 1
            store.keep_in(
                Conversation(tenant="default", owner=line.owner),
                Spine(version=version, at=now, message_count=20, total=20, content=content),
            )
        tenant = f"j{number // PER_PAGE['jobs']}"
        payload = {"chat": text[:300], "user": text[:300]}
        later = now + timedelta(days=1)
        store.keep(NewJob(tenant=tenant, name="extract", key=f"{number}", payload=payload, due_at=later))


def stored_paths(count: int, ids: Sequence[str], sessions: Sequence[str]) -> Iterator[str]:
    """Pages that show what is kept, all of it."""
    yield "/?tenant=users"
    users = range(-(-count // PER_PAGE["memories"]))
    for user in users:
        yield f"/memories?user=m{user}"
        yield f"/memories?user=m{user}&q=note"
        yield f"/search?user=m{user}&q=note"
    yield from (f"/people?user=n{user}" for user in range(-(-count // PER_PAGE["names"])))
    for some in batched(users, COLUMNS):
        for query in ("", "&q=note"):
            yield f"/lens?users={','.join(f'm{user}' for user in some)}{query}"
    yield from (f"/memories/{one}?user=editor" for one in ids)
    yield from (f"/conversations?user=s{number}&in=" for number in range(-(-count // PER_PAGE["replies"])))
    yield from (f"/playground?user=s{number}&other=m0" for number in range(-(-count // PER_PAGE["replies"])))
    yield from (f"/sessions?user=s{number}" for number in range(-(-count // PER_PAGE["replies"])))
    yield from (f"/sessions?user=t{number}&persona=p" for number in range(-(-count // PER_PAGE["todos"])))
    yield "/traces"
    for one in sessions:
        yield f"/traces?{urllib.parse.urlencode({'session': one})}"
        yield f"/traces/plain?{urllib.parse.urlencode({'session': one, 'number': 1})}"
    yield from (f"/questions?user=p{number}" for number in range(-(-count // PER_PAGE["proposals"])))
    yield from (f"/health?tenant=j{number}" for number in range(-(-count // PER_PAGE["jobs"])))


FIELDS: dict[str, tuple[str, ...]] = {
    "/": ("user", "node", "op", "before", "said", "housekeeping"),
    "/search": ("user", "q", "tenant"),
    "/playground": ("user", "chat", "chat_type", "participants", "persona", "budget", "other"),
    "/memories": (
        "user",
        "chat",
        "chat_type",
        "participants",
        "persona",
        "q",
        "as_of",
        "before",
        "tenant",
        "type",
        "about",
        "in",
        "state",
        "privacy",
        "since",
        "until",
        "sort",
        "add",
        "said",
    ),
    "/people/compare": ("user", "one", "other"),
    "/conversations": ("user", "chat", "chat_type", "persona", "in", "day", "session"),
    "/settings": ("said", "tenant"),
    "/people": ("user", "chat", "participants", "persona", "said"),
    "/lens": ("chat", "users", "q", "alone", "chat_type"),
    "/sessions": ("user", "persona", "session", "said"),
    "/traces": ("session", "after"),
    "/questions": ("user", "state", "said", "later"),
    "/health": ("user", "said", "tenant"),
}


def sent_paths(texts: Sequence[str]) -> Iterator[str]:
    """Pages that are sent the strings: every string to every page, every field of it in turn."""
    for path, names in FIELDS.items():
        for at, some in enumerate(batched(texts, len(names))):
            turned = islice(cycle(names), at % len(names), at % len(names) + len(some))
            # A wrong value of one field may hide the others: each is sent alone as well, every fiftieth time.
            pairs = dict(zip(turned, some, strict=True))
            yield f"{path}?{urllib.parse.urlencode(pairs)}"
            if at % 50 == 0:
                yield from (f"{path}?{urllib.parse.urlencode({name: text})}" for name, text in pairs.items())


FAULTS = """(page, wide) => {
  const main = page.querySelector("main");
  if (!main) return ["no page"];
  const bad = "script, img, svg, iframe, style, object, embed, link, meta, base, b, i, math, video, template, mglyph";
  const found = [...main.querySelectorAll(bad)].map((one) => "markup: " + one.outerHTML.slice(0, 80));
  const own = (value) => /^[/#?]/.test(value) && !value.startsWith("//");
  for (const one of page.querySelectorAll("*")) {
    for (const { name, value } of one.attributes) {
      if (name.startsWith("on") || name === "style" && one.closest("main") && !one.closest("#graph, .plot")) {
        found.push(name + " on " + one.outerHTML.slice(0, 80));
      }
      const leads = ["href", "src", "action", "formaction"].includes(name);
      if (leads && !own(value)) found.push(name + " " + value.slice(0, 80));
    }
  }
  const shown = main.cloneNode(true);
  shown.querySelectorAll("textarea, pre").forEach((one) => one.remove());
  const hidden = shown.textContent.match(/[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\ufeff\\u001b]/);
  if (hidden) found.push("a hidden sign is there: " + hidden[0].codePointAt(0).toString(16));
  if (wide) found.push("too wide");
  if (window.pwned !== undefined) found.push("a script ran");
  return found;
}"""
"""What a document shows that no text may bring about."""


def looked_at(page: Any, url: str) -> list[str]:  # noqa: ANN401 -- playwright's
    """The faults of a page that was really opened."""
    from playwright.sync_api import Error

    wide = "document.documentElement.scrollWidth > window.innerWidth"
    try:
        page.goto(url, wait_until="domcontentloaded")
        found = page.evaluate(f"({FAULTS})(document, {wide})")
    except Error as error:
        # A text that leads the browser elsewhere ends the page before it can be looked at.
        found = [f"the page went away: {error}"[:120]]
    return [f"{one} on {url[:120]}" for one in found]


def fetched(page: Any, paths: Sequence[str]) -> list[str]:  # noqa: ANN401 -- playwright's
    """The faults of many answers, each read by the browser's own parser, several at once."""
    return list(
        page.evaluate(
            f"""async (paths) => {{
          const faults = {FAULTS};
          const found = [];
          const next = paths[Symbol.iterator]();
          const work = async () => {{
            for (const path of next) {{
              const answer = await fetch(path);
              const kind = answer.headers.get("content-type") || "";
              if (answer.status >= 500) found.push(answer.status + " on " + path.slice(0, 120));
              if (!kind.includes("text/html")) {{ found.push(kind + " on " + path.slice(0, 120)); continue; }}
              const read = new DOMParser().parseFromString(await answer.text(), "text/html");
              found.push(...faults(read, false).map((one) => one + " on " + path.slice(0, 120)));
            }}
          }};
          await Promise.all([work(), work(), work(), work()]);
          return found;
        }}""",
            list(paths),
        )
    )
