"""The operations: each verb declared once, for every surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellkept import flows
from wellkept.errors import InvalidInput
from wellkept.flows import answers
from wellkept.operations.checkpoints import CHECKPOINTS
from wellkept.operations.consent import CONSENT
from wellkept.operations.conversing import CONVERSING
from wellkept.operations.operation import Operation, Parameter
from wellkept.operations.people import PEOPLE
from wellkept.operations.server import SERVER
from wellkept.operations.traces import TRACES
from wellkept.operations.upkeep import UPKEEP
from wellkept.vocabulary import MemoryType, Sensitivity, State

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.flows.read.explain import MemoryWhy
    from wellkept.flows.read.showing import Shown


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
    return flows.showing.shown(viewpoint.list(**given), viewpoint.place, viewpoint.memory.engine)


def _why(viewpoint: Viewpoint, given: Mapping[str, Any]) -> MemoryWhy:
    memory_id: str = given["memory_id"]
    return viewpoint.why(memory_id)


MEMORY_ID = Parameter(name="memory_id", doc="Id of the memory, or a unique beginning of it.", is_required=True)
ABOUT = Parameter(
    name="about", kind="texts", doc='Whom it is about: a name, "my wife", "@handle" or a person id.', default=()
)
SHARED = Parameter(name="shared", kind="flag", doc="For everybody in the chat, not only for the user.", default=False)
ONLY_PERSONA = Parameter(name="only_persona", kind="flag", doc="Only for the present persona.", default=False)
FILTERS = Parameter(name="filters", kind="object", doc="Narrow by pinned, type, category, entity, updated_after …")
AS_OF = Parameter(name="as_of", kind="time", doc="What was true at that time.")
QUERY = Parameter(name="query", doc="What to look for, in any words.", is_required=True, is_long=True)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="remember",
        python="remember",
        cli=("remember",),
        rpc="memory.remember",
        http=("POST", "/v1/remember"),
        mcp="remember",
        doc="Remember what you are told: one text, or a batch of up to 20 facts.",
        parameters=(
            Parameter(name="facts", kind="facts", doc="A text, or a list of texts and facts.", is_argument=True),
            ABOUT,
            Parameter(name="expires_in_days", kind="number", doc="Days after which it is no longer recalled."),
            SHARED,
            ONLY_PERSONA,
            Parameter(name="procedure", kind="steps", doc="It tells steps: a title, then what to do.", default=False),
        ),
        answer=answers.outcomes,
    ),
    Operation(
        name="add",
        python="add",
        cli=("memory", "add"),
        rpc="memory.add",
        http=("POST", "/v1/memories"),
        doc="Store a text exactly as it is given.",
        parameters=(
            Parameter(name="content", doc="The text.", is_required=True, is_long=True),
            Parameter(
                name="type",
                doc="Decides how long it lives.",
                default="knowledge",
                choices=("auto", *(item.value for item in MemoryType)),
            ),
            replace(ABOUT, rpc="subjects"),
            Parameter(name="sensitivity", doc="Who may hear it.", choices=tuple(item.value for item in Sensitivity)),
            Parameter(
                name="expires",
                rpc="expires_days",
                kind="expiry",
                doc='A date or a duration: "2 weeks", "36h"; a number is days.',
            ),
            SHARED,
            Parameter(
                name="source",
                doc="Whose word it is.",
                default="user",
                choices=("user", "ai", "tool", "system"),
                admin_choices=("tool", "system"),
            ),
            ONLY_PERSONA,
            Parameter(name="category", doc="The heading it is filed under."),
        ),
        answer=answers.outcome,
    ),
    Operation(
        name="observe",
        python="observe",
        cli=("observe",),
        rpc="memory.extract",
        http=("POST", "/v1/observe"),
        doc="Put messages into the transcript, and learn from them in the background.",
        parameters=(
            Parameter(
                name="messages",
                kind="messages",
                doc="Objects with content, and perhaps role, speaker, at, id and session.",
                is_required=True,
            ),
            Parameter(name="extract", kind="flag", doc="Learn from them, or only record them.", default=True),
            Parameter(name="wait", kind="flag", doc="Learn now, and tell what was learned.", default=False),
        ),
        answer=answers.observed,
    ),
    Operation(
        name="recall",
        python="recall",
        cli=("memory", "search"),
        rpc="memory.search",
        http=("POST", "/v1/recall"),
        mcp="recall",
        doc="Find memories and messages by meaning, words and people, best first.",
        parameters=(
            QUERY,
            Parameter(name="limit", kind="integer", doc="At most so many hits.", default=10),
            Parameter(
                name="sources",
                kind="texts",
                doc="Where to look; repeatable.",
                default=("memories", "messages"),
                search_default=("memories",),
                choices=("memories", "messages"),
            ),
            Parameter(
                name="include_stale",
                kind="flag",
                doc="Also messages that say what has been replaced or has expired, marked.",
                default=False,
            ),
            FILTERS,
            ABOUT,
            AS_OF,
            Parameter(name="now", kind="time", doc="What relative time counts from."),
            Parameter(name="threshold", kind="number", doc="Least score; 0 shows everything that was considered."),
            Parameter(name="strategy", doc="How to rank.", choices=("hybrid", "blended", "supervisor", "governed")),
            Parameter(
                name="this_chat",
                kind="flag",
                doc="Only what was learned in this chat.",
                default=False,
                is_of_surface=True,
            ),
            Parameter(
                name="why", kind="flag", doc="Say why each was found and shown.", default=False, is_of_surface=True
            ),
            Parameter(
                name="left_out",
                kind="flag",
                doc="Also say which memories were left out, and by which rule (operators only).",
                default=False,
                is_admin=True,
                is_of_surface=True,
            ),
        ),
        answer=answers.recall,
        call=_recall,
        is_read=True,
    ),
    *CONVERSING,
    Operation(
        name="list",
        python="list",
        cli=("memory", "list"),
        rpc="memory.list",
        http=("GET", "/v1/memories"),
        doc="List memories, newest first: the live ones unless another state is asked for.",
        parameters=(
            Parameter(name="limit", kind="integer", doc="At most so many.", default=20),
            FILTERS,
            ABOUT,
            Parameter(
                name="include_expired", kind="flag", doc="Also those that expired and are not purged.", default=False
            ),
            AS_OF,
            Parameter(name="before", doc="Id of the last memory of the page before."),
            Parameter(
                name="state",
                doc="Those of this state; what is not active can be restored.",
                default="active",
                choices=tuple(item.value for item in State),
            ),
        ),
        answer=answers.listing,
        call=_list,
        cursor="before",
    ),
    Operation(
        name="show",
        python="show",
        cli=("memory", "show"),
        rpc="memory.show",
        http=("GET", "/v1/memories/{memory_id}"),
        doc="Show one memory with everything that is known of it.",
        parameters=(MEMORY_ID,),
        answer=answers.record,
        etag="version",
    ),
    Operation(
        name="forget",
        python="forget",
        cli=("memory", "delete"),
        rpc="memory.delete",
        http=("DELETE", "/v1/memories/{memory_id}"),
        mcp="forget",
        doc="Take a memory out of recall; it can be restored.",
        parameters=(MEMORY_ID,),
        answer=answers.outcome,
    ),
    Operation(
        name="restore",
        python="restore",
        cli=("memory", "restore"),
        rpc="memory.restore",
        http=("POST", "/v1/memories/{memory_id}/restore"),
        mcp="restore",
        doc="Bring a memory back, unless a live one holds its place.",
        parameters=(MEMORY_ID,),
        answer=answers.outcome,
    ),
    Operation(
        name="pin",
        python="pin",
        cli=("memory", "pin"),
        rpc="memory.pin",
        http=("POST", "/v1/memories/{memory_id}/pin"),
        mcp="pin",
        doc="Keep a memory in every context, and never evict it.",
        parameters=(MEMORY_ID,),
        answer=answers.outcome,
    ),
    Operation(
        name="unpin",
        python="unpin",
        cli=("memory", "unpin"),
        rpc="memory.unpin",
        http=("DELETE", "/v1/memories/{memory_id}/pin"),
        doc="Treat a pinned memory like any other again.",
        parameters=(MEMORY_ID,),
        answer=answers.outcome,
    ),
    Operation(
        name="edit",
        python="edit",
        cli=("memory", "edit"),
        rpc="memory.edit",
        http=("PATCH", "/v1/memories/{memory_id}"),
        doc="Give a memory another text; the old one stays in its history.",
        parameters=(
            MEMORY_ID,
            Parameter(name="content", doc="The new text.", is_required=True, is_long=True),
            Parameter(name="if_version", kind="integer", doc="Only if it is this version still."),
        ),
        answer=answers.outcome,
        if_match="if_version",
    ),
    Operation(
        name="history",
        python="history",
        cli=("memory", "history"),
        rpc="memory.history",
        http=("GET", "/v1/memories/{memory_id}/history"),
        also=(("GET", "/memory/{memory_id}/history"), ("GET", "/v1/memory/{memory_id}/history")),
        mcp="history",
        doc="Tell what was done to a memory: when, by whom and by which rule.",
        parameters=(MEMORY_ID,),
        answer=answers.history,
    ),
    Operation(
        name="why",
        python="why",
        cli=("memory", "why"),
        rpc="memory.why",
        http=("GET", "/v1/memories/{memory_id}/why"),
        doc="Say why a memory is known and why it is shown here.",
        parameters=(MEMORY_ID,),
        answer=answers.plain_json,
        call=_why,
    ),
    Operation(
        name="chat",
        python="chat",
        cli=("chat",),
        rpc="memory.chat",
        http=("POST", "/v1/chat"),
        doc="Tell something or ask something; without a text, a conversation.",
        parameters=(Parameter(name="text", doc="What you say.", is_required=True, is_long=True),),
        answer=answers.reply,
    ),
    *PEOPLE,
    *CONSENT,
    *CHECKPOINTS,
    *TRACES,
    *UPKEEP,
    *SERVER,
)

BY_NAME: Mapping[str, Operation] = {operation.name: operation for operation in OPERATIONS}
