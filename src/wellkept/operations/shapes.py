"""What each operation answers, as a type: OpenAPI, the tools of MCP and the clients are made from this table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from wellkept import jobs, types
from wellkept.flows import answers
from wellkept.flows.people import amend_people
from wellkept.flows.people.amend_people import Forgotten
from wellkept.flows.read import show, transcript
from wellkept.flows.read.events import Event
from wellkept.flows.read.show import Acquaintance, History
from wellkept.flows.serving.api_keys import NewToken
from wellkept.flows.sessions.chat import Reply
from wellkept.flows.sessions.checkpoints import Saved
from wellkept.flows.sessions.turn import SessionShown
from wellkept.flows.upkeep.doctor import Diagnosis
from wellkept.flows.upkeep.erase import Certificate
from wellkept.flows.upkeep.transfer import Held
from wellkept.flows.write import observe
from wellkept.flows.write.remember import STATEMENTS_MAX, Previewed
from wellkept.operations.operation import LENGTHS
from wellkept.operations.typed_json import Form, Limits, TypedJson
from wellkept.policies.callers import DAYS_MAX
from wellkept.policies.context import Section
from wellkept.policies.people import profile_fields
from wellkept.policies.summaries import RollingSummary, Session, SessionState, Spine
from wellkept.policies.todos import Todo
from wellkept.store.records import ApiKey, Chain, Done, GovernedSession, Job, Proposal, Trace
from wellkept.types import Outcome
from wellkept.values import frozen
from wellkept.vocabulary import MemoryType, Sensitivity, Trust


@frozen
class Observed:
    """Ids of the messages that were new, and what was learned, when it was waited for."""

    messages: tuple[str, ...]
    outcomes: tuple[Outcome, ...]


@frozen
class Record(types.Memory):
    """A memory; `about` and `said_by` are names for the asker."""

    about: tuple[str, ...]
    said_by: str | None
    is_expired: bool


@frozen
class Hit(types.Hit):
    """A memory or a message that was found, with what tells it apart."""

    type: MemoryType | None = None
    trust: Trust | None = None
    created_at: datetime | None = None
    role: types.Role | None = None
    chat_id: str | None = None
    session_id: str | None = None


@frozen
class Recall(types.Recall):
    """What was found, best first; delta, cards, notices and reasons only where there are any."""

    query: str = ""
    hits: tuple[Hit, ...] = ()
    why: show.RecallWhy | None = None


@frozen
class Context:
    """The block for a system prompt, and its sections by name; `str()` is its text."""

    text: str
    verdict: str
    tokens: int
    sections: tuple[Section, ...]
    memory_ids: tuple[str, ...]

    def __str__(self) -> str:
        return self.text


@frozen
class Turn:
    """The context of the reply, and what the message did."""

    context: Context
    session: Session
    state: SessionState
    todos: tuple[Todo, ...]
    message_id: str | None


@frozen
class Bullet:
    """One line of an answer; the rest only when everything is asked for."""

    id: str
    category: str
    text: str
    score: float | None = None
    why: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    said_by: str | None = None
    metadata: types.Memory | None = None


@frozen
class ThreadBullets:
    """Bullets, and what changed for the thread that asks."""

    delta: tuple[str, ...]
    bullets: tuple[Bullet, ...]


@frozen
class PersonShown(Acquaintance):
    """One person with their memories, and who was made one with them."""

    memories: tuple[Record, ...]  # type: ignore[assignment]  # as JSON has them


@frozen
class MergedPerson(Acquaintance):
    """Who stayed, and the id by which a split takes it back."""

    merged: str  # type: ignore[assignment]  # as JSON has it


@frozen
class Reviewed:
    """What was answered, if anything was, and what waits."""

    same: MergedPerson | None
    different: tuple[Acquaintance, ...]
    waiting: tuple[amend_people.Doubt, ...]


@frozen
class Phase:
    """A phase of a governed session."""

    phase_id: str
    phase_name: str | None
    phase_started_at: int
    phase_reason: str


@frozen
class Jobs:
    """Jobs that wait or run, and those that were given up."""

    pending: tuple[Job, ...]
    dead: tuple[Job, ...]


@frozen
class Retried:
    """How many jobs were queued again."""

    retried: int


@frozen
class Archived:
    """How many were archived, in all and by reason."""

    archived: int
    reasons: Mapping[str, int]


@frozen
class Rebuilt:
    """How many memories were indexed and embedded."""

    indexed: int
    embedded: int


@frozen
class Stats:
    """Memories by type as the asker sees them, and by state in the whole store."""

    visible: Mapping[str, int]
    states: Mapping[str, int]
    privacy: Mapping[str, int]
    bytes: Mapping[str, int]


@frozen
class CheckpointHead(Saved):
    """The state of a thread without its data."""


@frozen
class NewKey(ApiKey):
    """A new key; the key itself is shown once."""

    key: str


# --- What is sent, where it is more than a plain value.
Id = Annotated[str, Limits(length_max=512)]
Text = Annotated[str, Limits(length_max=observe.CONTENT_MAX)]
Time = Annotated[str, Limits(length_max=LENGTHS["time"])]
"""ISO text, or any date that can be read."""


@frozen
class Message:
    """A message as `observe` takes it."""

    content: Text
    role: types.Role = "user"
    speaker: Id | None = None
    at: Time | None = None
    id: Id | None = None
    session: Id | None = None


@frozen
class Fact:
    """A fact of a batch, as `remember` takes it."""

    content: str
    about: str | tuple[str, ...] = ()
    subjects: str | tuple[str, ...] = ()
    expires_in_days: Annotated[float, Limits(above=0, most=DAYS_MAX)] | None = None
    shared: bool = False


@frozen
class Filters:
    """What narrows a list or a search."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    actor_id: str | None = None
    entity: str | None = None
    learned_in: str | None = None
    role: types.Role | None = None
    pinned: bool | None = None
    importance_min: float | None = None
    importance_max: float | None = None
    updated_after: str | None = None
    updated_before: str | None = None
    category: str | tuple[str, ...] | None = None
    type: MemoryType | tuple[MemoryType, ...] | None = None
    sensitivity: Sensitivity | None = None


