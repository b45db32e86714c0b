"""How each operation's answer looks to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.surfaces.cli import upkeep
from recollect.surfaces.cli.pages_consent import CONSENT_PAGES
from recollect.surfaces.cli.pages_traces import TRACE_PAGES
from recollect.surfaces.cli.screen import Column, local, shortened

if TYPE_CHECKING:
    from recollect.flows.answers import Recalled
    from recollect.flows.chat import Reply
    from recollect.flows.context import Context
    from recollect.flows.explain import HitWhy, MemoryWhy, RecallWhy
    from recollect.flows.forget_person import Forgotten
    from recollect.flows.listing import History, HistoryEvent
    from recollect.flows.observe import Observed
    from recollect.flows.people_by_hand import Merged, Reviewed
    from recollect.flows.query import Answered
    from recollect.flows.showing import Acquaintance, Shown
    from recollect.surfaces.cli.screen import Screen
    from recollect.types import Hit, Memory, Outcome

VERBS: Mapping[str, str] = {
    "created": "Remembered",
    "updated": "Changed",
    "merged": "Merged",
    "superseded_old": "Remembered",
    "duplicate": "Known already",
    "queued_for_consent": "Waiting for consent",
}
NOTHING: Mapping[str, str] = {
    "nothing": "Nothing found.",
    "below_threshold": "Nothing found that is close enough; --threshold 0 shows what was considered.",
}
DOUBTS: Mapping[str, str] = {
    "new_name": "the names are alike",
    "name_learned": "of the same name",
    "display_name": "a user came who is called so",
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


def outcomes(screen: Screen, value: Outcome | Sequence[Outcome]) -> None:
    """What was stored; refusals are told on standard error."""
    batch = value if isinstance(value, (tuple, list)) else (value,)
    told = [one for outcome in batch for one in (outcome, *outcome.others)]
    ids = shortened([one.id for one in told if one.id is not None])
    for one in told:
        if one.outcome != "denied":
            screen.say(_outcome(one, ids), "green")
    if len(batch) > 1:
        denied = sum(outcome.outcome == "denied" for outcome in batch)
        screen.say(f"{len(batch) - denied} of {len(batch)} stored, {denied} refused.")


def observed(screen: Screen, value: Observed) -> None:
    """How many messages were new, and what was learned from them."""
    count = len(value.messages)
    screen.say(f"{count} new message{'' if count == 1 else 's'} in the transcript.")
    if value.outcomes:
        outcomes(screen, value.outcomes)


def _outcome(one: Outcome, ids: Mapping[str, str]) -> str:
    what = one.content or (one.reason or "").replace("_", " ")
    replaced = f", in place of {shortened([one.replaced])[one.replaced]} ({one.reason})" if one.replaced else ""
    return f"{VERBS.get(one.outcome, one.outcome)} {ids.get(one.id or '', '')}{replaced}: {what}"


def recalled(screen: Screen, value: Recalled) -> None:
    """Hits in a table; with their reasons each on lines of its own."""
    found = value.found
    for notice in found.notices:
        screen.warn(notice)
    if not found.hits:
        screen.say(NOTHING.get(found.verdict, found.verdict))
    elif value.why is None:
        ids = shortened([hit.id for hit in found])
        columns = (Column(name="score", is_number=True), *_RECORD)
        screen.table(columns, [(f"{hit.score:.2f}", *_hit(hit, ids)) for hit in found])
    if value.why is not None:
        _recall_why(screen, found.hits, value.why)


def bullets(screen: Screen, value: Answered) -> None:
    """What changed, then a line each."""
    for line in value.delta:
        screen.say(line)
    if not value.bullets:
        screen.say(NOTHING.get(value.verdict, value.verdict))
    for one in value:
        screen.say(f"- {one.text}")


def _hit(hit: Hit, ids: Mapping[str, str]) -> tuple[str, ...]:
    memory = hit.memory
    kind, trust = (memory.type.value, memory.trust.value) if memory is not None else ("message", "")
    created = memory.created_at if memory is not None else hit.at
    about, said_by = ", ".join(hit.about), hit.stated_by or ""
    return ids[hit.id], kind, about, said_by, trust, local(created) if created else "", hit.text


def _recall_why(screen: Screen, hits: Sequence[Hit], why: RecallWhy) -> None:
    ids = shortened([hit.id for hit in hits])
    for hit, reasons in zip(hits, why.hits, strict=True):
        screen.say(f"{reasons.rank}. {hit.text}", "bold")
        screen.pairs(_why_pairs(reasons, ids[hit.id]), indent=3)
    if why.left_out is not None:
        screen.say(f"Left out: {len(why.left_out)}", "bold")
        screen.pairs([(one.id, one.rule) for one in why.left_out], indent=3)


def _why_pairs(why: HitWhy, short_id: str) -> list[tuple[str, str]]:
    added = " + ".join(f"{name} {part:.2f}" for name, part in why.parts.items() if name != "trust" and part >= 0.005)  # noqa: PLR2004 -- shows as 0.01
    trust = why.parts.get("trust", 1.0)
    return [
        ("id", short_id),
        ("found by", ", ".join(f"{arm} {value:.2f}" for arm, value in why.found_by.items()) or "being asked for"),
        ("score", f"{why.score:.2f} = {f'({added}) × trust {trust:.1f}' if trust != 1 else added}"),
        ("reasons", ", ".join(why.reasons)),
        ("shown by", f"rule {why.rule}"),
    ]


def listing(screen: Screen, value: Sequence[Shown]) -> None:
    """Records in a table."""
    if not value:
        screen.say("No memories.")
        return
    ids = shortened([shown.memory.id for shown in value])
    screen.table(_RECORD, [_record(shown, ids) for shown in value])


def _record(shown: Shown, ids: Mapping[str, str]) -> tuple[str, ...]:
    memory = shown.memory
    return (
        ids[memory.id],
        memory.type.value,
        ", ".join(shown.about),
        shown.said_by or "",
        memory.trust.value,
        local(memory.created_at),
        f"{memory.content} (expired)" if shown.is_expired else memory.content,
    )


def record(screen: Screen, value: Shown) -> None:
    """One memory, what is set of it."""
    memory = value.memory
    screen.say(memory.content, "bold")
    screen.pairs([(name, text) for name, text in _fields(value) if text], indent=2)


def _fields(value: Shown) -> list[tuple[str, str]]:
    memory = value.memory
    ends = memory.dies_at
    return [
        ("id", memory.id),
        ("quote", memory.quote or ""),
        ("type", f"{memory.type.value}, {memory.kind.value}, {memory.category}"),
        ("about", ", ".join(value.about)),
        ("said by", value.said_by or ""),
        ("trust", f"{memory.trust.value}, {memory.authority.value} ({memory.authority_reason})"),
        ("place", _place(memory)),
        ("sensitivity", memory.sensitivity.value if memory.sensitivity is not None else ""),
        ("confidential", "only in the chat where it was learned" if memory.confidential else ""),
        ("importance", f"{memory.importance:g}{', pinned' if memory.pinned else ''}"),
        ("entities", ", ".join(memory.entity_refs)),
        ("state", f"{memory.state.value}{f' ({memory.archive_reason})' if memory.archive_reason else ''}"),
        ("created", local(memory.created_at)),
        ("ends", local(ends) if ends is not None else ""),
        ("superseded by", memory.superseded_by or ""),
        ("version", str(memory.version)),
    ]


def _place(memory: Memory) -> str:
    heard = f", learned in {memory.learned_in}" if memory.learned_in else ""
    return f"{memory.space.value} {memory.owner}{heard}"


def history(screen: Screen, value: History) -> None:
    """Events newest first, then every text."""
    screen.say(value.memory.content, "bold")
    columns = tuple(Column(name=name) for name in ("when", "event", "by", "rule", "version"))
    screen.table(columns, [_event(event) for event in value.events])
    if len(value.versions) > 1:
        columns = (Column(name="version", is_number=True), Column(name="when"), Column(name="text"))
        screen.table(columns, [(str(one.version), local(one.at), one.content) for one in value.versions])


def _event(event: HistoryEvent) -> tuple[str, ...]:
    rule = ", ".join(str(event.meta[name]) for name in ("reason", "rule") if event.meta.get(name))
    version = (event.new_ref or "").rpartition("@")[2]
    return local(event.ts), event.event, event.actor or "", rule, version


def why(screen: Screen, value: MemoryWhy) -> None:
    """Where a memory comes from and why it is shown."""
    screen.say(value.content, "bold")
    ends = f"until {local(value.ends_at)}" if value.ends_at is not None else "no end"
    heard = f" in {value.learned_in}" if value.learned_in else ""
    earned = (
        f", {value.importance_effective:g} with what it earned"
        if value.importance_effective != value.importance
        else ""
    )
    pairs = [
        ("shown" if value.is_shown else "not shown", f"by rule {value.rule}"),
        ("state", f"{value.state.value}{f' ({value.archive_reason})' if value.archive_reason else ''}, {ends}"),
        ("said", f"by {value.said_by or 'nobody known'} on {local(value.said_at)}{heard}"),
        ("about", ", ".join(value.about)),
        ("trust", f"{value.trust}: {value.authority} ({value.authority_reason}), {value.origin}"),
        ("sensitivity", value.sensitivity or ""),
        ("importance", f"{value.importance:g}{earned if value.importance_effective != value.importance else ''}"),
        ("used", f"mentioned {value.mention_count} ×, recalled {value.access_count} ×"),
        ("in place of", ", ".join(value.supersedes)),
        ("superseded by", value.superseded_by or ""),
    ]
    screen.pairs([(name, text) for name, text in pairs if text], indent=2)


def context(screen: Screen, value: Context) -> None:
    """The block as it is."""
    screen.say(str(value))


def reply(screen: Screen, value: Reply) -> None:
    """What was said back; a refusal is told on standard error."""
    if not any(outcome.outcome == "denied" for outcome in value.outcomes):
        screen.say(value.text)


def people(screen: Screen, value: Sequence[Acquaintance]) -> None:
    """People in a table."""
    if not value:
        screen.say("Nobody yet.")
        return
    ids = shortened([one.id for one in value])
    columns = (Column(name="ID", style="cyan"), *(Column(name=name) for name in ("name", "relation", "also called")))
    rows = [(ids[one.id], one.name, one.relation or "", ", ".join(one.aliases)) for one in value]
    screen.table(columns, rows)


def person(screen: Screen, value: Acquaintance) -> None:
    """One person, then their memories."""
    acquaintance(screen, value)
    listing(screen, value.memories)


def acquaintance(screen: Screen, value: Acquaintance) -> None:
    """One person without memories."""
    screen.say(value.name, "bold")
    pairs = [("id", value.id), ("relation", value.relation or ""), ("also called", ", ".join(value.aliases))]
    screen.pairs([(name, text) for name, text in pairs if text], indent=2)


def merged(screen: Screen, value: Merged) -> None:
    """Who stayed, and how to take it back."""
    acquaintance(screen, value.person)
    screen.say(f"`recollect people split {value.merged_id}` takes it back.", "dim")


def reviewed(screen: Screen, value: Reviewed) -> None:
    """What was answered, then the pairs that wait."""
    if value.same is not None:
        merged(screen, value.same)
    if value.different:
        screen.say(f"{' and '.join(_called(one) for one in value.different)} are two people.")
    if not value.waiting:
        screen.say("No questions are waiting.")
        return
    ids = shortened([one.id for doubt in value.waiting for one in (doubt.one, doubt.other)])
    columns = (
        *(Column(name=name, style="cyan" if name == "ID" else "") for name in ("ID", "may be", "ID", "same as")),
        Column(name="because"),
    )
    rows = [
        (
            ids[doubt.one.id],
            _called(doubt.one),
            ids[doubt.other.id],
            _called(doubt.other),
            DOUBTS.get(doubt.reason, doubt.reason),
        )
        for doubt in value.waiting
    ]
    screen.table(columns, rows)
    screen.say("Answer with --same ID ID or --different ID ID.", "dim")


def _called(one: Acquaintance) -> str:
    return f"{one.name} ({one.relation})" if one.relation and one.relation not in one.name else one.name


def forgotten(screen: Screen, value: Forgotten) -> None:
    """How much is gone, and what stays."""
    screen.say(f"Archived {value.archived} about {value.name}; `recollect memory restore` brings one back.", "green")
    if value.kept:
        screen.say(f"{value.kept} more are not yours to change.")
    if value.is_record_deleted:
        screen.say(f"The record of {value.name} is removed.")


def archived(screen: Screen, value: Mapping[str, int]) -> None:
    """What garbage collection did."""
    reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(value.items()))
    screen.say(f"Archived {sum(value.values())}{f': {reasons}' if reasons else ''}.")


def rebuilt(screen: Screen, value: Mapping[str, int]) -> None:
    """What was indexed."""
    screen.say(f"Indexed {value['indexed']}, gave vectors to {value['embedded']}.")


def stats(screen: Screen, value: Mapping[str, Mapping[str, int]]) -> None:
    """Counts in two tables."""
    for title, counts in (("visible to you, by type", value["visible"]), ("in the store, by state", value["states"])):
        columns = (Column(name=title), Column(name="memories", is_number=True))
        screen.table(columns, [(name, str(number)) for name, number in sorted(counts.items())])


PAGES: Mapping[str, Callable[[Screen, Any], None]] = {
    **CONSENT_PAGES,
    **TRACE_PAGES,
    "remember": outcomes,
    "add": outcomes,
    "observe": observed,
    "recall": recalled,
    "query": bullets,
    "list": listing,
    "show": record,
    "forget": outcomes,
    "restore": outcomes,
    "pin": outcomes,
    "unpin": outcomes,
    "edit": outcomes,
    "history": history,
    "why": why,
    "context": context,
    "chat": reply,
    "people": people,
    "person": person,
    "alias_person": acquaintance,
    "rename_person": acquaintance,
    "merge_people": merged,
    "split_person": people,
    "review_people": reviewed,
    "forget_person": forgotten,
    "run_upkeep": upkeep.rounds,
    "jobs": upkeep.queue,
    "retry_jobs": upkeep.retried,
    "gc": archived,
    "compact": upkeep.removed,
    "rebuild_index": rebuilt,
    "stats": stats,
}
