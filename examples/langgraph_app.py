"""A LangGraph app that remembers: needs `pip install "wellkept[langgraph]"`; the node stands where your model would."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

import wellkept
from wellkept.integrations.langgraph import Saver


class Talk(TypedDict):
    messages: Annotated[list[Any], add_messages]


def main() -> None:
    with wellkept.open("graph.db") as memory:
        alice = memory.at(user="alice", chat="dm", display_name="Alice")

        def answer(state: Talk) -> dict[str, Any]:
            # With a model: model.invoke([SystemMessage(str(alice.context(text))), *state["messages"]])
            return {"messages": [("ai", alice.chat(state["messages"][-1].content).text)]}

        builder = StateGraph(Talk)
        builder.add_node("answer", answer)
        builder.add_edge(START, "answer")
        builder.add_edge("answer", END)
        graph = builder.compile(checkpointer=Saver(memory))
        for thread, text in (
            ("monday", "I'm allergic to peanuts"),
            ("friday", "What should I avoid eating?"),
        ):
            config = {"configurable": {"thread_id": thread}}
            said = graph.invoke({"messages": [("user", text)]}, config)["messages"]
            print(f"{thread}: {text}\n  {said[-1].content}")
        kept = graph.get_state({"configurable": {"thread_id": "monday"}}).values["messages"]
        print(f"monday's thread has {len(kept)} messages; what Alice said there was known on friday")


if __name__ == "__main__":
    main()
