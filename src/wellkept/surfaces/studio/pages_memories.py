"""Pages about what is remembered: Home with what was learned and what waits, a search, the list, and one memory."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.surfaces import words
from wellkept.surfaces.studio.desk import home_of, json_lines, pairs_of, place_of, redirected
from wellkept.vocabulary import MemoryType

if TYPE_CHECKING:
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Visit

EVENTS = 60
"""Of a page."""
TODAY_PAGE = 100
TODAY_MAX = 1_000
"""Events of today that are counted."""
OWNERS_SEARCHED = 8
"""Users and chats whose memory an operator searches at once, the busiest first."""
FOUND = 8
"""Finds shown of each."""
WEAK_MAX = 3
"""Finds shown where none is better than weak."""

Event = Mapping[str, Any]

PAGE = 50
SORTS = (("", "newest first"), ("oldest", "oldest first"))
PRIVACY = (("", "any"), ("public", "public"), ("personal", "personal"), ("sensitive", "sensitive"))
TYPES = (("", "any"), *((item.value, item.value) for item in MemoryType))
STATES = tuple({**words.tables()["states"], "soft_deleted": "faded"}.items())
MANY_MAX = 200
"""Memories that one form may change."""
DONE_MANY = {
    "forget": "forgotten", "restore": "brought back", "pin": "pinned", "unpin": "unpinned", "privacy": "changed",
}  # fmt: skip
"""What may be done to several at once, and how it is told."""


async def home(visit: Visit) -> Response:
    """What happened, newest first, in sentences; what waits for somebody; new lines come in by themselves."""
    query = visit.query
    is_all = bool(query.get("housekeeping"))
    asked: dict[str, Any] = {"limit": EVENTS, "housekeeping": is_all} | everybody(visit)
    asked |= {name: query[name] for name in ("node", "op", "before") if query.get(name)}
    events = await visit.run("events", asked)
    lines = await told(visit, events)
    return visit.page(
        "home",
        days=by_day(lines, today=visit.now()),
        today=None if query.get("before") else await _today(visit, lines),
        waits=await waiting(visit),
        is_all=is_all,
        stream={name: query[name] for name in ("node", "op", "user") if query.get(name)},
        more=events[-1]["id"] if len(events) == EVENTS else None,
        before=query.get("before", ""),
        node=query.get("node", ""),
        op=query.get("op", ""),
        nodes=(("", "anywhere"), *words.tables()["nodes"].items()),
        ops=(("", "anything"), *words.tables()["ops"].items()),
        owners=await visit.owners(),
    )


def everybody(visit: Visit) -> dict[str, str]:
    """An operator who names no user asks about everybody."""
    return {"of": "*"} if visit.is_operator and not visit.text("user") else {}


async def told(visit: Visit, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Events as sentences with the texts of their memories, as whoever they belong to may read them."""
    records: dict[str, Mapping[str, Any]] = {}
    for one in events:
        memory_id = one["memory_id"]
        if memory_id and memory_id not in records:
            place = _place_of_event(one)  # what belongs to no chat and no user cannot be read
            found = await visit.memory(memory_id, **place) if place else None
            records |= {} if found is None else {memory_id: found}
    made = {one["memory_id"] for one in events if one["op"] == "create"}
    olds: dict[str, list[str]] = {}
    for record in records.values():
        olds.setdefault(record.get("superseded_by") or "", []).append(record["content"])
    lines = []
    for line in words.folded(events):
        record = records.get(line["memory_id"] or "", {})
        if line["reason"] == "superseded" and record.get("superseded_by") in made:
            continue  # told with the memory that took its place
        own = {"record": record, "place": urlencode(pairs_of(_place_of_event(line)))}
        lines.append({**line, **own, "olds": olds.get(line["memory_id"] or "-", [])})
    return lines


