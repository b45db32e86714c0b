"""Noun phrases: who or what is named, whose it is, and what somebody is to somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.nouns import Noun, build, titled
from wellkept.judges.english.grammar.verbs import NOUN_FIRST
from wellkept.judges.english.people import relations
from wellkept.values import changed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.tokens import Token


_INSIDE = frozenset(("adjective", "number", "word", "name", "url"))
_NAMING = frozenset(("named", "called"))
_GOING_ON = _NAMING | {"of"}
_JOINTS = frozenset(("punctuation", "coordinator"))
_ENDINGS = frozenset(("clitic", "punctuation"))
_STANDING = lexicon.DEMONSTRATIVES | {"all", "some", "both", "each", "much"}


def starts_noun(token: Token) -> bool:
    """Whether a noun phrase can begin here."""
    return token.tag in {"pronoun", "possessive", "determiner", "handle", "quoted"} or token.tag in _INSIDE


def noun_phrase(text: str, tokens: Sequence[Token], index: int, end: int) -> tuple[Noun, int] | None:
    """The noun phrase that begins at `index`, coordinations and appositions included, and where it ends."""
    first = _core(text, tokens, index, end)
    if first is None:
        return None
    if first[1] >= end or tokens[first[1]].tag not in _JOINTS:
        return first
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
    if (
        len(members) == 2
        and all(item.name and not item.head and not item.owner for item in members)
        and text[head.end : tail.start].strip() == ","
    ):
        # "Austin, Texas" is one place.
        return changed(head, text=text[head.start : tail.end], end=tail.end, name=text[head.start : tail.end]), index
    joined = Noun(
        text=text[head.start : tail.end],
        start=head.start,
        end=tail.end,
        head=tail.head,
        determiner=head.determiner,
        owner=head.owner,
        parts=tuple(members),
        is_plural=True,
    )
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
    is_title = (
        noun.head
        and noun.name is None
        and noun.determiner in {"my", "our", "the"}
        and second.name
        and not second.head
        and not second.owner
        and after < end
        and tokens[after].text == ","
        and not noun.is_plural
    )
    if not closes or not (pairs or is_title):
        return noun, index
    if noun.head in relations.PLURALS and after < end and tokens[after].text == ",":
        # "Three sisters, Ana, Bea and Carla": the names are a list of their own.
        return noun, index
    if after < end and tokens[after].text in {",", ")"}:
        after += 1
    owner = noun.owner or second.owner
    return changed(
        noun,
        text=text[noun.start : second.end],
        end=second.end,
        name=noun.name or second.name,
        relation=noun.relation or second.relation,
        owner=owner,
        head=noun.head or second.head,
    ), after


def _core(text: str, tokens: Sequence[Token], index: int, end: int) -> tuple[Noun, int] | None:
    if index >= end:
        return None
    token = tokens[index]
    if token.lower in {"someone", "somebody"} and (stop := _named_until(tokens, index + 1, end)) is not None:
        name = text[tokens[index + 2].start : tokens[stop - 1].end]
        whole = text[token.start : tokens[stop - 1].end]
        somebody = Noun(
            text=whole, start=token.start, end=tokens[stop - 1].end, head="person", determiner="a", name=name
        )
        return somebody, stop
    if token.tag == "pronoun" and (
        index + 1 >= end or tokens[index + 1].lower != "'s" or token.lower in lexicon.SUBJECT_PRONOUNS
    ):
        canonical = lexicon.PRONOUN_OF.get(token.lower, token.lower)
        noun = Noun(
            text=token.text, start=token.start, end=token.end, pronoun=canonical, is_plural=canonical in {"we", "they"}
        )
        is_of = index + 1 < end and tokens[index + 1].lower == "of"
        return _of_phrase(text, tokens, noun, index + 1, end) if is_of else (noun, index + 1)
    if token.tag == "handle":
        return _possessed(
            text,
            tokens,
            Noun(text=token.text, start=token.start, end=token.end, handle=token.text, name=None),
            index + 1,
            end,
        )
    if token.tag == "quoted":
        return Noun(text=token.text, start=token.start, end=token.end, head="quoted"), index + 1
    return _common(text, tokens, index, end)


def _named_until(tokens: Sequence[Token], index: int, end: int) -> int | None:
    """Where the name ends in "(somebody) called Ilse Brandt"; None where none is given."""
    if index + 1 >= end or tokens[index].lower not in _NAMING or tokens[index + 1].tag != "name":
        return None
    return next((at for at in range(index + 1, end) if tokens[at].tag != "name"), end)


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
        if determiner is None or determiner not in _STANDING:
            return None
        token = tokens[start]
        noun = Noun(text=token.text, start=token.start, end=token.end, pronoun=determiner)
        return _of_phrase(text, tokens, noun, index, end)
    noun = build(text, tokens[index:stop], tokens[start], determiner, owner)
    if stop >= end or (tokens[stop].tag not in _ENDINGS and tokens[stop].lower not in _GOING_ON):
        return noun, stop
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
        if (
            token.lower in lexicon.NAME_PARTICLES
            and has_head
            and index + 1 < end
            and (tokens[index - 1].tag == "name" or tokens[index - 1].lower in lexicon.NAME_PARTICLES)
            and (tokens[index + 1].tag == "name" or tokens[index + 1].lower in lexicon.NAME_PARTICLES)
        ):
            index += 1
            continue
        if (
            token.tag in {"preposition", "interjection", "coordinator"}
            and index == start
            and is_open
            and token.form is not None
        ):
            index += 1
            continue
        if token.tag not in _INSIDE or (
            has_head and token.lower in lexicon.WEEKDAYS_AND_MONTHS and tokens[index - 1].tag == "name"
        ):
            break
        if has_head and _breaks_off(token, tokens[index - 1]):
            break
        is_amount = token.tag == "number" and index > start + 1 and tokens[index - 1].tag == "name"
        if is_amount and any(relations.relation_of(item.lower) for item in tokens[start:index]):
            # "My brother Kofi 300 cedis": how much begins anew.
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


def is_possessive(tokens: Sequence[Token], index: int, end: int) -> bool:
    """Whether the 's at `index` says whose something is, and not "is" or "has"."""
    before = tokens[index - 1] if index else None
    if (
        before is None
        or before.lower in lexicon.SUBJECT_PRONOUNS
        or before.tag == "wh"
        or before.lower in {"that", "there", "here", "let", "this", "everything", "nothing"}
    ):
        return False
    ahead = index + 1
    while ahead < end and (tokens[ahead].tag in {"adjective", "number"}):
        ahead += 1
    if ahead >= end:
        return tokens[ahead - 1].tag == "number" if ahead > index + 1 else False
    token = tokens[ahead]
    if token.tag not in {"word", "name"}:
        return False
    return not (
        token.form is not None
        and ahead == index + 1
        and token.form.forms & {"ing", "participle"}
        and token.form.lemma not in NOUN_FIRST
        and not token.lower.endswith("ings")
    )


