"""Noun phrases: who or what is named, whose it is, and what somebody is to somebody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations
from recollect.judges.rules.verbs import NOUN_FIRST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.judges.rules.tokens import Token


@dataclass(frozen=True, kw_only=True)
class Noun:
    """A noun phrase. `head` is its lower-case head noun; a pronoun has `pronoun` ("i", "she", "it"…) and no head."""

    text: str
    start: int
    end: int
    head: str = ""
    determiner: str | None = None
    modifiers: tuple[str, ...] = ()
    """Adjectives and nouns before the head, lower case: "favorite", "blood"."""
    name: str | None = None
    """The proper name in it: "Sarah", "Acme Corp", "van der Berg"."""
    relation: str | None = None
    """Canonical relation word: "my hubby" has "husband"."""
    handle: str | None = None
    pronoun: str | None = None
    owner: Noun | None = None
    """Whose it is: "my" has the pronoun "i", "Sarah's" the name."""
    of: Noun | None = None
    """The noun after "of": "capital of France"."""
    parts: tuple[Noun, ...] = ()
    """The members of a coordination; the noun itself then stands for all of them."""
    is_plural: bool = False

    @property
    def is_speaker(self) -> bool:
        """Whether it is I or me."""
        return self.pronoun == "i"

    @property
    def is_person(self) -> bool:
        """Whether it is sure to be a person: a relation, a handle or a personal pronoun."""
        return self.relation is not None or self.handle is not None or self.pronoun in {"i", "he", "she", "we", "you"}

    @property
    def label(self) -> str:
        """Head with its modifiers, lower case: "favorite color"."""
        return " ".join((*self.modifiers, self.head)).strip()


_INSIDE = frozenset(("adjective", "number", "word", "name", "url"))
_PLURAL_HEADS = lexicon.words("people children men women kids parents folks police feet teeth mice in-laws")
_NAMING = frozenset(("named", "called"))


def is_plural_word(word: str) -> bool:
    """Whether a noun looks plural."""
    return word in _PLURAL_HEADS or word in relations.PLURALS or (
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "news"))
    )


def starts_noun(token: Token) -> bool:
    """Whether a noun phrase can begin here."""
    return token.tag in {"pronoun", "possessive", "determiner", "handle", "quoted"} or token.tag in _INSIDE


def noun_phrase(text: str, tokens: Sequence[Token], index: int, end: int) -> tuple[Noun, int] | None:
    """The noun phrase that begins at `index`, coordinations and appositions included, and where it ends."""
    first = _core(text, tokens, index, end)
    if first is None:
        return None
    noun, index = _apposition(text, tokens, *first, end)
    members = [noun]
    while True:
        step = _joint(tokens, index, end)
        if step is None:
            break
        nxt = _core(text, tokens, step, end)
        if nxt is None:
            break
        noun, index = _apposition(text, tokens, *nxt, end)
        members.append(noun)
    if len(members) == 1:
        return members[0], index
    head, tail = members[0], members[-1]
    if len(members) == 2 and all(item.name and not item.head and not item.owner for item in members) \
            and text[head.end : tail.start].strip() == ",":
        # "Austin, Texas" is one place.
        return replace(head, text=text[head.start : tail.end], end=tail.end, name=text[head.start : tail.end]), index
    joined = Noun(text=text[head.start : tail.end], start=head.start, end=tail.end, head=tail.head,
                  determiner=head.determiner, owner=head.owner, parts=tuple(members), is_plural=True)
    return joined, index


def _joint(tokens: Sequence[Token], index: int, end: int) -> int | None:
    """Where the next member of a list begins, if a comma or a coordinator leads to one."""
    if index >= end:
        return None
    token = tokens[index]
    if token.tag == "coordinator" and token.lower in {"and", "or", "&", "nor", "plus"}:
        following = index + 1
        while following < end and tokens[following].tag == "adverb":
            following += 1
        return following if following < end and starts_noun(tokens[following]) else None
    if token.text == "," and index + 1 < end:
        ahead = index + 1
        if tokens[ahead].tag == "coordinator":
            return ahead + 1 if ahead + 1 < end and starts_noun(tokens[ahead + 1]) else None
        has_more = any(tokens[k].lower in {"and", "or", "&"} or tokens[k].text == "," for k in range(ahead, end))
        short = next((k for k in range(ahead, end) if tokens[k].tag in {"punctuation", "coordinator"}), end) - ahead
        is_item = tokens[ahead].tag in _INSIDE and short <= 4
        return ahead if is_item and (has_more or short <= 2) and tokens[ahead].tag != "adverb" else None
    return None


def _apposition(text: str, tokens: Sequence[Token], noun: Noun, index: int, end: int) -> tuple[Noun, int]:
    """Joins "my cousin, Deepak," and "Deepak, my cousin," and "Deepak (my cousin)" into one noun."""
    if index >= end or tokens[index].text not in {",", "("}:
        return noun, index
    other = _core(text, tokens, index + 1, end)
    if other is None:
        return noun, index
    second, after = other
    closes = after >= end or tokens[after].text in {",", ")"} or tokens[after].tag in {"auxiliary", "clitic"}
    pairs = (noun.relation and not noun.name and second.name and not second.relation and not second.owner) or (
        noun.name and not noun.relation and second.relation and not second.name and second.owner is not None
    )
    if not closes or not pairs:
        return noun, index
    if after < end and tokens[after].text in {",", ")"}:
        after += 1
    owner = noun.owner if noun.relation else second.owner
    return replace(noun, text=text[noun.start : second.end], end=second.end, name=noun.name or second.name,
                   relation=noun.relation or second.relation, owner=owner, head=noun.head or second.head), after


def _core(text: str, tokens: Sequence[Token], index: int, end: int) -> tuple[Noun, int] | None:
    if index >= end:
        return None
    token = tokens[index]
    if token.tag == "pronoun" and (index + 1 >= end or tokens[index + 1].lower not in {"'s"} or
                                   token.lower in lexicon.SUBJECT_PRONOUNS):
        canonical = lexicon.PRONOUN_OF.get(token.lower, token.lower)
        noun = Noun(text=token.text, start=token.start, end=token.end, pronoun=canonical,
                    is_plural=canonical in {"we", "they"})
        return _of_phrase(text, tokens, noun, index + 1, end)
    if token.tag == "handle":
        return _possessed(text, tokens, Noun(text=token.text, start=token.start, end=token.end, handle=token.text,
                                             name=None), index + 1, end)
    if token.tag == "quoted":
        return Noun(text=token.text, start=token.start, end=token.end, head="quoted"), index + 1
    return _common(text, tokens, index, end)


def _common(text: str, tokens: Sequence[Token], index: int, end: int) -> tuple[Noun, int] | None:
    start = index
    determiner: str | None = None
    owner: Noun | None = None
    while index < end and tokens[index].tag in {"determiner", "possessive"}:
        token = tokens[index]
        if token.tag == "possessive":
            owner = Noun(text=token.text, start=token.start, end=token.end, pronoun=lexicon.POSSESSIVES[token.lower])
        determiner = token.lower
        index += 1
    stop = _inside_end(tokens, index, end, is_open=determiner is not None)
    if stop == index:
        if determiner is None or determiner not in lexicon.DEMONSTRATIVES | {"all", "some", "both", "each", "much"}:
            return None
        token = tokens[start]
        noun = Noun(text=token.text, start=token.start, end=token.end, pronoun=determiner)
        return _of_phrase(text, tokens, noun, index, end)
    noun = _build(text, tokens[index:stop], tokens[start], determiner, owner)
    return _possessed(text, tokens, noun, stop, end)


def _inside_end(tokens: Sequence[Token], index: int, end: int, *, is_open: bool) -> int:
    """Where the run of adjectives, nouns and names ends."""
    has_head = False
    start = index
    while index < end:
        token = tokens[index]
        if token.tag == "adverb" and index + 1 < end and tokens[index + 1].tag == "adjective" and not has_head:
            index += 1
            continue
        if token.lower in lexicon.NAME_PARTICLES and has_head and index + 1 < end and tokens[index - 1].tag == "name" \
                and (tokens[index + 1].tag == "name" or tokens[index + 1].lower in lexicon.NAME_PARTICLES):
            index += 1
            continue
        if token.tag in {"preposition", "interjection", "coordinator"} and index == start and is_open \
                and token.form is not None:
            index += 1
            continue
        if token.tag not in _INSIDE or (has_head and token.lower in lexicon.WEEKDAYS_AND_MONTHS and tokens[index - 1].tag == "name"):
            break
        if has_head and _breaks_off(token, tokens[index - 1]):
            break
        has_head = has_head or token.tag in {"word", "name", "number", "url"}
        index += 1
    return index


def _breaks_off(token: Token, before: Token) -> bool:
    """Whether a word after a complete head begins something else: a participle, or a verb that is never a noun."""
    if token.lower in _NAMING:
        return True
    if token.tag == "adjective" and before.tag != "number" and not token.is_capital:
        return before.tag in {"name", "word"} and before.lower not in lexicon.NUMBER_WORDS
    if token.form is None or token.is_capital:
        return False
    if "ing" in token.form.forms:
        return relations.relation_of(before.lower) is not None or before.tag == "name"
    lemma = token.form.lemma
    return lemma not in NOUN_FIRST and lemma.removeprefix("re") not in NOUN_FIRST and token.tag == "word"


def _name_in(tokens: Sequence[Token], text: str) -> str | None:
    """The first run of name tokens, particles included."""
    run: list[Token] = []
    for token in tokens:
        is_particle = token.lower in lexicon.NAME_PARTICLES and bool(run)
        if token.tag == "name" or is_particle or (run and token.tag == "number" and token.text.isdigit()
                                                  and not run[-1].text.islower() and len(token.text) <= 2):
            run.append(token)
        elif run:
            if token.is_capital and (token.lower in lexicon.ORG_SUFFIXES or token.tag in {"word", "adjective"}):
                run.append(token)
                continue
            break
        elif token.lower in lexicon.TITLES and token.is_capital:
            run.append(token)
    while run and run[-1].lower in lexicon.NAME_PARTICLES and run[-1].text.islower():
        run.pop()
    if not run or all(token.lower in lexicon.TITLES for token in run):
        return None
    name = text[run[0].start : run[-1].end]
    return _titled(name) if name.islower() else name


def _titled(name: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in name.split(" "))


def _relation_in(tokens: Sequence[Token], *, is_owned: bool) -> tuple[str, int] | None:
    """The relation word among the tokens, with its place."""
    for at, token in enumerate(tokens):
        pair = (token.lower, tokens[at + 1].lower) if at + 1 < len(tokens) else None
        if pair in relations.MULTI_WORD and is_owned:
            return relations.MULTI_WORD[pair], at + 1
        relation = relations.relation_of(token.lower)
        if relation is None or (token.lower in relations.WEAK and not is_owned):
            continue
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        # "my boss fight", "my father figure": a relation word before a plain noun only modifies it.
        if following is not None and following.tag == "word" and not _is_lower_name(following):
            return None
        return relation, at
    return None


def _is_lower_name(token: Token) -> bool:
    """A name typed without its capital: a word that is nothing else the parser knows."""
    from recollect.judges.rules.tokens import COMMON_NOUNS  # noqa: PLC0415 -- tokens imports the lexicon this file uses

    return token.lower in lexicon.FIRST_NAMES or (
        token.form is None and token.lower not in COMMON_NOUNS and not token.lower.endswith(("ly", "s", "ing", "ed"))
        and token.lower.isalpha() and len(token.lower) > 2 and relations.relation_of(token.lower) is None
    )


def _build(text: str, inside: Sequence[Token], first: Token, determiner: str | None, owner: Noun | None) -> Noun:
    found = _relation_in(inside, is_owned=owner is not None)
    relation = found[0] if found else None
    name = _name_in(inside, text)
    head_at = len(inside) - 1
    if found is not None:
        head_at = found[1]
        if name is None and head_at + 1 < len(inside) and _is_lower_name(inside[head_at + 1]):
            name = _titled(inside[head_at + 1].text)
    elif name is not None:
        plain = [at for at, token in enumerate(inside) if token.tag == "word" and token.lower not in name.casefold()]
        head_at = plain[-1] if plain else -1
    if relation is None and name is None and owner is None and determiner is None and len(inside) == 1 \
            and inside[0].lower in relations.KIN_NAMES:
        relation = relations.relation_of(inside[0].lower)
    if relation is not None and owner is None and inside[head_at].lower in relations.KIN_NAMES and determiner is None:
        owner = Noun(text="", start=first.start, end=first.start, pronoun="i")
    head = inside[head_at].lower if head_at >= 0 else ""
    if owner is not None and name is not None and name.isupper() and relation is None and not head:
        head, name = name.casefold(), None
    modifiers = tuple(token.lower for token in inside[: max(head_at, 0)] if token.tag != "name" or relation is None)
    return Noun(text=text[first.start : inside[-1].end], start=first.start, end=inside[-1].end, head=head,
                determiner=determiner, modifiers=modifiers, name=name, relation=relation, owner=owner,
                is_plural=bool(head) and is_plural_word(head) and name is None)


def is_possessive(tokens: Sequence[Token], index: int, end: int) -> bool:
    """Whether the 's at `index` says whose something is, and not "is" or "has"."""
    before = tokens[index - 1] if index else None
    if before is None or before.lower in lexicon.SUBJECT_PRONOUNS or before.tag == "wh" or before.lower in {
        "that", "there", "here", "let", "this", "everything", "nothing"
    }:
        return False
    ahead = index + 1
    while ahead < end and (tokens[ahead].tag in {"adjective", "number"}):
        ahead += 1
    if ahead >= end:
        return tokens[ahead - 1].tag == "number" if ahead > index + 1 else False
    token = tokens[ahead]
    if token.tag not in {"word", "name"}:
        return False
    if token.form is not None and ahead == index + 1 and token.form.forms & {"ing", "participle"} \
            and token.form.lemma not in NOUN_FIRST and not token.lower.endswith("ings"):
        return False
    return True


