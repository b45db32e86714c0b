"""Pages about people: the graph, and what some are told and others are not."""

from __future__ import annotations

import json
import urllib.request

import wellkept
from tests.surfaces.served import client
from wellkept.surfaces.studio.pages_people import beside, differences, elements


def fetched(url: str):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def test_the_graph_has_the_people_and_what_they_are(served):
    found = [one["data"] for one in fetched(f"{served.url}/people/graph.json?user=alice")]
    names = {one["id"]: one["label"] for one in found if "source" not in one}
    ties = {(names[one["source"]], names[one["target"]], one["label"]) for one in found if "source" in one}
    assert {("Sarah", "you", "wife"), ("Mehmet", "you", "boss")} <= ties


def test_people_are_tied_to_each_other_too():
    sarah = {"id": "p_1", "name": "Sarah", "relation": "wife", "relations": []}
    ida = {"id": "p_2", "name": "Ida", "relation": None, "relations": [{"relation": "friend", "to": "p_1"}]}
    ties = [one["data"] for one in elements([sarah, ida]) if "source" in one["data"]]
    assert [(one["source"], one["target"], one["label"]) for one in ties] == [
        ("p_1", "you", "wife"),
        ("p_2", "p_1", "friend"),
    ]
    memories = [{"subject_person_ids": ["p_1", "p_2"]}, {"subject_person_ids": ["p_2", "p_1", "p_9"]}]
    (edge,) = beside({"id": "p_2", "memories": memories}, {"p_1", "p_2"})
    assert (edge["data"]["target"], edge["data"]["label"]) == ("p_1", "together in 2")


def test_what_is_told_differently_says_why():
    alone = {"name": "bob alone", "query": "user=bob", "left_out": [], "rules": {"m_1": "about the one who asks"}}
    bob = alone | {"rows": [{"id": "m_1", "text": "Diabetes"}, {"id": "m_2", "text": "Pizza"}]}
    hidden = [{"id": "m_1", "words": "sensitive"}]
    carol = {"name": "carol", "query": "user=carol", "left_out": hidden, "rules": {}}
    carol |= {"rows": [{"id": "m_2", "text": "Pizza"}]}
    (row,) = differences([bob, carol])
    assert (row["id"], row["query"]) == ("m_1", "user=bob")
    assert row["cells"] == [
        {"is_told": True, "why": "about the one who asks"},
        {"is_told": False, "why": "sensitive"},
    ]
    assert differences([bob, bob]) == []


def test_the_lens_shows_the_nearest_where_nothing_is_close(tmp_path):
    with wellkept.open(tmp_path / "memory.db", worker="off") as memory:
        memory.at(user="bob", display_name="Bob").remember("I keep bees on the roof")
        http = client(memory)
        assert "the nearest memories" not in http.get("/lens?users=bob,carol&q=bees").text
        far = http.get("/lens?users=bob,carol&q=quarterly+tax").text
    assert "the nearest memories" in far
    assert "bees on the roof" in far
