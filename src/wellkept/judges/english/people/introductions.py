"""Who somebody is stays, whatever is said of them in passing: "my grandson Callum set this up" names a grandson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.wording.retelling import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.judges.english.grammar.clauses import Clause

_FORMER = frozenset(("former", "old", "future", "previous", "ex", "imaginary"))
_SUPPOSED = frozenset(("would", "could", "might", "may"))


def introduced(clause: Clause, known: frozenset[str]) -> Iterator[str]:
    """A statement of each tie of the speaker's that the clause names in passing, of people who are not `known`."""
    verb = clause.verb
    is_supposed = verb is not None and verb.modal in _SUPPOSED and clause.type != "question"
    if is_supposed or clause.conjunction in lexicon.CONDITIONALS or clause.type not in {"declarative", "question"}:
        return
    for noun in (step for item in clause.nouns for step in steps(item)):
        is_mine = noun.owner is not None and noun.owner.pronoun in {"i", "we"} and noun.relation is not None
        is_mine = is_mine and not _FORMER & set(noun.modifiers)
        if is_mine and noun.name is not None and noun.head and noun.name.casefold() not in known:
            yield (
                f"My late {noun.head} was {noun.name}" if "late" in noun.modifiers else f"My {noun.head} is {noun.name}"
            )
