"""The operations: each verb declared once, with its names on every surface, its parameters and its JSON answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from recollect.errors import InvalidInput
from recollect.flows import answers, showing
from recollect.vocabulary import MemoryType, Sensitivity

if TYPE_CHECKING:
    from recollect.app import Viewpoint
    from recollect.flows.explain import MemoryWhy

Progress = Callable[[int], None]
Kind = Literal["text", "texts", "facts", "integer", "number", "flag", "time", "object"]

_ACCEPTED: Mapping[Kind, tuple[type, ...]] = {
    "text": (str,),
    "texts": (list, tuple),
    "facts": (str, list, tuple),
    "integer": (int,),
    "number": (int, float),
    "flag": (bool,),
    "time": (str,),
    "object": (dict,),
}


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of an operation. Without a default it must be given."""

    name: str
    kind: Kind = "text"
    doc: str
    default: Any = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    """Names that are known; shown in help. What else is accepted, the operation decides."""
    is_admin: bool = False
    """Only an operator may give it."""
    is_of_surface: bool = False
    """Asks for more in the answer; the Python method has no such parameter."""

    def checked(self, value: object) -> object:
        """The value, when its type is right."""
        is_truth_as_number = isinstance(value, bool) and self.kind in ("integer", "number")
        if not isinstance(value, _ACCEPTED[self.kind]) or is_truth_as_number:
            raise InvalidInput(f"{self.name} must be of type {self.kind}.", code="invalid_parameter")
        if self.kind == "texts" and not all(isinstance(item, str) for item in value):  # type: ignore[attr-defined]  # a list
            raise InvalidInput(f"{self.name} must be a list of texts.", code="invalid_parameter")
        return value


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A verb as the surfaces offer it."""

    name: str
    python: str
    """Method of a viewpoint, or of `memory.upkeep` when it starts so."""
    cli: tuple[str, ...]
    rpc: str
    http: tuple[str, str]
    mcp: str | None = None
    doc: str
    parameters: tuple[Parameter, ...] = ()
    answer: Callable[[Any], Any]
    """From what the method gives to JSON."""
    call: Callable[[Viewpoint, Mapping[str, Any]], Any] | None = None
    """Instead of the method alone, where a surface may ask for more."""
    is_admin: bool = False

    def given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments checked, nulls left out; an unknown, missing or wrong one is an error that names it."""
        known = {parameter.name: parameter for parameter in self.parameters}
        unknown = sorted(set(arguments) - set(known))
        if unknown:
            raise InvalidInput(
                f"Unknown parameter {unknown[0]!r}. Known: {', '.join(known) or 'none'}.", code="invalid_parameter"
            )
        found = {name: known[name].checked(value) for name, value in arguments.items() if value is not None}
        missing = [name for name, parameter in known.items() if parameter.is_required and name not in found]
        if missing:
            raise InvalidInput(f"{missing[0]} is missing.", code="invalid_parameter")
        return found

    def value(self, viewpoint: Viewpoint, arguments: Mapping[str, Any], *, progress: Progress | None = None) -> Any:  # noqa: ANN401 -- each verb has its own
        """What the Python method gives. `progress` is told how many are done, by upkeep only."""
        given = self.given(arguments)
        if self.call is not None:
            return self.call(viewpoint, given)
        if self.python.startswith("upkeep."):
            method = getattr(viewpoint.memory.upkeep, self.python.removeprefix("upkeep."))
            return method(tenant=viewpoint.place.tenant, **({"progress": progress} if progress else {}), **given)
        return getattr(viewpoint, self.python)(**given)

    def run(self, viewpoint: Viewpoint, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The same as JSON-ready data."""
        return self.answer(self.value(viewpoint, arguments))


def _recall(viewpoint: Viewpoint, given: Mapping[str, Any]) -> answers.Recalled:
    wishes = {name: given.get(name, False) for name in ("why", "left_out")}
    found = viewpoint.recall(**{name: value for name, value in given.items() if name not in wishes})
    why = viewpoint.why(found, left_out=wishes["left_out"]) if any(wishes.values()) else None
    return answers.Recalled(found=found, why=why)


def _list(viewpoint: Viewpoint, given: Mapping[str, Any]) -> tuple[showing.Shown, ...]:
    return showing.shown(viewpoint.list(**given), viewpoint.place, viewpoint.memory.engine)


def _why(viewpoint: Viewpoint, given: Mapping[str, Any]) -> MemoryWhy:
    memory_id: str = given["memory_id"]
    return viewpoint.why(memory_id)


def _stats(viewpoint: Viewpoint, _given: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    return {"visible": viewpoint.stats(), "states": viewpoint.memory.upkeep.stats(tenant=viewpoint.place.tenant)}


MEMORY_ID = Parameter(name="memory_id", doc="Id of the memory, or a unique beginning of it.", is_required=True)
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
        parameters=(
            Parameter(name="reference", doc='A name, "my wife", "@handle" or a person id.', is_required=True),
            Parameter(name="limit", kind="integer", doc="At most so many memories.", default=20),
        ),
        answer=answers.person,
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
