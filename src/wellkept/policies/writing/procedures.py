"""The steps of a procedure: read from a text with a title, and told in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAD = deferred(r"(?i)^\s*(?:please\s+)?(?:remember\s+)?(?:how\s+)?(?:to\s+)?")
_ITEM = deferred(r"(?m)^\s*(?:\d{1,3}\s*[.):-]|[-*•])\s+")
_INLINE_ITEM = deferred(r"(?:^|\s)\d{1,2}[.)]\s+")
_BREAK = deferred(r"\s*(?:;|,)\s*(?:and\s+)?(?:then\s+)?|\s+(?:and\s+)?then\s+|\.\s+(?=\S)")
_THEN = deferred(r"(?i)^(?:and\s+)?(?:then\s+)?")
_ENDS = " \t\n.,:;"


def is_how_to(text: str) -> bool:
    """Whether a text begins as one that tells how something is done, and has what to do after a colon or line.

    >>> is_how_to("how to restart the router: unplug it, wait"), is_how_to("How to cook is my favourite book")
    (True, False)
    """
    begins = text.lstrip().casefold().startswith(("how to ", "remember how to "))
    return begins and (":" in text or "\n" in text.strip())


def parsed(text: str) -> tuple[str, tuple[str, ...]]:
    r"""Title and steps of a text: numbered or listed lines, numbers within a line, else what a colon leads to.

    >>> parsed("how to restart it: unplug it, wait, then plug it in")
    ('How to restart it', ('unplug it', 'wait', 'plug it in'))
    >>> parsed("Deploy\n1. build\n2. push")
    ('How to Deploy', ('build', 'push'))
    """
    first, _, rest = text.strip().partition("\n")
    if rest.strip():
        head, told = ("", text.strip()) if _ITEM.match(first) else (first, rest)
        pieces = _ITEM.split(told) if _ITEM.search(told) else told.splitlines()
    elif item := _INLINE_ITEM.search(first):
        head, pieces = first[: item.start()], _INLINE_ITEM.split(first[item.start() :])
    else:
        head, _, told = first.partition(":")
        pieces = _BREAK.split(told)
    steps = tuple(step for piece in pieces if (step := _THEN.sub("", piece.strip(_ENDS)).strip(_ENDS)))
    return _titled(head, steps), steps


def _titled(head: str, steps: Sequence[str]) -> str:
    title = _LEAD.sub("", head).strip(_ENDS) or (steps[0] if steps else "")
    return f"How to {title}" if title else ""


def told(title: str, steps: Sequence[str]) -> str:
    """A procedure in one line.

    >>> told("How to deploy", ("build", "push"))
    'How to deploy: 1. build 2. push'
    """
    return " ".join([f"{title}:", *(f"{number}. {step}" for number, step in enumerate(steps, start=1))])
