"""Claude Agent SDK: hooks that tell Claude what is known and learn from the talk, memory tools, and a session store."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wellkept.integrations.adapter import History, Records, Tools, block, learn, missing, on_thread, said, threaded

try:
    from claude_agent_sdk import HookMatcher, SdkMcpTool, create_sdk_mcp_server
except ImportError as error:
    raise missing("The Claude Agent SDK", "claude-agent-sdk") from error

if TYPE_CHECKING:
    from claude_agent_sdk.types import McpSdkServerConfig, SessionKey, SessionListSubkeysKey, SessionStoreEntry

    from wellkept.api import Viewpoint

__all__ = ["Transcripts", "hooks", "tools"]
SERVER = "wellkept"
FRAMEWORK = "claude-agent-sdk"
SESSIONS = "sessions"
MAIN, BELOW = "main", "below"


def hooks(view: Viewpoint) -> dict[str, list[HookMatcher]]:
    """For `ClaudeAgentOptions(hooks=…)`: each prompt brings the context block; prompts and answers are learned from."""

    async def prompted(given: Any, _tool: str | None, _context: Any) -> dict[str, Any]:  # noqa: ANN401 -- as the SDK calls it
        words = given["prompt"]
        known = await on_thread(block, view, words)
        await on_thread(learn, view, said("user", words))
        return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": known}}

    async def stopped(given: Any, _tool: str | None, _context: Any) -> dict[str, Any]:  # noqa: ANN401 -- as the SDK calls it
        await on_thread(learn, view, said("assistant", given.get("last_assistant_message") or ""))
        return {}

    return {"UserPromptSubmit": [HookMatcher(hooks=[prompted])], "Stop": [HookMatcher(hooks=[stopped])]}


def tools(view: Viewpoint) -> McpSdkServerConfig:
    """For `ClaudeAgentOptions(mcp_servers={"wellkept": …})`: `remember`, `recall` and `forget`, bound to this user.

    Claude knows them as `mcp__wellkept__remember` and so on, in `allowed_tools`.
    """
    return create_sdk_mcp_server(SERVER, tools=[_tool(function) for function in Tools(view).all])


def _tool(function: Callable[[str], str]) -> SdkMcpTool[Any]:
    (name,) = [one for one in function.__annotations__ if one != "return"]
    what, _, about = (function.__doc__ or "").partition("Args:")

    async def call(given: dict[str, Any]) -> dict[str, Any]:
        told = await on_thread(function, str(given.get(name, "")))
        return {"content": [{"type": "text", "text": told}]}

    parameter = {"type": "string", "description": about.strip().removeprefix(f"{name}: ")}
    schema = {"type": "object", "properties": {name: parameter}, "required": [name], "additionalProperties": False}
    return SdkMcpTool(name=function.__name__, description=what.strip(), input_schema=schema, handler=call)


class Transcripts:
    """The SDK's `SessionStore`: `ClaudeAgentOptions(session_store=Transcripts(view))`, one user's sessions.

    Entries come back as they were, without the secrets in their texts, and are erased with the user.
    """

    def __init__(self, view: Viewpoint) -> None:
        self._view = view
        self._clock = view.memory.engine.clock

    def _append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Keep entries; one whose `uuid` is there already is left out."""
        index, history = self._index(key["project_key"]), self._history(key)
        with index.together():
            seen = {one["uuid"] for one in history.items() if one.get("uuid")}
            new = []
            for entry in entries:
                if not entry.get("uuid") or entry["uuid"] not in seen:
                    new.append(entry)
                    seen.add(entry.get("uuid", ""))
            history.add(new)
            if not key.get("subpath"):
                index.put(key["session_id"], {"mtime": int(self._clock().timestamp() * 1000)})

    append = threaded(_append)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """All entries, oldest first; None for a key that was never written."""
        return await on_thread(self._history(key).items) or None

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        """The sessions of a project, with the time of their last entry in milliseconds."""
        found = await on_thread(self._index(project_key).all)
        return [{"session_id": name, **value} for name, value in found.items()]

    def _delete(self, key: SessionKey) -> None:
        """Remove a transcript; the main one with those of its subagents."""
        self._history(key).clear()
        if not key.get("subpath"):
            for path in self._subpaths(key["project_key"], key["session_id"]):
                self._history({**key, "subpath": path}).clear()
            self._index(key["project_key"]).remove([key["session_id"]])

    delete = threaded(_delete)

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """The transcripts of a session's subagents."""
        return await on_thread(self._subpaths, key["project_key"], key["session_id"])

    def _subpaths(self, project: str, session: str) -> list[str]:
        return [path[0] for path in Records(self._view, FRAMEWORK, project, session, BELOW).below()]

    def _index(self, project: str) -> Records:
        return Records(self._view, FRAMEWORK, project, SESSIONS)

    def _history(self, key: SessionKey) -> History:
        subpath = key.get("subpath")
        below = (BELOW, subpath) if subpath else (MAIN,)
        return History(self._view, FRAMEWORK, key["project_key"], key["session_id"], *below)
