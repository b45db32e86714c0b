"""A bot in a group: it listens to everybody, answers who asks it, and keeps to itself what it was told in private."""

from __future__ import annotations

import wellkept

PEOPLE = {"ana": "Ana", "bo": "Bo", "cy": "Cy"}
SCRIPT = [
    ("bo", "private", "I was diagnosed with diabetes"),
    ("bo", "group", "I play the cello"),
    ("ana", "group", "I moved to Berlin last week"),
    ("cy", "group", "@bot what do you know about Bo?"),
    ("cy", "group", "@bot does Bo have a diagnosis?"),
    ("bo", "private", "@bot what was I diagnosed with?"),
]


def place(memory: wellkept.Memory, user: str, kind: str) -> wellkept.api.Viewpoint:
    """Where a message stands: in the group with everybody, or between the bot and one person."""
    if kind == "private":
        return memory.at(user=user, chat=f"dm-{user}", display_name=PEOPLE[user])
    others = [one for one in PEOPLE if one != user]
    return memory.at(user=user, chat="band", chat_type="group", participants=others, display_name=PEOPLE[user])


def main() -> None:
    with wellkept.open("group.db") as memory:
        for user, name in PEOPLE.items():
            memory.at(user=user, display_name=name).remember(f"My name is {name}")
        for user, kind, text in SCRIPT:
            here = place(memory, user, kind)
            if text.startswith("@bot "):
                print(f"{PEOPLE[user]} ({kind}): {text}")
                print(f"  bot: {here.chat(text.removeprefix('@bot ')).text}")
            else:
                here.observe([{"role": "user", "content": text, "speaker": PEOPLE[user]}], wait=True)


if __name__ == "__main__":
    main()
