"""The operations of agents in a conversation."""

from __future__ import annotations

from wellkept.flows import answers
from wellkept.operations.operation import Operation, Parameter

QUERY = Parameter(name="query", doc="What to look for, in any words.", is_required=True, is_long=True)

SESSION = Parameter(name="session_id", doc="Id of the session.", is_required=True)
TODO = Parameter(name="todo_id", doc="Id of the todo, or a unique beginning of it.", is_required=True)

CONVERSING: tuple[Operation, ...] = (
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
            Parameter(
                name="peek", kind="flag", doc="Look only: the thread is told of its changes again.", default=False
            ),
        ),
        answer=answers.context,
        is_read=True,
    ),
    Operation(
        name="query",
        python="query",
        cli=("memory", "query"),
        rpc="memory.query",
        http=("POST", "/v1/query"),
        mcp="query",
        doc="Ask as an agent: bullets of what its allowlist and the filters let through, within a budget.",
        parameters=(
            QUERY,
            Parameter(name="agent", doc="The agent that asks; its allowlist binds."),
            Parameter(
                name="categories", kind="texts", doc="Only these; without one, all that the agent may read.", default=()
            ),
            Parameter(name="filters", kind="object", doc="Narrow by pinned, type, category, entity, updated_after …"),
            Parameter(
                name="about",
                kind="texts",
                doc='Whom it is about: a name, "my wife", "@handle" or a person id.',
                default=(),
            ),
            Parameter(name="top_k", kind="integer", doc="At most so many.", default=3),
            Parameter(name="threshold", kind="number", doc="Least similarity, 0 to 1."),
            Parameter(
                name="returns",
                rpc="return",
                doc="A line each, or everything about each.",
                default="bullets",
                choices=("bullets", "full"),
            ),
            Parameter(name="budget_tokens", kind="integer", doc="At most so many tokens.", default=512),
            Parameter(name="as_of", kind="time", doc="What was true at that time."),
        ),
        answer=answers.query,
        is_read=True,
    ),
    Operation(
        name="turn",
        python="turn",
        cli=("turn", "take"),
        rpc="memory.turn",
        http=("POST", "/v1/turns"),
        doc="Take in what a user just said: session, todos, transcript; gives the context of the reply.",
        parameters=(
            Parameter(name="user_text", doc="The user's message.", is_required=True),
            Parameter(name="budget_tokens", kind="integer", doc="At most so many tokens.", default=1_200),
        ),
        answer=answers.turn,
    ),
    Operation(
        name="finish_turn",
        python="finish_turn",
        cli=("turn", "finish"),
        rpc="memory.finish_turn",
        http=("POST", "/v1/turns/{session_id}/reply"),
        doc="Take the reply to a turn into the transcript.",
        parameters=(SESSION, Parameter(name="text", doc="The reply.", is_required=True)),
        answer=answers.plain_json,
    ),
    Operation(
        name="sessions",
        python="sessions",
        cli=("sessions",),
        rpc="memory.sessions",
        http=("GET", "/v1/sessions"),
        doc="List your conversations with this persona, newest first.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many.", default=20),),
        answer=answers.plain_json,
    ),
    Operation(
        name="session",
        python="session",
        cli=("session",),
        rpc="memory.session",
        http=("GET", "/v1/sessions/{session_id}"),
        doc="Show one conversation: what it was about and what was said.",
        parameters=(SESSION,),
        answer=answers.plain_json,
    ),
    Operation(
        name="state",
        python="state",
        cli=("state",),
        rpc="memory.state",
        http=("GET", "/v1/state"),
        doc="Show what lasts from session to session with this persona.",
        answer=answers.plain_json,
    ),
    Operation(
        name="summaries",
        python="summaries",
        cli=("summaries",),
        rpc="memory.summaries",
        http=("GET", "/v1/summaries"),
        doc="List every version of the rolling summary with this persona, oldest first.",
        answer=answers.plain_json,
    ),
    Operation(
        name="spines",
        python="spines",
        cli=("spines",),
        rpc="memory.spines",
        http=("GET", "/v1/spines"),
        doc="List the versions of your long-term summary, newest first.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many.", default=20),),
        answer=answers.plain_json,
    ),
    Operation(
        name="todos",
        python="todos",
        cli=("todos",),
        rpc="memory.todos",
        http=("GET", "/v1/todos"),
        doc="List what you mean to do, as you told this persona.",
        parameters=(
            Parameter(
                name="status",
                doc="Which ones.",
                default="PENDING",
                choices=("PENDING", "COMPLETED", "SKIPPED", "ALL"),
            ),
            Parameter(name="limit", kind="integer", doc="At most so many.", default=50),
        ),
        answer=answers.plain_json,
    ),
    Operation(
        name="complete_todo",
        python="complete_todo",
        cli=("todo", "done"),
        rpc="memory.complete_todo",
        http=("POST", "/v1/todos/{todo_id}/complete"),
        doc="Say that something is done; a habit goes on.",
        parameters=(TODO,),
        answer=answers.plain_json,
    ),
    Operation(
        name="dismiss_todo",
        python="dismiss_todo",
        cli=("todo", "dismiss"),
        rpc="memory.dismiss_todo",
        http=("POST", "/v1/todos/{todo_id}/dismiss"),
        doc="Say that something is no longer wanted.",
        parameters=(TODO,),
        answer=answers.plain_json,
    ),
)
