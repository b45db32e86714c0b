"""Clauses: where a sentence splits into statements, and what each says of whom."""

from __future__ import annotations

import itertools
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.finite import locate
from wellkept.judges.english.grammar.nouns import Noun, nouns_of
from wellkept.judges.english.grammar.phrases import starts_noun
from wellkept.judges.english.grammar.tokens import Token
from wellkept.judges.english.grammar.verbgroup import Verb
from wellkept.judges.english.grammar.verbs import NOUN_FIRST, STATIVE
from wellkept.judges.english.people import relations
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Clause", "ClauseType", "Phrase", "Verb", "read", "split"]

ClauseType = Literal["declarative", "question", "imperative", "fragment", "quote", "code"]
Gap = Literal["subject", "object", "complement", "adverb"]


@frozen
class Phrase:
    """A phrase that hangs on the verb: prepositional ("in Porto"), or a time noun without a preposition ("last week").

    `kind` is "phrase", or for what completes the verb "noun", "adjective", "infinitive", "gerund", "clause".
    """

    text: str
    start: int
    end: int
    kind: str = "phrase"
    preposition: str | None = None
    noun: Noun | None = None
    lemma: str | None = None
    """Of an infinitive or gerund: its verb."""


@frozen
class Clause:
    """One clause. In a question the asked-for part is the `gap`, and `wh` says by which word it is asked."""

    text: str
    start: int
    end: int
    sentence: int = 0
    type: ClauseType = "declarative"
    conjunction: str | None = None
    """The word that joins it to what stands before: "and", "because", "if"."""
    lead: tuple[str, ...] = ()
    """Words before the subject, lower case: adverbs, greetings, vocatives."""
    subject: Noun | None = None
    verb: Verb | None = None
    object: Noun | None = None
    indirect: Noun | None = None
    complement: Phrase | None = None
    """What completes "be" and its like, or an infinitive, gerund or clause after the verb."""
    phrases: tuple[Phrase, ...] = ()
    adverbs: tuple[str, ...] = ()
    inner: tuple[Clause, ...] = ()
    """The clause that a verb of saying or thinking carries: "I think *my boss is sick*"."""
    rest: str = ""
    """The words after the verb group."""
    rest_start: int = 0
    wh: str | None = None
    wh_noun: Noun | None = None
    """The noun that a wh-word asks about: "what color", "which editor"."""
    wh_text: str = ""
    gap: Gap | None = None
    is_elided: bool = False
    """The subject was left out ("moved to Berlin last month")."""
    is_shared: bool = False
    """The subject stands in the clause before ("… and works at Zalando")."""
    auxiliary: str = ""
    """The "was" that it shares with the clause before ("born in Accra and *raised* in Kumasi")."""
    tokens: tuple[Token, ...] = field(default=(), repr=False, compare=False)

    @cached_property
    def nouns(self) -> Sequence[Noun]:
        """Every noun in the order of mention, members of coordinations one by one."""
        return nouns_of(self)


REPORTING = lexicon.words(
    "think know believe say tell mention hope guess feel realize realise learn hear find suppose see remember forget "
    "notice swear promise admit confirm agree mean figure assume expect understand wish decide announce note reckon "
    "bet suspect imagine worry understand read"
)
_OPENERS = frozenset(
    ("when", "whenever", "if", "since", "because", "while", "after", "before", "once", "until", "although", "though")
)
_BREAKS = frozenset((";", "—", "–", "--", "-", "...", "…"))
_POLITE = frozenset(("please", "pls", "plz", "thanks", "thank"))
"""After a comma they begin what is said to the listener: "I live in Rome, please answer"."""
_HUSHED = frozenset(("to", "between", "quiet", "secret", "private", "under", "confidential"))
_LINKS = lexicon.words(
    "and but so or yet plus because since although though while whereas if unless when "
    "whenever until till before after once as cause cuz coz bc then & where"
)
_STARTING = _LINKS | {",", "i", "we", "he", "she", "they"}
_JOINING = lexicon.SUBORDINATORS - {"that", "as"}


