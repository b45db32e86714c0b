"""What two do with each other: said of one of them alone it says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.retelling import Voice

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
