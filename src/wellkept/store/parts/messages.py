"""The transcript in the store: messages with their words and vectors, and what may be read of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar

from wellkept.errors import DamagedRow
from wellkept.policies.ranking.rank_messages import IDLE, traits
from wellkept.policies.visibility import View
from wellkept.policies.words import term_counts
from wellkept.store.contract import (
    ChatDay,
    Citation,
    Citations,
    Embedded,
    Heard,
    MessageCandidate,
    MessageQuery,
    MessagesBefore,
    MessageSearch,
    NewMessage,
    OfChat,
    Page,
    Place,
    Transcript,
    UnembeddedMessages,
    Unread,
)
from wellkept.store.core import OpenScope, make_id, vector_rows, words_of
from wellkept.store.driver import Driver
from wellkept.store.encoding import (
    NEVER,
    SCOPE_STEP,
    SUMMED,
    Row,
    columns,
    json_list,
    micros,
    micros_or_none,
    record_of,
    summed,
)
from wellkept.store.parts.memories import REBUILD_BATCH, MemoriesPart
from wellkept.types import Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wellkept.store.search.message_scores import MessageArms
    from wellkept.store.search.sights import Sight

TRANSCRIPT, ROOM = "transcript", "room"
"""Spaces of message scopes: a user's private messages, and those of a group."""


