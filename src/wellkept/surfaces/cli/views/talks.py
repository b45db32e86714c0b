"""How conversations, readings, state, summaries and phases look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.flows import answers
from wellkept.surfaces.cli.screen import Column, local_text

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any

_SESSIONS = (
    Column(name="session", style="cyan"),
    Column(name="events", is_number=True),
    Column(name="phases", is_number=True),
    Column(name="last", style="dim"),
)
_PHASES = (
    Column(name="phase", style="cyan"),
    Column(name="name"),
    Column(name="tick", is_number=True),
    Column(name="reason"),
)


def state(screen: Screen, value: JSON) -> None:
    """What lasts, a line each."""
    screen.pairs([(name, str(one)) for name, one in value.items() if one not in ("", None, {})])


def summaries(screen: Screen, value: JSON) -> None:
    """Each version under its number."""
    if not value:
        screen.say("No summary yet.")
    for one in value:
        screen.say(f"version {one['version']}, {local_text(one['at'])}, after {one['message_count']} messages", "dim")
        screen.say(one["content"])


def spines(screen: Screen, value: JSON) -> None:
    """Each version with its sections."""
    if not value:
        screen.say("No long-term summary yet.")
    for one in value:
        screen.say(f"version {one['version']}, {local_text(one['at'])}, after {one['total']} messages", "dim")
        for section, lines in one["content"].items():
            screen.say(section, "bold")
            for line in lines:
                screen.say(f"  {line['text']}")


def governed_sessions(screen: Screen, value: JSON) -> None:
    """Sessions in a table."""
    if not value:
        screen.say("No governed session yet.")
        return
    rows = [(one["session"], str(one["events"]), str(one["phases"]), local_text(one["last_at"])) for one in value]
    screen.table(_SESSIONS, rows)


def phases(screen: Screen, value: JSON) -> None:
    """Phases in a table."""
    if not value:
        screen.say("No phase has begun.")
        return
    rows = [
        (one["phase_id"], one["phase_name"] or "", str(one["phase_started_at"]), one["phase_reason"]) for one in value
    ]
    screen.table(_PHASES, rows)


def started(screen: Screen, value: JSON) -> None:
    """The phase that began, or why none did."""
    for event in value:
        if event["type"] == "memory_phase_started":
            screen.say(f"{event['phase_id']} has begun.", "green")
        elif event.get("allowed") is False:
            screen.say(f"No phase was begun: {event['reason']}.", "red")


def conversations(screen: Screen, value: JSON) -> None:
    """A chat and a day a line."""
    if not value:
        screen.say("Nothing was said yet.")
        return
    columns = (
        Column(name="day", style="dim"),
        Column(name="chat", style="cyan"),
        Column(name="persona"),
        Column(name="people"),
        *(Column(name=name, is_number=True) for name in ("messages", "to be read", "learned")),
    )
    rows = [
        (
            one["day"],
            one["chat"] or one["user"] or "",
            one["persona"] or "",
            ", ".join(one["people"]),
            *(str(one[name]) for name in ("messages", "waiting", "learned")),
        )
        for one in value
    ]
    screen.table(columns, rows)


def messages(screen: Screen, value: JSON) -> None:
    """What was said, each with what was learned from it."""
    if not value:
        screen.say("Nothing was said here.")
    for one in value:
        who = one["speaker"] or one["role"]
        screen.say(f"{local_text(one['at'])} {who}: {one['content']}")
        screen.say(f"  {one['id']}", "dim")
        for learned in one["learned"]:
            state = "" if learned["state"] == "active" else f", {learned['state']}"
            screen.say(f"  → {learned['content']} ({learned['type']}{state})", "green")


def reading(screen: Screen, value: JSON) -> None:
    """A sentence a line, with what the reader is sure of."""
    if not value["sentences"]:
        screen.say(f"The judge ({value['judge']}) gives no probabilities for this message.")
        return
    columns = (
        Column(name="sentence", style="bold"),
        Column(name="keep", is_number=True),
        *(Column(name=name) for name in ("type", "privacy", "holds")),
    )
    rows = [
        (
            one["text"],
            f"{one['likelihoods']['keep']['yes']:.0%}",
            *(_likeliest(one["likelihoods"][name]) for name in ("type", "privacy", "holds")),
        )
        for one in value["sentences"]
    ]
    screen.table(columns, rows)
    screen.say(f"Kept from {value['keep_from']:.0%} on.", "dim")


def _likeliest(shares: Mapping[str, float]) -> str:
    label, share = max(shares.items(), key=lambda item: item[1])
    return f"{label} {share:.0%}"


def previewed(screen: Screen, value: JSON) -> None:
    """What each fact would do."""
    for one in value:
        if one["outcome"] == "denied":
            screen.say(f"Would not be kept: {answers.sentence(one['reason'])}", "red")
            continue
        screen.say(f"{one['outcome'].replace('_', ' ')}: {one['content'] or ''}", "bold")
        if one["replaced_content"]:
            screen.say(f"  in place of: {one['replaced_content']}", "dim")
        kinds = ", ".join(filter(None, (one["type"], one["sensitivity"])))
        screen.say(f"  {kinds}", "dim")


TALK_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {
    "conversations": conversations,
    "messages": messages,
    "reading": reading,
    "preview": previewed,
    "state": state,
    "summaries": summaries,
    "spines": spines,
    "governed_sessions": governed_sessions,
    "phases": phases,
    "start_phase": started,
}
