"""What a viewpoint does in a conversation, besides remembering and recalling: observe, context and query."""

from __future__ import annotations

from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from wellkept import flows
from wellkept.api import given
from wellkept.api.turns import RECALL_TOKENS, RECALL_TOP, Turn
from wellkept.errors import InvalidInput
from wellkept.flows.read import filters as filter_names
from wellkept.flows.requests import RememberRequest, Statement
from wellkept.when import moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.flows.read.context import Context
    from wellkept.flows.read.query import Answered, Returns
    from wellkept.flows.sessions.conversation import SessionShown
    from wellkept.flows.write.observe import Observed
    from wellkept.policies.sessions.boundaries import RollingSummary, Session, Spine, State
    from wellkept.policies.sessions.todos import Todo
    from wellkept.types import Outcome
    from wellkept.types import Viewpoint as Place


class Conversing:
    """The verbs of a viewpoint that agents call on every message."""

    place: Place
    _engine: Engine

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
        self._engine.access.add(self.place, block.memory_ids, self._engine)
        return block

    def turn(self, user_text: str, *, budget_tokens: int = 1_200) -> Turn:
        """Take in what the user just said: counts, session, todos, transcript; with the context of the reply."""
        if not isinstance(user_text, str):
            raise InvalidInput("turn takes the text of the user's message.", code="invalid_parameter")
        request = flows.turn.TurnRequest(viewpoint=self.place, text=user_text, budget_tokens=budget_tokens)
        turned = flows.turn.turn(request, self._engine, nonce=token_hex(6))
        self._engine.access.add(self.place, turned.context.memory_ids, self._engine)

        def once_more(text: str) -> Answered:
            return self.query(text[: flows.turn.QUERY_MAX], top_k=RECALL_TOP, budget_tokens=RECALL_TOKENS)

        below = self._engine.on_demand_below
        return Turn(turned, user_text, recall_below=below, finish=self.finish_turn, query=once_more)

    def finish_turn(self, session_id: str, text: str) -> str | None:
        """Take the reply to a turn of that session into the transcript; the id of the message."""
        if not isinstance(text, str):
            raise InvalidInput("finish_turn takes the text of the reply.", code="invalid_parameter")
        return flows.turn.finish(text, session_id, self.place, self._engine)

    def sessions(self, *, limit: int = 20) -> tuple[Session, ...]:
        """Conversations of this user and persona, newest first."""
        return flows.conversation.listing(self.place, self._engine, limit=limit)

    def session(self, session_id: str) -> SessionShown:
        """One conversation with its summary and messages."""
        return flows.conversation.shown(session_id, self.place, self._engine)

    def state(self) -> State:
        """What lasts from session to session."""
        return flows.conversation.state(self.place, self._engine)

    def summaries(self) -> tuple[RollingSummary, ...]:
        """Every version of the rolling summary, oldest first."""
        return flows.conversation.rolling_versions(self.place, self._engine)

    def spines(self, *, limit: int = 20) -> tuple[Spine, ...]:
        """Versions of the long-term summary, newest first."""
        return flows.conversation.spine_versions(self.place, self._engine, limit=limit)

    def todos(self, *, status: str = "PENDING", limit: int = 50) -> tuple[Todo, ...]:
        """What this user means to do, as told to this persona, oldest first; `ALL`: whatever became of it."""
        return flows.todos.listing(self.place, self._engine, status=status, limit=limit)

    def complete_todo(self, todo_id: str) -> Todo:
        """It is done; a habit goes on."""
        return flows.todos.end(todo_id, self.place, self._engine, "done")

    def dismiss_todo(self, todo_id: str) -> Todo:
        """It is no longer wanted."""
        return flows.todos.end(todo_id, self.place, self._engine, "dismissed")

    def seed_profile(self, facts: Sequence[str]) -> tuple[Outcome, ...]:
        """Facts that are established from the start: pinned, and told as such."""
        if isinstance(facts, str) or not all(isinstance(fact, str) for fact in facts):
            raise InvalidInput("seed_profile takes a list of texts.", code="invalid_fact")
        statements = tuple(Statement(text=fact, origin="seeded_profile", is_pinned=True) for fact in facts)
        most = flows.remember.STATEMENTS_MAX
        batches = [statements[start : start + most] for start in range(0, len(statements), most)]
        requests = [RememberRequest(viewpoint=self.place, statements=batch) for batch in batches]
        return tuple(one for request in requests for one in flows.remember.remember(request, self._engine))

    def query(
        self,
        query: str,
        *,
        agent: str | None = None,
        categories: Sequence[str] = (),
        filters: Mapping[str, Any] | None = None,
        about: str | Sequence[str] = (),
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
            about=given.names(about),
            top_k=top_k,
            threshold=threshold,
            returns=returns,
            budget_tokens=budget_tokens,
            as_of=None if as_of is None else moment(as_of, name="as_of"),
        )
        answered = flows.query.query(request, self._engine)
        self._engine.access.add(self.place, [bullet.id for bullet in answered], self._engine)
        return answered
