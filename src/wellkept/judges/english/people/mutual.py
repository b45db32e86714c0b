"""What two do with each other: said of one of them alone it says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.looking_back import is_of_another_talk
from wellkept.judges.english.people.named import reference
from wellkept.judges.english.wording.retelling import possessive
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.wording.retelling import Voice
    from wellkept.types import Message, Reference

_MUTUAL = lexicon.words("call talk text meet date kiss hug marry divorce separate split fight argue speak chat")


def is_mutual(clause: Clause) -> bool:
    """For "we call at nine", "now we are three": told of one it says nothing."""
    verb = clause.verb
    words = clause.rest.casefold().split()
    if verb is None or any(item.preposition == "with" for item in clause.phrases):
        return False
    is_number = bool(words) and (words[0].isdigit() or words[0] in lexicon.NUMBER_WORDS)
    noun = clause.complement.noun if clause.complement is not None else None
    is_plural_name = noun is not None and noun.name is not None and noun.name.endswith("s") and noun.determiner is None
    is_many = verb.lemma == "be" and (is_number or is_plural_name)
    return is_many or (verb.lemma in _MUTUAL and clause.object is None and verb.modal is None)


def paired(content: str, clause: Clause, voice: Voice) -> str | None:
    """For "we've been together for years": both are told of where it was said who; None where it was not."""
    verb, subject = clause.verb, clause.subject
    is_we = subject is not None and subject.pronoun == "we" and verb is not None and verb.lemma == "be"
    if not is_we or "together" not in clause.rest.casefold().split():
        return content
    names = {name for relation, name in voice.discourse.names.items() if relation in relations.SPOUSES}
    if len(names) != 1:
        return None
    first, _, rest = content.partition(" has ")
    return f"{first} and {names.pop()} have {rest}" if rest else None


_BETROTHED = deferred(r"(?i)\b(?:engaged|getting married|got married|gets? married|marry(?:ing)?|married|proposed)\b")
_WEDDING = "The wedding"


def whose_wedding(
    content: str, clause: Clause, messages: Sequence[Message], known: frozenset[str]
) -> tuple[str, tuple[Reference, ...]]:
    """For "wedding is in May" after "Ana got engaged to Luis": told with whose it is, and who they are."""
    subject = clause.subject
    is_loose = subject is not None and subject.head == "wedding" and subject.owner is None and subject.of is None
    couple = _couple(messages, known) if is_loose and content.startswith(_WEDDING) else ()
    names = [who.name for who in couple if who.name is not None]
    if not names or len(names) != len(couple):
        return content, ()
    return f"{possessive(' and '.join(names))}{content.removeprefix(_WEDDING[:3])}", couple


def _couple(messages: Sequence[Message], known: frozenset[str]) -> tuple[Reference, ...]:
    """Of whom it was last said in this talk that they marry, unless the speaker is one of them."""
    said = (one for one in reversed(messages) if one.role == "user" and not is_of_another_talk(one, messages[-1]))
    told = (clause for one in said if _BETROTHED.search(one.content) for clause in reversed(parse(one.content)))
    found = next((clause for clause in told if _BETROTHED.search(clause.text) and clause.subject is not None), None)
    if found is None or found.subject is None or (found.verb is not None and found.verb.is_negative):
        return ()
    other = found.object or next((item.noun for item in found.phrases if item.preposition in {"to", "with"}), None)
    people = [*(found.subject.parts or (found.subject,)), *((other,) if other is not None else ())]
    couple = tuple(who for noun in people if (who := reference(noun, known=known)) is not None)
    return () if any(who.is_speaker for who in couple) else couple
