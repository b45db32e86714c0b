"""What can be done from a page: each a form, each an operation, and back to the page it came from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from wellkept.surfaces.http.paths import named
from wellkept.surfaces.studio import pages_traces
from wellkept.surfaces.studio.desk import form_of, pairs_of, place_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

Action = Callable[["Desk", "Request"], Awaitable["Response"]]

SAID = {
    "edit": "Changed; the old text is kept.",
    "pin": "Pinned.",
    "unpin": "No longer pinned.",
    "forget": "Taken out of recall; it can be restored.",
    "restore": "Brought back.",
    "merge_people": "The two are one now; a split on their page takes it back.",
    "split_person": "The two are apart again.",
    "review_people": "Noted; it is not asked again.",
    "alias_person": "The name is known now.",
    "rename_person": "Renamed; the earlier name stays as an alias.",
    "complete_todo": "Done.",
    "dismiss_todo": "Given up.",
    "approve": "Noted in the profile.",
    "reject": "The profile stays as it is.",
    "retry_jobs": "They are queued again.",
}


def _action(operation: str, *names: str, path_name: str | None = None) -> Action:
    """An operation with these fields of the form; `path_name` is the parameter that stands in the path."""

    async def act(desk: Desk, request: Request) -> Response:
        form = await form_of(request)
        arguments: dict[str, Any] = {name: form[name] for name in names if form.get(name, "").strip()}
        if path_name is not None:
            arguments[path_name] = named(request, path_name)
        return await _done(desk, request, operation, arguments, form)

    return act


async def _review(desk: Desk, request: Request) -> Response:
    """Two people are the same person, or they are two."""
    form = await form_of(request)
    arguments = {named(request, "answer"): [form.get("one", ""), form.get("other", "")]}
    return await _done(desk, request, "review_people", arguments, form)


async def _done(
    desk: Desk, request: Request, operation: str, arguments: dict[str, Any], form: dict[str, str]
) -> Response:
    from starlette.responses import RedirectResponse

    place = place_of(form)
    await desk.run(request, operation, arguments, **place)
    return RedirectResponse(_back(form, place, SAID[operation]), status_code=303)


def _back(form: dict[str, str], place: dict[str, Any], said: str) -> str:
    """Where the form came from, on this server, with what was done."""
    asked = urlsplit(form.get("back") or "/")
    path = asked.path if asked.path.startswith("/") and not asked.path.startswith("//") else "/"
    return f"{path}?{urlencode([*pairs_of(place), ('said', said)])}"


def _of_memory(operation: str, *names: str) -> Action:
    return _action(operation, *names, path_name="memory_id")


ACTIONS: dict[str, Action] = {
    "/memories/{memory_id}/edit": _of_memory("edit", "content"),
    "/memories/{memory_id}/pin": _of_memory("pin"),
    "/memories/{memory_id}/unpin": _of_memory("unpin"),
    "/memories/{memory_id}/delete": _of_memory("forget"),
    "/memories/{memory_id}/restore": _of_memory("restore"),
    "/people/merge": _action("merge_people", "primary", "secondary"),
    "/people/review/{answer}": _review,
    "/people/{reference}/split": _action("split_person", path_name="reference"),
    "/people/{reference}/alias": _action("alias_person", "alias", path_name="reference"),
    "/people/{reference}/rename": _action("rename_person", "name", path_name="reference"),
    "/sessions/todos/{todo_id}/complete": _action("complete_todo", path_name="todo_id"),
    "/sessions/todos/{todo_id}/dismiss": _action("dismiss_todo", path_name="todo_id"),
    "/traces/start": pages_traces.start,
    "/traces/compare": pages_traces.compare,
    "/consent/{proposal_id}/approve": _action("approve", path_name="proposal_id"),
    "/consent/{proposal_id}/reject": _action("reject", path_name="proposal_id"),
    "/health/retry": _action("retry_jobs"),
}