class MessagesPart(MemoriesPart):
    """See `contract.Store`, section "Transcript"."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self._message_arms_once: MessageArms | None = None

    def _forget_held(self) -> None:
        super()._forget_held()
        self._message_arms_once = None

    @property
    def _message_arms(self) -> MessageArms:
        found = self._message_arms_once
        if found is None:
            from wellkept.store.search.message_scores import MessageArms
            from wellkept.store.search.sights import MessageSights

            found = self._message_arms_once = MessageArms(self._db, MessageSights(self._db), self._matrices)
        return found

    # --- writing ---

    def add_messages(
        self, place: Place, messages: Sequence[NewMessage], *, model: str | None, at: datetime
    ) -> tuple[Message, ...]:
        if not messages:
            return ()
        with self._within():
            space, owner = home(place)
            number = self._scope_or_new(place.tenant, space, owner)
            scope = self._open_scope(place.tenant, number, is_changing=True)
            fresh = self._unknown(place, number, messages)
            audience = self._audience(place, number) if fresh else 0
            stored = [self._numbered(item, place, scope, at) for item in fresh]
            base = {"rev": scope.rev, "audience": audience, "model": model}
            self._put_messages(place, list(zip(stored, fresh, strict=True)), base)
            self._save_scope(scope)
        return tuple(stored)

    def _unknown(self, place: Place, scope: int, messages: Sequence[NewMessage]) -> list[NewMessage]:
        """Those whose id is new, each once."""
        ids = [item.message.id for item in messages if item.message.id is not None]
        where = {"tenant": place.tenant, "scope": scope, "chat_id": place.chat, "persona_id": place.persona}
        taken = (
            {row[0] for row in self._db.rows("message_ids_taken", where | {"ids": json_list(ids)})} if ids else set()
        )
        fresh: list[NewMessage] = []
        for item in messages:
            if item.message.id is None or item.message.id not in taken:
                fresh.append(item)
                taken.add(item.message.id)
        return fresh

    def _numbered(self, item: NewMessage, place: Place, scope: OpenScope, at: datetime) -> Message:
        scope.last_num += 1
        name = item.message.id or make_id(place.tenant, *home(place), "message", scope.last_num)
        return replace(
            item.message,
            id=name,
            tenant=place.tenant,
            user_id=item.message.user_id or place.user,
            persona_id=place.persona,
            chat_id=place.chat,
            chat_type="group" if place.is_group else "private",
            arrived_at=at,
            place=(scope.scope, scope.last_num),
        )

    def _put_messages(self, place: Place, pairs: Sequence[tuple[Message, NewMessage]], base: Mapping[str, Any]) -> None:
        rows, postings, vectors = [], [], []
        for message, item in pairs:
            scope, num = message.place
            key = {"tenant": place.tenant, "scope": scope, "num": num}
            model = base["model"] if item.vectors is not None else None
            rows.append(columns(message) | key | {
                "traits": traits(message.content) | IDLE * item.is_idle,
                "rev": base["rev"], "audience": base["audience"], "embedded_model": model or "",
                "words": sum(item.terms.values()), "waits": int(item.is_waiting),
            })  # fmt: skip
            postings += words_of(key, item.terms)
            if item.vectors is not None and model is not None:
                own = key | {"rev": base["rev"], "model": model}
                vectors += vector_rows(own, item.vectors)
        self._db.run_many("message_add", rows)
        self._db.run_many("postings_add", postings)
        self._db.run_many("vector_add", vectors)

    def _audience(self, place: Place, scope: int) -> int:
        """The number of this set of people in the scope."""
        key = {"tenant": place.tenant, "scope": scope}
        known: dict[int, set[str]] = {}
        for number, person in self._db.rows("audiences_of", key):
            known.setdefault(number, set()).add(person)
        found = next((number for number, persons in known.items() if persons == place.audience), None)
        if found is not None or not place.audience:
            return found or 0
        number = max(known, default=0) + 1
        rows = [key | {"audience": number, "person": person} for person in sorted(place.audience)]
        self._db.run_many("audience_add", rows)
        return number

    def _keep_citations(self, made: Citations) -> None:
        for scope in sorted({item.place[0] for item in made.citations}):
            rev = self._touch_scope(made.tenant, scope)
            for item in (item for item in made.citations if item.place[0] == scope):
                key = {"tenant": made.tenant, "scope": scope, "num": item.place[1], "rev": rev}
                self._db.run(
                    "evidence_add", key | {"memory_id": item.memory_id, "start": item.start, "stop": item.stop}
                )
                self._db.run("message_cited", key)

    def _embed_message(self, message: Message, vectors: NDArray[np.float32], *, model: str) -> None:
        """Replace a message's vectors."""
        scope, num = message.place
        with self._within():
            rev = self._touch_scope(message.tenant, scope)
            key = {"tenant": message.tenant, "scope": scope, "num": num, "rev": rev, "embedded_model": model}
            self._put_vectors(key, vectors)
            self._db.run("message_index_state", key | {"words": sum(term_counts(indexed_message(message)).values())})

    def _rebuild_index(self, tenant: str) -> int:
        """Make words anew from the texts of memories and messages; returns how many it indexed."""
        done, last = super()._rebuild_index(tenant), (0, 0)
        while True:
            with self.transaction():
                key = {"tenant": tenant, "scope": last[0], "num": last[1], "limit": REBUILD_BATCH}
                batch = self._db.rows("messages_indexed_after", key)
                revs = {scope: self._touch_scope(tenant, scope) for scope, *_ in batch}
                for scope, model, *row in batch:
                    message = message_from(tuple(row), scope)
                    terms = term_counts(indexed_message(message))
                    own = {"tenant": tenant, "scope": scope, "num": message.place[1], "rev": revs[scope]}
                    self._index_words(own, terms, was_indexed=True, is_searchable=True)
                    state = {"words": sum(terms.values()), "embedded_model": model}
                    self._db.run("message_index_state", own | state)
            if not batch:
                return done
            done, last = done + len(batch), (batch[-1][0], message.place[1])

    def _remove_messages(self, tenant: str, user: str) -> int:
        places = self._db.rows("messages_of_user", {"tenant": tenant, "user": user})
        self._remove_places(tenant, [(scope, num) for scope, num in places])
        return len(places)

    def _drop_messages(self, old: MessagesBefore) -> int:
        places = self._db.rows("messages_before_time", columns(old))
        self._remove_places(old.tenant, [(scope, num) for scope, num in places])
        return len(places)

    # --- reading ---

    def _has_transcript(self, of: Transcript) -> bool:
        return bool(self._rooms(of.view))

    def message_candidates(self, search: MessageSearch) -> tuple[MessageCandidate, ...]:
        with self.snapshot():
            sight = self._message_sight(search.view, include_stale=search.include_stale)
            scored = self._message_arms.ranked(search.view.tenant, sight, search)
            scores = [(divmod(score.place, SCOPE_STEP), score) for score in scored]
            places = [place for place, _ in scores]
            found = self._messages_at(search.view.tenant, sight, places)
            plain = self._message_sight(search.view, include_stale=False) if search.include_stale else None
        stale = frozenset() if plain is None else {place for place in places if not _is_whole(plain, place)}
        return tuple(
            MessageCandidate(
                message=found[place],
                relevance=score.relevance,
                cosine=score.cosine,
                share=score.share,
                coverage=score.coverage,
                parts=score.parts,
                is_stale=place in stale,
            )
            for place, score in scores
        )

    def _heard(self, view: View, page: Page) -> tuple[Message, ...]:
        """The newest messages this view may read, in the order they arrived."""
        with self.snapshot():
            sight = self._message_sight(view, include_stale=page.include_stale)
            places = self._db.rows("messages_heard", self._message_parameters(view) | _page(page))
            found = self._messages_at(view.tenant, sight, [(scope, num) for scope, num in places])
        return tuple(found[place] for place in reversed(places) if place in found)

    def neighbours(self, view: View, messages: Sequence[Message]) -> Mapping[tuple[int, int], tuple[Message, ...]]:
        with self.snapshot():
            sight = self._message_sight(view, include_stale=False)
            beside = {message.place: sight.beside(message.place) for message in messages}
            found = self._messages_at(view.tenant, sight, [place for places in beside.values() for place in places])

        def talk(message: Message) -> tuple[Message, ...]:
            near = (found[place] for place in beside[message.place] if place in found)
            return tuple(one for one in near if _is_same_talk(one, message))

        return {message.place: talk(message) for message in messages}

    def messages(self, wanted: MessageQuery) -> tuple[Message, ...]:
        match wanted:
            case Heard():
                return self._heard(wanted.view, wanted.page)
            case UnembeddedMessages():
                asked = vars(wanted)
                rows = self._db.rows("messages_unembedded", asked) or self._db.rows("messages_unembedded_after", asked)
                return tuple(message_from(row[1:], row[0]) for row in rows)
            case OfChat():
                return self._of_chat(wanted)

    def _of_chat(self, wanted: OfChat) -> tuple[Message, ...]:
        place = wanted.place
        scope = self._scope(place.tenant, *home(place))
        if scope is None:
            return ()
        where = {"tenant": place.tenant, "scope": scope, "chat_id": place.chat, "persona_id": place.persona}
        where |= {"num": NEVER if wanted.number is None else wanted.number, "limit": wanted.limit}
        rows = self._db.rows("messages_waiting" if wanted.is_waiting else "messages_before", where)
        found = tuple(message_from(row, scope) for row in rows)
        return found if wanted.is_waiting else found[::-1]

    def _mark_read(self, unread: Unread) -> int:
        scope, num = unread.message.place
        return self._db.run("message_read", {"tenant": unread.message.tenant, "scope": scope, "num": num})

    def tally(self, tenant: str, kind: str, owner: str, *, day: date, add: int = 0) -> int:
        key = {"tenant": tenant, "kind": kind, "owner": owner, "n": add}
        if not add:
            row = self._db.one("tally_of", key | {"day": day.isoformat()})
            return 0 if row is None else int(row[0])
        with self._within():
            self._lock_on(tenant, "tally", f"{kind} {owner}")
            self._db.run("tallies_drop", key | {"day": (day - timedelta(days=1)).isoformat()})
            row = self._db.one("tally_add", key | {"day": day.isoformat()})
        return 0 if row is None else int(row[0])

    def chat_days(self, tenant: str, view: View | None, *, chat: str | None, limit: int) -> tuple[ChatDay, ...]:
        bounds = {"limit": limit, "in_chat": chat}
        if view is None:
            rows = self._db.rows("chat_days_of_all", {"tenant": tenant, "limit": limit})
        else:
            rows = self._db.rows("chat_days", self._message_parameters(view) | bounds)
        return tuple(record_of(ChatDay, row, tenant=tenant) for row in rows)

    def _cited_in(self, messages: Sequence[Message]) -> tuple[Citation, ...]:
        """What rests on these messages of one tenant, whoever may see it."""
        found: list[Citation] = []
        for scope in sorted({message.place[0] for message in messages}):
            nums = [message.place[1] for message in messages if message.place[0] == scope]
            key = {"tenant": messages[0].tenant, "scope": scope, "nums": json_list(nums)}
            found += map(_citation, self._db.rows("cited_spans_in", key))
        return tuple(found)

    def citations(
        self, tenant: str, memory_ids: Sequence[str] = (), *, messages: Sequence[Message] = ()
    ) -> tuple[Citation, ...]:
        if messages:
            return self._cited_in(messages)
        if not memory_ids:
            return ()
        return tuple(map(_citation, self._db.rows("cited_spans", {"tenant": tenant, "ids": json_list(memory_ids)})))

    def _embed(self, embedded: Embedded) -> None:
        said = embedded.said
        embed = self._embed_message if isinstance(said, Message) else self._embed_memory
        embed(said, embedded.vectors, model=embedded.model)  # type: ignore[arg-type]  # each takes its own

    def _message_sight(self, view: View, *, include_stale: bool) -> Sight:
        parameters = self._message_parameters(view) | {"stale": int(include_stale)}
        return self._message_arms.sights.sight(parameters)

    def _message_parameters(self, view: View) -> dict[str, Any]:
        return self._parameters(view) | {"rooms": json_list(self._rooms(view))}

    def _rooms(self, view: View) -> list[int]:
        """The scopes whose messages may be in sight."""
        if view.chat_type == "group" or view.user is None:
            own = self._scope(view.tenant, ROOM, view.chat or "")
            return [] if own is None else [own]
        own = self._scope(view.tenant, TRANSCRIPT, view.user)
        groups = self._db.rows("rooms_heard", {"tenant": view.tenant, "person": view.person}) if view.person else ()
        return sorted({row[0] for row in groups} | ({own} if own is not None else set()))

    def _messages_at(
        self, tenant: str, sight: Sight, places: Sequence[tuple[int, int]]
    ) -> Mapping[tuple[int, int], Message]:
        """Messages by place, as they may be read in this sight."""
        found: dict[tuple[int, int], Message] = {}
        for scope in sorted({scope for scope, _ in places}):
            nums = sight.seen(scope, [num for where, num in places if where == scope])
            part = sight.part(scope)
            for row in self._db.rows("messages_by_num", {"tenant": tenant, "scope": scope, "nums": json_list(nums)}):
                message = message_from(row, scope)
                cut = part.cut.get(message.place[1]) if part is not None else None
                found[message.place] = message if cut is None else replace(message, content=cut.text)
        return found

    _HANDLES: ClassVar = {
        ("keep", Citations): _keep_citations,
        ("keep", Embedded): _embed,
        ("drop", Unread): _mark_read,
        ("drop", MessagesBefore): _drop_messages,
        ("has", Transcript): _has_transcript,
    }


