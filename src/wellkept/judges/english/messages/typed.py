"""A message as people type it, read as it is meant: names in small letters, subjects left out, answers of a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.messages import others_words, replies, small_names
from wellkept.judges.english.messages.understood import spelled_out
from wellkept.values import changed

if TYPE_CHECKING:
    from wellkept.judges.base import Reading
    from wellkept.judges.english.messages.rewording import Reworded


def as_meant(text: str, reading: Reading) -> tuple[Reworded, Reading]:
    """The last message in whole sentences, and the reading with it and the messages before it so."""
    *before, last = reading.messages
    said = [one.content for one in reading.messages if one.role == "user"]
    names = small_names.named(said, (*reading.known, *reading.people))
    earlier = [changed(one, content=small_names.with_capitals(one.content, names)) for one in before]
    own = changed(last, content=small_names.with_capitals(others_words.own_words(text), names))
    meant = spelled_out(own.content, replies.filled((*earlier, own)))
    window = [changed(one, content=spelled_out(one.content).text) if one.role == "user" else one for one in earlier]
    people = (*reading.people, *small_names.full(said))
    whole = changed(reading, messages=(*window, changed(own, content=meant.text)), people=people)
    return changed(meant, said=text), whole
