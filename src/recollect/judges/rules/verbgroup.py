"""The verb of a clause: where it stands, and what tense, modality and negation it carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from recollect.judges.rules import lexicon, relations
from recollect.judges.rules.phrases import is_plural_word, is_possessive
from recollect.judges.rules.verbs import NOUN_FIRST, VerbForm, guess_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.judges.rules.tokens import Token

Tense = Literal["present", "past", "future", "none"]


@dataclass(frozen=True, kw_only=True)
class Verb:
    """A verb group. `lemma` is the main verb's; `modal` also names "used to", "going to", "have to", "need to"."""

    text: str
    start: int
    end: int
    lemma: str
    tense: Tense = "present"
    aspect: Literal["simple", "progressive", "perfect", "perfect progressive"] = "simple"
    modal: str | None = None
    is_negative: bool = False
    is_passive: bool = False
    particle: str | None = None
    form: str = ""
    """The main verb as written, lower case."""


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
        close = next((k for k in range(index, end) if tokens[k].text == ")"), index)
        return close + 1
    if token.text == ",":
        if scan.complete and not scan.in_phrase:
            close = next((k for k in range(index + 1, min(end, index + 9)) if tokens[k].text == ","), None)
            inner = tokens[index + 1 : close] if close is not None else ()
            if inner and (inner[0].tag in {"wh", "possessive", "name", "determiner"}) and (
                inner[0].tag == "wh" or not any(item.tag in {"auxiliary", "modal"} for item in inner)
            ):
                return close + 1 if close is not None else None
            following = tokens[index + 1] if index + 1 < end else None
            if following is not None and following.tag in {"name", "word"} and any(
                item.tag == "coordinator" for item in tokens[index : min(end, index + 6)]
            ):
                scan.expects, scan.plural = True, True
                return index + 1
        scan.start, scan.complete, scan.expects, scan.in_phrase = None, False, False, False
        return index + 1
    return index + 1 if token.text in "\"'“”`*_’" else None


def _is_finite_here(tokens: Sequence[Token], index: int, end: int, scan: _Scan) -> bool:
    token = tokens[index]
    if not scan.complete and not scan.relative:
        return False
    if token.tag in {"auxiliary", "modal"}:
        return not scan.expects and token.lower not in {"be", "been", "being", "having"} and not (
            token.lower in {"may", "will"} and token.is_capital and scan.in_phrase)
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
        if token.tag == "punctuation" and token.text not in {",", "'", '"', "(", ")"}:
            return False
    return False


def _is_verb_here(tokens: Sequence[Token], index: int, end: int, scan: _Scan) -> bool:
    token = tokens[index]
    following = tokens[index + 1] if index + 1 < end else None
    form = token.form
    if token.lower in {"called", "named"} and not scan.nominative and not scan.relative and following is not None \
            and (following.tag == "name" or not _is_personal(scan.head)):
        return False
    if token.lower == "last" and following is not None and following.form is not None:
        return False
    if form is None and scan.guesses and token.tag == "word" and not token.is_capital and not scan.plural and token.lower.endswith(("s", "ed")) \
            and following is not None and following.tag in {"preposition", "determiner", "possessive", "to", "adverb", "number", "pronoun", "name"}:
        return True
    if form is None:
        return scan.nominative and token.tag == "word" and not token.is_capital and not token.lower.endswith("ly")
    if token.is_capital and token.tag == "name":
        return False
    if following is not None and following.tag in {"auxiliary", "modal"} and following.lower not in {"being", "having"} \
            and not (following.lower in {"do", "have"} and not scan.nominative):
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
    token = tokens[index]
    tag = token.tag
    if tag in {"adverb", "negation", "interjection", "emoji"}:
        return True
    if tag == "pronoun" and token.lower in lexicon.REFLEXIVES:
        return scan.start is not None
    if tag == "pronoun":
        if token.lower in lexicon.OBJECT_PRONOUNS - lexicon.SUBJECT_PRONOUNS and not scan.expects:
            return scan.in_phrase
        if not (scan.expects and scan.start is not None and tokens[index - 1].tag == "coordinator"):
            scan.start = index
        scan.plural = scan.plural or token.lower in {"we", "they", "you"}
        scan.nominative = token.lower in _NOMINATIVE or token.lower in {"you", "it"}
        scan.complete, scan.expects, scan.in_phrase, scan.head = True, False, False, token
        return True
    if tag in {"determiner", "possessive"}:
        return _determiner(tokens, index, scan)
    if tag == "wh":
        if scan.complete:
            scan.relative += 1
            return True
        return False
    if tag == "coordinator":
        scan.plural, scan.joined, scan.expects, scan.nominative = True, True, True, False
        return scan.start is not None
    if tag in {"preposition", "to", "subordinator"}:
        return _preposition(tokens, index, scan)
    if tag == "clitic":
        scan.expects, scan.complete = True, False
        return scan.start is not None
    _content_word(tokens, index, scan)
    return True


