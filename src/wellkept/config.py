"""Configuration: one TOML or YAML file and the environment, read once, every value typed and known by name."""

from __future__ import annotations

import ast
import inspect
import os
import tomllib
from collections import abc
from contextlib import suppress
from dataclasses import field, fields, replace
from functools import cache
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from wellkept.errors import ConfigError
from wellkept.flows.engine import Privacy
from wellkept.policies.callers import Hook, webhook_fault
from wellkept.policies.people.references import Entities
from wellkept.policies.ranking.rank import RankOptions
from wellkept.policies.upkeep.lifecycle import Lifecycle
from wellkept.policies.visibility import Categories, configured_categories
from wellkept.policies.writing.keys import Bands
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PREFIX = "WELLKEPT_"


@frozen
class MemoryTable:
    """`[memory]`: what is kept."""

    auto_gc: bool = True
    """Archive what is over when a store is opened."""
    max_entries: int | None = None
    """Live memories a scope may hold; over it the least important leave. Unset: no cap."""
    extraction_enabled: bool = True
    """Whether `observe` learns from messages."""
    extraction_confidence_threshold: float = 0.7
    """An extracted fact is kept at this confidence or above."""
    traces: bool = True
    """Keep what governed sessions decide, call by call; the decisions are the same without."""


@frozen
class EmbedderTable:
    """`[embedder]`: what makes vectors."""

    provider: Literal["bundled", "openai", "none"] = "bundled"
    threads: int = 2
    url: str | None = None
    """Of an OpenAI-compatible endpoint."""
    model: str | None = None
    dimensions: int | None = None
    api_key: str | None = None
    """Best given as WELLKEPT_EMBEDDER__API_KEY; never shown."""


@frozen
class JudgeTable:
    """`[judge]`: what decides things that need language."""

    provider: Literal["reader", "rules"] = "reader"
    """What judges without a model: the bundled reader, or rules alone."""
    model: str | None = None
    """`provider:model`, such as `ollama:qwen3`. Unset: `provider` judges."""
    base_url: str | None = None
    """Of an endpoint that speaks the provider's protocol."""
    timeout_seconds: float = 20.0
    """For one judgement; after it the rules decide."""
    tokens_per_user_day: int | None = 200_000
    """Prompts and answers together; 0: no call. Empty: no limit."""
    tokens_per_tenant_day: int | None = 5_000_000


@frozen
class PrivacyTable:
    """`[privacy]`: how strictly memories are shown and taken in."""

    mode: Literal["default", "seed", "strict"] = "default"
    fail_open: bool = True
    """Show memories without a known chat in private ones."""
    deny_patterns: tuple[str, ...] = ()
    """Regular expressions of what is never stored."""


@frozen
class DeltaTable:
    """`[delta]`: what a thread is told of changes."""

    keep_turns: int = 50
    """Changes that were made so many turns of a thread ago are no longer told."""


@frozen
class RecallTable:
    """`[recall]`: when memory is asked once more in the middle of a turn."""

    on_demand_below: float = 0.5
    """Confidence of the agent below which it is."""


@frozen
class BudgetsTable:
    """`[budgets]`: how much is done in a day. What a model may cost is `judge.tokens_per_user_day` and its like."""

    facts_per_user_day: int = 50
    """Facts that are learned from what a user says."""
    pairs_per_user_day: int = 50
    """Pairs of memories that consolidation compares, in each scope."""


@frozen
class UpkeepTable:
    """`[upkeep]`: when what is heard is read."""

    debounce_seconds: float = 30.0
    """So long after the last message of a chat it is read for facts."""


