"""An agent of Google ADK that knows its user in the next session. Runs offline: the model is scripted.

pip install 'wellkept[google-adk]'
python examples/google_adk_agent.py
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

import wellkept
from wellkept.integrations.google_adk import MemoryService, SessionService


class Scripted(BaseLlm):
    """In place of Gemini: says what it was told about the user."""

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:  # noqa: FBT001, FBT002 -- as ADK calls it
        is_question = "?" in llm_request.contents[-1].parts[0].text
        is_known = "teal" in str(llm_request.config.system_instruction) + str(llm_request.contents[:-1])
        text = "I will keep that in mind."
        if is_question:
            text = "Your favorite color is teal." if is_known else "I do not know."
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


async def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        sessions, memories = SessionService(memory), MemoryService(memory)
        agent = LlmAgent(name="assistant", model=Scripted(model="scripted"), tools=[PreloadMemoryTool()])
        runner = Runner(app_name="demo", agent=agent, session_service=sessions, memory_service=memories)
        for day, words in (("monday", "My favorite color is teal."), ("tuesday", "What is my favorite color?")):
            # Who is speaking is the application's to know: it gives ADK the user's id.
            await sessions.create_session(app_name="demo", user_id="alice", session_id=day)
            said = types.Content(role="user", parts=[types.Part(text=words)])
            async for event in runner.run_async(user_id="alice", session_id=day, new_message=said):
                print(f"{day}: {words} -> {event.content.parts[0].text}")
            session = await sessions.get_session(app_name="demo", user_id="alice", session_id=day)
            await memories.add_session_to_memory(session)


if __name__ == "__main__":
    asyncio.run(main())