def _possessed(text: str, tokens: Sequence[Token], noun: Noun, index: int, end: int) -> tuple[Noun, int]:
    """Goes on through possessive 's, "of …" and "named …" after a noun."""
    if index < end and tokens[index].tag in {"clitic", "punctuation"} and (
        (tokens[index].lower == "'s" and is_possessive(tokens, index, end))
        or (tokens[index].lower in {"'", "’"} and noun.text.endswith("s") and index + 1 < end
            and tokens[index + 1].tag in _INSIDE)
    ):
        stop = _inside_end(tokens, index + 1, end, is_open=True)
        if stop > index + 1:
            inner = _build(text, tokens[index + 1 : stop], tokens[index + 1], None, noun)
            whole = replace(inner, text=text[noun.start : inner.end], start=noun.start, owner=noun)
            return _possessed(text, tokens, whole, stop, end)
    if index + 1 < end and tokens[index].lower in _NAMING and tokens[index + 1].tag in {"name", "word", "adjective"}:
        stop = index + 1
        while stop < end and tokens[stop].tag in {"name"}:
            stop += 1
        stop = max(stop, index + 2)
        name = text[tokens[index + 1].start : tokens[stop - 1].end]
        noun = replace(noun, text=text[noun.start : tokens[stop - 1].end], end=tokens[stop - 1].end,
                       name=_titled(name) if name.islower() else name)
        return noun, stop
    return _of_phrase(text, tokens, noun, index, end)


def _of_phrase(text: str, tokens: Sequence[Token], noun: Noun, index: int, end: int) -> tuple[Noun, int]:
    if index + 1 < end and tokens[index].lower == "of":
        inner = _core(text, tokens, index + 1, end)
        if inner is not None:
            inside, after = inner
            relation = noun.relation
            if relation is None and noun.head and inside.pronoun in {"i", "mine"}:
                relation = relations.relation_of(noun.head)
            owner = noun.owner
            if inside.pronoun == "mine" and relation:
                owner = replace(inside, pronoun="i")
            return replace(noun, text=text[noun.start : inside.end], end=inside.end, of=inside, relation=relation,
                           owner=owner), after
    return noun, index
