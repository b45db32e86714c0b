"""A turn in the hands of a program: the context of the reply, the reply itself, and memory once more when in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.policies.callers.limits import check_number
from wellkept.policies.secrets.clean import without_echo

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellkept.flows.read.context import Context
    from wellkept.flows.read.query import Answered
    from wellkept.flows.sessions.turn import Turned
    from wellkept.policies.sessions.boundaries import Session, State
    from wellkept.policies.sessions.todos import Todo

RECALL_TOP = 3
RECALL_TOKENS = 512


class Turn:
    """One message of a user, taken in. `finish` takes the reply."""

    def __init__(
        self,
        turned: Turned,
        text: str,
        *,
        recall_below: float,
        finish: Callable[[str, str], str | None],
        query: Callable[[str], Answered],
    ) -> None:
        self._turned = turned
        self._text = text
        self._recall_below = recall_below
        self._finish = finish
        self._query = query
        self._is_finished = False

    @property
    def context(self) -> Context:
        """The block for the system prompt; `str()` gives its text."""
        return self._turned.context

    @property
    def session(self) -> Session:
        """The session it belongs to."""
        return self._turned.session

    @property
    def state(self) -> State:
        """What lasts from session to session, this message counted."""
        return self._turned.state

    @property
    def todos(self) -> tuple[Todo, ...]:
        """Todos that the message made, renewed, completed or dismissed."""
        return self._turned.todos

    @property
    def message_id(self) -> str | None:
        """Of the message in the transcript."""
        return self._turned.message_id

    def finish(self, text: str) -> str | None:
        """Take the reply into the transcript, once; the id of the message."""
        if self._is_finished:
            raise InvalidInput("This turn has its reply already.", code="turn_finished")
        if not isinstance(text, str):
            raise InvalidInput("finish takes the text of the reply.", code="invalid_parameter")
        replied = self._finish(self.session.id, without_echo(text, self._text))
        self._is_finished = True
        return replied

    def recall_if_needed(self, confidence: float) -> Answered | None:
        """Ask memory once more, when the agent is unsure or the context found nothing; None when neither is so."""
        check_number(confidence, name="confidence")
        if self.context.verdict == "found" and confidence >= self._recall_below:
            return None
        return self._query(self._text)
