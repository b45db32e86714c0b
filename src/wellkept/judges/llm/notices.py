"""What a model judge tells its caller beside the answer: that rules decided, or that a claim was left out."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

Operation = Literal["extract", "classify", "compare", "insights", "rolling", "session", "spine"]

_log = logging.getLogger("wellkept")


@frozen
class Fallback:
    """Rules decided in place of the model. Holds codes only, never a word of what was read."""

    operation: Operation
    reason: str
    is_transient: bool = False
    """The same call may succeed later, so a job may rather try again than take the rules' word."""

    @property
    def is_of_the_text(self) -> bool:
        """Whether the text is one that no model is shown, whenever it is asked."""
        return self.reason in ("suspect_instruction", "privacy_deny_sensitive")


@frozen
class Rejected:
    """A claim or line of the model broke a rule and was left out; `reason` is the code for the ledger."""

    operation: Operation
    reason: str


Notice = Fallback | Rejected

_collected: ContextVar[list[Notice] | None] = ContextVar("wellkept_notices", default=None)


@contextmanager
def collect() -> Iterator[list[Notice]]:
    """Gather the notices of the calls made inside, in this thread; the flow writes them to the ledger.

    >>> with collect() as notices:
    ...     note(Rejected(operation="extract", reason="evidence_name"))
    >>> notices[0].reason
    'evidence_name'
    """
    gathered: list[Notice] = []
    token = _collected.set(gathered)
    try:
        yield gathered
    finally:
        _collected.reset(token)


def note(notice: Notice) -> None:
    """Tell whoever collects, and the log."""
    gathered = _collected.get()
    if gathered is not None:
        gathered.append(notice)
    if isinstance(notice, Fallback):
        _log.warning("%s: rules decided (%s)", notice.operation, notice.reason)
    else:
        _log.info("%s: a claim was left out (%s)", notice.operation, notice.reason)
