"""Where the subject of a clause ends and its finite verb stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.nouns import is_plural_word
from wellkept.judges.english.grammar.phrases import is_possessive
from wellkept.judges.english.grammar.tokens import COMMON_NOUNS
from wellkept.judges.english.grammar.verbs import NOUN_FIRST, VerbForm
from wellkept.judges.english.people import relations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.tokens import Token


@dataclass
class _Scan:
    """What has been seen on the way to the verb."""

    start: int | None = None
    complete: bool = False
    expects: bool = False
    plural: bool = False
    nominative: bool = False
    in_phrase: bool = False
    relative: int = 0
    guesses: bool = False
    joined: bool = False
    head: Token | None = None


_NOMINATIVE = frozenset(("i", "he", "she", "we", "they", "u"))


_OBJECTIVE = lexicon.OBJECT_PRONOUNS - lexicon.SUBJECT_PRONOUNS
_STANDING = lexicon.DEMONSTRATIVES | {"all", "both", "each", "some"}
_FINITE_CLITICS = frozenset(("'s", "'d"))


def locate(tokens: Sequence[Token], index: int, end: int, *, is_guessing: bool = False) -> tuple[int, int] | None:
    """Where the subject begins and where its finite verb stands, reading from `index`.

    `is_guessing` lets a word that no lexicon knows be the verb, by its ending and what follows it.
    """
    scan = _Scan(guesses=is_guessing)
    while index < end:
        token = tokens[index]
        if token.tag == "punctuation":
            skip = _punctuation(tokens, index, end, scan)
            if skip is None:
                return None
            index = skip
            continue
        if _is_finite_here(tokens, index, end, scan):
            if scan.relative:
                scan.relative -= 1
                scan.complete, scan.expects = True, False
            elif scan.start is not None:
                return scan.start, index
        elif not _advance(tokens, index, scan):
            return None
        index += 1
    return None


def _punctuation(tokens: Sequence[Token], index: int, end: int, scan: _Scan) -> int | None:
    """Where to go on after a sign, or None where the subject cannot go on."""
    token = tokens[index]
    if token.text == "(":
        return next((k for k in range(index, end) if tokens[k].text == ")"), index) + 1
    if token.text == ",":
        if scan.complete and not scan.in_phrase:
            aside = _aside_end(tokens, index, end)
            if aside is not None:
                scan.expects = False
                return aside
            following = tokens[index + 1] if index + 1 < end else None
            if (
                following is not None
                and following.tag in {"name", "word"}
                and any(item.tag == "coordinator" for item in tokens[index : min(end, index + 6)])
            ):
                scan.expects, scan.plural = True, True
                return index + 1
        scan.start, scan.complete, scan.expects, scan.in_phrase = None, False, False, False
        return index + 1
    return index + 1 if token.text in "\"'“”`*_’" else None


def _aside_end(tokens: Sequence[Token], index: int, end: int) -> int | None:
    """Where ", my cousin," or ", who lives in Rome," after a subject ends."""
    close = next((k for k in range(index + 1, min(end, index + 9)) if tokens[k].text == ","), None)
    if close is None or close == index + 1:
        return None
    inner = tokens[index + 1 : close]
    if inner[0].tag == "wh":
        return close + 1
    has_verb = any(item.tag in {"auxiliary", "modal"} for item in inner)
    return close + 1 if inner[0].tag in {"possessive", "name", "determiner"} and not has_verb else None


def _is_finite_here(tokens: Sequence[Token], index: int, end: int, scan: _Scan) -> bool:
    token = tokens[index]
    if not scan.complete and not scan.relative:
        return False
    if token.tag in {"auxiliary", "modal"}:
        return (
            not scan.expects
            and token.lower not in {"be", "been", "being", "having"}
            and not (token.lower in {"may", "will"} and token.is_capital and scan.in_phrase)
        )
    if token.tag == "clitic":
        if index and tokens[index - 1].lower == "let":
            return False
        return token.lower in _FINITE_CLITICS and not (token.lower == "'s" and _owns(tokens, index, end))
    if scan.expects and not scan.relative:
        return False
    return _is_verb_here(tokens, index, end, scan)


def _owns(tokens: Sequence[Token], index: int, end: int) -> bool:
    """Whether an 's in a subject is possessive: a noun follows, and a verb after that."""
    if not is_possessive(tokens, index, end):
        return False
    for k in range(index + 1, end):
        token = tokens[k]
        if token.tag in {"auxiliary", "modal"} or (token.tag == "clitic" and k > index + 1) or token.text in {":", "="}:
            return True
        if token.form is not None and k > index + 1 and token.form.forms & {"s", "past"}:
            return True
        if (
            token.form is not None
            and "base" in token.form.forms
            and k > index + 1
            and is_plural_word(_before_adverbs(tokens, k).lower)
        ):
            return True
        if (
            token.tag == "punctuation"
            and token.text not in {"'", '"', "(", ")"}
            and _is_bare_noun(tokens, index + 1, k)
        ):
            return True
        if token.tag == "punctuation" and token.text not in {",", "'", '"', "(", ")"}:
            return False
    return _is_bare_noun(tokens, index + 1, end)


