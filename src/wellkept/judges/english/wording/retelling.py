"""How a message is retold: the labels of its people, agreeing verbs, and which pronouns are loose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.nouns import is_plural_word
from wellkept.judges.english.grammar.verbs import FORMS, third_person
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.named import TEAMS
from wellkept.judges.english.slots import topics
from wellkept.patterns import deferred, has_single_spaces
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.judges.english.grammar.tokens import Token
    from wellkept.judges.english.people.discourse import Discourse
    from wellkept.types import Reference


_WORK = topics.WORK - lexicon.words(
    "report review support design ticket tickets class planning budget build issue service services shipping workshop"
)
"""What a family, too, may speak of is no sign that "we" is a team."""
_WORD = deferred(r"[\w-]+")


@frozen
class Voice:
    """How a message is retold: what the speaker is called, and whether "we" is a team at work."""

    speaker: str | None
    discourse: Discourse
    said: str = ""
    """The words by which "we" is a team at work."""

    @property
    def label(self) -> str:
        """The speaker's name, or "the user"."""
        return self.speaker or "the user"

    @property
    def is_work(self) -> bool:
        """Whether what is said is of work."""
        return not _WORK.isdisjoint(_WORD.findall(self.said.casefold()))

    @property
    def group(self) -> str:
        """What "we" becomes."""
        return "the team" if self.is_work else self.label

    def spoken(self, lower: str) -> str | None:
        """What stands for the speaker, the group and the assistant."""
        if lower in {"i", "me", "myself"}:
            return self.label
        if lower in {"my", "mine"}:
            return possessive(self.label)
        if lower in {"we", "us", "ourselves"}:
            return self.group
        if lower in {"our", "ours"}:
            return possessive(self.group)
        return _LISTENER.get(lower)

    def thing(self, text: str) -> str:
        """What "it" stands for: a thing named just before, now known."""
        told = re.sub(r"(?i)^(?:a|an)\s+", "the ", text)
        told = re.sub(r"(?i)^my\s+", f"{possessive(self.label)} ", told)
        return re.sub(r"(?i)^our\s+", f"{possessive(self.group)} ", told)


_LISTENER = {"you": "the assistant", "u": "the assistant", "your": "the assistant's", "yours": "the assistant's"}


@frozen
class Shaped:
    """A retold clause. `is_certain` is False when a pronoun could not be resolved; the text is then not to be used."""

    text: str
    is_certain: bool
    resolved: tuple[Reference, ...] = ()
    """People that pronouns turned out to mean."""


_ASIDES = deferred(
    r"(?i),?\s+which (?:is|was|are|were|looks?|seems?|feels?|has been|makes?|made) (?!in\b|at\b|on\b|by\b)[^,;]*$|"
    r",?\s+by the way\b(?=,|\s)|,\s*(?:have|has|do|does|did|wo|is|are)n['’]t\b[^,;]*$"
    r"|,\s*(?:never|always) (?:have|has|had|did|will)\b[^,;]*$"
)
"""What is hung on a statement without a subject of its own: ", haven't for ten years"."""
_ENDING = (
    r"btw|by the way|lol|haha+|hehe|lmao|you know|right|though|tho|tbh|imo|please|pls|fyi|too|ok"
    r"|okay|anyway|i guess|i think"
    r"|thanks|thank you|so yeah|just so you know|just|in case you wondered|if you need it|if that helps"
    r"|basically|obviously|honestly|literally|technically|sadly|luckily|of course|i know|imagine|sm|ngl|af|fr|so idk"
    r"|idk|ofc|or something|to save (?:my|his|her|their|[\w'’]+(?: user)?['’]s) life"
)
_CALLED = r"mate|man|bro|dude"
_TRAILERS = deferred(
    # One sign at a time: a run of spaces that could be split in many ways takes ever longer with its length.
    rf"(?i)(?:,\s?(?:{_CALLED})|[,\s](?:{_ENDING})|[\s.!?,;:…\-–—])+$"
)
_LAST_WORDS = frozenset(words.split()[-1] for words in f"{_ENDING}|{_CALLED}".split("|"))


def tidied(text: str) -> str:
    """A retold clause with single spaces, and without what is only hung on it.

    >>> tidied("he lives in  Bern, by the way"), tidied("he rows, haven't for years"), tidied("he is so man")
    ('he lives in Bern', 'he rows', 'he is so man')
    """
    if not has_single_spaces(text):
        return _TRAILERS.sub("", _ASIDES.sub("", re.sub(r"\s+", " ", text)))
    low = text.lower()
    if "," in low or "which" in low or "by the way" in low:
        text = _ASIDES.sub("", text)
        low = text.lower()
    # Tried at every word of the text, the pattern takes ten times as long as a look at the last one.
    last = low[low.rfind(" ") + 1 :]
    may_trail = "," in last or last in _LAST_WORDS or last[:4] == "haha" or not last[-1:].isalnum()
    return _TRAILERS.sub("", text) if may_trail else text


