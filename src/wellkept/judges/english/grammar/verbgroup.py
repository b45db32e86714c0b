"""The verb of a clause: where it stands, and what tense, modality and negation it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.verbs import guess_form
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.tokens import Token

Tense = Literal["present", "past", "future", "none"]


@frozen
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
    if (
        index < end
        and state.main
        and tokens[index].lower in _PARTICLES
        and state.lemma in _PARTICLE_VERBS
        and not (
            tokens[index].lower in {"on", "over"}
            and index + 1 < end
            and tokens[index + 1].tag not in {"punctuation", "adverb", "preposition"}
        )
    ):
        particle, last, index = tokens[index].lower, index, index + 1
    verb = Verb(
        text=text[start : tokens[last].end],
        start=start,
        end=tokens[last].end,
        lemma=state.lemma or "be",
        tense=state.tense,
        aspect=state.aspect,
        modal=state.modal,
        is_negative=state.negative,
        is_passive=state.passive,
        particle=particle,
        form=state.form,
    )
    return verb, last + 1, tuple(state.adverbs)


_PARTICLES = frozenset(("up", "off", "out", "down", "away", "back", "over", "on"))
_PARTICLE_VERBS = lexicon.words(
    "give break pick set grow wake get turn put take work hang throw clean come find figure sign move go call end cut "
    "look show sell run make pass kick drop stay back shut"
)


def _verb_ahead(tokens: Sequence[Token], index: int, end: int) -> bool:
    while index < end and tokens[index].tag in {"adverb", "negation"}:
        index += 1
    return (
        index < end
        and (tokens[index].form is not None or tokens[index].tag in {"auxiliary", "modal"})
        and tokens[index].tag != "adjective"
    )


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
            self.main = self._after == "base"  # behind "can" it helps no other verb: "can't do dairy"
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
            token.form is not None
            and "participle" in token.form.forms
            and token.tag == "word"
            and token.form.lemma in {"live", "move", "work", "start", "become", "go", "see", "take", "lose", "have"}
        )

    def _main(self, tokens: Sequence[Token], index: int, end: int) -> bool:
        token = tokens[index]
        following = tokens[index + 1].lower if index + 1 < end else ""
        base_after = index + 2 < end and _is_base(tokens[index + 2])
        if (
            token.lower in {"going", "about", "supposed", "able", "got", "allowed"}
            and following == "to"
            and base_after
            and self._after in {"be", "participle", None}
        ):
            name = {"got": "have to"}.get(token.lower, f"{token.lower} to")
            if name in {"going to", "about to"} and self.tense == "present":
                self.tense = "future"
            if token.lower == "got" and self._after is None and tokens[index + 1].text == "to":
                # "I got to meet them" happened; "I've got to" and "I gotta" are to come.
                name, self.tense = "got to", "past"
            self.modal, self._after, self.skip_to, self._is_first = name, "base", index + 1, False
            return True
        if (
            token.lower in {"used", "need", "needs", "needed"}
            and following == "to"
            and base_after
            and self._after in {None, "do", "base"}
        ):
            name = "used to" if token.lower == "used" else "need to"
            if self.modal in {"would", "could", "might"}:
                name = self.modal
            self._tense("past" if token.lower in {"used", "needed"} else "present")
            if name == "need to" and self.modal in {"will", "going to"}:
                self.tense = "future"
            self.modal, self._after, self.skip_to, self._is_first, self.lemma = name, "base", index + 1, False, "need"
            return True
        return self._lexical(token, tokens[index + 1] if index + 1 < end else None)

    def _lexical(self, token: Token, after: Token | None) -> bool:
        if self._after == "be":
            return self._after_be(token, after)
        if token.tag not in {"word", "adjective", "preposition", "name", "adverb", "number"} and token.form is None:
            return False
        is_described = token.tag == "adjective" and not self.negative  # "has broken toys", but "hasn't left the house"
        if self._after == "participle" and (token.form is None or "participle" not in token.form.forms or is_described):
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

    def _guess_doing(self, token: Token, following: Token | None) -> bool:
        """For "I'm exceeding the limit": no list has the verb, and what follows is its object."""
        is_object = following is not None and following.tag in {"determiner", "possessive"}
        if not is_object or not token.lower.endswith("ing") or token.tag != "word" or len(token.lower) < 7:
            return False
        self.progressive = self.main = True
        self.lemma, self.form = guess_form(token.lower).lemma, token.lower
        return True

    def _after_be(self, token: Token, following: Token | None) -> bool:
        if token.lower == "having":
            self.progressive = self.main = True
            self.lemma, self.form = "have", token.lower
            return True
        if token.tag in {"adjective", "preposition", "adverb"} or token.is_capital:
            return False
        if token.form is None:
            return self._guess_doing(token, following)
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
