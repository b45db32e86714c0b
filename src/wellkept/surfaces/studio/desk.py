"""What every page of the Studio works with: operations as a chosen viewpoint, and templates that escape everything."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jinja2 import Environment, FileSystemLoader, pass_context
from starlette.responses import HTMLResponse, RedirectResponse, Response

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.operations import BY_NAME
from wellkept.surfaces import words
from wellkept.surfaces.http import wire
from wellkept.surfaces.http.gateway import Call
from wellkept.surfaces.http.guard import COOKIE

if TYPE_CHECKING:
    from starlette.requests import Request

    from wellkept.surfaces.http.gateway import Service

FOLDER = Path(__file__).parent
# The one style that a script puts into a page: cytoscape's own, which is always the same.
GRAPH_STYLE = "'sha256-pgvDUBa4IjFA2yuSJ2cqcyxmNYJMborsd0ORcRv9vw8='"
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {GRAPH_STYLE}; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
# With no referrer at all a browser hides from which page a form comes, and the guard must know.
HEADERS = {"Content-Security-Policy": POLICY, "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY"}
ZONE, THEME = "wellkept_zone", "wellkept_theme"
"""Cookies: the time zone of the reader, which the script tells, and the colours that were chosen."""
THEMES = ("light", "dark")
PLACE = ("user", "chat", "chat_type", "participants", "persona", "agent", "tenant")
"""What of a viewpoint a page lets one choose."""
OWNERS_MAX = 30
NUMBER_MAX = 10
"""Digits."""
SHOWN_MAX = 2_000
"""Characters of a text that a page shows at once."""

JSON = Any


class Desk:
    """The service, as a page asks it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._templates = Environment(
            loader=FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        self._templates.filters |= {
            "shown": shown,
            "moment": pass_context(lambda context, text: moment(text, context["zone"])),
            "minute": pass_context(lambda context, text: moment(text, context["zone"])[:16]),
            "clock": pass_context(lambda context, text: moment(text, context["zone"])[11:16]),
            "utc": lambda text: moment(text, UTC),
            "short": short,
            "quoted": wire.quoted,
            "spelled": spelled,
            "why": words.why,
            "strength": words.strength,
            "zip": zip,
        }

    def rendered(self, name: str, values: Mapping[str, object]) -> Response:
        text = self._templates.get_template(f"{name}.html").render(values)
        return HTMLResponse(text.encode("utf-8", "backslashreplace"), headers=HEADERS)


class Visit:
    """One request for a page, and what it may ask: operations as the chosen viewpoint, and templates."""

    def __init__(self, desk: Desk, request: Request) -> None:
        self._desk, self._request = desk, request
        self._owners: JSON = None
        self.service = desk.service
        self.query = request.query_params
        grant = request.state.grant
        self.is_operator: bool = grant is not None and grant.is_operator
        self.settled: Mapping[str, Any] = {} if grant is None else grant.settled
        """What the key says of the viewpoint."""
        self.is_secure = request.url.scheme == "https"

    @property
    def place(self) -> dict[str, Any]:
        return place_of(self.query)

    @property
    def user(self) -> str | None:
        """Whose memory is looked at, by the page or by the key."""
        return self.text("user") or self.settled.get("user")

    @property
    def is_somebody(self) -> bool:
        return bool(self.user or self.text("chat"))

    def text(self, name: str) -> str:
        """What the address says under a name, without blanks around it."""
        return str(self.query.get(name, "")).strip()

    def named(self, name: str) -> str:
        return wire.named(self._request, name)

    def in_path(self) -> dict[str, Any]:
        """Everything that stands in the path, by name."""
        return {name: self.named(name) for name in self._request.path_params}

    async def fields(self) -> list[tuple[str, str]]:
        """The fields of a form that was sent, in order; a name may come several times."""
        body = (await self._request.body()).decode("utf-8", "replace")
        return parse_qsl(body, keep_blank_values=True)

    async def form(self) -> dict[str, str]:
        return dict(await self.fields())

    async def run(self, name: str, arguments: Mapping[str, Any], **place: Any) -> JSON:  # noqa: ANN401 -- parts of a viewpoint
        """The answer of an operation, as the chosen viewpoint of the page, or another one."""
        grant, where = self._request.state.grant, place or self.place
        call = Call(operation=BY_NAME[name], arguments=arguments, place=where, grant=grant, surface="studio")
        return await self.service.run(call)

    async def memory(self, memory_id: str | None, **place: Any) -> JSON | None:  # noqa: ANN401 -- parts of a viewpoint
        """A memory, if there is one that the viewpoint sees."""
        try:
            return await self.run("show", {"memory_id": memory_id}, **place) if memory_id else None
        except WellkeptError:
            return None

    async def owners(self) -> JSON:
        """Users and chats that an operator may choose from; nothing for others, who have their own."""
        if self._owners is None:
            self._owners = await self.run("owners", {"limit": OWNERS_MAX}) if self.is_operator else []
        return self._owners

    def now(self) -> datetime:
        return self.service.memory.engine.clock().astimezone(zone_of(self._request))

    def page(self, name: str, **values: object) -> Response:
        """A template as the whole page, or as a part of it for who asks for a part."""
        request = self._request
        known = {
            "owners": (),
            "said": self.query.get("said", ""),
            "is_signed_in": request.state.grant is not None,
            "has_key": COOKIE in request.cookies,
            "place": self.place,
            "place_query": urlencode(pairs_of(self.place)),
            "path": request.url.path,
            "is_operator": self.is_operator,
            "settled": dict(self.settled),
            "zone": zone_of(request),
            "theme": request.cookies.get(THEME) if request.cookies.get(THEME) in THEMES else "",
            "here": f"{request.url.path}?{request.url.query}".rstrip("?"),
        }
        return self._desk.rendered(name, {**known, **values})


def json_lines(name: str, items: Iterable[JSON]) -> Response:
    """Items as a file to keep, a line of JSON each."""
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    body = b"".join(wire.json_bytes(one) + b"\n" for one in items)
    return Response(body, media_type="application/x-ndjson", headers=headers)


def home_of(one: Mapping[str, Any]) -> dict[str, Any]:
    """The viewpoint of the user or the chat that something belongs to; of anything else there is none."""
    homes = {"user": {"user": one["owner"]}, "chat": {"chat": one["owner"], "chat_type": "group"}}
    return dict(homes.get(one["space"], {}))


def place_of(query: Mapping[str, str]) -> dict[str, Any]:
    """The viewpoint that a page was asked for; blank fields say nothing."""
    found: dict[str, Any] = {name: query[name].strip() for name in PLACE if query.get(name, "").strip()}
    if "participants" in found:
        found["participants"] = listed(found["participants"])
    if found.get("chat_type") == "group" and "chat" not in found:
        del found["chat_type"]
    return found


def pairs_of(place: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A viewpoint as a link or a form carries it; `place_of` reads it."""
    return [(name, spelled(value) if isinstance(value, list) else value) for name, value in place.items()]


def listed(text: str) -> list[str]:
    """Names with commas between them; one that has a comma itself stands in quotation marks.

    >>> listed('bob, "Roe, Jane"')
    ['bob', 'Roe, Jane']
    """
    try:
        rows = list(csv.reader(text.splitlines(), skipinitialspace=True))
    except csv.Error:
        raise InvalidInput("Write names with commas between them.", code="invalid_parameter") from None
    return [name.strip() for row in rows for name in row if name.strip()]


def spelled(names: Iterable[str]) -> str:
    """Names as `listed` reads them."""
    return ", ".join(_in_marks(name) if {",", '"'} & set(name) else name for name in names)


def _in_marks(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def redirected(back: str, place: Mapping[str, Any], said: str) -> Response:
    """Back to a page of this server, as the same viewpoint, with what was done."""
    path, _, query = back_of(back).partition("?")
    kept = [(name, value) for name, value in parse_qsl(query) if name not in PLACE and name != "said"]
    pairs = urlencode([*pairs_of(place), *kept, ("said", said)])
    return RedirectResponse(f"{path}?{pairs}", status_code=303)


def back_of(address: str) -> str:
    """An address on this server to go back to; anything else is the first page."""
    parts = urlsplit(address)
    is_own = not parts.scheme and not parts.netloc and address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_own and address.isprintable() and address.isascii() else "/"


def number_of(text: str, default: int) -> int:
    """A number that a page was asked with, or the default."""
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < NUMBER_MAX and int(text) else default


def shown(text: object, limit: int = SHOWN_MAX) -> str:
    """A stored text as a page may show it: what cannot be seen or turns the writing round becomes a visible mark."""
    cut = str(text)[:limit]
    marked = "".join(sign if sign == "\n" or not _is_hidden(sign) else f"\u27e8U+{ord(sign):04X}\u27e9" for sign in cut)
    return f"{marked} \u2026" if len(str(text)) > limit else marked


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def zone_of(request: Request) -> tzinfo:
    """The time zone that the reader's browser told; UTC until it has."""
    try:
        return ZoneInfo(request.cookies.get(ZONE, "UTC"))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def moment(text: object, zone: tzinfo) -> str:
    """A time to the second, there; what is no time stays as it is."""
    try:
        return datetime.fromisoformat(str(text or "")).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return str(text or "")[:19].replace("T", " ")


def short(text: object) -> str:
    return str(text or "")[:10]
