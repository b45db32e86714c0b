"""Known variants of names: read as what the operator says they are, whoever or whatever is named."""

from __future__ import annotations

import pytest

import wellkept
from wellkept import config
from wellkept.errors import ConfigError
from wellkept.policies.people.entities import Entities


@pytest.fixture
def ana(tmp_path, store_path, clock):
    file = tmp_path / "wellkept.toml"
    overrides = '{ "Acme Incorporated" = "org:acme_corp", "Makesh" = "person:mukesh" }'
    file.write_text(f"[entities]\noverrides = {overrides}\n", encoding="utf-8")
    settings = config.load(file, {})
    with wellkept.open(store_path, config=settings, clock=clock, embedder="none", worker="off") as memory:
        yield memory.at(user="ana", display_name="Ana")


def test_a_variant_of_a_person_is_that_person(ana):
    ana.remember("My friend Mukesh plays the sitar")
    told = ana.remember("Makesh moved to Pune")
    (mukesh,) = ana.people()
    stored = ana.show(told.id).memory
    assert (stored.subject_person_ids, stored.entity_refs[0]) == ((mukesh.id,), "person:mukesh")
    assert stored.content == "Makesh moved to Pune", "the words stay as they were said"
    assert {one.content for one in ana.list(about=["makesh"])} == {"Mukesh plays the sitar", "Makesh moved to Pune"}


def test_a_variant_of_a_thing_has_its_key(ana):
    assert ana.show(ana.remember("I work at Acme Incorporated").id).memory.entity_refs == ("org:acme_corp",)


@pytest.mark.parametrize("bad", [{"x": "y"}, {"x": "person:"}, {"x": "person:John Doe"}, {"!!": "person:a"}])
def test_what_is_no_key_or_no_name_is_refused(bad):
    with pytest.raises(ConfigError, match=r"entities\.overrides"):
        Entities(overrides=bad)
