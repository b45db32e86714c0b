"""The rows of the table: each verb declared once, for every surface.

A row names the method that answers. Where that is not all, a function here says how the operation is called, or how its
answer becomes JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellkept import flows
from wellkept.errors import InvalidInput
from wellkept.flows import answers
from wellkept.flows.answers import JSON
from wellkept.operations.operation import Kind, Operation, Parameter
from wellkept.policies.callers import DAYS_MAX
from wellkept.types import as_json
from wellkept.vocabulary import DOCTOR_CHECKS, MemoryType, Sensitivity, State

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.flows.read.show import Shown
    from wellkept.flows.serving.api_keys import NewKey, NewToken
    from wellkept.flows.sessions.checkpoints import Saved

EVERYBODY = "*"
LISTED_MAX = 1_000
TOKEN_MINUTES = 60


def optional(name: str, doc: str, kind: Kind = "text", **more: Any) -> Parameter:  # noqa: ANN401 -- fields of a parameter
    """A parameter that may be left out."""
    return Parameter(name=name, doc=doc, kind=kind, **more)


def required(name: str, doc: str, kind: Kind = "text", **more: Any) -> Parameter:  # noqa: ANN401 -- fields of a parameter
    """A parameter that must be given."""
    return Parameter(name=name, doc=doc, kind=kind, is_required=True, **more)


def flag(name: str, doc: str, **more: Any) -> Parameter:  # noqa: ANN401 -- fields of a parameter
    """Something that is off unless it is asked for."""
    return Parameter(name=name, doc=doc, kind="flag", default=False, **more)


def limit(default: int, doc: str = "How many at most.") -> Parameter:
    """How many items of a list are wanted."""
    return optional("limit", doc, "integer", default=default, least=1, most=LISTED_MAX)


def row(name: str, doc: str, *parameters: Parameter, cli: str, http: str, **more: Any) -> Operation:  # noqa: ANN401 -- fields of an operation
    """A verb. Its method in Python has its own name and its answer is plain JSON, unless the row says otherwise."""
    known: dict[str, Any] = {"python": name, "rpc": f"memory.{name}", "answer": answers.plain_json} | more
    known |= {"http": _address(http), "also": tuple(_address(one) for one in known.get("also", ()))}
    return Operation(name=name, doc=doc, parameters=parameters, cli=tuple(cli.split()), **known)


def _address(text: str) -> tuple[str, str]:
    method, _, path = text.partition(" ")
    return method, path


# --- Operations that are more than a call of their method.


def _recall(viewpoint: Viewpoint, given: Mapping[str, Any]) -> answers.Recalled:
    wishes = {name: given.get(name, False) for name in ("why", "left_out", "this_chat")}
    asked = {name: value for name, value in given.items() if name not in wishes}
    if wishes.pop("this_chat"):
        if viewpoint.place.chat is None:
            raise InvalidInput("this_chat needs a chat.", code="no_chat")
        asked["filters"] = {**(asked.get("filters") or {}), "learned_in": viewpoint.place.chat}
    found = viewpoint.recall(**asked)
    why = viewpoint.why(found, left_out=wishes["left_out"]) if any(wishes.values()) else None
    return answers.Recalled(found=found, why=why)


def _list(viewpoint: Viewpoint, given: Mapping[str, Any]) -> tuple[Shown, ...]:
    return flows.show.shown(viewpoint.list(**given), viewpoint.place, viewpoint.memory.engine)


def _save_checkpoint(viewpoint: Viewpoint, given: Mapping[str, Any]) -> Saved:
    """Tags are read as `_with_data` writes them, so that what was loaded can be saved again."""
    return viewpoint.save_checkpoint(**{**given, "data": flows.checkpoints.untagged(given["data"])})


def _stats(viewpoint: Viewpoint, _given: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    tenant, store = viewpoint.place.tenant, viewpoint.memory.engine.store
    return {
        "visible": viewpoint.stats(),
        "states": viewpoint.memory.upkeep.stats(tenant=tenant),
        "privacy": store.counts(tenant, by="privacy"),
        "bytes": {path.name: path.stat().st_size for path in store.files() if path.is_file()},
    }


def _of_owner(name: str) -> Callable[[Viewpoint, Mapping[str, Any]], Any]:
    """A method of `memory.events`: for the asker's own memory unless another user is named, or everybody."""

    def call(viewpoint: Viewpoint, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- each verb has its own
        of = given.get("of", viewpoint.place.user)
        if of is None:
            raise InvalidInput("Whose memory? Name a user.", code="no_owner")
        whose = {"tenant": viewpoint.place.tenant, "of": None if of == EVERYBODY else of}
        return getattr(viewpoint.memory.events, name)(**{**given, **whose})

    return call


# --- Answers as JSON, where it is not the value field by field.


def _each(one: Callable[[Any], JSON]) -> Callable[[Any], JSON]:
    return lambda found: [one(item) for item in found]


def _fields(*names: str) -> Callable[[Any], JSON]:
    return lambda value: {name: as_json(getattr(value, name)) for name in names}


_head = _fields("id", "user_id", "thread_id", "version", "created_at", "updated_at")
_key = _fields("id", "name", "tenant", "scopes", "created_at", "expires_at", "revoked_at")


def _with_data(value: Saved) -> JSON:
    """A checkpoint with its data as it is stored: JSON, and tags for what JSON has no word for."""
    return _head(value) | {"data": flows.checkpoints.tagged(value.data)}


def _new_token(value: NewToken) -> JSON:
    return {"token": value.token, "id": value.id, "expires_at": as_json(value.expires_at), "viewpoint": value.claims}


def _new_key(value: NewKey) -> JSON:
    return {"key": value.key} | _key(value.record)


# --- Parameters that several operations take.

QUERY = required("query", "What to look for, in any words.", is_long=True)
SESSION = required("session_id", "Id of the session.")
TODO = required("todo_id", "Id of the todo, or a unique beginning of it.")
PERSON = required("reference", 'A name, "my wife", "@handle" or a person id.')
PROPOSAL = required("proposal_id", "Id of the question, from the list.")
THREAD = required("thread_id", "The thread of the supervisor.", pattern=r"^\S.{0,511}$")
GOVERNED = required("session", "Id of the governed session.", pattern=r"^\S.{0,511}$")
USER = required("user_id", "Id of the user.")
MEMORY_ID = required("memory_id", "Id of the memory, or a unique beginning of it.")
KEY_ID = required("key_id", "Id of the key.")
ABOUT = optional("about", 'Whom it is about: a name, "my wife", "@handle" or a person id.', "texts", default=())
SHARED = flag("shared", "For everybody in the chat, not only for the user.")
ONLY_PERSONA = flag("only_persona", "Only for the present persona.")
SENSITIVITY = optional("sensitivity", "Who may hear it.", choices=tuple(item.value for item in Sensitivity))
FILTERS = optional("filters", "Narrow by pinned, type, category, entity, updated_after …", "object")
AS_OF = optional("as_of", "What was true at that time.", "time")
OF = optional("of", "In whose memory; * means everybody's (operators only).", is_admin=True)
TOKENS = optional("budget_tokens", "How many tokens at most.", "integer", default=1_200, least=100)

# fmt: off
OPERATIONS: tuple[Operation, ...] = (
    # --- Memories: in, and found again.
    row("remember", "Remember what you are told: one text, or a batch of up to 20 facts.",
        optional("facts", "A text, or a list of texts and facts.", "facts", is_argument=True), ABOUT,
        optional("expires_in_days", "Days after which it is no longer recalled.", "number", above=0, most=DAYS_MAX),
        SHARED, ONLY_PERSONA,
        optional("procedure", "It is a procedure: a title, then the steps.", "steps", default=False),
        cli="remember", http="POST /v1/remember", mcp="remember", answer=answers.outcomes),
    row("add", "Store a text exactly as it is given.",
        required("content", "The text.", is_long=True),
        optional("type", "The type, which decides how long it is kept.", default="knowledge",
                 choices=("auto", *(item.value for item in MemoryType))),
        replace(ABOUT, rpc="subjects"), SENSITIVITY,
        optional("expires", 'A date or a duration: "2 weeks", "36h"; a number is days.', "expiry", rpc="expires_days"),
        SHARED,
        optional("source", "Who said it.", default="user", choices=("user", "ai", "tool", "system"),
                 admin_choices=("tool", "system")),
        ONLY_PERSONA, optional("category", "The heading it is filed under."),
        cli="memory add", http="POST /v1/memories", answer=answers.outcome),
    row("preview", "Say what remembering a text would do and what it would replace; nothing is stored.",
        required("text", "The text.", is_long=True), ABOUT, SHARED, cli="memory preview", http="POST /v1/preview",
        answer=as_json, is_read=True),
    row("observe", "Put messages into the transcript, and learn from them in the background.",
        required("messages", "Objects with content, and perhaps role, speaker, at, id and session.", "messages"),
        optional("extract", "Learn from them, or only record them.", "flag", default=True),
        flag("wait", "Learn now, and tell what was learned."),
        cli="observe", http="POST /v1/observe", rpc="memory.extract", answer=answers.observed),
    row("conversations", "List where something was said, by chat and day, and how much was learned from it.",
        optional("limit", "How many at most.", "integer", default=50),
        cli="conversations", http="GET /v1/conversations", answer=as_json),
    row("messages", "List what was said in this chat, oldest first, with what was learned from each message.",
        optional("in_session", "Only of this session."), optional("since", "Said at that time or later.", "time"),
        optional("until", "Said before that time.", "time"),
        optional("before", "Id of the first message of the page that was shown last."),
        optional("limit", "How many at most, the newest ones.", "integer", default=50),
        cli="messages", http="GET /v1/messages", answer=as_json),
    row("reading", "Show how the reader judges a message: what is worth keeping, how private, with probabilities.",
        required("message_id", "Id of a message of this chat."),
        cli="reading", http="GET /v1/messages/{message_id}/reading", answer=as_json),
    row("recall", "Find memories and messages by meaning, words and people, best first.",
        QUERY, limit(10, "How many hits at most."),
        optional("sources", "Where to look; repeatable.", "texts", default=("memories", "messages"),
                 choices=("memories", "messages")),
        flag("include_stale", "Also messages whose facts were replaced or have expired; they are marked."), FILTERS,
        ABOUT, AS_OF, optional("now", "The time from which relative dates are counted.", "time"),
        optional("threshold", "Minimum score; 0 shows everything that was considered.", "number"),
        optional("strategy", "How to rank.", choices=("hybrid", "blended", "supervisor", "governed")),
        flag("this_chat", "Only what was learned in this chat.", is_of_surface=True),
        flag("why", "Say why each was found and shown.", is_of_surface=True),
        flag("left_out", "Also say which memories were left out, and by which rule (operators only).", is_admin=True,
             is_of_surface=True),
        cli="memory search", http="POST /v1/recall", rpc="memory.search", mcp="recall", answer=answers.recall,
        call=_recall, is_read=True),
    # --- Agents in a conversation: context, sessions, todos.
    row("context", "Print the block that an agent would get before it answers.",
        QUERY, TOKENS, flag("peek", "Only look: the thread is told of these changes again."),
        cli="context", http="POST /v1/context", answer=answers.context, is_read=True),
    row("query", "Ask as an agent: bullets of what its allowlist and the filters let through, within a budget.",
        QUERY, optional("agent", "The agent that asks; its allowlist binds.", pattern=r"\S"),
        optional("categories", "Only these; without one, all that the agent may read.", "texts", default=()), FILTERS,
        ABOUT, replace(limit(3), name="top_k"),
        optional("threshold", "Minimum similarity, 0 to 1.", "number", least=0, most=1),
        optional("returns", "A line each, or everything about each.", rpc="return", default="bullets",
                 choices=("bullets", "full")),
        optional("budget_tokens", "How many tokens at most.", "integer", default=512, least=1), AS_OF,
        cli="memory query", http="POST /v1/query", mcp="query", answer=answers.query, is_read=True),
    row("turn", "Take in what a user just said: session, todos, transcript; gives the context of the reply.",
        required("user_text", "The user's message."), TOKENS, cli="turn take", http="POST /v1/turns",
        answer=answers.turn),
    row("finish_turn", "Take the reply to a turn into the transcript.",
        SESSION, required("text", "The reply."),
        cli="turn finish", http="POST /v1/turns/{session_id}/reply"),
    row("sessions", "List your conversations with this persona, newest first.",
        limit(20),
        cli="sessions", http="GET /v1/sessions"),
    row("session", "Show one conversation: what it was about and what was said.",
        SESSION, cli="session", http="GET /v1/sessions/{session_id}"),
    row("state", "Show what lasts from session to session with this persona.",
        cli="state", http="GET /v1/state"),
    row("summaries", "List every version of the rolling summary with this persona, oldest first.",
        cli="summaries", http="GET /v1/summaries"),
    row("spines", "List the versions of your long-term summary, newest first.",
        limit(20),
        cli="spines", http="GET /v1/spines"),
    row("todos", "List what you mean to do, as you told this persona.",
        optional("status", "Which ones.", default="PENDING", choices=("PENDING", "COMPLETED", "SKIPPED", "ALL")),
        limit(50),
        cli="todos", http="GET /v1/todos"),
    row("complete_todo", "Mark a todo as done; a habit continues.",
        TODO, cli="todo done", http="POST /v1/todos/{todo_id}/complete"),
    row("dismiss_todo", "Drop a todo that is no longer wanted.",
        TODO, cli="todo dismiss", http="POST /v1/todos/{todo_id}/dismiss"),
    # --- Memories that are there.
    row("list", "List memories, newest first: the live ones unless another state is asked for.",
        limit(20), FILTERS, ABOUT, flag("include_expired", "Also those that expired and are not purged."), AS_OF,
        optional("before", "Id of the last memory of the page before."),
        optional("state", "Those of this state; what is not active can be restored.", default="active",
                 choices=tuple(item.value for item in State)),
        flag("oldest_first", "Oldest first."),
        cli="memory list", http="GET /v1/memories", answer=answers.listing, call=_list, cursor="before"),
    row("show", "Show one memory with everything that is known of it.",
        MEMORY_ID, cli="memory show", http="GET /v1/memories/{memory_id}", answer=answers.record, etag="version"),
    row("reveal", "Show a memory to an operator, whoever it belongs to; its owner's ledger says so.",
        replace(MEMORY_ID, doc="Id of the memory."),
        cli="memory reveal", http="POST /v1/memories/{memory_id}/reveal", answer=answers.record, is_admin=True),
    row("forget", "Take a memory out of recall; it can be restored.",
        MEMORY_ID, cli="memory delete", http="DELETE /v1/memories/{memory_id}", rpc="memory.delete", mcp="forget",
        answer=answers.outcome),
    row("restore", "Bring a memory back, unless a live one holds its place.",
        MEMORY_ID, cli="memory restore", http="POST /v1/memories/{memory_id}/restore", mcp="restore",
        answer=answers.outcome),
    row("pin", "Keep a memory in every context, and never evict it.",
        MEMORY_ID, cli="memory pin", http="POST /v1/memories/{memory_id}/pin", mcp="pin", answer=answers.outcome),
    row("unpin", "Treat a pinned memory like any other again.",
        MEMORY_ID, cli="memory unpin", http="DELETE /v1/memories/{memory_id}/pin", answer=answers.outcome),
    row("edit", "Give a memory another text, or say who may hear it; the old text stays in its history.",
        MEMORY_ID, optional("content", "The new text.", is_long=True, is_argument=True), SENSITIVITY,
        optional("if_version", "Only if it is this version still.", "integer"),
        cli="memory edit", http="PATCH /v1/memories/{memory_id}", answer=answers.outcome, if_match="if_version"),
    row("history", "Tell what was done to a memory: when, by whom and by which rule.",
        MEMORY_ID, cli="memory history", http="GET /v1/memories/{memory_id}/history", mcp="history",
        answer=answers.history, also=("GET /memory/{memory_id}/history", "GET /v1/memory/{memory_id}/history")),
    row("why", "Say why a memory is known and why it is shown here.",
        MEMORY_ID, cli="memory why", http="GET /v1/memories/{memory_id}/why",
        call=lambda viewpoint, given: viewpoint.why(given["memory_id"])),
    row("chat", "Tell something or ask something; without a text, a conversation.",
        required("text", "What you say.", is_long=True),
        cli="chat", http="POST /v1/chat", answer=answers.reply),
    # --- People.
    row("people", "List the people you know.",
        limit(50),
        cli="people list", http="GET /v1/people", mcp="people", answer=answers.people),
    row("person", "Show one person and what you may see of them.",
        PERSON, limit(20, "How many memories at most."),
        cli="people show", http="GET /v1/people/{reference}", answer=answers.person),
    row("alias_person", "Give a person another name. Only you and the person will see it.",
        PERSON, required("alias", "The other name, or an @handle."),
        cli="people alias", http="POST /v1/people/{reference}/aliases", answer=answers.acquaintance),
    row("rename_person", "Give a person another name; the earlier one stays as an alias.",
        PERSON, required("name", "The new name."),
        cli="people rename", http="PATCH /v1/people/{reference}", answer=answers.acquaintance),
    row("relate_person", "Say what a person is to you, or to somebody else; an empty relation takes it back.",
        PERSON, optional("relation", "A word such as sister or boss.", default=""),
        optional("to", "To whom, if not to you: a name or a person id."),
        cli="people relate", http="POST /v1/people/{reference}/relation", answer=answers.acquaintance),
    row("merge_people", "Say that two people are the same person: the first stays, the second becomes part of it.",
        required("primary", "Who stays."), required("secondary", "Who is the same."),
        cli="people merge", http="POST /v1/people/merge", answer=answers.merged),
    row("split_person", "Undo a merge: of the person with this id, or the last one into the named person.",
        PERSON, cli="people split", http="POST /v1/people/{reference}/split", answer=answers.people),
    row("review_people", "List pairs that may be one person, or answer one.",
        optional("same", "These two are one person.", "pair", default=()),
        optional("different", "These two are different people; it is not asked again.", "pair", default=()),
        cli="people review", http="POST /v1/people/review", answer=answers.reviewed),
    row("forget_person", "Take everything you keep about a person out of recall; each memory can be restored.",
        replace(PERSON, rpc="person_id"),
        flag("delete_record", "Also remove the person: names, relationships and all. That cannot be undone.",
             rpc="delete_person_record"),
        cli="people forget", http="DELETE /v1/people/{reference}"),
    # --- Profiles, and changes of them that wait for a yes.
    row("profile", "Show your profile: what applications may call you and know about you.",
        cli="consent profile", http="GET /v1/profile"),
    row("consents", "List the changes to your profile that wait for your consent.",
        optional("state", "Which ones.", default="pending", choices=("pending", "approved", "rejected", "expired")),
        limit(100),
        cli="consent list", http="GET /v1/consents"),
    row("approve", "Approve a change to your profile.",
        PROPOSAL, cli="consent approve", http="POST /v1/consents/{proposal_id}/approve"),
    row("reject", "Reject a change to your profile.",
        PROPOSAL, cli="consent reject", http="POST /v1/consents/{proposal_id}/reject"),
    # --- Checkpoints: the latest state of a user's supervisors, by thread.
    row("checkpoints", "List the threads that have a checkpoint, the last saved first.",
        limit(100),
        cli="checkpoint list", http="GET /v1/checkpoints", rpc="checkpoint.list", answer=_each(_head)),
    row("checkpoint", "Show the latest state of a thread.",
        THREAD, cli="checkpoint show", http="GET /v1/checkpoints/{thread_id}", rpc="checkpoint.show",
        answer=_with_data, etag="version"),
    row("save_checkpoint",
        "Save the state of a thread over the version that was loaded; refused when another was there first.",
        THREAD, required("data", "The state, a JSON object.", "object"),
        optional("version", "The one that was loaded; 0: there was none.", "integer", default=0),
        cli="checkpoint save", http="POST /v1/checkpoints/{thread_id}", rpc="checkpoint.save", answer=_head,
        call=_save_checkpoint, if_match="version"),
    row("delete_checkpoint", "Remove the state of a thread.",
        THREAD, cli="checkpoint delete", http="DELETE /v1/checkpoints/{thread_id}", rpc="checkpoint.delete",
        answer=_head),
    # --- Governed sessions. Their traces show what was said in them: they are for operators.
    row("governed_sessions", "List the governed sessions, the one of the latest decision first.",
        limit(50),
        cli="trace list", http="GET /v1/traces", rpc="trace.list", answer=as_json, is_admin=True),
    row("phases", "List the phases of a governed session, oldest first.",
        GOVERNED, cli="trace phases", http="GET /v1/traces/{session}/phases", rpc="trace.phases",
        answer=_each(lambda phase: phase.as_json()), is_admin=True),
    row("start_phase", "Start the next phase of a governed session, under its policy.",
        GOVERNED, optional("name", "What to call it."), optional("reason", "A code that says why.", default="manual"),
        cli="trace start", http="POST /v1/traces/{session}/phases", rpc="trace.start_phase", answer=list,
        is_admin=True),
    row("traces", "Show the kept events of a governed session, oldest first.",
        GOVERNED, optional("after", "Only events numbered above this.", "integer", default=0),
        optional("limit", "How many at most.", "integer", default=200, least=1, most=10_000),
        cli="trace show", http="GET /v1/traces/{session}", rpc="trace.show",
        answer=_each(_fields("number", "call", "event")), is_admin=True),
    row("phase_diff", "Say what changed between two phases of a governed session.",
        GOVERNED, required("from_phase", "The earlier phase, such as phase-1."), required("to_phase", "The later one."),
        optional("space", "Which space of the session.", default="session",
                 choices=("session", "user", "project", "system")),
        optional("project", "The project of the session, for its space."),
        cli="trace diff", http="POST /v1/traces/{session}/diff", rpc="trace.diff", answer=list, is_admin=True),
    # --- For those who run the store.
    row("run_upkeep", "Run jobs now, all or these: what is queued, and a round through the whole store.",
        optional("names", "Names of jobs, such as gc.", "texts", is_argument=True),
        cli="upkeep run", http="POST /v1/upkeep/run", python="upkeep.run", rpc="upkeep.run", is_admin=True),
    row("jobs", "List the jobs that wait or run, and those that were given up.",
        limit(100, "How many of each at most."),
        cli="upkeep jobs", http="GET /v1/upkeep/jobs", python="upkeep.jobs", rpc="upkeep.jobs", is_admin=True),
    row("retry_jobs", "Queue the jobs again that were given up.",
        cli="upkeep retry", http="POST /v1/upkeep/retry", python="upkeep.retry", rpc="upkeep.retry",
        answer=lambda value: {"retried": value}, is_admin=True),
    row("doctor", "Find what is wrong in the store; with fix, repair it.",
        optional("checks", "Which checks (default: all).", "texts", is_argument=True, default=(),
                 choices=(*DOCTOR_CHECKS, "all")),
        flag("fix", "Repair what can be repaired."),
        cli="doctor", http="POST /v1/upkeep/doctor", python="upkeep.doctor", rpc="upkeep.doctor",
        answer=answers.diagnosis, is_admin=True),
    row("gc", "Archive what is superseded, expired or past its lifetime.",
        cli="memory gc", http="POST /v1/upkeep/gc", python="upkeep.gc", answer=answers.archived, is_admin=True),
    row("compact", "Remove what was archived long ago, for good.",
        optional("after_days", "Archived at least this many days ago (default: 90).", "number", least=0, most=DAYS_MAX),
        cli="memory compact", http="POST /v1/upkeep/compact", python="upkeep.compact", answer=lambda value: value,
        is_admin=True),
    row("export_user", "Write everything of the tenant, or what belongs to a user, as lines of JSON.",
        USER, cli="db export", http="GET /v1/users/{user_id}/export", python="upkeep.export_user", rpc="db.export",
        is_admin=True),
    row("bundle_user", "Write everything that is held about a user as a document that a person can read.",
        USER, cli="db bundle", http="GET /v1/users/{user_id}/bundle", python="upkeep.bundle", rpc="db.bundle",
        answer=lambda value: answers.plain_json(value) | {"text": value.text}, is_admin=True),
    row("erase_user", "Remove everything that a user owns or stated, and prove it.",
        USER, flag("mentions", "Also what others said of them."),
        cli="db erase", http="DELETE /v1/users/{user_id}", python="upkeep.erase", rpc="db.erase", is_admin=True),
    row("rebuild_index", "Rebuild the word index, and make the vectors that are missing.",
        cli="memory rebuild-index", http="POST /v1/upkeep/rebuild-index", python="upkeep.rebuild",
        answer=lambda value: value, is_admin=True),
    row("stats", "Count memories: by type as you see them, by state in the whole store.",
        cli="memory stats", http="GET /v1/stats", call=_stats, is_admin=True),
    # --- A server: keys and events.
    row("add_key", "Make a key for a program that calls the server. It is shown once.",
        required("name", "What the key is for.", pattern=r"^[!-~][ -~]{0,199}$"),
        optional("scope", "What it opens: operator, tenant, user:<id> or agent:<name>; several hold together.", "texts",
                 pattern=r"^(operator|tenant|(user|agent):[!-~][ -~]{0,199})$", default=()),
        optional("expires_in_days", "It expires after this many days.", "number"),
        cli="keys add", http="POST /v1/keys", python="keys.add", answer=_new_key, is_admin=True, is_secret=True),
    row("keys", "List the keys, revoked ones included.",
        cli="keys list", http="GET /v1/keys", python="keys.list", answer=_each(_key), is_admin=True),
    row("rotate_key",
        "Make another key of the same name and scopes, shown once; the old one expires after a grace period.",
        KEY_ID, optional("grace_hours", "How many hours the old key still works.", "number", default=24),
        cli="keys rotate", http="POST /v1/keys/{key_id}/rotate", python="keys.rotate", answer=_new_key,
        is_admin=True, is_secret=True),
    row("revoke_key", "Revoke a key: it stops working at once.",
        KEY_ID, cli="keys revoke", http="DELETE /v1/keys/{key_id}", python="keys.revoke", answer=_key,
        is_admin=True),
    row("make_token", "Make a context token: a program that shows it acts as this user in this chat, nobody else.",
        optional("minutes", "How many minutes it is valid.", "number", default=TOKEN_MINUTES, above=0, most=43_200),
        cli="token make", http="POST /v1/tokens", python="token", answer=_new_token, is_admin=True,
        is_secret=True),
    row("revoke_token", "Revoke a context token before it expires: it stops working at once.",
        required("token_id", "Id of the token.", pattern=r"^[!-~]{1,200}$"),
        cli="token revoke", http="DELETE /v1/tokens/{token_id}", python="keys.revoke_token", answer=_key,
        is_admin=True),
    row("events", "List what was decided and done in your memory, newest first.",
        OF, optional("node", "Where.", choices=("hotpath", "context", "episodic", "worker", "admin")),
        optional("op", "What was done, such as create, update, merge, delete, link, restore."),
        optional("housekeeping", "Also searches, readings, links and what upkeep does.", "flag", default=True),
        limit(50), optional("before", "Id of the last event of the page before."),
        cli="events", http="GET /v1/events", python="events.list", answer=as_json, call=_of_owner("list"),
        cursor="before"),
    row("growth", "Count the memories that were made, by day.",
        OF, cli="growth", http="GET /v1/growth", python="events.growth", answer=as_json,
        call=_of_owner("growth")),
    row("activity", "Count what was done in your memory, by day, place and kind.",
        OF, optional("days", "How many days, today included.", "integer", default=30, least=1, most=3_660),
        cli="stats", http="GET /v1/activity", python="events.activity", answer=as_json,
        call=_of_owner("activity")),
    row("owners", "List the users and chats that something was decided for, those with most of it first.",
        limit(50),
        cli="owners", http="GET /v1/owners", python="events.owners", answer=as_json, is_admin=True),
)
# fmt: on

BY_NAME: Mapping[str, Operation] = {operation.name: operation for operation in OPERATIONS}