@frozen
class ServerTable:
    """`[server]`: who may reach it, and how much it takes."""

    log: Literal["text", "json", "off"] = "text"
    """How a server and a worker write their logs to standard error."""
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """From which level on; requests are `info`, those that fail by the server's own fault `warning`."""
    allowed_hosts: tuple[str, ...] = ()
    """Names by which it may be called, besides localhost and the address it listens on."""
    allowed_origins: tuple[str, ...] = ()
    """Web pages that may call it, such as https://studio.example; its own may always."""
    body_bytes_max: int = 1_048_576
    depth_max: int = 32
    """Of JSON within JSON."""
    body_seconds_max: float = 15.0
    """For a whole body to arrive."""
    requests_per_minute: int = 12_000
    """Of one caller; 0: no limit."""
    threads: int = 8
    """Writes that are worked on at once, and as many reads."""
    writes_per_caller: int = 4
    """Of these the writes of one caller; the others wait."""
    waiting_per_caller: int = 64
    """Writes of one caller that wait; one more is answered 429 `too_many_writes`."""
    writes_per_user_day: int | None = None
    """Texts and other changes that callers may bring for one user in a day (UTC). Unset: no limit."""
    writes_per_tenant_day: int | None = None
    """The same for all users of a tenant together."""
    token_key: str | None = None
    """Verifies context tokens: `hmac:<secret>` or `ed25519:<public key in base64>`. Best given as
    WELLKEPT_SERVER__TOKEN_KEY; never shown."""
    token_signing_key: str | None = None
    """Makes context tokens, where `token_key` is a public key: `ed25519:<private key in base64>`. A server that only
    verifies has none; never shown."""


@frozen
class Config:
    """Every setting, with the place it came from in `origins`."""

    memory: MemoryTable = field(default_factory=MemoryTable)
    privacy: PrivacyTable = field(default_factory=PrivacyTable)
    lifecycle: Lifecycle = field(default_factory=Lifecycle)
    bands: Bands = field(default_factory=Bands)
    rank: RankOptions = field(default_factory=RankOptions)
    embedder: EmbedderTable = field(default_factory=EmbedderTable)
    judge: JudgeTable = field(default_factory=JudgeTable)
    delta: DeltaTable = field(default_factory=DeltaTable)
    recall: RecallTable = field(default_factory=RecallTable)
    categories: Categories = field(default_factory=Categories)
    entities: Entities = field(default_factory=Entities)
    budgets: BudgetsTable = field(default_factory=BudgetsTable)
    upkeep: UpkeepTable = field(default_factory=UpkeepTable)
    server: ServerTable = field(default_factory=ServerTable)
    retention: Mapping[str, Lifecycle] = field(default_factory=dict)
    """`[retention.<tenant>]`: what of `[lifecycle]` is other for a tenant."""
    webhooks: tuple[Hook, ...] = ()
    """`[webhooks.<name>]`: who is told of changes: `url`, `secret`, and if need be `tenant` and `is_private`."""
    origins: Mapping[str, str] = field(default_factory=dict)

    def privacy_options(self) -> Privacy:
        """As the flows take it."""
        return Privacy(mode=self.privacy.mode, fail_open=self.privacy.fail_open)

    def settings(self) -> tuple[Setting, ...]:
        """Every setting with what it means."""
        return tuple(
            Setting(key=key, value=value, origin=origin, meaning=_meaning(key)) for key, value, origin in self.rows()
        )

    def rows(self) -> Iterator[tuple[str, Any, str]]:
        """(key, value, origin) of every setting, sorted."""
        for table in sorted(TABLES):
            for item in fields(TABLES[table]):
                key = f"{table}.{item.name}"
                value = getattr(getattr(self, table), item.name)
                is_hidden = value is not None and item.name.endswith(("api_key", "token_key", "signing_key"))
                yield key, "(set)" if is_hidden else value, self.origins.get(key, "default")
        for agent, names in sorted(self.categories.allowlists.items()):
            yield f"allowlists.{agent}", tuple(sorted(names)), self.origins.get(f"allowlists.{agent}", "default")
        for tenant, rule in sorted(self.retention.items()):
            origin = self.origins[f"retention.{tenant}"]
            for item in fields(rule):
                if getattr(rule, item.name) != getattr(self.lifecycle, item.name):
                    yield f"retention.{tenant}.{item.name}", getattr(rule, item.name), origin
        for hook in self.webhooks:
            yield f"webhooks.{hook.name}", f"{hook.url} ({hook.tenant})", self.origins[f"webhooks.{hook.name}"]
        origin = self.origins.get("categories.system") or self.origins.get("categories.custom") or "default"
        for name, one in sorted(self.categories.known.items()):
            shown = one.context if one.rag_length is None else f"{one.context}, {one.rag_length}"
            yield f"categories.{name}", shown, origin


