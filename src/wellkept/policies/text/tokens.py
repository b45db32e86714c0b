"""Tokens of a text, counted as a quarter of its characters where no tokenizer is known, and cutting a text to fit."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4
ELLIPSIS = "…"


def tokens(text: str) -> int:
    """How many tokens a text takes.

    >>> tokens("abcd"), tokens("abcde"), tokens("")
    (1, 2, 0)
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def cut(text: str, budget_tokens: int) -> str:
    """The beginning of a text that fits, marked where it was cut.

    >>> cut("one two three", 2)
    'one two…'
    """
    return clipped(text, budget_tokens * CHARACTERS_PER_TOKEN)


def clipped(text: str, length_max: int) -> str:
    """The beginning of a text of at most so many characters, ended at a word where one is near."""
    if len(text) <= length_max:
        return text
    head = text[: max(length_max - len(ELLIPSIS), 0)]
    at_word = head.rsplit(" ", 1)[0]
    is_near = len(at_word) * 2 > len(head) and not text[len(head)].isspace()
    return (at_word if is_near else head).rstrip() + ELLIPSIS
