"""Whether a text is free of secrets, remembered for the texts that are: the same ones are looked at again and again."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class _SecretFound(ValueError):
    """Raised instead of an answer, so that no cache ever holds a text with a secret in it."""


def has_secret(text: str) -> bool:
    """Whether any part of the text is a secret.

    >>> has_secret("The monkey ate my keyboard")
    False
    """
    try:
        _require_clean(text)
    except _SecretFound:
        return True
    return False


@cache
def _search() -> Callable[[str], bool]:
    # Its hundreds of patterns take a tenth of a second to compile, which no reader should wait for.
    from wellkept.policies.secrets.detector import has_secret as is_found_in

    return is_found_in


@lru_cache(maxsize=4096)
def _require_clean(text: str) -> None:
    if _search()(text):
        raise _SecretFound


def without_echo(text: str, told: str) -> str:
    """The text without the secrets that another text of the same exchange tells."""
    if not has_secret(told):
        return text
    from wellkept.policies.secrets import detector

    return detector.echoes([told]).masked(text)
