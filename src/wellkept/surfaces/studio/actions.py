"""What can be done from a page: each a form, each an operation, and back to the page it came from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.http.wire import named
from wellkept.surfaces.studio import pages_memories, pages_people, pages_playground, pages_settings, pages_traces
from wellkept.surfaces.studio.desk import form_of, place_of, redirected

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

Action = Callable[["Desk", "Request"], Awaitable["Response"]]

SAID = {
    "edit": "Its privacy is changed.",
    "pin": "Pinned.",
    "unpin": "No longer pinned.",
    "forget": "Taken out of recall; it can be restored.",
    "restore": "Brought back.",
    "merge_people": "The two are one now; a split on their page takes it back.",
    "split_person": "The two are apart again.",
    "review_people": "Noted; it is not asked again.",
    "alias_person": "The name is known now.",
    "relate_person": "The relations are up to date.",
    "revoke_key": "The key opens nothing any more.",
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


async def _forgotten(desk: Desk, request: Request) -> Response:
    """Everything about a person leaves recall; with a tick the person is removed, too."""
    form = await form_of(request)
    arguments = {"reference": named(request, "reference"), "delete_record": form.get("delete_record") == "1"}
    place = place_of(form)
    told = await desk.run(request, "forget_person", arguments, **place)
    said = f"{told['archived']} memories about {told['name']} are out of recall; each can be brought back."
    return redirected("/people", place, said)


async def _done(
    desk: Desk, request: Request, operation: str, arguments: dict[str, Any], form: dict[str, str]
) -> Response:
    place = place_of(form)
    await desk.run(request, operation, arguments, **place)
    return redirected(form.get("back") or "/", place, SAID[operation])


def _of_memory(operation: str, *names: str) -> Action:
    return _action(operation, *names, path_name="memory_id")


ACTIONS: dict[str, Action] = {
    "/playground": pages_playground.say,
    "/memories": pages_memories.add,
    "/memories/many": pages_memories.many,
    "/memories/{memory_id}/edit": pages_memories.rewrite,
    "/memories/{memory_id}/privacy": _of_memory("edit", "sensitivity"),
    "/memories/{memory_id}/pin": _of_memory("pin"),
    "/memories/{memory_id}/unpin": _of_memory("unpin"),
    "/memories/{memory_id}/delete": _of_memory("forget"),
    "/memories/{memory_id}/restore": _of_memory("restore"),
    "/lens/reveal": pages_people.reveal,
    "/settings/keys": pages_settings.add_key,
    "/settings/keys/{key_id}/revoke": _action("revoke_key", path_name="key_id"),
    "/people/merge": _action("merge_people", "primary", "secondary"),
    "/people/review/{answer}": _review,
    "/people/{reference}/split": _action("split_person", path_name="reference"),
    "/people/{reference}/alias": _action("alias_person", "alias", path_name="reference"),
    "/people/{reference}/relate": _action("relate_person", "relation", "to", path_name="reference"),
    "/people/{reference}/forget": _forgotten,
    "/people/{reference}/rename": _action("rename_person", "name", path_name="reference"),
    "/sessions/todos/{todo_id}/complete": _action("complete_todo", path_name="todo_id"),
    "/sessions/todos/{todo_id}/dismiss": _action("dismiss_todo", path_name="todo_id"),
    "/traces/start": pages_traces.start,
    "/traces/compare": pages_traces.compare,
    "/questions/{proposal_id}/approve": _action("approve", path_name="proposal_id"),
    "/questions/{proposal_id}/reject": _action("reject", path_name="proposal_id"),
    "/health/retry": _action("retry_jobs"),
}