def _is_bare_noun(tokens: Sequence[Token], start: int, end: int) -> bool:
    """For "Joost's first day!", "Ronnie Scott's tickets": what somebody *is* would have an article."""
    if start >= end:
        return False
    *before, last = tokens[start:end]
    if last.tag != "word" or last.lower in _PREDICATES or _describes(last.lower):
        return False
    is_noun = last.form is None or last.form.lemma in NOUN_FIRST or last.lower in COMMON_NOUNS
    return is_noun and all(token.tag in {"adjective", "number"} or token.form is None for token in before)


_PREDICATES = lexicon.words("home vegan veggie pregnant asleep away abroad dead royalty family")
"""What somebody can be without an article."""


def _describes(word: str) -> bool:
    """Whether a word that no lexicon knows looks like an adjective: "dyspraxic", "gluten-free"."""
    return word.endswith(("ic", "ous", "ful", "less", "able", "ible", "ive", "ish", "free", "ant", "ent", "ed", "al"))


def _before_adverbs(tokens: Sequence[Token], index: int) -> Token:
    """The word before this one, past "only", "always" and their like."""
    index -= 1
    while index and (tokens[index].tag == "adverb" or tokens[index].lower == "only"):
        index -= 1
    return tokens[index]


def _is_verb_here(tokens: Sequence[Token], index: int, end: int, scan: _Scan) -> bool:
    token = tokens[index]
    following = tokens[index + 1] if index + 1 < end else None
    form = token.form
    if (
        token.lower in {"called", "named"}
        and not scan.nominative
        and not scan.relative
        and following is not None
        and (following.tag == "name" or not _is_personal(scan.head))
    ):
        return False
    if token.lower == "last" and following is not None and following.form is not None:
        return False
    if (
        form is None
        and scan.guesses
        and token.tag == "word"
        and not token.is_capital
        and not scan.plural
        and token.lower.endswith(("s", "ed"))
        and following is not None
        and following.tag in {"preposition", "determiner", "possessive", "to", "adverb", "number", "pronoun", "name"}
    ):
        return True
    if form is None:
        return scan.nominative and token.tag == "word" and not token.is_capital and not token.lower.endswith("ly")
    if token.is_capital and token.tag == "name":
        return False
    if (
        following is not None
        and following.tag in {"auxiliary", "modal"}
        and following.lower not in {"being", "having"}
        and not (following.lower in {"do", "have"} and not scan.nominative)
    ):
        return scan.nominative and not scan.relative
    if not _agrees(form, scan):
        return False
    if scan.nominative or scan.relative or form.lemma not in NOUN_FIRST or form.forms <= {"past", "participle"}:
        return True
    return _is_personal(scan.head) or not _later_verb(tokens, index + 1, min(end, index + 5))


def _agrees(form: VerbForm, scan: _Scan) -> bool:
    if "past" in form.forms:
        return True
    if scan.relative:
        return bool(form.forms & {"s", "base"})
    if scan.plural or (scan.head is not None and scan.head.lower in {"i", "you", "we", "they", "u"}):
        return "base" in form.forms or (scan.nominative and bool(form.forms & {"s", "participle"}))
    return bool(form.forms & {"s"}) or (scan.nominative and bool(form.forms))


