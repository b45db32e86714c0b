"""How an answer looks to a person, made from its JSON: the same whether it comes from this process or a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellkept.flows import answers
from wellkept.surfaces.cli.doctor import diagnosis
from wellkept.surfaces.cli.screen import Column, local_text, shortened
from wellkept.surfaces.cli.upkeep import UPKEEP_VIEWS
from wellkept.surfaces.cli.views.checkpoints import CHECKPOINT_VIEWS
from wellkept.surfaces.cli.views.consent import CONSENT_VIEWS
from wellkept.surfaces.cli.views.people import PEOPLE_VIEWS
from wellkept.surfaces.cli.views.server import SERVER_VIEWS
from wellkept.surfaces.cli.views.sessions import SESSION_VIEWS
from wellkept.surfaces.cli.views.talks import TALK_VIEWS
from wellkept.surfaces.cli.views.traces import TRACE_VIEWS
from wellkept.types import Outcome

if TYPE_CHECKING:
    from wellkept.operations.operation import Operation
    from wellkept.surfaces.cli.screen import Screen

JSON = Any
"""An answer, in the names of the contract."""
View = Callable[["Screen", JSON], None]

VERBS: Mapping[str, str] = {
    "created": "Remembered",
    "updated": "Changed",
    "merged": "Merged",
    "superseded_old": "Remembered",
    "duplicate": "Known already",
    "queued_for_consent": "Waiting for consent",
}
DONE: Mapping[str, str] = {
    "user_deleted": "Deleted {id}; `wellkept memory restore {id}` brings it back.",
    "restored": "Restored {id}.",
}
"""What is said of a change by its reason, where that tells more than the verb."""
NOTHING: Mapping[str, str] = {
    "nothing": "Nothing found.",
    "below_threshold": "Nothing found that is close enough; --threshold 0 shows what was considered.",
}
_RECORD = (
    Column(name="ID", style="cyan"),
    Column(name="type"),
    Column(name="about"),
    Column(name="said by"),
    Column(name="trust"),
    Column(name="created", style="dim"),
    Column(name="content", style="bold"),
)


def shown(operation: Operation, value: object) -> JSON:
    """The answer for a person who is in this process: outcomes also say what was stored."""
    if isinstance(value, Outcome):
        return _with_content(value)
    if isinstance(value, (tuple, list)) and value and isinstance(value[0], Outcome):
        return [_with_content(one) for one in value]
    answer = operation.answer(value)
    told = getattr(value, "outcomes", None)
    return answer | {"outcomes": [_with_content(one) for one in told]} if told else answer


def _with_content(value: Outcome) -> JSON:
    others = [_with_content(other) for other in value.others]
    return answers.outcome(value) | {"content": value.content} | ({"others": others} if others else {})


def outcomes(screen: Screen, value: JSON) -> None:
    """What was stored; refusals are told on standard error."""
    batch = value if isinstance(value, list) else [value]
    told = [one for outcome in batch for one in (outcome, *outcome.get("others", ()))]
    ids = shortened([one["id"] for one in told if one["id"] is not None])
    for one in told:
        if one["outcome"] != "denied":
            screen.say(_outcome(one, ids), "green")
    if len(batch) > 1:
        denied = sum(outcome["outcome"] == "denied" for outcome in batch)
        screen.say(f"{len(batch) - denied} of {len(batch)} stored, {denied} refused.")


def observed(screen: Screen, value: JSON) -> None:
    """How many messages were new, and what was learned from them."""
    count = len(value["messages"])
    screen.say(f"{count} new message{'' if count == 1 else 's'} in the transcript.")
    if value["outcomes"]:
        outcomes(screen, value["outcomes"])


def _outcome(one: JSON, ids: Mapping[str, str]) -> str:
    what = one.get("content") or (one["reason"] or "").replace("_", " ")
    replaced = (
        f", in place of {shortened([one['replaced']])[one['replaced']]} ({one['reason']})" if one["replaced"] else ""
    )
    if one["outcome"] == "updated" and one["reason"] in DONE:
        return DONE[one["reason"]].format(id=ids[one["id"]])
    said = f"{VERBS.get(one['outcome'], one['outcome'])} {ids.get(one['id'] or '', '')}{replaced}"
    return f"{said}: {what}" if what else said


def refused(screen: Screen, value: JSON) -> int:
    """1 when something was denied, with a sentence for each on standard error; or when something is not well."""
    if isinstance(value, dict) and value.get("is_well") is False:
        return 1
    given = value.get("outcomes", value) if isinstance(value, dict) else value  # a reply of chat holds several
    batch = given if isinstance(given, list) else [given]
    status = 0
    for number, outcome in enumerate(batch, start=1):
        if isinstance(outcome, dict) and "outcome" in outcome:
            for one in (outcome, *outcome.get("others", ())):
                if one["outcome"] == "denied":
                    status = 1
                    said = answers.sentence(one["reason"])
                    screen.warn(f"{number}: {one['reason']}: {said}" if len(batch) > 1 else said)
    return status


def recalled(screen: Screen, value: JSON) -> None:
    """Hits in a table; with their reasons each on lines of its own."""
    hits, why = value["hits"], value.get("why")
    for notice in value.get("notices", ()):
        screen.warn(notice)
    if not hits:
        screen.say(NOTHING.get(value["verdict"], value["verdict"]))
    elif why is None:
        ids = shortened([hit["id"] for hit in hits])
        columns = (Column(name="score", is_number=True), *_RECORD)
        screen.table(columns, [(f"{hit['score']:.2f}", *_hit(hit, ids)) for hit in hits])
    if why is not None:
        _recall_why(screen, hits, why)


def bullets(screen: Screen, value: JSON) -> None:
    """What changed, then a line each."""
    found = value if isinstance(value, list) else value["bullets"]
    for line in () if isinstance(value, list) else value["delta"]:
        screen.say(line)
    if not found:
        screen.say(NOTHING["nothing"])
    for one in found:
        screen.say(f"- {one['text']}")
        for line in one.get("related", ()):
            screen.say(f"  related: {line}")


def _hit(hit: JSON, ids: Mapping[str, str]) -> tuple[str, ...]:
    created = hit.get("created_at") or hit["at"]
    about, said_by = ", ".join(hit["about"]), hit["stated_by"] or ""
    return (
        ids[hit["id"]],
        hit.get("type", "message"),
        about,
        said_by,
        hit.get("trust", ""),
        local_text(created),
        hit["text"],
    )


def _recall_why(screen: Screen, hits: Sequence[JSON], why: JSON) -> None:
    ids = shortened([hit["id"] for hit in hits])
    for hit, reasons in zip(hits, why["hits"], strict=True):
        screen.say(f"{reasons['rank']}. {hit['text']}", "bold")
        screen.pairs(_why_pairs(reasons, ids[hit["id"]]), indent=3)
    if why.get("left_out") is not None:
        screen.say(f"Left out: {len(why['left_out'])}", "bold")
        screen.pairs([(one["id"], one["rule"]) for one in why["left_out"]], indent=3)


def _why_pairs(why: JSON, short_id: str) -> list[tuple[str, str]]:
    parts = why["parts"]
    added = " + ".join(f"{name} {part:.2f}" for name, part in parts.items() if name != "trust" and part >= 0.005)  # noqa: PLR2004 -- shows as 0.01
    trust = parts.get("trust", 1.0)
    return [
        ("id", short_id),
        ("found by", ", ".join(f"{arm} {value:.2f}" for arm, value in why["found_by"].items()) or "being asked for"),
        ("score", f"{why['score']:.2f} = {f'({added}) × trust {trust:.1f}' if trust != 1 else added}"),
        ("reasons", ", ".join(why["reasons"])),
        ("shown by", f"rule {why['rule']}"),
    ]


def listing(screen: Screen, value: JSON) -> None:
    """Records in a table."""
    if not value:
        screen.say("No memories.")
        return
    ids = shortened([one["id"] for one in value])
    screen.table(_RECORD, [_record(one, ids) for one in value])


def _record(one: JSON, ids: Mapping[str, str]) -> tuple[str, ...]:
    content = f"{one['content']} (expired)" if one["is_expired"] else one["content"]
    about, said_by = ", ".join(one["about"]), one["said_by"] or ""
    return ids[one["id"]], one["type"], about, said_by, one["trust"], local_text(one["created_at"]), content


def record(screen: Screen, value: JSON) -> None:
    """One memory, what is set of it."""
    screen.say(value["content"], "bold")
    screen.pairs([(name, text) for name, text in _fields(value) if text], indent=2)


def _fields(one: JSON) -> list[tuple[str, str]]:
    heard = f", learned in {one['learned_in']}" if one["learned_in"] else ""
    return [
        ("id", one["id"]),
        ("quote", one["quote"] or ""),
        ("type", f"{one['type']}, {one['kind']}, {one['category']}"),
        ("about", ", ".join(one["about"])),
        ("said by", one["said_by"] or ""),
        ("trust", f"{one['trust']}, {one['authority']} ({one['authority_reason']})"),
        ("place", f"{one['space']} {one['owner']}{heard}"),
        ("sensitivity", one["sensitivity"] or ""),
        ("confidential", "only in the chat where it was learned" if one["confidential"] else ""),
        ("importance", f"{one['importance']:g}{', pinned' if one['pinned'] else ''}"),
        ("entities", ", ".join(one["entity_refs"])),
        ("state", f"{one['state']}{_because(one)}"),
        ("created", local_text(one["created_at"])),
        ("ends", local_text(one["ends_at"])),
        ("superseded by", one["superseded_by"] or ""),
        ("version", str(one["version"])),
    ]


def _because(one: JSON) -> str:
    return f" ({one['archive_reason']})" if one.get("archive_reason") else ""


def history(screen: Screen, value: JSON) -> None:
    """Events newest first, then every text."""
    screen.say(value["memory"]["content"], "bold")
    columns = tuple(Column(name=name) for name in ("when", "event", "by", "rule", "version"))
    screen.table(columns, [_event(event) for event in value["events"]])
    versions = value["versions"]
    if len(versions) > 1:
        columns = (Column(name="version", is_number=True), Column(name="when"), Column(name="text"))
        screen.table(columns, [(str(one["version"]), local_text(one["at"]), one["content"]) for one in versions])


def _event(event: JSON) -> tuple[str, ...]:
    rule = ", ".join(str(event["meta"][name]) for name in ("reason", "rule") if event["meta"].get(name))
    version = (event["new_ref"] or "").rpartition("@")[2]
    return local_text(event["ts"]), event["event"], event["actor"] or "", rule, version


def why(screen: Screen, value: JSON) -> None:
    """Where a memory comes from and why it is shown."""
    screen.say(value["content"], "bold")
    ends = f"until {local_text(value['ends_at'])}" if value.get("ends_at") else "no end"
    heard = f" in {value['learned_in']}" if value.get("learned_in") else ""
    base, effective = value["importance"], value["importance_effective"]
    pairs = [
        ("shown" if value["is_shown"] else "not shown", f"by rule {value['rule']}"),
        ("state", f"{value['state']}{_because(value)}, {ends}"),
        ("said", f"by {value.get('said_by') or 'nobody known'} on {local_text(value['said_at'])}{heard}"),
        ("about", ", ".join(value["about"])),
        ("trust", f"{value['trust']}: {value['authority']} ({value['authority_reason']}), {value['origin']}"),
        ("sensitivity", value.get("sensitivity") or ""),
        ("importance", f"{base:g}{f', {effective:g} with what it earned' if effective != base else ''}"),
        ("used", f"mentioned {value['mention_count']} ×, recalled {value['access_count']} ×"),
        ("in place of", ", ".join(value["supersedes"])),
        ("superseded by", value.get("superseded_by") or ""),
    ]
    screen.pairs([(name, text) for name, text in pairs if text], indent=2)


def context(screen: Screen, value: JSON) -> None:
    """The block as it is."""
    screen.say(value["text"])


def reply(screen: Screen, value: JSON) -> None:
    """What was said back; a refusal is told on standard error."""
    if not any(outcome["outcome"] == "denied" for outcome in value["outcomes"]):
        screen.say(value["reply"])


def person(screen: Screen, value: JSON) -> None:
    """One person, then their memories."""
    PEOPLE_VIEWS["alias_person"](screen, value)
    listing(screen, value["memories"])


def archived(screen: Screen, value: JSON) -> None:
    """What garbage collection did."""
    reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(value["reasons"].items()))
    screen.say(f"Archived {value['archived']}{f': {reasons}' if reasons else ''}.")


def rebuilt(screen: Screen, value: JSON) -> None:
    """What was indexed."""
    screen.say(f"Indexed {value['indexed']}, gave vectors to {value['embedded']}.")


def stats(screen: Screen, value: JSON) -> None:
    """Counts in two tables."""
    for title, counts in (("visible to you, by type", value["visible"]), ("in the store, by state", value["states"])):
        columns = (Column(name=title), Column(name="memories", is_number=True))
        screen.table(columns, [(name, str(number)) for name, number in sorted(counts.items())])


VIEWS: Mapping[str, View] = {
    **CHECKPOINT_VIEWS,
    **CONSENT_VIEWS,
    **PEOPLE_VIEWS,
    **SERVER_VIEWS,
    **SESSION_VIEWS,
    **TALK_VIEWS,
    **TRACE_VIEWS,
    **UPKEEP_VIEWS,
    **dict.fromkeys(("remember", "add", "forget", "restore", "pin", "unpin", "edit"), outcomes),
    "observe": observed,
    "recall": recalled,
    "query": bullets,
    "list": listing,
    "show": record,
    "reveal": record,
    "history": history,
    "why": why,
    "context": context,
    "chat": reply,
    "person": person,
    "doctor": diagnosis,
    "gc": archived,
    "rebuild_index": rebuilt,
    "stats": stats,
}
