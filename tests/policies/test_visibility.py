"""Categories: what is configured, and which agent may read which."""

from __future__ import annotations

import pytest

from wellkept import config
from wellkept.errors import ConfigError, InvalidInput, NotAllowed
from wellkept.policies.visibility import ALLOWLISTS, BUILT_IN, Categories, Category, configured_categories

SEED = """
categories:
  system:
    - name: profile
      context: all
    - name: event
      context: rag
      rag_length: 30
    - name: activity
      context: rag
      rag_length: 50
  custom: []
allowlists:
  supervisor: [profile, goals, preferences, event, activity, relationships, tasks]
  planner:    [goals, tasks, projects]
  stylist:    [preferences, tone, style]
  researcher: [knowledge, interests, history]
  executor:   [tasks, recent_activity, constraints]
"""
TOML = """
[categories]
custom = ["hunches", {name = "pets", context = "all"}]

[[categories.system]]
name = "event"
context = "rag"
rag_length = 5

[allowlists]
gardener = ["pets", "hunches"]
"""


def test_the_yaml_of_the_seed_loads_unchanged(tmp_path):
    path = tmp_path / "memory_cat_config.yaml"
    path.write_text(SEED, encoding="utf-8")
    loaded = config.load(path, {})
    assert loaded.categories.known == BUILT_IN
    assert loaded.categories.allowlists["planner"] == {"goals", "tasks", "projects"}
    assert loaded.categories.of_agent("supervisor") == frozenset(
        ["profile", "goals", "preferences", "event", "activity", "relationships", "tasks"]
    )


def test_toml_says_the_same_and_more(tmp_path):
    path = tmp_path / "wellkept.toml"
    path.write_text(TOML, encoding="utf-8")
    loaded = config.load(path, {"WELLKEPT_ALLOWLISTS__CLERK": "tasks, pets"})
    assert loaded.categories.known["event"] == Category(name="event", rag_length=5)
    assert loaded.categories.whole() == {"profile", "pets"}
    assert loaded.categories.of_agent("gardener") == {"pets", "hunches"}
    assert loaded.categories.of_agent("clerk") == {"pets", "tasks"}
    rows = {key: (value, origin) for key, value, origin in loaded.rows()}
    assert rows["allowlists.gardener"] == (("hunches", "pets"), str(path))
    assert rows["categories.event"] == ("rag, 5", str(path))


@pytest.mark.parametrize(
    ("categories", "allowlists", "named"),
    [
        ({"other": []}, {}, "categories.other"),
        ({"custom": "pets"}, {}, "categories.custom"),
        ({"custom": [3]}, {}, "3"),
        ({"custom": [{"name": "pets", "colour": "red"}]}, {}, "colour"),
        ({"custom": [{"name": ""}]}, {}, "''"),
        ({"custom": [{"name": "a b"}]}, {}, "a b"),
        ({"custom": [{"name": "pets", "context": "some"}]}, {}, "some"),
        ({"custom": [{"name": "pets", "rag_length": 0}]}, {}, "rag_length"),
        ({"custom": [{"name": "pets", "rag_length": True}]}, {}, "rag_length"),
        ({"custom": [{"name": "pets", "context": "all", "rag_length": 3}]}, {}, "rag_length"),
        ({"custom": ["pets", "pets"]}, {}, "pets"),
        ({}, {"planner": ["dreams"]}, "dreams"),
        ({}, {"planner": 4}, "planner"),
        ({}, {"planner": [4]}, "planner"),
    ],
)
def test_what_is_wrong_is_named(categories, allowlists, named):
    with pytest.raises(ConfigError, match=named):
        configured_categories(categories, allowlists, "the file")


@pytest.mark.parametrize("text", ["categories: [", "- a", "memory:\n  colour: 1", "people: {}"])
def test_a_bad_yaml_file_is_an_error(tmp_path, text):
    path = tmp_path / "bad.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError):
        config.load(path, {})


@pytest.mark.parametrize("agent", ALLOWLISTS)
def test_an_agent_is_granted_its_list_and_nothing_else(agent):
    own = Categories()
    assert own.granted(agent, frozenset()) == ALLOWLISTS[agent]
    for name in BUILT_IN:
        if name in ALLOWLISTS[agent]:
            assert own.granted(agent, frozenset({name})) == {name}
        else:
            with pytest.raises(NotAllowed, match=name) as caught:
                own.granted(agent, frozenset({name, *ALLOWLISTS[agent]}))
            assert caught.value.code == "category_not_allowed"


def test_strangers_get_nothing_unless_a_default_says_otherwise():
    assert Categories().of_agent("stranger") == frozenset()
    assert Categories(allowlists={"default": frozenset({"tasks"})}).of_agent("stranger") == {"tasks"}
    assert Categories().of_agent(None) is None
    with pytest.raises(NotAllowed, match="tasks"):
        Categories().granted("stranger", frozenset({"tasks"}))
    with pytest.raises(InvalidInput, match="dreams"):
        Categories().granted("planner", frozenset({"dreams"}))
    with pytest.raises(NotAllowed):
        Categories().granted(None, frozenset({"procedural"}))
