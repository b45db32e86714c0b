"""How a profile, and the questions about it, look to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.surfaces.cli.screen import Column, local

if TYPE_CHECKING:
    from recollect.store.base_consent import Proposal
    from recollect.surfaces.cli.screen import Screen

_COLUMNS = (
    Column(name="ID", style="cyan"),
    Column(name="field"),
    Column(name="so far"),
    Column(name="state"),
    Column(name="since", style="dim"),
    Column(name="new", style="bold"),
)


def profile(screen: Screen, found: Mapping[str, str | Sequence[str]]) -> None:
    """Name and value a line."""
    if not found:
        screen.say("Nothing is noted. `recollect remember` or a yes to a question notes it.")
    screen.pairs([(name, value if isinstance(value, str) else "; ".join(value)) for name, value in found.items()])


def proposals(screen: Screen, found: Sequence[Proposal]) -> None:
    """What waits, in a table."""
    if not found:
        screen.say("No questions.")
        return
    # Whole ids: `consent approve` takes no beginnings, for a yes must not reach the wrong question.
    rows = [(one.id, one.field, one.old or "", one.state, local(one.at), one.new) for one in found]
    screen.table(_COLUMNS, rows)


def answered(screen: Screen, proposal: Proposal) -> None:
    """What became of a question."""
    if proposal.state == "approved":
        screen.say(f"Noted: {proposal.field} is {proposal.new}.", "green")
    else:
        screen.say(f"Left as it was: {proposal.field}{f' is {proposal.old}' if proposal.old else ''}.")


CONSENT_PAGES: Mapping[str, Callable[[Screen, Any], None]] = {
    "profile": profile,
    "consents": proposals,
    "approve": answered,
    "reject": answered,
}
