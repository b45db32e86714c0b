"""What a memory holds besides viewpoints: people and the rest, as the system works on them, asking nobody for leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from secrets import token_hex
from typing import TYPE_CHECKING

from wellkept import flows
from wellkept.types import Viewpoint

if TYPE_CHECKING:
    from wellkept.config import ServerTable
    from wellkept.flows.engine import Engine
    from wellkept.flows.people.forget_person import Forgotten
    from wellkept.flows.people.people_by_hand import Merged
    from wellkept.flows.read.events import Event
    from wellkept.flows.read.showing import Acquaintance
    from wellkept.flows.serving.keys import NewKey
    from wellkept.flows.serving.tokens import NewToken
    from wellkept.flows.sessions.conversation import SessionShown
    from wellkept.policies.people.consent import State
    from wellkept.policies.sessions.boundaries import RollingSummary, Session, Spine
    from wellkept.policies.sessions.boundaries import State as SessionState
    from wellkept.policies.sessions.todos import Todo
    from wellkept.store.contract import ApiKey, Chain, Done, Proposal


class People:
    """The people of one tenant, named by id or handle. `at(user=…)` gives them as a user knows them."""

    def __init__(self, engine: Engine, tenant: str = "default") -> None:
        self._engine = engine
        self._place = Viewpoint(tenant=tenant)

    def of(self, tenant: str) -> People:
        """The people of another tenant."""
        return People(self._engine, tenant)

    def list(self, *, limit: int = 50) -> tuple[Acquaintance, ...]:
        """Everybody, latest first."""
        return flows.showing.everybody(self._place.tenant, self._engine, limit=limit)

    def show(self, reference: str, *, limit: int = 20) -> Acquaintance:
        """One person; of memories only those of the system."""
        return flows.showing.acquaintance(reference, self._place, self._engine, limit=limit)

    def alias(self, reference: str, alias: str) -> Acquaintance:
        """Also call a person so, for everybody."""
        return flows.people_by_hand.alias(reference, alias, self._place, self._engine)

    def rename(self, reference: str, name: str) -> Acquaintance:
        """Another name; the earlier one stays as an alias."""
        return flows.people_by_hand.rename(reference, name, self._place, self._engine)

    def merge(self, primary: str, secondary: str) -> Merged:
        """Two people are one: the first stays."""
        return flows.people_by_hand.merge(primary, secondary, self._place, self._engine)

    def split(self, reference: str) -> tuple[Acquaintance, Acquaintance]:
        """Take a merge back."""
        return flows.people_by_hand.split(reference, self._place, self._engine)

    def forget(self, reference: str, *, delete_record: bool = False) -> Forgotten:
        """Archive everything about a person, whoever keeps it."""
        return flows.forget_person.forget_person(reference, self._place, self._engine, delete_record=delete_record)


class Consents:
    """Changes of the profiles of one tenant's users that wait for a yes, as an operator sees them."""

    def __init__(self, engine: Engine, tenant: str = "default") -> None:
        self._engine = engine
        self._place = Viewpoint(tenant=tenant)

    def of(self, tenant: str) -> Consents:
        """Those of another tenant."""
        return Consents(self._engine, tenant)

    def list(self, *, state: State | None = "pending", limit: int = 100) -> tuple[Proposal, ...]:
        """Of everybody, oldest first."""
        return flows.consent.proposals(self._place, self._engine, state=state, limit=limit)

    def approve(self, proposal_id: str) -> Proposal:
        """Yes, in the user's name."""
        return flows.consent.approve(proposal_id, self._place, self._engine)

    def reject(self, proposal_id: str) -> Proposal:
        """No, in the user's name."""
        return flows.consent.reject(proposal_id, self._place, self._engine)

    def expire(self) -> int:
        """Close what nobody answered in time; how many."""
        return flows.consent.expire(self._place.tenant, self._engine)


class Sessions:
    """Conversations of any user of one tenant, as an operator sees them."""

    def __init__(self, engine: Engine, tenant: str = "default") -> None:
        self._engine = engine
        self._tenant = tenant

    def of(self, tenant: str) -> Sessions:
        """Those of another tenant."""
        return Sessions(self._engine, tenant)

    def list(self, user: str, *, persona: str | None = None, limit: int = 20) -> tuple[Session, ...]:
        """Of a user and a persona, newest first."""
        return flows.conversation.listing(self._place(user, persona), self._engine, limit=limit)

    def show(self, session_id: str, user: str, *, persona: str | None = None) -> SessionShown:
        """One with its summary and messages."""
        return flows.conversation.shown(session_id, self._place(user, persona), self._engine)

    def state(self, user: str, *, persona: str | None = None) -> SessionState:
        """What lasts from session to session."""
        return flows.conversation.state(self._place(user, persona), self._engine)

    def summaries(self, user: str, *, persona: str | None = None) -> tuple[RollingSummary, ...]:
        """Every version of the rolling summary, oldest first."""
        return flows.conversation.rolling_versions(self._place(user, persona), self._engine)

    def spines(self, user: str, *, limit: int = 20) -> tuple[Spine, ...]:
        """Every version of the long-term summary, newest first."""
        return self._engine.store.spines(self._tenant, user, limit=limit)

    def _place(self, user: str, persona: str | None) -> Viewpoint:
        return Viewpoint(tenant=self._tenant, user=user, persona=persona)