_NULLS_ABSENT = Form(nulls_absent=True)
_TIES = {"ties": "relations"}
TYPED = TypedJson(
    forms={
        types.Outcome: Form(left_out={"content": None}, absent=frozenset({"others"})),
        types.Subtype: Form(names={"entity_type": "entityType", "fact_type": "factType"}),
        types.Memory: Form(
            left_out={**dict.fromkeys(answers.INTERNAL), "discriminator": "", "is_correction": False},
            also={"owner_user_id": str | None, "chat_id": str | None, "trust": Trust, "ends_at": datetime | None},
        ),
        Hit: Form(
            left_out={"memory": None, "message": None},
            absent=frozenset({"quote", "message_ids", "type", "trust", "created_at", "role", "chat_id", "session_id"}),
        ),
        Recall: Form(left_out={"query": ""}, absent=frozenset({"delta", "cards", "notices", "why"})),
        Bullet: Form(absent=frozenset({"score", "why", "about", "said_by", "metadata"})),
        # What stands alone in an answer leaves out what is None.
        show.RecallWhy: _NULLS_ABSENT,
        show.MemoryWhy: _NULLS_ABSENT,
        SessionShown: _NULLS_ABSENT,
        SessionState: _NULLS_ABSENT,
        Todo: _NULLS_ABSENT,
        Proposal: _NULLS_ABSENT,
        Acquaintance: Form(left_out={"memories": (), "merged": ()}, names=_TIES),
        PersonShown: Form(names=_TIES),
        MergedPerson: Form(left_out={"memories": ()}, names=_TIES),
        Reply: Form(names={"text": "reply"}),
        CheckpointHead: Form(left_out={"data": {}}),
        Trace: Form(left_out={"seq": 0, "mentions": ()}),
        ApiKey: Form(left_out={"hash": ""}, doc="A key or token of a program, without its secret."),
        NewToken: Form(names={"claims": "viewpoint"}, doc="A context token, and the viewpoint it stands for."),
        Held: Form(also={"text": str}, doc="Everything that is held about a user; `text` is the same as a document."),
        Diagnosis: Form(also={"is_well": bool}),
        Message: Form(absent=frozenset({"role", "speaker", "at", "id", "session"})),
        Fact: Form(absent=frozenset({"about", "subjects", "expires_in_days", "shared"})),
        Filters: _NULLS_ABSENT,
    },
    names={
        "profile_fields": profile_fields,
        "Field": profile_fields.Field,
        "Version": types.Version,
        "Outcome": Outcome,
    },
    titles={
        types.Message: "TranscriptMessage",
        jobs.Done: "JobDone",
        Done: "DayCount",
        Chain: "Owner",
        SessionState: "State",
    }
    | {ApiKey: "Key", Acquaintance: "Person", Saved: "Checkpoint", Held: "Bundle"},
)
"""How these types are written as JSON."""