def _determiner(tokens: Sequence[Token], index: int, scan: _Scan) -> bool:
    if tokens[index].lower == "that" and scan.complete and not scan.expects:
        scan.relative += 1
        return True
    if scan.start is None or (not scan.expects and scan.complete):
        scan.start, scan.in_phrase, scan.plural, scan.joined = index, False, False, False
    is_standing = tokens[index].lower in lexicon.DEMONSTRATIVES | {"all", "both", "each", "some"}
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


def verb_group(text: str, tokens: Sequence[Token], index: int, end: int) -> tuple[Verb, int, tuple[str, ...]]:
    """The verb group from its first word on, where it ends, and the adverbs inside it."""
    start = tokens[index].start
    state = _Group()
    last = index
    while index < end:
        token = tokens[index]
        if token.tag == "negation":
            state.negative = True
            if token.lower == "never":
                state.adverbs.append("never")
        elif token.tag == "adverb" and not (state.main and state.lemma != "be"):
            if not _verb_ahead(tokens, index + 1, end) and state.lemma is not None:
                break
            state.adverbs.append(token.lower)
        elif not state.take(tokens, index, end):
            break
        else:
            index = state.skip_to or index
            state.skip_to = None
        last = index
        index += 1
        if state.main:
            break
    if index < end and state.main and tokens[index].tag == "negation" and state.lemma == "be":
        state.negative = True
        last, index = index, index + 1
    particle = None
    if index < end and state.main and tokens[index].lower in _PARTICLES and state.lemma in _PARTICLE_VERBS and not (
            tokens[index].lower in {"on", "over"} and index + 1 < end and tokens[index + 1].tag not in {"punctuation", "adverb", "preposition"}):
        particle, last, index = tokens[index].lower, index, index + 1
    verb = Verb(text=text[start : tokens[last].end], start=start, end=tokens[last].end, lemma=state.lemma or "be",
                tense=state.tense, aspect=state.aspect, modal=state.modal, is_negative=state.negative,
                is_passive=state.passive, particle=particle, form=state.form)
    return verb, last + 1, tuple(state.adverbs)


_PARTICLES = frozenset(("up", "off", "out", "down", "away", "back", "over", "on"))
_PARTICLE_VERBS = lexicon.words(
    "give break pick set grow wake get turn put take work hang throw clean come find figure sign move go call end cut "
    "look show sell run make pass kick drop stay back shut"
)


def _verb_ahead(tokens: Sequence[Token], index: int, end: int) -> bool:
    while index < end and tokens[index].tag in {"adverb", "negation"}:
        index += 1
    return index < end and (tokens[index].form is not None or tokens[index].tag in {"auxiliary", "modal"}) \
        and tokens[index].tag != "adjective"


