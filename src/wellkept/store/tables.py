"""Every table as the schema declares it, and what each means for those who copy or erase a store.

A table that is not named in `KEPT` has not been thought about: a test refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from typing import Literal

from wellkept.store.dialects import SQLITE, schema
from wellkept.values import frozen

Whose = Literal["scope", "user", "owner", "todo", "person", "edge", "asker", "merge", "all", "nobody"]
"""How a row belongs to a user: by the scope it stands in, by user or person id; `all` belongs to everybody."""

_TABLE = re.compile(r"^CREATE TABLE (\w+) \((.*?)^\)", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r"^  (\w+) (TEXT|INTEGER|REAL|BLOB)\b( NOT NULL)?( DEFAULT)?", re.MULTILINE)
_KEY = re.compile(r"PRIMARY KEY \(([^)]+)\)")
_COMMENT = re.compile(r"--.*")


@frozen
class Kept:
    """What a table holds, under the name that its rows have in an export (None: they are not exported)."""

    type: str | None
    whose: Whose = "nobody"


@frozen
class Column:
    """A column: what it holds, and whether a row must say it."""

    kind: Literal["TEXT", "INTEGER", "REAL", "BLOB"]
    is_required: bool


@frozen
class Table:
    """A table of the schema. Columns stand in their order, without the tenant."""

    name: str
    columns: Mapping[str, Column] = field(default_factory=dict)
    key: tuple[str, ...] = ()


# In the order in which rows can be put into an empty store.
KEPT: Mapping[str, Kept] = {
    "scopes": Kept(type="scope", whose="scope"),
    "counters": Kept(type="counter", whose="scope"),
    "memories": Kept(type="memory", whose="scope"),
    "versions": Kept(type="version", whose="scope"),
    "edges": Kept(type="edge", whose="edge"),
    "subjects": Kept(type="subject", whose="scope"),
    "postings": Kept(type="words", whose="scope"),
    "vectors": Kept(type="vector", whose="scope"),
    "entity_refs": Kept(type="entity_ref", whose="scope"),
    "sealed_heads": Kept(type="sealed_head"),
    "ledger": Kept(type="ledger", whose="scope"),
    "pseudonyms": Kept(type="pseudonym", whose="scope"),
    "phases": Kept(type="phase", whose="scope"),
    "policies": Kept(type="policy", whose="all"),
    "traces": Kept(type="trace", whose="scope"),
    "trace_mentions": Kept(type="trace_mention", whose="scope"),
    "persons": Kept(type="person", whose="person"),
    "person_revs": Kept(type="person_rev", whose="scope"),
    "aliases": Kept(type="alias", whose="person"),
    "relationships": Kept(type="relationship", whose="person"),
    "users": Kept(type="user", whose="user"),
    "merges": Kept(type="merge", whose="merge"),
    "reviews": Kept(type="review", whose="asker"),
    "profiles": Kept(type="profile", whose="user"),
    "proposals": Kept(type="proposal", whose="user"),
    "pair_checks": Kept(type="pair_check", whose="scope"),
    "chats": Kept(type="chat"),
    "messages": Kept(type="message", whose="scope"),
    "audiences": Kept(type="audience", whose="scope"),
    "evidence": Kept(type="evidence", whose="scope"),
    "sessions": Kept(type="session", whose="owner"),
    "session_states": Kept(type="session_state", whose="owner"),
    "rolling_summaries": Kept(type="rolling_summary", whose="owner"),
    "session_summaries": Kept(type="session_summary", whose="owner"),
    "spines": Kept(type="spine", whose="owner"),
    "todos": Kept(type="todo", whose="owner"),
    "wins": Kept(type="win", whose="todo"),
    "tallies": Kept(type="tally"),
    "supervisor_checkpoints": Kept(type="checkpoint", whose="user"),
    "graph_steps": Kept(type="graph_step"),
    "graph_writes": Kept(type="graph_write"),
    "graph_items": Kept(type="graph_item"),
    "threads": Kept(type="thread", whose="user"),
    "change_log": Kept(type="change", whose="user"),
    "thread_readers": Kept(type="thread_reader", whose="user"),
    "jobs": Kept(type="job"),
    "watermarks": Kept(type="watermark"),
    # Of this installation, not of what is remembered.
    "searches": Kept(type=None),
    "api_keys": Kept(type=None),
    "answers": Kept(type=None),
    "fingerprints": Kept(type=None),
    "webhook_marks": Kept(type=None),
}


@cache
def tables() -> Mapping[str, Table]:
    """Every table of the schema by its name."""
    text = _COMMENT.sub("", schema(SQLITE))
    return {name: _table(name, body) for name, body in _TABLE.findall(text)}


def _table(name: str, body: str) -> Table:
    columns = {
        column: Column(kind=kind, is_required=bool(required) and not default)
        for column, kind, required, default in _COLUMN.findall(body)
        if column != "tenant"
    }
    found = _KEY.search(body)
    key = tuple(found[1].split(", ")) if found is not None else ()
    return Table(name=name, columns=columns, key=key[1:])