ANSWERS: Mapping[str, Any] = {
    "remember": Outcome | tuple[Outcome, ...],
    "preview": tuple[Previewed, ...],
    **dict.fromkeys(("add", "forget", "restore", "pin", "unpin", "edit"), Outcome),
    "conversations": tuple[transcript.ConversationShown, ...],
    "messages": tuple[transcript.MessageShown, ...],
    "reading": transcript.MessageReading,
    "observe": Observed,
    "recall": Recall,
    "context": Context,
    "query": tuple[Bullet, ...] | ThreadBullets,
    "turn": Turn,
    "finish_turn": str | None,
    "sessions": tuple[Session, ...],
    "session": SessionShown,
    "state": SessionState,
    "summaries": tuple[RollingSummary, ...],
    "spines": tuple[Spine, ...],
    "todos": tuple[Todo, ...],
    **dict.fromkeys(("complete_todo", "dismiss_todo"), Todo),
    "list": tuple[Record, ...],
    **dict.fromkeys(("show", "reveal"), Record),
    "history": History,
    "why": show.MemoryWhy,
    "chat": Reply,
    "people": tuple[Acquaintance, ...],
    "person": PersonShown,
    **dict.fromkeys(("alias_person", "rename_person", "relate_person"), Acquaintance),
    "merge_people": MergedPerson,
    "split_person": tuple[Acquaintance, Acquaintance],
    "review_people": Reviewed,
    "forget_person": Forgotten,
    "profile": Mapping[str, str | tuple[str, ...]],
    "consents": tuple[Proposal, ...],
    **dict.fromkeys(("approve", "reject"), Proposal),
    "checkpoints": tuple[CheckpointHead, ...],
    "checkpoint": Saved,
    **dict.fromkeys(("save_checkpoint", "delete_checkpoint"), CheckpointHead),
    "governed_sessions": tuple[GovernedSession, ...],
    "phases": tuple[Phase, ...],
    **dict.fromkeys(("start_phase", "phase_diff", "export_user"), tuple[Mapping[str, Any], ...]),
    "traces": tuple[Trace, ...],
    "run_upkeep": tuple[jobs.Done, ...],
    "jobs": Jobs,
    "retry_jobs": Retried,
    "doctor": Diagnosis,
    "gc": Archived,
    **dict.fromkeys(("compact", "growth"), Mapping[str, int]),
    "bundle_user": Held,
    "erase_user": Certificate,
    "rebuild_index": Rebuilt,
    "stats": Stats,
    **dict.fromkeys(("add_key", "rotate_key"), NewKey),
    "keys": tuple[ApiKey, ...],
    **dict.fromkeys(("revoke_key", "revoke_token"), ApiKey),
    "make_token": NewToken,
    "events": tuple[Event, ...],
    "activity": tuple[Done, ...],
    "owners": tuple[Chain, ...],
}
"""By the name of the operation."""

SENT: Mapping[str, Any] = {
    "messages": Annotated[tuple[Message, ...], Limits(items_max=observe.MESSAGES_MAX)],
    "facts": str | Annotated[tuple[str | Fact, ...], Limits(items_max=STATEMENTS_MAX)],
    "filters": Filters,
}
"""By the name of the parameter."""