def _is_personal(head: Token | None) -> bool:
    return head is not None and (
        head.tag in {"name", "handle", "pronoun"} or relations.relation_of(head.lower) is not None
    )


def _later_verb(tokens: Sequence[Token], index: int, end: int) -> bool:
    for token in tokens[index:end]:
        if token.tag in {"auxiliary", "modal"}:
            return True
        if token.tag in {"punctuation", "coordinator", "preposition", "pronoun", "possessive", "to"}:
            return False
        if token.form is not None and token.form.lemma not in NOUN_FIRST and token.form.forms & {"s", "past"}:
            return True
    return False


def _advance(tokens: Sequence[Token], index: int, scan: _Scan) -> bool:
    """Takes a token that is not the verb into the scan; False where no subject can go on."""
    tag = tokens[index].tag
    if tag in {"adverb", "negation", "interjection", "emoji"}:
        return True
    if tag == "pronoun":
        return _pronoun(tokens, index, scan)
    if tag in {"determiner", "possessive"}:
        return _determiner(tokens, index, scan)
    if tag in {"preposition", "to", "subordinator"}:
        return _preposition(tokens, index, scan)
    if tag == "wh":
        scan.relative += scan.complete
        return scan.complete
    if tag == "coordinator":
        scan.plural, scan.joined, scan.expects, scan.nominative = True, True, True, False
        return scan.start is not None
    if tag == "clitic":
        scan.expects, scan.complete = True, False
        return scan.start is not None
    _content_word(tokens, index, scan)
    return True


def _pronoun(tokens: Sequence[Token], index: int, scan: _Scan) -> bool:
    token = tokens[index]
    if token.lower in lexicon.REFLEXIVES:
        return scan.start is not None
    is_first = scan.start is None and index + 1 < len(tokens) and tokens[index + 1].lower == "and"
    if token.lower in _OBJECTIVE and not scan.expects and not is_first:
        return scan.in_phrase
    if not (scan.expects and scan.start is not None and tokens[index - 1].tag == "coordinator"):
        scan.start = index
    scan.plural = scan.plural or token.lower in {"we", "they", "you"}
    scan.nominative = token.lower in _NOMINATIVE or token.lower in {"you", "it"}
    scan.complete, scan.expects, scan.in_phrase, scan.head = True, False, False, token
    return True


def _determiner(tokens: Sequence[Token], index: int, scan: _Scan) -> bool:
    if tokens[index].lower == "that" and scan.complete and not scan.expects:
        scan.relative += 1
        return True
    if scan.start is None or (not scan.expects and scan.complete):
        scan.start, scan.in_phrase, scan.plural, scan.joined = index, False, False, False
    is_standing = tokens[index].lower in _STANDING
    scan.complete, scan.expects = is_standing, not is_standing
    if is_standing:
        scan.head = tokens[index]
        scan.plural = tokens[index].lower in {"these", "those", "all", "both", "some"}
    scan.nominative = False
    return True


def _preposition(tokens: Sequence[Token], index: int, scan: _Scan) -> bool:
    token = tokens[index]
    if scan.start is None:
        # A phrase before the subject ("in 2019 I …"): the subject starts after it.
        scan.in_phrase = True
        return index + 1 < len(tokens)
    if token.tag == "subordinator" and token.lower not in {"as", "since", "before", "after", "until", "till"}:
        return False
    scan.expects, scan.in_phrase, scan.nominative = True, True, False
    return True


def _content_word(tokens: Sequence[Token], index: int, scan: _Scan) -> None:
    token = tokens[index]
    before = tokens[index - 1] if index else None
    if scan.start is None:
        scan.start = index
    if token.tag == "adjective" and not token.is_capital:
        scan.expects = scan.expects or not scan.complete
        scan.nominative = False
        if before is not None and before.tag in {"determiner", "possessive", "clitic"}:
            scan.expects = True
            scan.complete = scan.complete or token.lower in {"other", "youngest", "oldest", "eldest"}
        return
    is_head_of_phrase = scan.in_phrase and scan.complete
    if not is_head_of_phrase and not (scan.in_phrase and scan.head is not None):
        scan.plural = scan.joined or (is_plural_word(token.lower) and token.tag != "name")
        scan.head = token
    scan.complete, scan.expects, scan.nominative = True, False, False