class Todos:
    """Todos of any user of one tenant, as an operator sees them."""

    def __init__(self, engine: Engine, tenant: str = "default") -> None:
        self._engine = engine
        self._tenant = tenant

    def of(self, tenant: str) -> Todos:
        """Those of another tenant."""
        return Todos(self._engine, tenant)

    def list(
        self, user: str, *, persona: str | None = None, status: str = "PENDING", limit: int = 50
    ) -> tuple[Todo, ...]:
        """Of a user and a persona, oldest first; `ALL`: whatever became of them."""
        place = Viewpoint(tenant=self._tenant, user=user, persona=persona)
        return flows.todos.listing(place, self._engine, status=status, limit=limit)

    def complete(self, todo_id: str, user: str, *, persona: str | None = None) -> Todo:
        """It is done; a habit goes on."""
        place = Viewpoint(tenant=self._tenant, user=user, persona=persona)
        return flows.todos.end(todo_id, place, self._engine, "done")

    def dismiss(self, todo_id: str, user: str, *, persona: str | None = None) -> Todo:
        """It is no longer wanted."""
        place = Viewpoint(tenant=self._tenant, user=user, persona=persona)
        return flows.todos.end(todo_id, place, self._engine, "dismissed")


class Keys:
    """The rights of programs to call the server: API keys, and context tokens for sandboxes."""

    def __init__(self, engine: Engine, server: ServerTable) -> None:
        self._engine = engine
        self._server = server

    def add(self, name: str, *, scope: Sequence[str] = (), tenant: str = "default") -> NewKey:
        """A new key with these scopes: `operator`, `tenant`, `user:<id>`, `agent:<name>`. It is told once."""
        return flows.keys.add(name, scope, tenant, self._engine, chance=token_hex)

    def list(self, *, tenant: str = "default") -> tuple[ApiKey, ...]:
        """Keys of a tenant, oldest first, revoked ones included."""
        return self._engine.store.keys(tenant)

    def revoke(self, key_id: str, *, tenant: str = "default") -> ApiKey:
        """From now on the key opens nothing."""
        return flows.keys.revoke(key_id, tenant, self._engine)

    def token(self, place: Viewpoint, *, minutes: float = 60) -> NewToken:
        """A context token: whoever shows it to the server is this viewpoint for so long, and nobody else."""
        keys = flows.tokens.TokenKeys(verifying=self._server.token_key, signing=self._server.token_signing_key)
        return flows.tokens.mint(place, minutes, keys, self._engine, chance=token_hex)

    def revoke_token(self, token_id: str, *, tenant: str = "default") -> ApiKey:
        """From now on the token with this id opens nothing."""
        return flows.tokens.revoke(token_id, tenant, self._engine)


class Events:
    """The ledger as a table of what was done when."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list(
        self,
        *,
        tenant: str = "default",
        of: str | None = None,
        node: str | None = None,
        op: str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> tuple[Event, ...]:
        """Newest first: in the memory of one user, or of everybody. `before` is the last id of the page before."""
        request = flows.events.EventsRequest(tenant=tenant, owner=of, node=node, op=op, limit=limit, before=before)
        return flows.events.events(request, self._engine)

    def growth(self, *, tenant: str = "default", of: str | None = None) -> Mapping[date, int]:
        """Memories made a day (UTC), the earliest first: in the memory of one user, or of everybody."""
        return self._engine.store.growth(tenant, owner=of)

    def activity(self, *, tenant: str = "default", of: str | None = None, days: int = 30) -> tuple[Done, ...]:
        """What was done a day (UTC), where and how often: in the memory of one user, or of everybody."""
        return flows.events.activity(tenant, self._engine, owner=of, days=days)

    def owners(self, *, tenant: str = "default", limit: int = 50) -> tuple[Chain, ...]:
        """Users and chats that something was decided for, the longest chain first."""
        return flows.events.owners(tenant, self._engine, limit=limit)
