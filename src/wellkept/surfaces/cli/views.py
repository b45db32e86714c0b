"""How an answer looks to a person, made from its JSON: the same whether it comes from this process or a server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.flows import answers
from wellkept.surfaces import words
from wellkept.surfaces.cli.screen import Column, Style, columns, local_text, shortened
from wellkept.types import Outcome
from wellkept.vocabulary import DOCTOR_CHECKS

if TYPE_CHECKING:
    from wellkept.operations.operation import Operation
    from wellkept.surfaces.cli.screen import Screen

JSON = Any
"""An answer, in the names of the contract."""
View = Callable[["Screen", JSON], None]


# --- Forms that many answers have.


def table(empty: str, spec: str, *, is_short: bool = False) -> View:
    """A table of items, or a sentence where there are none; `is_short` shows the beginnings of ids.

    A column is `heading=field`, or `heading` alone where the field is called so; see `columns` for its look.
    """
    parts = [part.strip().partition("=") for part in spec.split(",")]
    heads = columns(", ".join(head for head, _, _ in parts))
    fields = [field or column.name for (_, _, field), column in zip(parts, heads, strict=True)]

    def view(screen: Screen, value: JSON) -> None:
        if not value:
            screen.say(empty)
            return
        ids = shortened([one["id"] for one in value]) if is_short else {}
        rows = [{**one, **({"id": ids[one["id"]]} if is_short else {})} for one in value]
        screen.table(heads, [[_cell(one[field], field) for field in fields] for one in rows])

    return view


def _cell(value: JSON, field: str) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(value)
    if isinstance(value, str) and (field in {"at", "ts"} or field.endswith("_at")):
        return local_text(value)
    return "" if value is None else str(value)


def sentence(template: str, style: Style = "") -> View:
    """A sentence with fields of the answer in it."""
    return lambda screen, value: screen.say(template.format_map(value), style)


def versions(empty: str, head: str) -> View:
    """Versions of a text, each under a line about it."""

    def view(screen: Screen, value: JSON) -> None:
        if not value:
            screen.say(empty)
        for one in value:
            screen.say(head.format(**{**one, "at": local_text(one["at"])}), "dim")
            if isinstance(one["content"], str):
                screen.say(one["content"])
                continue
            for section, lines in one["content"].items():
                screen.say(section, "bold")
                for line in lines:
                    screen.say(f"  {line['text']}")

    return view


# --- Writes.


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
    told = [one for outcome in batch for one in (outcome, *outcome.get("others", ())) if one["outcome"] != "denied"]
    ids = shortened([one["id"] for one in told if one["id"] is not None])
    verbs, done = words.tables()["verbs"], words.tables()["done"]
    for one in told:
        if one["outcome"] == "updated" and one["reason"] in done:
            screen.say(done[one["reason"]].format(id=ids[one["id"]]), "green")
            continue
        said = f"{verbs.get(one['outcome'], one['outcome'])} {ids.get(one['id'] or '', '')}"
        if one["replaced"]:
            said += f", in place of {shortened([one['replaced']])[one['replaced']]} ({one['reason']})"
        what = one.get("content") or (one["reason"] or "").replace("_", " ")
        screen.say(f"{said}: {what}" if what else said, "green")
    if len(batch) > 1:
        denied = sum(outcome["outcome"] == "denied" for outcome in batch)
        screen.say(f"{len(batch) - denied} of {len(batch)} stored, {denied} refused.")


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


def observed(screen: Screen, value: JSON) -> None:
    count = len(value["messages"])
    screen.say(f"{count} new message{'' if count == 1 else 's'} in the transcript.")
    if value["outcomes"]:
        outcomes(screen, value["outcomes"])


def previewed(screen: Screen, value: JSON) -> None:
    for one in value:
        if one["outcome"] == "denied":
            screen.say(f"Would not be kept: {answers.sentence(one['reason'])}", "red")
            continue
        screen.say(f"{one['outcome'].replace('_', ' ')}: {one['content'] or ''}", "bold")
        if one["replaced_content"]:
            screen.say(f"  in place of: {one['replaced_content']}", "dim")
        screen.say(f"  {', '.join(filter(None, (one['type'], one['sensitivity'])))}", "dim")


def reply(screen: Screen, value: JSON) -> None:
    """What was said back; a refusal is told on standard error."""
    if not any(outcome["outcome"] == "denied" for outcome in value["outcomes"]):
        screen.say(value["reply"])


# --- Memories.

NOTHING: Mapping[str, str] = {
    "nothing": "Nothing found.",
    "below_threshold": "Nothing found that is close enough; --threshold 0 shows what was considered.",
}
_RECORD = columns("ID[cyan], type, about, said by, trust, created[dim], content[bold]")


def recalled(screen: Screen, value: JSON) -> None:
    hits, why = value["hits"], value.get("why")
    ids = shortened([hit["id"] for hit in hits])
    for notice in value.get("notices", ()):
        screen.warn(notice)
    if not hits:
        screen.say(NOTHING.get(value["verdict"], value["verdict"]))
    elif why is None:
        rows = [(f"{hit['score']:.2f}", *_row(hit, ids, said_by=hit["stated_by"], content=hit["text"])) for hit in hits]
        screen.table((*columns("score[#]"), *_RECORD), rows)
    if why is None:
        return
    for hit, reasons in zip(hits, why["hits"], strict=True):
        screen.say(f"{reasons['rank']}. {hit['text']}", "bold")
        screen.pairs(_why_pairs(reasons, ids[hit["id"]]), indent=3)
    if why.get("left_out") is not None:
        screen.say(f"Left out: {len(why['left_out'])}", "bold")
        screen.pairs([(one["id"], one["rule"]) for one in why["left_out"]], indent=3)


def _row(one: JSON, ids: Mapping[str, str], *, said_by: str | None, content: str) -> tuple[str, ...]:
    kind, trust, at = one.get("type", "message"), one.get("trust", ""), one.get("created_at") or one["at"]
    return ids[one["id"]], kind, ", ".join(one["about"]), said_by or "", trust, local_text(at), content


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


def bullets(screen: Screen, value: JSON) -> None:
    found = value if isinstance(value, list) else value["bullets"]
    for line in () if isinstance(value, list) else value["delta"]:
        screen.say(line)
    if not found:
        screen.say(NOTHING["nothing"])
    for one in found:
        screen.say(f"- {one['text']}")
        for line in one.get("related", ()):
            screen.say(f"  related: {line}")


def records(screen: Screen, value: JSON) -> None:
    if not value:
        screen.say("No memories.")
        return
    ids = shortened([one["id"] for one in value])
    texts = [f"{one['content']} (expired)" if one["is_expired"] else one["content"] for one in value]
    rows = [_row(one, ids, said_by=one["said_by"], content=text) for one, text in zip(value, texts, strict=True)]
    screen.table(_RECORD, rows)


def record(screen: Screen, one: JSON) -> None:
    screen.say(one["content"], "bold")
    heard = f", learned in {one['learned_in']}" if one["learned_in"] else ""
    pairs = [
        ("id", one["id"]),
        ("quote", one["quote"]),
        ("type", f"{one['type']}, {one['kind']}, {one['category']}"),
        ("about", ", ".join(one["about"])),
        ("said by", one["said_by"]),
        ("trust", f"{one['trust']}, {one['authority']} ({one['authority_reason']})"),
        ("place", f"{one['space']} {one['owner']}{heard}"),
        ("sensitivity", one["sensitivity"]),
        ("confidential", "only in the chat where it was learned" if one["confidential"] else ""),
        ("importance", f"{one['importance']:g}{', pinned' if one['pinned'] else ''}"),
        ("entities", ", ".join(one["entity_refs"])),
        ("state", f"{one['state']}{_because(one)}"),
        ("created", local_text(one["created_at"])),
        ("ends", local_text(one["ends_at"])),
        ("superseded by", one["superseded_by"]),
        ("version", str(one["version"])),
    ]
    screen.pairs([pair for pair in pairs if pair[1]], indent=2)


def _because(one: JSON) -> str:
    return f" ({one['archive_reason']})" if one.get("archive_reason") else ""


def history(screen: Screen, value: JSON) -> None:
    screen.say(value["memory"]["content"], "bold")
    rows = []
    for event in value["events"]:
        rule = ", ".join(str(event["meta"][name]) for name in ("reason", "rule") if event["meta"].get(name))
        version = (event["new_ref"] or "").rpartition("@")[2]
        rows.append((local_text(event["ts"]), event["event"], event["actor"] or "", rule, version))
    screen.table(columns("when, event, by, rule, version"), rows)
    versions = value["versions"]
    if len(versions) > 1:
        texts = [(str(one["version"]), local_text(one["at"]), one["content"]) for one in versions]
        screen.table(columns("version[#], when, text"), texts)


def why(screen: Screen, value: JSON) -> None:
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
        ("sensitivity", value.get("sensitivity")),
        ("importance", f"{base:g}{f', {effective:g} with what it earned' if effective != base else ''}"),
        ("used", f"mentioned {value['mention_count']} ×, recalled {value['access_count']} ×"),
        ("in place of", ", ".join(value["supersedes"])),
        ("superseded by", value.get("superseded_by")),
    ]
    screen.pairs([pair for pair in pairs if pair[1]], indent=2)


# --- Conversations.


def turn(screen: Screen, value: JSON) -> None:
    screen.say(value["context"]["text"])
    screen.pairs([("session", value["session"]["id"]), ("turn", str(value["session"]["turn_count"]))])


def finished(screen: Screen, value: JSON) -> None:
    screen.say(f"Noted as {value}." if value is not None else "Nothing to note.")


sessions = table(
    "No sessions yet.", "ID[cyan]=id, session[#]=number, turns[#]=turn_count, from[dim]=started_at, to[dim]=ended_at"
)


def session(screen: Screen, value: JSON) -> None:
    sessions(screen, [value["session"]])
    summary = value.get("summary")
    if summary is not None:
        screen.say(summary["one_liner"], "bold")
        names = {"mattered": "what_mattered", "open": "open_loops", "promised": "commitments", "people": "people"}
        parts = [(name, summary[key]) for name, key in names.items()] + [("tone", [summary["tone"]])]
        screen.pairs([(name, "; ".join(items)) for name, items in parts if any(items)], indent=2)
    for message in value["messages"]:
        screen.say(f"{message['speaker'] or message['role']}: {message['content']}")


def ended(screen: Screen, value: JSON) -> None:
    screen.say(f"{value['status'].capitalize()}: {value['text']}", "green")


def state(screen: Screen, value: JSON) -> None:
    screen.pairs([(name, str(one)) for name, one in value.items() if one not in ("", None, {})])


_CONVERSATIONS = table(
    "Nothing was said yet.", "day[dim], chat[cyan], persona, people, messages[#], to be read[#]=waiting, learned[#]"
)


def conversations(screen: Screen, value: JSON) -> None:
    _CONVERSATIONS(screen, [{**one, "chat": one["chat"] or one["user"]} for one in value])


def messages(screen: Screen, value: JSON) -> None:
    if not value:
        screen.say("Nothing was said here.")
    for one in value:
        screen.say(f"{local_text(one['at'])} {one['speaker'] or one['role']}: {one['content']}")
        screen.say(f"  {one['id']}", "dim")
        for learned in one["learned"]:
            state = "" if learned["state"] == "active" else f", {learned['state']}"
            screen.say(f"  → {learned['content']} ({learned['type']}{state})", "green")


def reading(screen: Screen, value: JSON) -> None:
    if not value["sentences"]:
        screen.say(f"The judge ({value['judge']}) gives no probabilities for this message.")
        return
    rows = []
    for one in value["sentences"]:
        likelihoods = one["likelihoods"]
        likeliest = (max(likelihoods[name].items(), key=lambda item: item[1]) for name in ("type", "privacy", "holds"))
        keep = f"{likelihoods['keep']['yes']:.0%}"
        rows.append((one["text"], keep, *(f"{label} {share:.0%}" for label, share in likeliest)))
    screen.table(columns("sentence[bold], keep[#], type, privacy, holds"), rows)
    screen.say(f"Kept from {value['keep_from']:.0%} on.", "dim")


# --- People, and profiles.

people = table("Nobody yet.", "ID[cyan]=id, name, relation, also called=aliases", is_short=True)


def acquaintance(screen: Screen, value: JSON) -> None:
    screen.say(value["name"], "bold")
    pairs = [("id", value["id"]), ("relation", value["relation"]), ("also called", ", ".join(value["aliases"]))]
    screen.pairs([pair for pair in pairs if pair[1]], indent=2)


def person(screen: Screen, value: JSON) -> None:
    acquaintance(screen, value)
    records(screen, value["memories"])


def merged(screen: Screen, value: JSON) -> None:
    acquaintance(screen, value)
    screen.say(f"`wellkept people split {value['merged']}` takes it back.", "dim")


def reviewed(screen: Screen, value: JSON) -> None:
    if value["same"] is not None:
        merged(screen, value["same"])
    if value["different"]:
        screen.say(f"{' and '.join(_called(one) for one in value['different'])} are two people.")
    waiting = value["waiting"]
    if not waiting:
        screen.say("No questions are waiting.")
        return
    ids = shortened([doubt[side]["id"] for doubt in waiting for side in ("one", "other")])
    rows = []
    for doubt in waiting:
        both = (text for side in ("one", "other") for text in (ids[doubt[side]["id"]], _called(doubt[side])))
        rows.append((*both, words.tables()["doubts"].get(doubt["reason"], doubt["reason"])))
    screen.table(columns("ID[cyan], may be, ID[cyan], same as, because"), rows)
    screen.say("Answer with --same ID ID or --different ID ID.", "dim")


def _called(one: JSON) -> str:
    relation, name = one["relation"], str(one["name"])
    return f"{name} ({relation})" if relation and relation not in name else name


def forgotten(screen: Screen, value: JSON) -> None:
    name = value["name"]
    if value["archived"]:
        screen.say(f"Archived {value['archived']} about {name}; `wellkept memory restore` brings one back.", "green")
    else:
        screen.say(f"Nothing about {name} was left to forget.")
    if value["kept"]:
        screen.say(f"{value['kept']} more are not yours to change.")
    if value["is_record_deleted"]:
        screen.say(f"The record of {name} is removed.")


def profile(screen: Screen, value: JSON) -> None:
    if not value:
        screen.say("The profile is empty. `wellkept remember`, or consent to a proposed change, fills it.")
    screen.pairs([(name, one if isinstance(one, str) else "; ".join(one)) for name, one in value.items()])


def answered(screen: Screen, value: JSON) -> None:
    if value["state"] == "approved":
        screen.say(f"Noted: {value['field']} is {value['new']}.", "green")
    else:
        old = value.get("old")
        screen.say(f"Left as it was: {value['field']}{f' is {old}' if old else ''}.")


# --- Supervisors and governed sessions.

TRACES_SHOWN = 200
"""Events that are shown unless a number is given."""
_TRACED = (
    "reason", "rule", "action", "from_space", "to_space", "allowed", "memory_id", "winner_id", "loser_id", "phase_id",
    "query",
)  # fmt: skip
checkpoints = table(
    "No checkpoints.", "thread[cyan]=thread_id, version[#], begun[dim]=created_at, saved[dim]=updated_at"
)


def checkpoint(screen: Screen, value: JSON) -> None:
    checkpoints(screen, [value])
    screen.data(value["data"])


def traces(screen: Screen, value: JSON) -> None:
    if not value:
        screen.say("No traces of that session.")
        return
    rows = []
    for one in value:
        event = one["event"]
        said = [f"{name}={event[name]}" for name in _TRACED if event.get(name) is not None]
        counts = [f"{name}={len(event[name])}" for name in ("recalled", "written") if isinstance(event.get(name), list)]
        rows.append((str(one["number"]), str(one["call"]), " ".join([str(event["type"]), *counts, *said])))
    screen.table(columns("#[#], call[#], event"), rows)
    if len(value) == TRACES_SHOWN:
        screen.say(f"There may be more: --after {value[-1]['number']}")


def started(screen: Screen, value: JSON) -> None:
    for event in value:
        if event["type"] == "memory_phase_started":
            screen.say(f"{event['phase_id']} has begun.", "green")
        elif event.get("allowed") is False:
            screen.say(f"No phase was begun: {event['reason']}.", "red")


def phase_diff(screen: Screen, value: JSON) -> None:
    for event in value:
        if event["type"] == "memory_border_check" and not event["allowed"]:
            screen.say(f"Refused: {event['reason']}")
        if event["type"] == "memory_phase_diff":
            for line in event["summary_lines"]:
                screen.say(line)
            for change in event["top_changes"]:
                screen.say(f"  {change['change']}: {change['dedup_key']}")


# --- Upkeep.

EXAMPLES_MAX = 3


def diagnosis(screen: Screen, value: JSON, *, is_preview: bool = False) -> None:
    counts = value["counts"]
    rows = [_finding(check, value) for check in DOCTOR_CHECKS if counts.get(check)]
    if rows:
        screen.table(columns("check, found[#], what, such as[dim], --fix"), rows)
    total = sum(counts.values())
    if not total:
        screen.say("Nothing is wrong.", "green")
    elif value["fixed"]:
        screen.say(f"{value['fixed']} of {total} repaired.", "green")
    else:
        screen.say(f"{total} found.{'' if is_preview else ' `wellkept doctor --fix` asks, and repairs it.'}")
    if value["sealed"]:
        where = " ".join(one["id"] for one in value["sealed"][:EXAMPLES_MAX])
        screen.say(f"Known and sealed breaks of the ledger: {len(value['sealed'])} ({where}).")
    if value["dead_letters"]:
        screen.say(f"{value['dead_letters']} jobs were given up: `wellkept upkeep jobs` lists them.")


def _finding(check: str, value: JSON) -> tuple[str, ...]:
    mine = [one for one in value["findings"] if one["check"] == check]
    codes = Counter(one["code"] for one in mine)
    what = ", ".join(f"{code} {count}" if len(codes) > 1 else code for code, count in codes.most_common())
    examples = " ".join(one["id"] for one in mine[:EXAMPLES_MAX])
    if mine and not any(one["can_fix"] for one in mine):
        remedy = words.tables()["hopeless"].get(check, "cannot")
    else:
        remedy = words.tables()["remedies"][check]
    return check, str(value["counts"][check]), what, examples, remedy


def rounds(screen: Screen, value: JSON) -> None:
    for one in value:
        if screen.form != "text":
            screen.data({name: one[name] for name in ("job", "status", "counts", "error")}, is_one_of_many=True)
            continue
        told = ", ".join(f"{number} {name}" for name, number in one["counts"].items() if number)
        screen.say(f"{one['job']}: {one['error'] or told or 'nothing to do'} ({one['status']})")


_JOBS = table("No jobs wait, and none was given up.", "job[cyan]=name, state, attempts[#], due=due_at, error[red]")


def queue(screen: Screen, value: JSON) -> None:
    jobs = (*value["pending"], *value["dead"])
    _JOBS(screen, [{**job, "state": "running" if job["lease"] else job["state"]} for job in jobs])


def archived(screen: Screen, value: JSON) -> None:
    reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(value["reasons"].items()))
    screen.say(f"Archived {value['archived']}{f': {reasons}' if reasons else ''}.")


def stats(screen: Screen, value: JSON) -> None:
    for title, counts in (("visible to you, by type", value["visible"]), ("in the store, by state", value["states"])):
        heads = (Column(name=title), *columns("memories[#]"))
        screen.table(heads, [(name, str(number)) for name, number in sorted(counts.items())])


def lines(screen: Screen, value: JSON) -> None:
    for line in value:
        screen.data(line, is_one_of_many=True)


def erased(screen: Screen, value: JSON) -> None:
    counts = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in value["counts"].items())
    screen.say(f"Erased {counts or 'nothing'}.")
    looked = f"{value['sentences']} sentences in {value['bytes']:,} bytes of {value['files']} files"
    screen.say(f"Looked for {looked}: {value['found']} found.")
    screen.say(f"Not covered: {', '.join(value['not_covered'])}.")
    screen.say(f"Certificate {value['hash']}: {value['status']}.")
    if value["status"] == "incomplete":
        screen.say("A job tries again in a minute; the same command does so now, and looks for the same sentences.")


# --- A server.


def new_key(screen: Screen, value: JSON) -> None:
    """The key, alone on its line so that it can be copied."""
    screen.say(value["key"], "bold")
    screen.warn(f"Key {value['id']} ({', '.join(value['scopes'])}). Keep it now: it is not shown again.")


def new_token(screen: Screen, value: JSON) -> None:
    """The token, alone on its line so that it can be copied."""
    screen.say(value["token"])
    said = ", ".join(f"{name} {one}" for name, one in value["viewpoint"].items() if name != "tenant")
    until = local_text(value["expires_at"])
    screen.warn(f"Token {value['id']} ({said}) until {until}. Show it as WELLKEPT_CONTEXT_TOKEN.")


_GROWTH = table("No memories yet.", "day[dim], memories made[#]=count")


def growth(screen: Screen, value: JSON) -> None:
    _GROWTH(screen, [{"day": day, "count": count} for day, count in value.items()])


VIEWS: Mapping[str, View] = {
    **dict.fromkeys(("remember", "add", "forget", "restore", "pin", "unpin", "edit"), outcomes),
    "observe": observed,
    "preview": previewed,
    "chat": reply,
    "recall": recalled,
    "query": bullets,
    "list": records,
    "show": record,
    "reveal": record,
    "history": history,
    "why": why,
    "context": sentence("{text}"),
    "turn": turn,
    "finish_turn": finished,
    "sessions": sessions,
    "session": session,
    "todos": table("Nothing to do.", "ID[cyan]=id, kind, status, due[dim]=due_at, text[bold]", is_short=True),
    "complete_todo": ended,
    "dismiss_todo": ended,
    "state": state,
    "summaries": versions("No summary yet.", "version {version}, {at}, after {message_count} messages"),
    "spines": versions("No long-term summary yet.", "version {version}, {at}, after {total} messages"),
    "conversations": conversations,
    "messages": messages,
    "reading": reading,
    "people": people,
    "split_person": people,
    "person": person,
    "alias_person": acquaintance,
    "rename_person": acquaintance,
    "relate_person": acquaintance,
    "merge_people": merged,
    "review_people": reviewed,
    "forget_person": forgotten,
    "profile": profile,
    # Whole ids: `consent approve` takes no beginnings, for a yes must not reach the wrong question.
    "consents": table("No questions.", "ID[cyan]=id, field, so far=old, state, since[dim]=at, new[bold]"),
    "approve": answered,
    "reject": answered,
    "checkpoints": checkpoints,
    "checkpoint": checkpoint,
    "save_checkpoint": sentence("Saved {thread_id}, version {version}.", "green"),
    "delete_checkpoint": sentence("Deleted {thread_id}, version {version}."),
    "governed_sessions": table("No governed session yet.", "session[cyan], events[#], phases[#], last[dim]=last_at"),
    "phases": table(
        "No phase has begun.", "phase[cyan]=phase_id, name=phase_name, tick[#]=phase_started_at, reason=phase_reason"
    ),
    "start_phase": started,
    "traces": traces,
    "phase_diff": phase_diff,
    "doctor": diagnosis,
    "run_upkeep": rounds,
    "jobs": queue,
    "retry_jobs": sentence("{retried} jobs are queued again."),
    "gc": archived,
    "compact": sentence("Removed {purged} for good."),
    "rebuild_index": sentence("Indexed {indexed}, gave vectors to {embedded}."),
    "stats": stats,
    "export_user": lines,
    "bundle_user": lambda screen, value: screen.say(value["text"].rstrip("\n")),
    "erase_user": erased,
    "add_key": new_key,
    "rotate_key": new_key,
    "keys": table(
        "No keys.", "ID[cyan]=id, name[bold], scopes, created[dim]=created_at, ends=expires_at, revoked[red]=revoked_at"
    ),
    "revoke_key": sentence("Key {id} ({name}) no longer works."),
    "make_token": new_token,
    "revoke_token": sentence("Token {name} no longer works."),
    "events": table("No events.", "time[dim]=ts, by=user_id, node, op[bold], status, memory[cyan]=memory_id, reason"),
    "growth": growth,
    "activity": table("Nothing was done in that time.", "day[dim], node, op[bold], times[#]"),
    "owners": table("Nobody yet.", "space, owner[cyan], decisions[#]=length"),
}