@frozen
class Setting:
    """A setting as people look at it."""

    key: str
    value: Any
    origin: str
    meaning: str


def _meaning(key: str) -> str:
    table, _, name = key.partition(".")
    return _meanings(table).get(name, "") if table in TABLES else ""


@cache
def _meanings(table: str) -> Mapping[str, str]:
    """Field → the sentence that stands below it."""
    (found,) = ast.parse(inspect.cleandoc(inspect.getsource(TABLES[table]))).body
    assert isinstance(found, ast.ClassDef)
    told: dict[str, str] = {}
    for item, below in pairwise(found.body):
        is_told = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and is_told:
            told[item.target.id] = " ".join(str(below.value.value).split())  # type: ignore[attr-defined]  # a constant
    return told


TABLES: Mapping[str, type[Any]] = {
    "memory": MemoryTable,
    "privacy": PrivacyTable,
    "lifecycle": Lifecycle,
    "bands": Bands,
    "rank": RankOptions,
    "embedder": EmbedderTable,
    "judge": JudgeTable,
    "delta": DeltaTable,
    "recall": RecallTable,
    "entities": Entities,
    "budgets": BudgetsTable,
    "upkeep": UpkeepTable,
    "server": ServerTable,
}
NAMED_TABLES = ("categories", "allowlists", "retention", "webhooks")
"""Tables whose keys are names that the operator gives."""


def load(path: str | Path | None = None, environment: Mapping[str, str] | None = None) -> Config:
    """Defaults, then the file, then `WELLKEPT_<TABLE>__<KEY>`; an unknown key or value is an error that names it."""
    environment = os.environ if environment is None else environment
    chosen = path or environment.get(f"{PREFIX}CONFIG") or _default_path()
    values: dict[str, dict[str, Any]] = {}
    origins: dict[str, str] = {}
    for table, key, value, origin in (*_from_file(chosen, is_named=path is not None), *_from_environment(environment)):
        is_named = table in NAMED_TABLES
        values.setdefault(table, {})[key] = value if is_named else _checked(table, key, value, origin)
        origins[f"{table}.{key}"] = origin
    named = {table: values.pop(table, {}) for table in NAMED_TABLES}
    config = Config(
        categories=configured_categories(named["categories"], named["allowlists"], str(chosen)), origins=origins
    )
    for table, changes in values.items():
        config = replace(config, **{table: replace(getattr(config, table), **changes)})
    retention = _retention(named["retention"], config.lifecycle, origins)
    return replace(config, retention=retention, webhooks=_webhooks(named["webhooks"], origins))


def _retention(given: Mapping[str, Any], usual: Lifecycle, origins: Mapping[str, str]) -> dict[str, Lifecycle]:
    """The lifecycle of each tenant that has one of its own; in the environment `idle_days=30,transcript_days=90`."""
    found: dict[str, Lifecycle] = {}
    for tenant, said in given.items():
        origin = origins[f"retention.{tenant}"]
        entries = _entries(said, f"retention.{tenant} in {origin}")
        changes: dict[str, Any] = {key: _checked("lifecycle", key, one, origin) for key, one in entries.items()}
        found[tenant] = replace(usual, **changes)
    return found


def _webhooks(given: Mapping[str, Any], origins: Mapping[str, str]) -> tuple[Hook, ...]:
    """Who is told of changes; in the environment `url=https://…,secret=whsec_…`."""
    known = {"url", "secret", "tenant", "is_private"}
    found = []
    for name, said in given.items():
        where = f"webhooks.{name} in {origins[f'webhooks.{name}']}"
        entries = _entries(said, where)
        if set(entries) - known or not {"url", "secret"} <= set(entries):
            raise ConfigError(f"{where} needs url and secret, and may have tenant and is_private.")
        texts = {key: str(entries[key]) for key in ("url", "secret", "tenant") if key in entries}
        is_private = entries.get("is_private", False)
        hook = Hook(name=name, is_private=is_private is True or str(is_private).lower() in ("true", "1"), **texts)
        if wrong := webhook_fault(hook):
            raise ConfigError(f"{where}: {wrong}.")
        found.append(hook)
    return tuple(found)


