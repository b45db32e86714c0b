"""Known variants: what an operator calls another spelling of somebody or something is taken for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from wellkept.errors import ConfigError
from wellkept.policies.people import names
from wellkept.values import changed, frozen

if TYPE_CHECKING:
    from wellkept.types import Claim, Reference


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
