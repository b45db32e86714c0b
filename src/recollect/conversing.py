"""What a viewpoint does in a conversation, besides remembering and recalling: observe, context and query."""

from __future__ import annotations

from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from recollect import flows
from recollect.errors import InvalidInput
from recollect.flows import filters as filter_names
from recollect.when import moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.flows.access import AccessCounts
    from recollect.flows.context import Context
    from recollect.flows.engine import Engine
    from recollect.flows.observe import Observed
    from recollect.flows.query import Answered, Returns
    from recollect.types import Viewpoint as Place


class Conversing:
    """The verbs of a viewpoint that agents call on every message."""

    place: Place
    _engine: Engine
    _access: AccessCounts

    def observe(self, messages: Sequence[Mapping[str, Any]], *, extract: bool = True, wait: bool = False) -> Observed:
        """Into the transcript, found from now on; then what it teaches is read in the background."""
        read = flows.observe.read_messages(messages, now=self._engine.clock())
        request = flows.observe.ObserveRequest(viewpoint=self.place, messages=read, extract=extract, wait=wait)
        return flows.observe.observe(request, self._engine)

    def context(self, query: str, *, budget_tokens: int = 1_200, peek: bool = False) -> Context:
        """The block for the system prompt; `str()` gives its text. `peek`: the thread will be told again."""
        request = flows.context.ContextRequest(
            viewpoint=self.place, query=query, budget_tokens=budget_tokens, peek=peek
        )
        block = flows.context.context(request, self._engine, nonce=token_hex(6))
        self._access.add(self.place, block.memory_ids)
        return block

    def query(
        self,
        query: str,
        *,
        agent: str | None = None,
        categories: Sequence[str] = (),
        filters: Mapping[str, Any] | None = None,
        about: Sequence[str] = (),
        top_k: int = 3,
        threshold: float | None = None,
        returns: Returns = "bullets",
        budget_tokens: int = 512,
        as_of: datetime | str | None = None,
    ) -> Answered:
        """What an agent may know that bears on the query, as bullets within a budget."""
        if isinstance(categories, str) or not all(isinstance(name, str) for name in categories):
            raise InvalidInput("categories must be a list of names.", code="invalid_category")
        wanted = filter_names.parse(filters)
        self._engine.categories.check(wanted.categories or frozenset())
        request = flows.query.QueryRequest(
            viewpoint=self.place,
            query=query,
            agent=agent,
            categories=frozenset(categories),
            filter=wanted,
            about=tuple(about),
            top_k=top_k,
            threshold=threshold,
            returns=returns,
            budget_tokens=budget_tokens,
            as_of=None if as_of is None else moment(as_of, name="as_of"),
        )
        answered = flows.query.query(request, self._engine)
        self._access.add(self.place, [bullet.id for bullet in answered])
        return answered
