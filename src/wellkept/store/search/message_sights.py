"""The messages that views may read, kept between calls, each without the spans that the view may not be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.policies.text.words import term_counts
from wellkept.policies.visibility.messages import without
from wellkept.store.search.sight import Cut, with_cuts
from wellkept.store.search.sights import Reads, Sights

if TYPE_CHECKING:
    from wellkept.store.driver import Database
    from wellkept.store.search.sight import Part

READS = Reads(scopes="rooms", own="message_sight", changed="message_sight_changed", across=None)


class MessageSights(Sights):
    """Sights of the transcript."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, READS)

    def _finished(self, part: Part, where: dict[str, Any]) -> Part:
        spans: dict[int, list[tuple[int, int]]] = {}
        texts: dict[int, str] = {}
        for num, content, start, stop in self._db.rows("spans_left_out", where):
            texts[num] = content
            spans.setdefault(num, []).append((start, stop))
        left = {num: without(text, spans[num]) for num, text in texts.items()}
        return with_cuts(part, {num: Cut(text=text, terms=term_counts(text)) for num, text in left.items()})
