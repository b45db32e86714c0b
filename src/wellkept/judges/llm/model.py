"""Asks a chat model to fill in a form: by `provider:model` name, at temperature 0, with one repair and a deadline."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, ToolOutput
from pydantic_ai import exceptions as faults
from pydantic_ai.models import Model, infer_model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage

from wellkept.errors import ConfigError, MissingExtra
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

REPAIRS_MAX = 1
OLLAMA_URL = "http://localhost:11434/v1"
GRACE_SECONDS = 5.0
"""Beyond the deadline of the run itself: time to cancel it."""

Form = TypeVar("Form", bound=BaseModel)

# The first that fits names the reason; True: the same call may succeed later.
_REASONS: tuple[tuple[type[BaseException], str, bool], ...] = (
    (faults.ModelRequestTimeout, "model_timeout", True),
    (faults.ModelTimeoutError, "model_timeout", True),
    (TimeoutError, "model_timeout", True),
    (faults.ModelQuotaExceededError, "model_quota", False),
    (faults.ModelRateLimitError, "model_rate_limit", True),
    (faults.ModelUnavailableError, "model_unavailable", True),
    (faults.ModelServerError, "model_unavailable", True),
    (faults.ModelConnectionError, "model_unavailable", True),
    (faults.ModelAuthenticationError, "model_credentials", False),
    (faults.ModelAPIError, "model_request_rejected", False),
    (faults.ContentFilterError, "model_refused", False),
    (faults.UnexpectedModelBehavior, "model_malformed", False),
)


@frozen
class Filled(Generic[Form]):
    """A form that a model filled in, and what that took."""

    form: Form
    tokens: int | None
    """None: the server did not say."""


@frozen
class Ask(Generic[Form]):
    """One thing to ask: the instructions, the data, the form of the answer and how long it may be."""

    instructions: str
    data: str
    form: type[Form]
    answer_tokens_max: int


class ModelFailed(Exception):
    """The model gave no usable answer. Holds a code and never the text: servers like to quote it in their errors."""

    def __init__(self, reason: str, *, is_transient: bool, tokens: int | None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_transient = is_transient
        self.tokens = tokens


def build(name: str, base_url: str | None = None) -> Model:
    """The model of a `provider:model` name; with `base_url`, at that address.

    Credentials are the provider's own environment variables. A name that cannot be used is a `ConfigError`.
    """
    provider, _, model = name.partition(":")
    try:
        if provider == "ollama" or base_url is not None:
            return _at_address(provider, model, base_url or OLLAMA_URL)
        return infer_model(name)
    except ImportError as error:
        raise MissingExtra(f"judge.model {name!r} needs a package that is not installed: {error}") from error
    except (faults.UserError, ValueError) as error:
        raise ConfigError(f"judge.model {name!r} cannot be used: {error}") from error


def _at_address(provider: str, model: str, base_url: str) -> Model:
    if provider in ("openai", "openai-chat"):
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        # Whoever speaks the protocol speaks chat completions; the newer interface is OpenAI's own.
        return OpenAIChatModel(model, provider=OpenAIProvider(base_url=base_url))
    if provider == "ollama":
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        return OllamaModel(model, provider=OllamaProvider(base_url=base_url))
    if provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(model, provider=AnthropicProvider(base_url=base_url))
    raise ConfigError(f"judge.base_url goes with openai:, anthropic: and ollama: models, not with {provider}:.")


class Caller:
    """Runs the calls on one thread with an event loop of its own.

    The host may have a loop running where it calls us, and connections belong to the loop they were opened on.
    """

    def __init__(self, model: Model, *, timeout_seconds: float) -> None:
        self._model = model
        self._timeout_seconds = timeout_seconds
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def fill(self, ask: Ask[Form]) -> Filled[Form]:
        """The filled form, within the deadline, or `ModelFailed` with the reason."""
        usage = RunUsage()
        try:
            return self._run(self._fill(ask, usage), timeout_seconds=self._timeout_seconds + GRACE_SECONDS)
        except Exception as error:
            # A third party's client stands between us and the model, and no message may be lost to its surprises.
            kinds = ((reason, is_transient) for kind, reason, is_transient in _REASONS if isinstance(error, kind))
            reason, is_transient = next(kinds, ("model_failed", False))
            raise ModelFailed(reason, is_transient=is_transient, tokens=_tokens(usage)) from None

    async def _fill(self, ask: Ask[Form], usage: RunUsage) -> Filled[Form]:
        is_native = bool(self._model.profile.get("supports_json_schema_output"))
        agent: Agent[None, Form] = Agent(
            self._model,
            output_type=NativeOutput(ask.form) if is_native else ToolOutput(ask.form),
            instructions=ask.instructions,
            retries={"output": REPAIRS_MAX},
            name="wellkept",
        )
        # The host's tracing records prompts; what people said is not ours to put there.
        agent.instrument = False
        settings = ModelSettings(temperature=0.0, max_tokens=ask.answer_tokens_max, max_retries=0)
        done = await agent.run(ask.data, model_settings=settings, usage=usage, timeout=self._timeout_seconds)
        return Filled(form=done.output, tokens=_tokens(usage))

    def close(self) -> None:
        """Close the connections and end the thread; a later call opens both again."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None or not thread.is_alive():
            return
        asyncio.run_coroutine_threadsafe(self._model.__aexit__(None, None, None), loop).result(GRACE_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(GRACE_SECONDS)
        loop.close()

    def _run(self, work: Coroutine[Any, Any, Filled[Form]], *, timeout_seconds: float) -> Filled[Form]:
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result(timeout_seconds)
        finally:
            future.cancel()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # After a fork the thread is gone though the object is there.
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="wellkept-model", daemon=True)
                self._thread.start()
                asyncio.run_coroutine_threadsafe(self._model.__aenter__(), self._loop).result(GRACE_SECONDS)
            return self._loop


def _tokens(usage: RunUsage) -> int | None:
    return None if usage.unmeasured_requests or not usage.total_tokens else usage.total_tokens