SINGULAR = {
    "am": "is",
    "'m": "is",
    "m": "is",
    "are": "is",
    "'re": "is",
    "were": "was",
    "have": "has",
    "'ve": "has",
    "do": "does",
}


CLITIC_WORDS = {"'ll": "will", "'re": "are", "'ve": "have"}


def possessive(label: str) -> str:
    """The label with its possessive ending."""
    return f"{label}'" if label.endswith("s") and label[:1].islower() and label != "the user's" else f"{label}'s"


THIRD_OF = {"he": "he", "him": "he", "his": "he", "himself": "he"} | dict.fromkeys(
    ("she", "her", "hers", "herself"), "she"
)
THIRD = lexicon.words("he she they him her them his hers their theirs")


DAYS = frozenset(("yesterday", "today", "tonight", "tomorrow"))
"""Words before the subject that say when."""
IDLE_LEADS = lexicon.words("meantime meanwhile way fact addition case contrast general honesty end truth sum news")
"""Of "in the meantime", "by the way", "in fact": they join the talk and tell nothing."""


OBJECTS = frozenset({"him", "her", "them"})
"""Forms that never mean the subject of their own clause: that takes "himself"."""


def may_be_subject(pronoun: str, subject: Noun | None, who: Reference | None) -> bool:
    """Whether he, she or they, said later in a clause, can mean the clause's own subject."""
    if subject is not None and (subject.is_plural or subject.pronoun == "they"):
        return pronoun == "they" and subject.pronoun is None
    if who is not None and not who.is_speaker and relations.gender_of(who.relation) in {"they", pronoun}:
        return True
    return (
        subject is not None
        and subject.relation is not None
        and (relations.gender_of(subject.relation) in {"they", pronoun})
    )


MOVING = lexicon.words("go fly move travel drive return come get sail relocate walk commute cycle run head")


def owns_what_follows(clause: Clause, token: Token, following: Token | None) -> bool:
    """Whether "his" or "her" says whose the next word is."""
    owns = token.lower in {"his", "their", "hers", "theirs"} or (token.lower == "her" and has_noun(following))
    return owns and not _is_called(clause, token, following)


def _is_called(clause: Clause, token: Token, following: Token | None) -> bool:
    """For "we call her Lola": she is called so, and no Lola is hers."""
    verb = clause.verb
    is_name = following is not None and following.is_capital
    return (
        verb is not None and verb.lemma == "call" and token.lower == "her" and is_name and token.start == verb.end + 1
    )


def nearest(clause: Clause, token: Token) -> Noun | None:
    """Whom a word such as "his" means before anybody else.

    That is the subject of the clause inside another in which it stands, or the one person whom the speaker's own
    statement names before it.
    """
    inner = next((one for one in clause.inner if one.subject is not None and one.start <= token.start < one.end), None)
    if inner is None and (clause.subject is None or clause.subject.pronoun not in {"i", "we"}):
        return None
    told = clause.nouns if inner is None else (inner.subject,)
    named = [one for one in told if one is not None and one.end <= token.start and (one.relation or one.name)]
    return named[0] if len(named) == 1 else None


def is_mistyped(token: Token) -> bool:
    """Whether a word is read as another one than it was typed: "teh", "sitser", "walkin"."""
    typed, lower = token.text.casefold(), token.lower
    if typed == lower:
        return False
    return typed in lexicon.TYPOS or lower in relations.CANONICAL or (lower[-3:] == "ing" and typed == lower[:-1])


def is_loose(token: Token, following: Token | None) -> bool:
    """Whether a pronoun points at nothing in the text: "it", "this", "that one"."""
    if token.lower in {"it", "its", "itself"}:
        return True
    if token.lower not in lexicon.DEMONSTRATIVES:
        return False
    return not has_noun(following) or (following is not None and following.lower not in lexicon.TIME_NOUNS)


def has_noun(token: Token | None) -> bool:
    return token is not None and token.tag in {"word", "name", "adjective", "number"}


