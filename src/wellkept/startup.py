"""Open a memory: read the settings once, put store, judge and embedder together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from wellkept import config as configuration
from wellkept.api import Memory
from wellkept.errors import ConfigError
from wellkept.flows.engine import Engine
from wellkept.judges.english import RulesJudge
from wellkept.judges.reader.judge import ReaderJudge
from wellkept.policies.upkeep.extraction import Extraction
from wellkept.policies.writing.gate import GateOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellkept.api.handles import WorkerMode
    from wellkept.config import Config
    from wellkept.judges.base import Judge
    from wellkept.models import Embedder
    from wellkept.store.contract import Store


DEFAULT_JUDGE: Callable[[], Judge] = ReaderJudge
"""What judges where the configuration names neither rules nor a model."""


def open(
    url: str | Path | None = None,
    *,
    config: Config | str | Path | None = None,
    clock: Callable[[], datetime] | None = None,
    judge: Judge | None = None,
    embedder: Embedder | Literal["none"] | None = None,
    worker: WorkerMode = "auto",
) -> Memory:
    """Open a memory: a file, a database URL, or nothing for the user's data folder.

    Queued jobs are run by a thread that starts with the first of them (`auto`) or at once (`on`), or by
    `memory.upkeep.run()` and other processes alone (`off`).

    >>> import tempfile
    >>> memory = open(tempfile.mkdtemp() + "/memory.db")
    >>> memory.at(user="alice").remember("My favorite color is blue").outcome
    'created'
    >>> memory.close()
    """
    from wellkept.store.opening import open_store

    if url is not None and not isinstance(url, (str, Path)):
        raise ConfigError("The address of a store is a text or a path.")
    if isinstance(embedder, str) and embedder != "none":
        raise ConfigError('embedder is an object that embeds, or "none"; a provider is named in the configuration.')
    settings = config if isinstance(config, configuration.Config) else configuration.load(config)
    store = open_store(str(url) if url is not None else str(default_path()))
    engine = Engine(
        store=store,
        judge=judge or _judge(settings, clock or _now, store),
        embedder=_embedder(settings) if embedder is None else (None if embedder == "none" else embedder),
        clock=clock or _now,
        bands=settings.bands,
        rank=settings.rank,
        privacy=settings.privacy_options(),
        categories=settings.categories,
        keep_turns=settings.delta.keep_turns,
        on_demand_below=settings.recall.on_demand_below,
        gate=GateOptions(
            deny_patterns=settings.privacy.deny_patterns,
            confidence_min=settings.memory.extraction_confidence_threshold,
        ),
        extraction=Extraction(
            is_enabled=settings.memory.extraction_enabled,
            debounce=timedelta(seconds=settings.upkeep.debounce_seconds),
            day_max=settings.budgets.facts_per_user_day,
        ),
        pairs_a_day=settings.budgets.pairs_per_user_day,
        entities=settings.entities,
        lifecycle=settings.lifecycle,
        retention=settings.retention,
        webhooks=settings.webhooks,
        max_entries=settings.memory.max_entries,
        keeps_traces=settings.memory.traces,
    )
    memory = Memory(engine, settings, worker=worker)
    memory.upkeep.begin(auto_gc=settings.memory.auto_gc)
    return memory


def default_path() -> Path:
    """Where the memory of this user lives when nothing else is said."""
    from platformdirs import user_data_path

    return user_data_path("wellkept") / "memory.db"


def _now() -> datetime:
    return datetime.now(UTC)


def _judge(settings: Config, clock: Callable[[], datetime], store: Store) -> Judge:
    table = settings.judge
    if table.model is None:
        return RulesJudge() if table.provider == "rules" else DEFAULT_JUDGE()
    from wellkept.flows.upkeep.schedule import StoreMeter
    from wellkept.judges.llm.judge import LLMJudge, LLMOptions
    from wellkept.policies.upkeep.pace import TokenLimits

    limits = TokenLimits(user_day=table.tokens_per_user_day, tenant_day=table.tokens_per_tenant_day)
    options = LLMOptions(
        model=table.model, base_url=table.base_url, timeout_seconds=table.timeout_seconds, limits=limits
    )
    return LLMJudge(options, clock=clock, meter=StoreMeter(store))


def _embedder(settings: Config) -> Embedder | None:
    table = settings.embedder
    if table.provider == "none":
        return None
    if table.provider == "openai":
        from wellkept.models.openai import OpenAIEmbedder

        return OpenAIEmbedder(url=table.url, model=table.model, dimensions=table.dimensions, api_key=table.api_key)
    from wellkept.models.bundled import MiniLM

    return MiniLM(threads=table.threads)