def split(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The clause ranges of a sentence's tokens."""
    cuts: list[int] = []
    begin = 0
    depth = 0
    for index, token in enumerate(tokens):
        if token.text in "([":
            depth += 1
        elif token.text in ")]" and depth:
            depth -= 1
        if index == begin or depth:
            continue
        if token.text == ":" and tokens[index - 1].form is None and index + 1 < len(tokens):
            # "Some background: I'm a painter, …": what stands before only leads in.
            if tokens[index + 1].tag == "pronoun" and _opens(tokens, index + 1, len(tokens), is_comma=False):
                cuts.append(index + 1)
                begin = index + 1
            continue
        if token.tag == "punctuation" and token.text in _BREAKS:
            if _has_verb(tokens, begin, index) or token.text == ";":
                cuts.append(index + 1)
                begin = index + 1
            continue
        if token.lower in _STARTING and _starts_clause(tokens, index, begin):
            cuts.append(index)
            begin = index
    edges = [0, *cuts, len(tokens)]
    return [(left, right) for left, right in itertools.pairwise(edges) if left < right]


def _has_verb(tokens: Sequence[Token], begin: int, end: int) -> bool:
    return locate(tokens, _skip_lead(tokens, begin, end), end) is not None or any(
        token.tag in {"auxiliary", "modal"} or (token.form is not None and token.tag == "word")
        for token in tokens[begin:end]
    )


def _starts_clause(tokens: Sequence[Token], index: int, begin: int) -> bool:
    token = tokens[index]
    if (
        token.lower in {"i", "we", "he", "she", "they"}
        and tokens[begin].lower in _OPENERS
        and tokens[index - 1].tag in {"word", "adverb", "name", "number"}
        and index > begin + 2
    ):
        # "When I travel I always …" has no comma between its clauses.
        return locate(tokens, begin + 1, index) is not None and _opens(tokens, index, len(tokens), is_comma=False)
    if token.lower == "so" and (_orders(tokens, index + 1) or _wonders(tokens, index + 1)):
        return True
    is_comma = token.text == ","
    if not is_comma and token.lower not in _LINKS:
        return False
    following = index + 1
    end = len(tokens)
    known = _after_comma(tokens, following, begin) if is_comma and following < end else None
    if known is not None:
        return known
    while following < end and (tokens[following].tag in {"adverb", "interjection"} or tokens[following].text == ","):
        following += 1
    return following < end and _follows(tokens, following, begin, index)


def _is_doing(token: Token) -> bool:
    return token.form is not None and token.form.forms == {"ing"}


def _after_comma(tokens: Sequence[Token], following: int, begin: int) -> bool | None:
    """Whether a clause begins after a comma, where its first words alone tell."""
    comma, token = following - 1, tokens[following]
    colon = next((k for k in range(begin + 1, comma) if tokens[k].text == ":"), None)
    if colon is not None and tokens[colon - 1].form is not None:
        # "I need: a passport, Ana's present, …" goes on as a list.
        return False
    if turns_away(tokens, following) or _is_added(tokens, following, begin, comma):
        return True
    if token.lower == "been" and _has_verb(tokens, begin, comma):
        return True
    return False if token.lower in _LINKS or token.tag == "wh" else None


def _follows(tokens: Sequence[Token], following: int, begin: int, index: int) -> bool:
    """Whether what stands at `following`, after the comma or link at `index`, is a clause of its own."""
    token, end, before = tokens[index], len(tokens), tokens[begin:index]
    is_comma = token.text == ","
    if before and before[0].lower in _LINKS and before[0].tag == "subordinator" and is_comma:
        return _opens(tokens, following, end, is_comma=False)
    if begin == 0 and _is_doing(tokens[0]) and _is_doing(tokens[following]):
        return False  # "Cooking and baking are my hobbies"
    if not _has_verb(tokens, begin, index):
        # "Nothing new, but my colleague Rob left": what stands before is no clause, what follows is one.
        is_aside = token.lower == "but" and tokens[index - 1].text == ","
        return is_aside and _opens(tokens, following, end, is_comma=False)
    if _opens(tokens, following, end, is_comma=is_comma) or _hushes(tokens, index):
        return True
    if is_comma:
        return _goes_on(tokens, following, begin, index)
    return token.lower in {"and", "but", "then", "or"} and _opens_verb(tokens, following, begin, index)


def _hushes(tokens: Sequence[Token], index: int) -> bool:
    """For "… but please keep that to yourself"."""
    words = [token.lower for token in tokens[index : index + 4]]
    return words[0] == "but" and (words[1] in _POLITE or (words[1] == "keep" and words[-1] in _HUSHED))


def _wonders(tokens: Sequence[Token], index: int) -> bool:
    """For ", so who knows if …"."""
    return index < len(tokens) and tokens[index].tag == "wh" and tokens[index - 2].text == ","


def _orders(tokens: Sequence[Token], index: int) -> bool:
    """For ", so please …", ", so call him loudly"."""
    if index + 1 >= len(tokens):
        return False
    first, second = tokens[index], tokens[index + 1]
    is_base = first.form is not None and first.form.forms == {"base"} and first.tag == "word"
    return first.lower in _POLITE or (is_base and second.lower in {"him", "her", "them", "me", "us", "it"})


def turns_away(tokens: Sequence[Token], index: int) -> bool:
    """Whether what follows a comma is said to the listener: ", please …", ", remind me …", ", did I say that?"."""
    token = tokens[index]
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    is_base = token.form is not None and "base" in token.form.forms and token.tag == "word"
    ahead = [item.lower for item in tokens[index + 1 : index + 3]]
    is_order = is_base and (ahead[:1] == ["me"] or ahead == ["for", "me"])  # "…, sue me", "…, pray for me"
    is_kept = token.lower == "keep" and after is not None and after.lower in {"it", "that", "this"}
    is_asked = token.tag in {"auxiliary", "modal"} and after is not None and after.lower in {"i", "you"}
    return token.lower in _POLITE or is_order or is_asked or is_kept


def _is_added(tokens: Sequence[Token], following: int, begin: int, comma: int) -> bool:
    """For "Priyanka is a solicitor, lives in Croydon": a second verb without an "and"."""
    token = tokens[following]
    found = locate(tokens, _skip_lead(tokens, begin, comma), comma)
    after = tokens[following + 1] if following + 1 < len(tokens) else None
    if found is None or token.form is None or token.tag != "word" or after is None:
        return False
    if "past" in token.form.forms and "base" not in token.form.forms:
        return after.lower in {"it", "my", "our"} and token.form.lemma not in NOUN_FIRST
    is_plain = token.form.forms == {"s"} and after.tag in {"preposition", "determiner", "possessive", "to", "name"}
    subject = tokens[found[0]]
    return is_plain and subject.lower not in {"i", "we", "you", "they"} and token.form.lemma not in NOUN_FIRST


def _goes_on(tokens: Sequence[Token], following: int, begin: int, comma: int) -> bool:
    """Whether verbs follow each other in a list: "We watch movies, hike, and have game nights"."""
    found = locate(tokens, _skip_lead(tokens, begin, comma), comma)
    form, main = tokens[following].form, tokens[found[1]].form if found is not None else None
    if form is None or main is None or tokens[following].tag != "word" or not form.forms & main.forms - {"participle"}:
        return False
    for at in range(following, min(len(tokens) - 1, following + 12)):
        if tokens[at].tag == "coordinator" and tokens[at - 1].text == ",":
            last = tokens[at + 1]
            return last.tag == "auxiliary" or (last.form is not None and bool(last.form.forms & main.forms))
    return False


def _opens(tokens: Sequence[Token], index: int, end: int, *, is_comma: bool) -> bool:
    """Whether a subject with its verb begins at `index`."""
    first = tokens[index]
    if not starts_noun(first) and first.lower not in _LINKS:
        return False
    found = locate(tokens, index, min(end, index + 14))
    if found is None or any(tokens[k].text in {",", ";"} for k in range(index, found[1])):
        return False
    if first.form is not None and "ing" in first.form.forms and _ends_as_noun(tokens, found[1], end):
        return False  # "… and playing games"
    is_bare = found[1] == found[0] + 1 and first.tag == "word" and first.form is None
    if is_bare and _ends_as_noun(tokens, found[1], end) and relations.relation_of(first.lower) is None:
        return False
    if found[0] != index and not (tokens[index].tag in {"preposition", "subordinator"} or found[0] - index <= 3):
        return False
    if is_comma:
        return first.tag in {"pronoun", "possessive", "name", "handle", "determiner", "word"}
    return True


def _ends_as_noun(tokens: Sequence[Token], index: int, end: int) -> bool:
    """Whether what could be a verb is the last word and as often a noun: "stamps and vinyl records"."""
    form = tokens[index].form
    is_last = index + 1 >= end or tokens[index + 1].tag in {"punctuation", "coordinator"}
    return is_last and form is not None and form.lemma in NOUN_FIRST and tokens[index].tag == "word"


def _opens_verb(tokens: Sequence[Token], index: int, begin: int, end: int) -> bool:
    """Whether a verb that shares the subject of the clause before begins at `index`."""
    token = tokens[index]
    found = locate(tokens, _skip_lead(tokens, begin, end), end)
    if found is None:
        # In a list of verbs the subject stands further ahead.
        return tokens[begin].text == "," and begin > 0 and (token.form is not None or token.tag == "auxiliary")
    is_relative = any(item.tag == "wh" or item.lower == "that" for item in tokens[found[1] + 1 : end])
    if token.tag in {"auxiliary", "modal", "negation"}:
        # "I chose a sofa that looks good and is soft": the sofa is.
        return not (is_relative and token.lower in {"is", "are", "was", "were", "has"})
    if token.form is None or token.tag not in {"word", "preposition"} or is_relative:
        return False
    main = tokens[found[1]]
    is_last = index + 1 >= len(tokens) or tokens[index + 1].tag in {"punctuation", "coordinator"}
    if any(item.tag == "to" for item in tokens[found[1] : end]) and token.form.forms == {"base"}:
        return False
    if main.tag == "modal" and "base" in token.form.forms:
        return not is_last
    if "past" in token.form.forms and (main.form is None or "past" in main.form.forms or main.tag != "word"):
        return True
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    is_third = token.form.forms == {"s"} and main.form is not None and "s" in main.form.forms
    if is_third and after is not None and after.tag in {"preposition", "to"} and tokens[end - 1].tag == "name":
        return True
    if token.form.lemma in NOUN_FIRST and (
        is_last
        or token.form.lemma not in STATIVE | {"run", "study", "travel", "play", "use", "drink", "drive", "collect"}
    ):
        return False
    subject = tokens[found[0]]
    wanted = "base" if subject.lower in {"i", "we", "you", "they"} or (main.form and "base" in main.form.forms) else "s"
    return wanted in token.form.forms and not (is_last and token.form.lemma in NOUN_FIRST)


_ALSO_PREPOSITIONS = frozenset(("after", "before", "since", "until", "till"))


def _leads_phrase(tokens: Sequence[Token], index: int, end: int) -> bool:
    """For "After a long day, I swim": up to the comma the word leads a phrase and no clause."""
    if tokens[index].lower not in _ALSO_PREPOSITIONS or tokens[index].tag != "preposition":
        return False
    comma = next((k for k in range(index + 1, min(end, index + 9)) if tokens[k].text == ","), None)
    return comma is not None and comma > index + 1 and locate(tokens, index + 1, comma) is None


def _skip_lead(tokens: Sequence[Token], index: int, end: int) -> int:
    if tokens[index].lower == "from" and [item.lower for item in tokens[index : index + 3]] == ["from", "now", "on"]:
        index += 3
    while index < end:
        token = tokens[index]
        if (
            token.lower in {"but", "and", "so", "or", "then", "plus", "&"}
            or token.tag in {"emoji", "interjection"}
            or (token.tag == "adverb" and token.lower not in {"here", "there"})
            or token.tag == "punctuation"
            or (
                token.lower in _JOINING
                and index + 1 < end
                and token.tag != "name"
                and tokens[index + 1].tag not in {"auxiliary", "modal", "clitic"}
                and not _leads_phrase(tokens, index, end)
            )
        ):
            index += 1
        elif (
            token.tag in {"name", "word"}
            and index + 1 < end
            and tokens[index + 1].text in {",", ":"}
            and index + 2 < end
            and tokens[index + 2].tag in {"pronoun", "possessive"}
            and tokens[index].is_capital
            and not any(item.text == "," for item in tokens[index + 2 : index + 7])
        ):
            index += 2
        else:
            break
    return index


def read(text: str, tokens: Sequence[Token], number: int, *, is_question: bool, depth: int = 0) -> Clause | None:
    """The clause of a token range; None when nothing but signs is in it."""
    from wellkept.judges.english.grammar.reader import Reader

    return Reader(text, tokens, number, depth).clause(is_question=is_question)
