"""wellkept for asyncio: the same objects and methods, each call awaited and run on a thread, none written twice."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from dataclasses import is_dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from wellkept.api import Memory
from wellkept.startup import open as open_memory


class Awaited:
    """An object of wellkept whose methods are awaited; what they give is a value, or has methods and is one of these.

    >>> import asyncio, tempfile
    >>> async def main():
    ...     async with await open(tempfile.mkdtemp() + "/memory.db", embedder="none") as memory:
    ...         alice = memory.at(user="alice")
    ...         await alice.remember("My favorite color is blue")
    ...         return [hit.text for hit in await alice.recall("favorite color")]
    >>> asyncio.run(main())
    ["The user's favorite color is blue"]
    """

    def __init__(self, inner: Any) -> None:  # noqa: ANN401 -- whatever is wrapped
        self._inner = inner

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- a method, a handle or a value
        found = getattr(self._inner, name)
        if not callable(found):
            return _awaited(found)
        return found if name.startswith("_") else _method(found)

    def __repr__(self) -> str:
        return f"Awaited({self._inner!r})"

    def __str__(self) -> str:
        return str(self._inner)


class AsyncMemory(Awaited):
    """A memory for asyncio. Close it, or use it in an `async with`."""

    _inner: Memory

    def at(self, **place: Any) -> Awaited:  # noqa: ANN401 -- see `Memory.at`
        """Who is speaking or asking, and where. Nothing is read yet: not awaited."""
        return Awaited(self._inner.at(**place))

    def governed(self, **session: Any) -> Awaited:  # noqa: ANN401 -- see `Memory.governed`
        """A session that lives by a policy. Nothing is read yet: not awaited."""
        return Awaited(self._inner.governed(**session))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def open(url: str | Path | None = None, **options: Any) -> AsyncMemory:  # noqa: ANN401 -- see `wellkept.open`
    """Open a memory, as `wellkept.open` does."""
    return AsyncMemory(await asyncio.to_thread(open_memory, url, **options))


def _method(call: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    async def called(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 -- as the method takes and gives
        return _awaited(await asyncio.to_thread(call, *arguments, **named))

    called.__doc__ = inspect.getdoc(call)
    called.__name__ = getattr(call, "__name__", "called")
    return called


def _awaited(value: Any) -> Any:  # noqa: ANN401 -- whatever a method gives
    """Values stay values; what has verbs of its own, such as a turn, is awaited like the rest."""
    is_ours = type(value).__module__.startswith("wellkept.")
    return Awaited(value) if is_ours and not is_dataclass(value) and not isinstance(value, (tuple, str)) else value
