"""How a few words name somebody: "my wife Sarah", "mi hermano", "Tom's sister", "@bob", "Dr. Jane O'Brien"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from wellkept.errors import ConfigError
from wellkept.patterns import Patterns
from wellkept.policies.people import names
from wellkept.policies.people.relations import MET, canonical, is_address, longest_words
from wellkept.types import Reference
from wellkept.values import changed, frozen

if TYPE_CHECKING:
    from wellkept.types import Claim

_RE = Patterns("people/references.txt")


_SELF = "i me myself mich mir ich yo mí moi je io eu mim"
_CALLED_AS_RELATIVE = frozenset({"aunt", "uncle", "grandmother", "grandfather", "cousin"})


def parse(text: str) -> Reference:
    """Read a reference as it stands; what is no relation is a name.

    >>> parse("my wife Sarah").relation, parse("my wife Sarah").name, parse("@bob").handle
    ('wife', 'Sarah', 'bob')
    >>> parse("Tom's sister").of.name, parse("la hermana de Tomás").relation
    ('Tom', 'sister')
    """
    words = " ".join(text.split()).strip(' .,;:!?"“”')
    if words.casefold() in _SELF.split():
        return Reference(text=text, is_speaker=True)
    handle = _RE.handle.search(words)
    if handle is not None and not words[handle.end() :].startswith(("'s ", "’s ")):
        rest = parse(words[: handle.start()] + words[handle.end() :]) if words != handle.group() else None
        return _with_handle(text, handle["handle"], rest)
    words = _RE.ending.sub("", words)
    named = _RE.name_is.match(words) or _stated(words)
    if named is not None:
        who = parse(named["who"])
        return Reference(text=text, name=named["name"].strip(), relation=who.relation, of=who.of)
    return _possessed(text, words) or _of_phrase(text, words) or _mine(text, words) or _bare(text, words)


def handle_in(words: str) -> str | None:
    """The handle that stands in the words of a reference, without its @.

    >>> handle_in("My friend @dana")
    'dana'
    """
    found = _RE.handle.search(words)
    return None if found is None else found["handle"]


def _with_handle(text: str, handle: str, rest: Reference | None) -> Reference:
    if rest is None or not (rest.name or rest.relation):
        return Reference(text=text, handle=handle)
    return Reference(text=text, handle=handle, name=rest.name, relation=rest.relation, of=rest.of)


def _stated(words: str) -> re.Match[str] | None:
    """A name, then the relation: "Sarah is my wife", "Sarah, my wife"."""
    found = _RE.is_mine.match(words)
    if found is None or _RE.mine.match(found["name"] + " "):
        return None
    who = parse(found["who"])
    is_relation = who.relation is not None and who.name is None and not is_address(found["who"])
    return found if is_relation and (who.of is not None or _RE.mine.match(found["who"])) else None


def _relation_and_name(words: str) -> tuple[str, str | None] | None:
    """The longest relation at the start, and the name after it."""
    parts = words.replace(",", " , ").split()
    for count in range(min(len(parts), longest_words() + 1), 0, -1):
        found = canonical(" ".join(parts[:count]))
        if found is not None:
            rest = _RE.named.sub("", " ".join(parts[count:]).strip(" ,")).strip(" ,")
            return found, None if not rest or _RE.no_name.match(rest) else rest
    return None


def _possessed(text: str, words: str) -> Reference | None:
    found = _RE.possessive.match(words)
    relation = _relation_and_name(found["rest"]) if found is not None else None
    if found is None or relation is None:
        return None
    return Reference(text=text, relation=relation[0], name=relation[1], of=parse(found["of"]))


def _of_phrase(text: str, words: str) -> Reference | None:
    """The relation, then whose it is: "la hermana de Tomás", "the sister of Tom"."""
    if _RE.mine.match(words):
        return None
    left, *right = _RE.of.split(_RE.article.sub("", words), maxsplit=1)
    relation = canonical(left)
    if not right or relation is None or not right[0]:
        return None
    return Reference(text=text, relation=relation, of=parse(right[0]))


def _mine(text: str, words: str) -> Reference | None:
    found = _RE.mine.match(words)
    relation = _relation_and_name(words[found.end() :]) if found is not None else None
    return None if relation is None else Reference(text=text, relation=relation[0], name=relation[1])


def met(words: str) -> tuple[str, str] | None:
    """A name and where its holder is known from, which tells one from others of the name.

    >>> met("Aiko from the gym"), met("Aiko")
    (('Aiko', 'from the gym'), None)
    """
    found = _RE.met.match(words)
    return None if found is None else (found["name"], f"{MET}{found['where'].casefold()}")


def named(words: str, name: str) -> Reference:
    """Somebody of this name, told from others of it where the words say where they are known from."""
    known_from = met(words)
    return Reference(text=words if known_from else name, name=name, relation=known_from[1] if known_from else None)


def _bare(text: str, words: str) -> Reference:
    known_from = met(words)
    if known_from is not None:
        return Reference(text=text, name=known_from[0], relation=known_from[1])
    rest = _RE.article.sub("", words)
    is_said_of_all = rest != words or rest == rest.lower() or is_address(rest)
    relation = canonical(rest) if is_said_of_all else None
    if relation is not None:
        return Reference(text=text, relation=relation)
    first, _, name = words.partition(" ")
    called = canonical(first)
    if name and called in _CALLED_AS_RELATIVE:
        return Reference(text=text, relation=called, name=name)
    return Reference(text=text, name=re.sub(r"^the\s+", "", words, flags=re.IGNORECASE))


# --- Known variants: what an operator calls another spelling of somebody or something is taken for that.


KINDS = ("person", "place", "org", "project")


@frozen
class Entities:
    """`[entities]`: names that come in several spellings."""

    overrides: Mapping[str, str] = field(default_factory=dict)
    """Variant → key: `"Makesh" = "person:mukesh"`, `"Acme Incorporated" = "org:acme_corp"`."""

    def __post_init__(self) -> None:
        for variant, key in self.overrides.items():
            kind, _, slug = key.partition(":")
            if kind not in KINDS or not slug or names.slug(slug) != slug:
                raise ConfigError(
                    f"entities.overrides: {key!r} is no key such as person:john_doe. Kinds: {', '.join(KINDS)}."
                )
            if not names.slug(variant):
                raise ConfigError(f"entities.overrides: {variant!r} is no name.")

    @cached_property
    def _keys(self) -> Mapping[str, str]:
        return {names.slug(variant): key for variant, key in self.overrides.items()}

    def name(self, text: str) -> str:
        """The name of the person whose variant this is, else the text itself."""
        key = self._keys.get(names.slug(names.normalise(text)), "") if self.overrides else ""
        kind, _, slug = key.partition(":")
        return " ".join(word.capitalize() for word in slug.split("_")) if kind == "person" else text

    def reference(self, reference: Reference) -> Reference:
        """Somebody by the name that they are known by."""
        if not self.overrides or reference.name is None:
            return reference
        name = self.name(reference.name)
        return reference if name == reference.name else changed(reference, name=name, text=name)

    def claim(self, claim: Claim) -> Claim:
        """With the keys of what is named, whatever the spelling; the words stay as they were said."""
        if not self.overrides:
            return claim
        refs = tuple(dict.fromkeys(self._keys.get(ref.partition(":")[2], ref) for ref in claim.entity_refs))
        return claim if refs == claim.entity_refs else changed(claim, entity_refs=refs)
