"""What an operation is: a verb with its names on every surface, its parameters and its JSON answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.app import Viewpoint

Progress = Callable[[int], None]
Kind = Literal["text", "texts", "pair", "facts", "integer", "number", "flag", "time", "object"]

_ACCEPTED: Mapping[Kind, tuple[type, ...]] = {
    "text": (str,),
    "texts": (list, tuple),
    "pair": (list, tuple),
    "facts": (str, list, tuple),
    "integer": (int,),
    "number": (int, float),
    "flag": (bool,),
    "time": (str,),
    "object": (dict,),
}


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of an operation. Without a default it must be given."""

    name: str
    rpc: str | None = None
    """Its name in JSON-RPC, where that is another one."""
    kind: Kind = "text"
    doc: str
    default: Any = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    """Names that are known; shown in help. What else is accepted, the operation decides."""
    is_admin: bool = False
    """Only an operator may give it."""
    is_of_surface: bool = False
    """Asks for more in the answer; the Python method has no such parameter."""

    def checked(self, value: object) -> object:
        """The value, when its type is right."""
        is_truth_as_number = isinstance(value, bool) and self.kind in ("integer", "number")
        if not isinstance(value, _ACCEPTED[self.kind]) or is_truth_as_number:
            raise InvalidInput(f"{self.name} must be of type {self.kind}.", code="invalid_parameter")
        if self.kind in ("texts", "pair") and not all(isinstance(item, str) for item in value):  # type: ignore[attr-defined]  # a list
            raise InvalidInput(f"{self.name} must be a list of texts.", code="invalid_parameter")
        return value


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A verb as the surfaces offer it."""

    name: str
    python: str
    """Method of a viewpoint, or of `memory.upkeep` when it starts so."""
    cli: tuple[str, ...]
    rpc: str
    http: tuple[str, str]
    mcp: str | None = None
    doc: str
    parameters: tuple[Parameter, ...] = ()
    answer: Callable[[Any], Any]
    """From what the method gives to JSON."""
    call: Callable[[Viewpoint, Mapping[str, Any]], Any] | None = None
    """Instead of the method alone, where a surface may ask for more."""
    is_admin: bool = False

    def given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments checked, nulls left out; an unknown, missing or wrong one is an error that names it."""
        known = {parameter.name: parameter for parameter in self.parameters}
        unknown = sorted(set(arguments) - set(known))
        if unknown:
            raise InvalidInput(
                f"Unknown parameter {unknown[0]!r}. Known: {', '.join(known) or 'none'}.", code="invalid_parameter"
            )
        found = {name: known[name].checked(value) for name, value in arguments.items() if value is not None}
        missing = [name for name, parameter in known.items() if parameter.is_required and name not in found]
        if missing:
            raise InvalidInput(f"{missing[0]} is missing.", code="invalid_parameter")
        return found

    def value(self, viewpoint: Viewpoint, arguments: Mapping[str, Any], *, progress: Progress | None = None) -> Any:  # noqa: ANN401 -- each verb has its own
        """What the Python method gives. `progress` is told how many are done, by upkeep only."""
        given = self.given(arguments)
        if self.call is not None:
            return self.call(viewpoint, given)
        if self.python.startswith("upkeep."):
            method = getattr(viewpoint.memory.upkeep, self.python.removeprefix("upkeep."))
            return method(tenant=viewpoint.place.tenant, **({"progress": progress} if progress else {}), **given)
        return getattr(viewpoint, self.python)(**given)

    def run(self, viewpoint: Viewpoint, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The same as JSON-ready data."""
        return self.answer(self.value(viewpoint, arguments))