def _citation(row: Row) -> Citation:
    memory_id, message_id, scope, num, start, stop = row
    return Citation(memory_id=memory_id, message_id=message_id, place=(scope, num), start=start, stop=stop)


def home(place: Place) -> tuple[str, str]:
    """The scope of messages: a group's own, else that of the user who speaks; without a user, of the chat."""
    return (ROOM, place.chat or "") if place.is_group or place.user is None else (TRANSCRIPT, place.user)


def indexed_message(message: Message) -> str:
    """What is found by words: the speaker and what was said."""
    return f"{message.speaker}: {message.content}" if message.speaker else message.content


def _is_same_talk(one: Message, other: Message) -> bool:
    return (one.chat_id, one.persona_id, one.session_id) == (other.chat_id, other.persona_id, other.session_id)


def _is_whole(sight: Sight, place: tuple[int, int]) -> bool:
    part = sight.part(place[0])
    return part is not None and place[1] not in part.cut and bool(sight.seen(*place[:1], place[1:]))


def message_from(row: Row, scope: int) -> Message:
    """The message of a row of `message_columns`, unless its bytes have changed since it was written."""
    stored, num, *values = row
    if stored is not None and stored != summed(_SUMMED(values)):
        raise DamagedRow(f"Message {values[0]}")
    return record_of(Message, values, place=(scope, num))


_SUMMED = itemgetter(*([one.name for one in fields(Message)].index(name) for name in SUMMED["messages"]))
"""What the checksum of a message covers, of the columns of its row."""


def _page(page: Page) -> dict[str, Any]:
    before = page.before
    return {
        "in_chat": page.chat,
        "in_session": page.session,
        "is_alone": int(page.is_alone),
        "since_at": micros_or_none(page.since),
        "until_at": micros_or_none(page.until),
        "before_at": micros(before.arrived_at) if before is not None and before.arrived_at is not None else None,
        "before_scope": before.place[0] if before is not None else 0,
        "before_num": before.place[1] if before is not None else 0,
        "stale": int(page.include_stale),
        "limit": page.limit,
    }