def _entries(said: object, where: str) -> dict[str, Any]:
    """A table within a table, or what stands for it in the environment: `name=value,name=value`."""
    if isinstance(said, str):
        pairs = [one.partition("=") for one in said.split(",")]
        return {name.strip(): value.strip() for name, _, value in pairs}
    if not isinstance(said, dict):
        raise ConfigError(f"{where} is not a table of names and values.")
    return {str(name): value for name, value in said.items()}


def _default_path() -> Path:
    from platformdirs import user_config_path

    return user_config_path("wellkept") / "wellkept.toml"


def _from_file(path: str | Path, *, is_named: bool) -> Iterator[tuple[str, str, Any, str]]:
    file = Path(path)
    if not file.is_file():
        if is_named:
            raise ConfigError(f"There is no configuration file at {file}.")
        return
    known = sorted({*TABLES, *NAMED_TABLES})
    for table, entries in _content(file).items():
        if table not in known or not isinstance(entries, dict):
            raise ConfigError(f"Unknown table [{table}] in {file}. Known: {', '.join(known)}.")
        for key, value in entries.items():
            yield table, str(key), value, str(file)


def _content(file: Path) -> dict[str, Any]:
    """What the file says: YAML where its name ends so, else TOML."""
    try:
        text = file.read_text(encoding="utf-8")
        return _yaml(text) if file.suffix in (".yaml", ".yml") else tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValueError) as error:
        kind = "YAML" if file.suffix in (".yaml", ".yml") else "TOML"
        raise ConfigError(f"{file} is not valid {kind}: {error}") from error


def _yaml(text: str) -> dict[str, Any]:
    import yaml

    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    if not isinstance(content, dict | None):
        raise ValueError("it has no tables")  # noqa: TRY004 -- what is wrong is the file, not a call
    return content or {}


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, Any, str]]:
    for name in sorted(environment):
        table, separator, key = name.removeprefix(PREFIX).partition("__")
        if name.startswith(PREFIX) and separator:
            if table.lower() not in {*TABLES, *NAMED_TABLES}:
                raise ConfigError(f"Unknown table in {name}. Known: {', '.join(sorted({*TABLES, *NAMED_TABLES}))}.")
            yield table.lower(), key.lower(), environment[name], name


def _checked(table: str, key: str, value: object, origin: str) -> object:
    hints = get_type_hints(TABLES[table])
    if key not in hints:
        raise ConfigError(f"Unknown key {table}.{key} in {origin}. Known: {', '.join(sorted(hints))}.")
    try:
        return _converted(value, hints[key])
    except ValueError as error:
        raise ConfigError(f"{table}.{key} in {origin}: {error}") from error


def _converted(value: object, hint: Any) -> object:  # noqa: ANN401 -- a type hint has no narrower type
    """A TOML value or an environment text as the type of its field."""
    options = get_args(hint)
    if get_origin(hint) is Literal:
        if value in options:
            return value
        raise ValueError(f"{value!r} is not one of {', '.join(map(str, options))}")
    if get_origin(hint) is tuple:
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list):
            raise ValueError(f"{value!r} is not a list")
        return tuple(_converted(item, options[0]) for item in items)
    if get_origin(hint) is abc.Mapping:
        pairs = (
            dict(one.split("=", 1) for one in value.split(",")) if isinstance(value, str) and "=" in value else value
        )
        if not isinstance(pairs, dict):
            raise ValueError(f"{value!r} is not a table of names and values")
        return {str(name): _converted(item, options[1]) for name, item in pairs.items()}
    if type(None) in options:
        return None if value in (None, "") else _converted(value, next(o for o in options if o is not type(None)))
    return _scalar(value, hint)


_WANTED = {bool: "true or false", int: "a whole number from 0 on", float: "a number from 0 on", str: "a text"}


def _scalar(value: object, hint: type) -> object:
    truths = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if hint is bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in truths:
            return truths[value.lower()]
    elif hint in (int, float) and isinstance(value, (int, float, str)) and not isinstance(value, bool):
        with suppress(ValueError, OverflowError):
            number = float(value)
            if 0 <= number < inf and (hint is float or number.is_integer()):
                return hint(number)
    elif hint is str and isinstance(value, str):
        return value
    raise ValueError(f"{value!r} is not {_WANTED[hint]}")
