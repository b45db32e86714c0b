"""What an operation is: a verb with its names on every surface, its parameters and its JSON answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from wellkept.errors import InvalidInput, NotAllowed
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.api import Viewpoint

Progress = Callable[[int], None]
Kind = Literal[
    "text", "texts", "pair", "facts", "messages", "steps", "integer", "number", "flag", "time", "expiry", "object"
]

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_NO_TRUTHS = frozenset({"integer", "number", "expiry"})
"""In Python True is a number; here it is not."""

KINDS: Mapping[Kind, tuple[tuple[type, ...], Mapping[str, Any]]] = {
    "text": ((str,), _TEXT),
    "texts": ((list, tuple), _TEXTS),
    "pair": ((list, tuple), _TEXTS),
    "facts": ((str, list, tuple), {"anyOf": [_TEXT, {"type": "array", "items": {}}]}),
    "messages": ((list, tuple), {"type": "array", "items": {"type": "object"}}),
    "steps": ((str, list, tuple, bool), {"anyOf": [_TEXT, _TEXTS, {"type": "boolean"}]}),
    "integer": ((int,), {"type": "integer"}),
    "number": ((int, float), {"type": "number"}),
    "flag": ((bool,), {"type": "boolean"}),
    "time": ((str,), _TEXT),
    "expiry": ((str, int, float), {"anyOf": [_TEXT, {"type": "number"}]}),
    "object": ((dict,), {"type": "object"}),
}
"""What Python types a kind of parameter accepts, and how JSON Schema says the same."""

_MEANT: Mapping[Kind, str] = {
    "texts": "a list of texts",
    "pair": "a list of two texts",
    "facts": "a text, or a list of texts or of objects with content",
    "messages": "a list of objects with role and content",
    "steps": "a text, a list of texts, or true",
    "expiry": "a text or a number of days",
    "object": "an object",
}
"""In words, where the name of the kind does not say it."""

LENGTHS: Mapping[Kind, int] = {"text": 10_000, "texts": 600, "pair": 600, "time": 200, "expiry": 200}
"""Characters that a text of a kind may have, each of a list; reading names and dates takes time and memory."""
ITEMS_MAX = 100
"""Of a list of texts."""


@frozen
class Parameter:
    """One parameter of an operation. Without a default it must be given."""

    name: str
    rpc: str | None = None
    """Its name in requests as JSON, where that is another one; both are taken."""
    kind: Kind = "text"
    doc: str
    default: Any = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    """The names that it takes; the operation refuses others, with a code of its own."""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    """Bounds of a number, of which `above` itself is not allowed; the operation refuses what is outside, with a code of
    its own."""
    pattern: str | None = None
    """A regular expression that its text, or each of its texts, fits; the operation refuses others."""
    is_admin: bool = False
    """Only an operator may give it."""
    admin_choices: tuple[str, ...] = ()
    """Values that only an operator may give."""
    is_long: bool = False
    """A text that has a gate of its own, which says when it is too long."""
    is_argument: bool = False
    """On the command line it stands without its name, though it may be left out."""
    is_of_surface: bool = False
    """Asks for more in the answer; the Python method has no such parameter."""

    def checked(self, value: object) -> object:
        """The value, when its type is right. To JSON 10.0 is a whole number."""
        if self.kind == "integer" and isinstance(value, float) and value.is_integer():
            value = int(value)
        is_truth_as_number = isinstance(value, bool) and self.kind in _NO_TRUTHS
        if not isinstance(value, KINDS[self.kind][0]) or is_truth_as_number:
            wanted = _MEANT.get(self.kind, f"of type {self.kind}")
            raise InvalidInput(f"{self.name} must be {wanted}.", code="invalid_parameter")
        if self.kind in ("texts", "pair") and not all(isinstance(item, str) for item in value):  # type: ignore[attr-defined]  # a list
            raise InvalidInput(f"{self.name} must be a list of texts.", code="invalid_parameter")
        self._check_length(value)
        return value

    @property
    def length_max(self) -> int | None:
        """Characters that its text, or each of its texts, may have."""
        return None if self.is_long else LENGTHS.get(self.kind)

    def _check_length(self, value: object) -> None:
        most = self.length_max
        texts = [value] if isinstance(value, str) else list(value) if isinstance(value, (list, tuple)) else []
        if most is not None and (len(texts) > ITEMS_MAX or any(len(text) > most for text in texts)):
            raise InvalidInput(f"{self.name} is too long: at most {most} characters.", code="invalid_parameter")

    def is_for_operators(self, value: object) -> bool:
        """Whether this value may be given by an operator alone. What changes nothing may be given by anybody."""
        return value in self.admin_choices if self.admin_choices else self.is_admin and value != self.default


@frozen
class Operation:
    """A verb as the surfaces offer it."""

    name: str
    python: str
    """Method of a viewpoint; `upkeep.gc` is the method `gc` of `memory.upkeep`, which also takes the tenant."""
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
    """Only an operator may call it."""
    is_read: bool = False
    """Changes nothing, though its HTTP method is not GET."""
    cursor: str | None = None
    """The parameter that takes the `id` of the last item of the page before; the answer is then a list."""
    is_secret: bool = False
    """Its answer is told once and kept nowhere."""
    also: tuple[tuple[str, str], ...] = ()
    """Other HTTP methods and paths by which it is known."""
    etag: str | None = None
    """What in the answer tells one state of the thing from the next."""
    if_match: str | None = None
    """The parameter that takes such a mark: the call is refused when the thing has another by now."""

    @property
    def is_write(self) -> bool:
        """Whether it may change something."""
        return self.http[0] != "GET" and not self.is_read

    def permit(self, arguments: Mapping[str, Any], *, is_operator: bool) -> None:
        """Refuse what only operators may do or ask for."""
        if is_operator:
            return
        asked = [one.name for one in self.parameters if one.is_for_operators(arguments.get(one.name, one.default))]
        if self.is_admin or asked:
            what = f"{asked[0]} = {arguments[asked[0]]!r}" if asked else f"{self.name}"
            raise NotAllowed(f"Only an operator may use {what}; ask with an operator's key.", code="admin_only")

    def given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments checked, nulls left out; an unknown, missing or wrong one is an error that names it."""
        known = {parameter.name: parameter for parameter in self.parameters}
        named = {parameter.rpc: parameter.name for parameter in self.parameters if parameter.rpc is not None}
        arguments = {named.get(name, name): value for name, value in arguments.items()}
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
        try:
            return self._called(viewpoint, given, progress)
        except OverflowError:
            # A number of days or seconds that no calendar has.
            raise InvalidInput("A number is too large.", code="invalid_parameter") from None

    def _called(self, viewpoint: Viewpoint, given: Mapping[str, Any], progress: Progress | None) -> Any:  # noqa: ANN401 -- each verb has its own
        if self.call is not None:
            return self.call(viewpoint, given)
        handle, is_of_handle, name = self.python.partition(".")
        if is_of_handle:
            method = getattr(getattr(viewpoint.memory, handle), name)
            told = {"progress": progress} if progress and handle == "upkeep" else {}
            return method(tenant=viewpoint.place.tenant, **told, **given)
        return getattr(viewpoint, self.python)(**given)

    def run(self, viewpoint: Viewpoint, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The same as JSON-ready data."""
        return self.answer(self.value(viewpoint, arguments))
