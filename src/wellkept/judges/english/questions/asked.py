"""A question as it is answered: whom it is about, what it wants, and which words a fact must have."""

from __future__ import annotations

from typing import Literal

from wellkept.judges.english.questions.frames import Holder
from wellkept.values import frozen

AskKind = Literal["everything", "name", "identity", "happened", "doing", "yes_no", "wh"]
Wanted = Literal["time", "place", "person", "number", "age", "reason", "any"]


@frozen
class Asked:
    """A question taken apart. `words` must all be answered by a fact; `type_words` say of what kind the answer is."""

    kind: AskKind
    word: str | None = None
    """The question word."""
    wanted: Wanted = "any"
    holder: Holder
    holder_text: str = ""
    words: tuple[str, ...] = ()
    type_words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Other people whom a fact must mention."""
    choices: tuple[str, ...] = ()
    """The words of which one is enough: "window or aisle"."""
    is_many: bool = False
    is_own: bool = False
    """The asker stands somewhere in it ("Who checks my teeth?")."""
    is_whole: bool = False
    """The asker is the subject itself."""
    is_plural: bool = False
    """Several are asked about at once ("my kids"), so that no single person is meant."""
    is_negative: bool = False
    verb: str | None = None
    toward: tuple[Holder, ...] = ()
    """To whom somebody does it: "me" in "Does Mei like me?"."""