def by_day(
    lines: Iterable[Mapping[str, Any]], *, today: datetime, key: str = "ts"
) -> list[tuple[str, str, list[Mapping[str, Any]]]]:
    """Lines by the day on which they happened where the reader is: (name, date, lines)."""
    names = {today.date(): "Today", today.date() - timedelta(days=1): "Yesterday"}
    found: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        day = datetime.fromisoformat(line[key]).astimezone(today.tzinfo).date()
        found.setdefault(day.isoformat(), []).append(line)
    return [(names.get(datetime.fromisoformat(day).date(), ""), day, some) for day, some in found.items()]


async def _today(visit: Visit, lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How much was learned, replaced and refused today, and about whom."""
    midnight = visit.now().replace(hour=0, minute=0, second=0, microsecond=0)
    asked: dict[str, Any] = {"limit": TODAY_PAGE, "housekeeping": False} | everybody(visit)
    events: list[Event] = []
    while len(events) < TODAY_MAX:
        page = await visit.run("events", asked)
        fresh = [one for one in page if datetime.fromisoformat(one["ts"]) >= midnight]
        events += fresh
        if len(fresh) < TODAY_PAGE:
            break
        asked["before"] = page[-1]["id"]
    kinds = [words.kind(one) for one in events]
    names = [
        (name, line)
        for line in lines
        if line["record"] and datetime.fromisoformat(line["ts"]) >= midnight and line["op"] == "create"
        for name in line["record"]["about"]
    ]
    about = dict.fromkeys(line["owner"] if name == "you" else name for name, line in names)
    return {name: kinds.count(name) for name in ("learned", "replaced", "refused")} | {"about": list(about)[:5]}


async def waiting(visit: Visit) -> dict[str, Any]:
    """What waits: messages to be read, changes of a profile, and people who may be one."""
    is_operator, named = visit.is_operator, visit.text("user")
    jobs = await visit.run("jobs", {"limit": 100}) if is_operator else {"pending": []}
    reading = [one for one in jobs["pending"] if one["name"] == "extract"]
    reading = [one for one in reading if not named or one["payload"].get("user") == named]
    consents = await visit.run("consents", {}) if is_operator or visit.is_somebody else []
    users = [one["owner"] for one in await visit.owners() if one["space"] == "user"][:OWNERS_SEARCHED]
    pairs = 0
    for user in [named] if named or not is_operator else users:
        place = {"user": user} if user else visit.place
        pairs += len((await visit.run("review_people", {}, **place))["waiting"])
    return {"reading": reading, "dead": len(jobs.get("dead", ())), "consents": consents, "pairs": pairs}


async def search(visit: Visit) -> Response:
    """Everything that fits some words: memories, messages, people, users and chats."""
    text = visit.text("q")
    owners = await visit.owners()
    if not text:
        return visit.page("search", q="", found=[], users=[], owners=owners)
    place = visit.place
    if place or not visit.is_operator:
        places: list[dict[str, Any]] = [place]
    else:
        places = [home_of(one) for one in owners[:OWNERS_SEARCHED] if home_of(one)]
    found = [await _found(visit, text, one) for one in places]
    users = [one for one in owners if text.casefold() in one["owner"].casefold()]
    return visit.page("search", q=text, found=[one for one in found if one], users=users, owners=owners)


def _place_of_event(one: Event) -> dict[str, Any]:
    """The viewpoint from which the memory of an event can be read: its owner's, or of who spoke in the chat."""
    place = home_of(one)
    return place | ({"user": one["user_id"]} if "chat" in place and one["user_id"] else {})


async def _found(visit: Visit, text: str, place: Mapping[str, Any]) -> dict[str, Any] | None:
    """What one viewpoint finds; None where that is nothing."""
    hits = (await visit.run("recall", {"query": text, "limit": FOUND}, **place))["hits"]
    hits = [one for one in hits if one["score"] >= words.FAIR] or hits[:WEAK_MAX]
    known = await visit.run("people", {"limit": 200}, **place) if place.get("user") or not place else []
    people = [
        one for one in known if any(text.casefold() in name.casefold() for name in (one["name"], *one["aliases"]))
    ]
    if not hits and not people:
        return None
    whose = place.get("user") or place.get("chat") or visit.settled.get("user") or "you"
    return {
        "whose": whose,
        "query": urlencode(pairs_of(place)),
        "memories": [one for one in hits if one["source"] == "memory"],
        "messages": [one for one in hits if one["source"] == "message"],
        "people": people[:FOUND],
    }


async def memories(visit: Visit, **more: object) -> Response:
    """A search as any viewpoint, with scores and reasons; without a question, what there is, filtered and sorted."""
    text, state, before = (visit.text(name) for name in ("q", "state", "before"))
    asked: dict[str, Any] = {"limit": PAGE} | _narrowed(visit)
    found, rows = None, []
    if text:
        found = await visit.run("recall", asked | {"query": text, "why": True, "sources": ["memories"]})
    elif visit.is_somebody:
        asked |= {"oldest_first": True} if visit.query.get("sort") == "oldest" else {}
        asked |= {"before": before} if before else {}
        rows = await visit.run("list", asked | ({"state": state} if state and state != "active" else {}))
    names = ("type", "about", "in", "state", "privacy", "since", "until", "sort")
    chosen = {name: visit.query.get(name, "") for name in names}
    kept = {name: value for name, value in chosen.items() if value}
    known = {
        "q": text,
        "as_of": visit.text("as_of"),
        "found": found,
        "rows": rows,
        "more": rows[-1]["id"] if len(rows) == PAGE else None,
        "chosen": chosen,
        "chosen_query": urlencode([*pairs_of(visit.place), *kept.items()]),
        "is_narrowed": bool(kept or visit.text("as_of")),
        "sorts": SORTS,
        "privacies": PRIVACY,
        "types": TYPES,
        "states": STATES,
        "is_adding": bool(visit.query.get("add")),
        "owners": await visit.owners(),
    }
    return visit.page("memories", **{**known, **more})


def _narrowed(visit: Visit) -> dict[str, Any]:
    """What the filters of the page ask for."""
    names = {"type": "type", "learned_in": "in", "sensitivity": "privacy", "updated_after": "since"}
    filters: dict[str, Any] = {key: visit.text(name) for key, name in names.items() if visit.text(name)}
    if visit.text("until"):
        filters["updated_before"] = f"{visit.text('until')[:10]}T23:59:59"
    about = [visit.text("about")] if visit.text("about") else []
    asked = {"filters": filters, "about": about, "as_of": visit.text("as_of")}
    return {name: value for name, value in asked.items() if value}


async def add(visit: Visit) -> Response:
    """Write a memory by hand: first what it would do, then it is done."""
    form = await visit.form()
    text, place = form.get("text", "").strip(), place_of(form)
    if form.get("verb") == "save":
        done = await visit.run("remember", {"facts": text}, **place)
        told = words.outcome(done)
        said = f"{told['said'].capitalize()}." if done["outcome"] != "denied" else f"Not kept: {told['detail']}"
        return redirected("/memories", place, said)
    found = await visit.run("preview", {"text": text}, **place)
    preview = [{**one, "words": words.outcome(one)} for one in found]
    return await memories(visit, is_adding=True, text=text, preview=preview)


async def many(visit: Visit) -> Response:
    """Do one thing to several memories; each is an operation of its own, and what is refused stops no other."""
    fields = await visit.fields()
    form, ids = dict(fields), [value for name, value in fields if name == "ids"][:MANY_MAX]
    verb, place = form.get("verb", ""), place_of(form)
    if verb == "export":
        records = [await visit.run("show", {"memory_id": one}, **place) for one in ids]
        return json_lines("memories.jsonl", records)
    arguments = {"sensitivity": form.get("sensitivity", "personal")} if verb == "privacy" else {}
    if verb not in DONE_MANY:
        raise InvalidInput("Choose what to do with the selected memories.", code="invalid_parameter")
    done, refused = 0, ""
    for one in ids:
        try:
            await visit.run("edit" if arguments else verb, {"memory_id": one, **arguments}, **place)
            done += 1
        except WellkeptError as error:
            refused = str(error)
    said = f"{done} of {len(ids)} {DONE_MANY[verb]}." if ids else "Select some memories first."
    return redirected(form.get("back") or "/memories", place, f"{said} {refused}".strip())


async def rewrite(visit: Visit) -> Response:
    """Another text: first what would change, then it is changed."""
    form = await visit.form()
    text, place = form.get("content", ""), place_of(form)
    if form.get("verb") == "preview":
        return await memory(visit, draft=text, place=place)
    await visit.run("edit", {"memory_id": visit.named("memory_id"), "content": text}, **place)
    return redirected(form.get("back", "/"), place, "Changed; the old text is kept.")


async def memory(visit: Visit, *, draft: str = "", place: Mapping[str, Any] | None = None) -> Response:
    """One memory: its record, every text it had with what changed, and what can be done."""
    asked, where = {"memory_id": visit.named("memory_id")}, visit.place if place is None else place
    told = await visit.run("history", asked, **where)
    why = await visit.run("why", asked, **where)
    record, versions = told["memory"], told["versions"]
    beside = [one for one in (*why["supersedes"], why.get("superseded_by")) if one]
    changes = [
        {"version": new["version"], "at": new["at"], "parts": difference(old["content"], new["content"])}
        for old, new in pairwise(versions)
    ]
    return visit.page(
        "memory",
        record=record,
        fields=[(name, value) for name, value in record.items() if value not in (None, [], {}, "")],
        reasons=_reasons(why),
        texts={one: found["content"] for one in beside if (found := await visit.memory(one, **where))},
        states=dict(STATES),
        why=why,
        life=words.life(told["events"], record),
        draft=draft,
        draft_parts=difference(record["content"], draft) if draft else [],
        place=where,
        place_query=urlencode(pairs_of(where)),
        privacies=PRIVACY[1:],
        events=told["events"],
        changes=list(reversed(changes)),
        undo=versions[-2]["content"] if len(versions) > 1 else None,
    )


def _reasons(why: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Where a memory comes from and why it is shown, in words."""
    told = [
        ("Shown because", words.rule(why["rule"])),
        ("Said by", why.get("said_by")),
        ("About", ", ".join(why["about"])),
        ("Said at", str(why["said_at"])[:16].replace("T", " ")),
        ("In", why.get("learned_in")),
        ("Taken as", why["trust"]),
        ("Rests on", words.tables()["authorities"].get(why["authority"], why["authority"])),
        ("Importance", f"{why['importance_effective']:.2f}"),
        ("Told", f"{why['mention_count']} time{'' if why['mention_count'] == 1 else 's'}"),
        ("Recalled", f"{why['access_count']} time{'' if why['access_count'] == 1 else 's'}"),
        ("Until", str(why.get("ends_at") or "")[:10]),
        ("Archived because", (why.get("archive_reason") or "").replace("_", " ")),
    ]
    return [(name, value) for name, value in told if value]


def difference(old: str, new: str) -> list[tuple[str, str]]:
    """Words that stayed, went and came: ("same" | "gone" | "new", text).

    >>> difference("lives in Lima", "lives in Rome")
    [('same', 'lives in '), ('gone', 'Lima'), ('new', 'Rome')]
    """
    before, after = (re.findall(r"\S+\s*", text) for text in (old, new))
    parts: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(("same", "".join(before[a:b])))
            continue
        parts += [("gone", "".join(before[a:b]))] if a < b else []
        parts += [("new", "".join(after[c:d]))] if c < d else []
    return parts
