"""Pages for those who run the server: what their pictures are drawn from."""

from __future__ import annotations

import json
import urllib.request


def fetched(url: str):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def test_the_plot_counts_what_was_made(served):
    days = fetched(f"{served.url}/health/growth.json")
    events = fetched(f"{served.url}/v1/events?of=*&op=create&limit=1000")
    made = [event for event in events if event["status"] == "ok" and event["memory_id"]]
    assert sum(count for _, count in days) == len(made) > 0
    own = fetched(f"{served.url}/health/growth.json?user=bob")
    assert sum(count for _, count in own) == sum(event["owner"] == "bob" for event in made)