class _Group:
    """Builds one verb group from its words."""

    def __init__(self) -> None:
        self.lemma: str | None = None
        self.tense: Tense = "present"
        self.modal: str | None = None
        self.negative = self.passive = self.progressive = self.perfect = self.main = False
        self.adverbs: list[str] = []
        self.form = ""
        self.skip_to: int | None = None
        self._is_first = True
        self._after: str | None = None

    @property
    def aspect(self) -> Literal["simple", "progressive", "perfect", "perfect progressive"]:
        """The aspect that the auxiliaries add up to."""
        if self.perfect:
            return "perfect progressive" if self.progressive else "perfect"
        return "progressive" if self.progressive else "simple"

    def take(self, tokens: Sequence[Token], index: int, end: int) -> bool:
        """Takes one word into the group; False when the group ended before it."""
        token = tokens[index]
        lower = token.lower
        following = tokens[index + 1].lower if index + 1 < end else ""
        if lower == "'s":
            lower = "has" if self._is_perfect_ahead(tokens, index + 1, end) else "is"
        elif lower == "'d":
            lower = "had" if following == "better" or self._is_perfect_ahead(tokens, index + 1, end) else "would"
        if lower in lexicon.MODALS and (self._is_first or self.modal is None) and self._after is None:
            self.modal = lexicon.MODALS[lower]
            self._tense("future" if self.modal in {"will", "shall"} else "present")
            self._after, self.lemma, self._is_first = "base", self.lemma or "be", False
            return True
        if lower in lexicon.BE_FORMS and self._after in {None, "base", "participle"}:
            self._tense("past" if lexicon.BE_FORMS[lower] == "past" else "present")
            self.perfect = self.perfect or (self._after == "participle")
            self.lemma, self._after, self._is_first, self.form = "be", "be", False, lower
            return True
        if lower in lexicon.HAVE_FORMS and self._after in {None, "base"} and lower != "having":
            return self._have(tokens, index, end, lower)
        if lower in lexicon.DO_FORMS and self._after in {None, "base"}:
            self._tense("past" if lower == "did" else "present")
            self.lemma, self._is_first, self.form = "do", False, lower
            self._after = "do"
            return True
        return self._main(tokens, index, end)

    def _tense(self, tense: Tense) -> None:
        if self._is_first:
            self.tense = tense

    def _have(self, tokens: Sequence[Token], index: int, end: int, lower: str) -> bool:
        self._tense("past" if lower == "had" else "present")
        self._is_first = False
        following = tokens[index + 1] if index + 1 < end else None
        self.lemma, self.form = "have", lower
        if following is not None and following.lower == "to" and index + 2 < end and _is_base(tokens[index + 2]):
            self.modal, self._after, self.skip_to = "have to", "base", index + 1
            return True
        self._after = "participle"
        return True

    def _is_perfect_ahead(self, tokens: Sequence[Token], index: int, end: int) -> bool:
        while index < end and tokens[index].tag in {"adverb", "negation"}:
            index += 1
        if index >= end:
            return False
        token = tokens[index]
        return token.lower in {"been", "had", "got", "gotten"} or (
            token.form is not None and "participle" in token.form.forms and token.tag == "word"
            and token.form.lemma in {"live", "move", "work", "start", "become", "go", "see", "take", "lose", "have"}
        )

    def _main(self, tokens: Sequence[Token], index: int, end: int) -> bool:
        token = tokens[index]
        following = tokens[index + 1].lower if index + 1 < end else ""
        base_after = index + 2 < end and _is_base(tokens[index + 2])
        if token.lower in {"going", "about", "supposed", "able", "got", "allowed"} and following == "to" and base_after \
                and self._after in {"be", "participle", None}:
            name = {"got": "have to"}.get(token.lower, f"{token.lower} to")
            if name in {"going to", "about to"} and self.tense == "present":
                self.tense = "future"
            self.modal, self._after, self.skip_to, self._is_first = name, "base", index + 1, False
            return True
        if token.lower in {"used", "need", "needs", "needed"} and following == "to" and base_after \
                and self._after in {None, "do", "base"}:
            name = "used to" if token.lower == "used" else "need to"
            self._tense("past" if token.lower in {"used", "needed"} else "present")
            if name == "need to" and self.modal in {"will", "going to"}:
                self.tense = "future"
            self.modal, self._after, self.skip_to, self._is_first, self.lemma = name, "base", index + 1, False, "need"
            return True
        return self._lexical(token)

    def _lexical(self, token: Token) -> bool:
        if self._after == "be":
            return self._after_be(token)
        if token.tag not in {"word", "adjective", "preposition", "name", "adverb", "number"} and token.form is None:
            return False
        if self._after == "participle" and (token.form is None or "participle" not in token.form.forms
                                            or token.tag == "adjective"):
            return False
        if self._after is not None and token.form is None and token.tag != "word":
            return False
        if self._after in {"do", "base"} and token.form is not None and "base" not in token.form.forms:
            return False
        form = token.form or guess_form(token.lower)
        if self._after is None:
            self.tense = "past" if "past" in form.forms and "base" not in form.forms else "present"
        self.perfect = self.perfect or self._after == "participle"
        self.lemma, self.form, self.main = form.lemma, token.lower, True
        return True

    def _after_be(self, token: Token) -> bool:
        if token.form is None or token.tag in {"adjective", "preposition", "adverb"} or token.is_capital:
            return False
        if "ing" in token.form.forms and token.lower not in {"boring", "interesting", "amazing", "exciting", "missing"}:
            self.progressive = True
        elif "participle" in token.form.forms and "base" not in token.form.forms:
            self.passive = True
        else:
            return False
        self.lemma, self.form, self.main = token.form.lemma, token.lower, True
        return True


def _is_base(token: Token) -> bool:
    return (token.form is not None and "base" in token.form.forms) or token.lower in {"be", "have", "do"}
