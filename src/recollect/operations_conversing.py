"""The operations of agents in a conversation."""

from __future__ import annotations

from recollect.flows import answers
from recollect.operation import Operation, Parameter

QUERY = Parameter(name="query", doc="What to look for, in any words.", is_required=True)

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
)