def stands_alone(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word such as "Mom" is used like a name: nothing says whose, and no name follows."""
    before = tokens[index - 1] if index else None
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if before is not None and before.tag in {"possessive", "determiner", "clitic", "adjective", "number"}:
        return False
    return following is None or following.tag not in {"name", "word"} or following.form is not None


def steps(noun: Noun) -> list[Noun]:
    out = [noun]
    while out[-1].owner is not None:
        out.append(out[-1].owner)
    return out


def agree(token: Token, word: str) -> str:
    """The finite verb in the third person singular."""
    lower = token.lower
    if lower in SINGULAR:
        return SINGULAR[lower]
    if token.tag == "modal":
        return {"'ll": "will", "'d": "would"}.get(lower, word)
    if lower == "want" and word == "want":
        return "wants"
    if token.form is not None and "base" in token.form.forms and "past" not in token.form.forms:
        return third_person(token.form.lemma)
    if token.form is None and token.tag == "word" and lower not in FORMS and not lower.endswith(("s", "ed", "ing")):
        return third_person(lower)
    if lower in {"put", "cut", "set", "read", "quit", "hit", "let", "cost"}:
        return word
    return word


def is_team_ahead(tokens: Sequence[Token], index: int) -> bool:
    """Whether "our" stands before the team itself: it is the speaker's, not the team's."""
    while index < len(tokens) and tokens[index].tag in {"adjective", "name"}:
        index += 1
    return index < len(tokens) and tokens[index].lower in TEAMS


def is_of_the_clause(clause: Clause, tokens: Sequence[Token], index: int) -> bool:
    """For "people who lost their jobs": whose they are stands right before, so that nothing need be said."""
    token = tokens[index]
    if token.lower not in {"their", "his", "her"} or index + 1 >= len(tokens) or not has_noun(tokens[index + 1]):
        return False
    before = [one for one in tokens[:index] if clause.verb is not None and one.start >= clause.verb.end]
    who = next((at for at, one in enumerate(before) if at and one.lower in {"who", "that"}), None)
    said = before[who - 1] if who is not None else None
    return said is not None and said.tag == "word" and is_plural_word(said.lower) == (token.lower == "their")


def is_own_food(clause: Clause, token: Token, following: Token | None) -> bool:
    """Whether "my" adds nothing: somebody's own coffee, steak or laundry is told without whose it is."""
    if following is None or following.lower not in lexicon.UNOWNED:
        return False
    is_speaker = clause.subject is None or clause.subject.pronoun == "i"
    return token.lower == "my" if is_speaker else token.lower in {"his", "her", "their"}


def leads_to_name(tokens: Sequence[Token], index: int) -> bool:
    """Whether "this" only leads up to a name: "I met this amazing woman, Jean"."""
    ahead = tokens[index + 1 : index + 6]
    comma = next((at for at, token in enumerate(ahead) if token.text == ","), None)
    return comma is not None and comma + 1 < len(ahead) and ahead[comma + 1].tag == "name"


def is_of_us(clause: Clause, tokens: Sequence[Token], index: int) -> bool:
    """Whether "all" or "both" counts those of "we", who are told of as one: "we're all vegetarians"."""
    is_we = clause.subject is not None and clause.subject.pronoun == "we"
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    is_counted = following is not None and following.tag in {"word", "name"} and following.form is None
    return is_we and not is_counted and 0 < index <= 3 and tokens[index - 1].tag in {"auxiliary", "pronoun", "clitic"}


def is_named_otherwise(who: Reference, clause: Clause) -> bool:
    """For "Her name is Noor" after a word about Liesbeth: it is somebody else's."""
    subject, value = clause.subject, clause.complement.noun if clause.complement is not None else None
    if subject is None or subject.head != "name" or value is None or value.name is None or who.name is None:
        return False
    return set(who.name.casefold().split()).isdisjoint(value.name.casefold().split())


def inside(told: str, names: Iterable[str | None]) -> str:
    """A retold clause as it stands inside a sentence: its first letter small, unless it is a name's."""
    is_named = any(name and told.removeprefix(name)[:1] in {" ", "'", "’"} for name in names)
    return told if is_named else told[:1].lower() + told[1:]


_HEDGES = lexicon.words("maybe perhaps probably possibly supposedly apparently allegedly")


def loses_words(clause: Clause, content: str) -> bool:
    """Whether a word that was asked to be kept is not in the retelling; people and verbs are retold in other words."""
    folded = content.casefold()
    lost = [
        token
        for token in clause.tokens
        if (token.tag in {"word", "name", "number"} or token.lower in _HEDGES)
        and token.lower[:4] not in folded
        and token.lower not in lexicon.INTERJECTIONS
    ]
    if not lost:
        return False
    exempt = [
        (step.start, step.end)
        for noun in clause.nouns
        for step in steps(noun)
        if step.relation is not None or step.pronoun is not None
    ]
    if clause.verb is not None:
        exempt.append((clause.verb.start, clause.verb.end))
    return any(not any(start <= token.start < end for start, end in exempt) for token in lost)
