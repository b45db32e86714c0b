"""The operations: each verb declared once, for every surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recollect import flows
from recollect.flows import answers
from recollect.operation import Operation, Parameter
from recollect.vocabulary import MemoryType, Sensitivity

if TYPE_CHECKING:
    from recollect.app import Viewpoint
    from recollect.flows.explain import MemoryWhy
    from recollect.flows.showing import Shown


def _recall(viewpoint: Viewpoint, given: Mapping[str, Any]) -> answers.Recalled:
    wishes = {name: given.get(name, False) for name in ("why", "left_out")}
    found = viewpoint.recall(**{name: value for name, value in given.items() if name not in wishes})
    why = viewpoint.why(found, left_out=wishes["left_out"]) if any(wishes.values()) else None
    return answers.Recalled(found=found, why=why)


def _list(viewpoint: Viewpoint, given: Mapping[str, Any]) -> tuple[Shown, ...]:
    return flows.showing.shown(viewpoint.list(**given), viewpoint.place, viewpoint.memory.engine)


def _why(viewpoint: Viewpoint, given: Mapping[str, Any]) -> MemoryWhy:
    memory_id: str = given["memory_id"]
    return viewpoint.why(memory_id)


def _stats(viewpoint: Viewpoint, _given: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    return {"visible": viewpoint.stats(), "states": viewpoint.memory.upkeep.stats(tenant=viewpoint.place.tenant)}


MEMORY_ID = Parameter(name="memory_id", doc="Id of the memory, or a unique beginning of it.", is_required=True)
PERSON = Parameter(name="reference", doc='A name, "my wife", "@handle" or a person id.', is_required=True)
ABOUT = Parameter(
    name="about", kind="texts", doc='Whom it is about: a name, "my wife", "@handle" or a person id.', default=()
)
SHARED = Parameter(name="shared", kind="flag", doc="For everybody in the chat, not only for the user.", default=False)
ONLY_PERSONA = Parameter(name="only_persona", kind="flag", doc="Only for the present persona.", default=False)
FILTERS = Parameter(name="filters", kind="object", doc="Narrow by pinned, type, category, entity, updated_after …")
AS_OF = Parameter(name="as_of", kind="time", doc="What was true at that time.")
QUERY = Parameter(name="query", doc="What to look for, in any words.", is_required=True)

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
            Parameter(name="facts", kind="facts", doc="A text, or a list of texts and facts.", is_required=True),
            ABOUT,
            Parameter(name="expires_in_days", kind="number", doc="Days after which it is no longer recalled."),
            SHARED,
            ONLY_PERSONA,
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
            Parameter(name="content", doc="The text.", is_required=True),
            Parameter(
                name="type",
                doc="Decides how long it lives.",
                default="knowledge",
                choices=("auto", *(item.value for item in MemoryType)),
            ),
            ABOUT,
            Parameter(name="sensitivity", doc="Who may hear it.", choices=tuple(item.value for item in Sensitivity)),
            Parameter(name="expires", kind="time", doc='A date, or a duration such as "2 weeks" or "36h".'),
            SHARED,
            Parameter(name="source", doc="Whose word it is.", default="user", choices=("user", "ai", "tool", "system")),
            ONLY_PERSONA,
            Parameter(name="category", doc="The heading it is filed under."),
        ),
        answer=answers.outcome,
    ),
    Operation(
        name="recall",
        python="recall",
        cli=("memory", "search"),
        rpc="memory.search",
        http=("POST", "/v1/recall"),
        mcp="recall",
        doc="Find memories by meaning, words and people, best first.",
        parameters=(
            QUERY,
            Parameter(name="limit", kind="integer", doc="At most so many hits.", default=10),
            FILTERS,
            ABOUT,
            AS_OF,
            Parameter(name="now", kind="time", doc="What relative time counts from."),
            Parameter(name="threshold", kind="number", doc="Least score; 0 shows everything that was considered."),
            Parameter(name="strategy", doc="How to rank.", choices=("hybrid", "blended", "supervisor")),
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
    ),
    Operation(
        name="list",
        python="list",
        cli=("memory", "list"),
        rpc="memory.list",
        http=("GET", "/v1/memories"),
        doc="List live memories, newest first.",
        parameters=(
            Parameter(name="limit", kind="integer", doc="At most so many.", default=20),
            FILTERS,
            ABOUT,
            Parameter(
                name="include_expired", kind="flag", doc="Also those that expired and are not purged.", default=False
            ),
            AS_OF,
            Parameter(name="before", doc="Id of the last memory of the page before."),
        ),
        answer=answers.listing,
        call=_list,
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
        parameters=(MEMORY_ID, Parameter(name="content", doc="The new text.", is_required=True)),
        answer=answers.outcome,
    ),
    Operation(
        name="history",
        python="history",
        cli=("memory", "history"),
        rpc="memory.history",
        http=("GET", "/v1/memories/{memory_id}/history"),
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
        name="context",
        python="context",
        cli=("context",),
        rpc="memory.context",
        http=("POST", "/v1/context"),
        doc="Print the block that an agent would get before it answers.",
        parameters=(
            QUERY,
            Parameter(name="budget_tokens", kind="integer", doc="At most so many tokens.", default=1_200),
        ),
        answer=answers.context,
    ),
    Operation(
        name="chat",
        python="chat",
        cli=("chat",),
        rpc="memory.chat",
        http=("POST", "/v1/chat"),
        doc="Tell something or ask something; without a text, a conversation.",
        parameters=(Parameter(name="text", doc="What you say.", is_required=True),),
        answer=answers.reply,
    ),
    Operation(
        name="people",
        python="people",
        cli=("people", "list"),
        rpc="memory.people",
        http=("GET", "/v1/people"),
        mcp="people",
        doc="List the people you know.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many.", default=50),),
        answer=answers.people,
    ),
    Operation(
        name="person",
        python="person",
        cli=("people", "show"),
        rpc="memory.person",
        http=("GET", "/v1/people/{reference}"),
        doc="Show one person and what you may see of them.",
        parameters=(PERSON, Parameter(name="limit", kind="integer", doc="At most so many memories.", default=20)),
        answer=answers.person,
    ),
    Operation(
        name="alias_person",
        python="alias_person",
        cli=("people", "alias"),
        rpc="memory.alias_person",
        http=("POST", "/v1/people/{reference}/aliases"),
        doc="Also call a person so. Only you will see it, and the person.",
        parameters=(PERSON, Parameter(name="alias", doc="The other name, or an @handle.", is_required=True)),
        answer=answers.acquaintance,
    ),
    Operation(
        name="rename_person",
        python="rename_person",
        cli=("people", "rename"),
        rpc="memory.rename_person",
        http=("PATCH", "/v1/people/{reference}"),
        doc="Give a person another name; the earlier one stays as an alias.",
        parameters=(PERSON, Parameter(name="name", doc="The new name.", is_required=True)),
        answer=answers.acquaintance,
    ),
    Operation(
        name="merge_people",
        python="merge_people",
        cli=("people", "merge"),
        rpc="memory.merge_people",
        http=("POST", "/v1/people/merge"),
        doc="Say that two people are one: the first stays, the second becomes a part of it.",
        parameters=(
            Parameter(name="primary", doc="Who stays.", is_required=True),
            Parameter(name="secondary", doc="Who is the same.", is_required=True),
        ),
        answer=answers.merged,
    ),
    Operation(
        name="split_person",
        python="split_person",
        cli=("people", "split"),
        rpc="memory.split_person",
        http=("POST", "/v1/people/{reference}/split"),
        doc="Take back a merge: of the person with this id, or the last one into the person meant.",
        parameters=(PERSON,),
        answer=answers.people,
    ),
    Operation(
        name="review_people",
        python="review_people",
        cli=("people", "review"),
        rpc="memory.review_people",
        http=("POST", "/v1/people/review"),
        doc="List pairs that may be one person, or answer one.",
        parameters=(
            Parameter(name="same", kind="pair", doc="These two are one person.", default=()),
            Parameter(name="different", kind="pair", doc="These two are two; it is not asked again.", default=()),
        ),
        answer=answers.reviewed,
    ),
    Operation(
        name="forget_person",
        python="forget_person",
        cli=("people", "forget"),
        rpc="memory.forget_person",
        http=("DELETE", "/v1/people/{reference}"),
        doc="Take everything you keep about a person out of recall; each memory can be restored.",
        parameters=(
            replace(PERSON, rpc="person_id"),
            Parameter(
                name="delete_record",
                rpc="delete_person_record",
                kind="flag",
                doc="Also remove the person: names, relationships and all. That cannot be undone.",
                default=False,
            ),
        ),
        answer=answers.plain_json,
    ),
    Operation(
        name="gc",
        python="upkeep.gc",
        cli=("memory", "gc"),
        rpc="memory.gc",
        http=("POST", "/v1/upkeep/gc"),
        doc="Archive what is superseded, expired or past its lifetime.",
        answer=answers.archived,
        is_admin=True,
    ),
    Operation(
        name="rebuild_index",
        python="upkeep.rebuild",
        cli=("memory", "rebuild-index"),
        rpc="memory.rebuild_index",
        http=("POST", "/v1/upkeep/rebuild-index"),
        doc="Make the word index anew, and vectors where they are missing.",
        answer=lambda value: value,
        is_admin=True,
    ),
    Operation(
        name="stats",
        python="stats",
        cli=("memory", "stats"),
        rpc="memory.stats",
        http=("GET", "/v1/stats"),
        doc="Count memories: by type as you see them, by state in the whole store.",
        answer=answers.plain_json,
        call=_stats,
        is_admin=True,
    ),
)

BY_NAME: Mapping[str, Operation] = {operation.name: operation for operation in OPERATIONS}