def _possessed(text: str, tokens: Sequence[Token], noun: Noun, index: int, end: int) -> tuple[Noun, int]:
    """Goes on through possessive 's, "of …" and "named …" after a noun."""
    if (
        index < end
        and tokens[index].tag in _ENDINGS
        and (
            (tokens[index].lower == "'s" and is_possessive(tokens, index, end))
            or (
                tokens[index].lower in {"'", "’"}
                and noun.text.endswith("s")
                and index + 1 < end
                and tokens[index + 1].tag in _INSIDE
            )
        )
    ):
        stop = _inside_end(tokens, index + 1, end, is_open=True)
        if stop > index + 1:
            inner = build(text, tokens[index + 1 : stop], tokens[index + 1], None, noun)
            whole = changed(inner, text=text[noun.start : inner.end], start=noun.start, owner=noun)
            return _possessed(text, tokens, whole, stop, end)
    if index + 1 < end and tokens[index].lower in _NAMING and tokens[index + 1].tag in {"name", "word", "adjective"}:
        stop = index + 1
        while stop < end and tokens[stop].tag == "name":
            stop += 1
        stop = max(stop, index + 2)
        name = text[tokens[index + 1].start : tokens[stop - 1].end]
        noun = changed(
            noun,
            text=text[noun.start : tokens[stop - 1].end],
            end=tokens[stop - 1].end,
            name=titled(name) if name.islower() else name,
        )
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
                owner = changed(inside, pronoun="i")
            return changed(
                noun, text=text[noun.start : inside.end], end=inside.end, of=inside, relation=relation, owner=owner
            ), after
    return noun, index
