"""Categories: the headings memories are filed under, how each stands in the context, and which agent may read which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from wellkept.errors import ConfigError, InvalidInput, NotAllowed
from wellkept.patterns import deferred
from wellkept.values import frozen

Mode = Literal["all", "rag"]

PROCEDURAL = "procedural"
DEFAULT_AGENT = "default"
"""The allowlist of agents that have none of their own, where one is configured."""
_NAME = deferred(r"[^\W\d_][\w-]{0,63}")


@frozen
class Category:
    """A heading. `all`: every visible memory of it stands in the context; `rag`: only what was found."""

    name: str
    context: Mode = "rag"
    rag_length: int | None = None
    """Only the newest so many are looked through; None: all."""


def _named(*names: str) -> dict[str, Category]:
    return {name: Category(name=name) for name in names}


BUILT_IN: Mapping[str, Category] = {
    "profile": Category(name="profile", context="all"),
    "event": Category(name="event", rag_length=30),
    "activity": Category(name="activity", rag_length=50),
    **_named("preferences", "goals", "interests", "history", "tone", "style", "constraints", "knowledge"),
    **_named("relationships", "relationship_dynamic", "tasks", "projects", "recent_activity", PROCEDURAL),
}

ALLOWLISTS: Mapping[str, frozenset[str]] = {
    "supervisor": frozenset(
        {
            "profile", "goals", "preferences", "event", "activity", "relationships", "tasks", "relationship_dynamic",
            "knowledge", "projects", "recent_activity",
        }
    ),
    "planner": frozenset({"goals", "tasks", "projects", PROCEDURAL}),
    "stylist": frozenset({"preferences", "tone", "style"}),
    "researcher": frozenset({"knowledge", "interests", "history"}),
    "executor": frozenset({"tasks", "recent_activity", "constraints", PROCEDURAL}),
}  # fmt: skip


@frozen
class Categories:
    """The categories configuration."""

    known: Mapping[str, Category] = field(default_factory=lambda: BUILT_IN)
    allowlists: Mapping[str, frozenset[str]] = field(default_factory=lambda: ALLOWLISTS)

    def of_agent(self, agent: str | None) -> frozenset[str] | None:
        """What an agent may read: None without an agent (all but procedures), nothing for one that is not known."""
        if agent is None:
            return None
        return self.allowlists.get(agent, self.allowlists.get(DEFAULT_AGENT, frozenset()))

    def granted(self, agent: str | None, requested: frozenset[str]) -> frozenset[str] | None:
        """What of the requested an agent may read, which is all of it or an error that names the rest."""
        self.check(requested)
        allowed = self.of_agent(agent)
        if agent is None and PROCEDURAL in requested:
            raise NotAllowed("Procedures are read by agents only: name the agent.", code="category_not_allowed")
        if allowed is None or not requested:
            return requested or allowed
        refused = sorted(requested - allowed)
        if refused:
            raise NotAllowed(f"Agent {agent!r} may not read {', '.join(refused)}.", code="category_not_allowed")
        return requested

    def check(self, names: frozenset[str]) -> None:
        """Refuse names that are no category."""
        unknown = sorted(names - self.known.keys())
        if unknown:
            raise InvalidInput(
                f"Unknown category {', '.join(map(repr, unknown))}. Known: {', '.join(sorted(self.known))}.",
                code="invalid_category",
            )

    def whole(self) -> frozenset[str]:
        """Categories of which every visible memory stands in the context."""
        return frozenset(name for name, one in self.known.items() if one.context == "all")


def configured(categories: Mapping[str, Any], allowlists: Mapping[str, Any], origin: str) -> Categories:
    """The built-in categories with what a configuration changes; what it says wrong is an error that names it."""
    known = dict(BUILT_IN)
    for table, entries in categories.items():
        if table not in ("system", "custom"):
            raise ConfigError(f"Unknown key categories.{table} in {origin}. Known: custom, system.")
        if not isinstance(entries, (list, tuple)):
            raise ConfigError(f"categories.{table} in {origin} is not a list.")
        names = set()
        for entry in entries:
            one = _category(entry, f"categories.{table} in {origin}")
            if one.name in names:
                raise ConfigError(f"categories.{table} in {origin} names {one.name!r} twice.")
            names.add(one.name)
            known[one.name] = one
    lists = {agent: _allowlist(agent, names, known, origin) for agent, names in allowlists.items()}
    return Categories(known=known, allowlists={**ALLOWLISTS, **lists})


def _category(entry: object, where: str) -> Category:
    given = {"name": entry} if isinstance(entry, str) else entry
    if not isinstance(given, Mapping):
        raise ConfigError(f"{where}: {entry!r} is no category; give a name, or name, context and rag_length.")
    unknown = sorted(set(given) - {"name", "context", "rag_length"}, key=str)
    if unknown:
        raise ConfigError(f"{where}: unknown key {unknown[0]!r}. Known: context, name, rag_length.")
    name, context, length = given.get("name"), given.get("context", "rag"), given.get("rag_length")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise ConfigError(f"{where}: {name!r} is no name of a category.")
    if context not in ("all", "rag"):
        raise ConfigError(f"{where}: context of {name} is {context!r}, not all or rag.")
    is_length = length is None or (isinstance(length, int) and not isinstance(length, bool) and length > 0)
    if not is_length or (context == "all" and length is not None):
        raise ConfigError(f"{where}: rag_length of {name} is {length!r}, not a number from 1 of a rag category.")
    return Category(name=name, context=context, rag_length=length)


def _allowlist(agent: str, names: object, known: Mapping[str, Category], origin: str) -> frozenset[str]:
    given = [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else names
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise ConfigError(f"allowlists.{agent} in {origin} is not a list of categories.")
    unknown = sorted(set(given) - known.keys())
    if unknown:
        raise ConfigError(f"allowlists.{agent} in {origin}: unknown category {unknown[0]!r}.")
    return frozenset(given)
