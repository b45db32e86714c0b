"""On the real store every reference of the evaluation leads where the evaluation says, whole worlds long."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from evals.resolution import run
from wellkept.flows import views
from wellkept.policies.people.persons import with_alias
from wellkept.policies.people.references import parse
from wellkept.store.contract import Store
from wellkept.store.opening import open_store
from wellkept.types import Viewpoint

WORLDS = [json.loads(line) for line in (run.HERE / "test.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Iterator[Store]:
    opened = open_store(tmp_path_factory.mktemp("worlds") / "memory.db")
    yield opened
    opened.close()


@pytest.mark.parametrize("told", WORLDS, ids=lambda told: told["world"])
def test_the_flow_resolves_as_the_evaluation_does(told, store, clock):
    tenant, users = told["world"], [step["join"] for step in told["steps"] if "join" in step]
    pure, same, labelled = run.World(), {}, {}
    for step in told["steps"]:
        with store.transaction():
            if "join" in step:
                pure.join(step["join"], step["username"], step["display_name"])
                names = {"username": step["username"], "display_name": step["display_name"]}
                who = views.ensure_user(Viewpoint(tenant=tenant, user=step["join"], **names), store, clock())
                same[f"user-{step['join']}"] = who.id
                continue
            if "also" in step:
                pure_id = labelled[step["who"]]
                pure.people[pure_id] = with_alias(pure.people[pure_id], step["also"], by="u1")
                store.keep(with_alias(store.person(tenant, same[pure_id]), step["also"], by="u1"))
                continue
            expected = pure.say(parse(step["text"]), step["by"])
            where = {"chat": "c", "chat_type": "group", "participants": tuple(users)} if users else {}
            view, _ = views.gather(Viewpoint(tenant=tenant, user=step["by"], **where), store, clock())
            got = views.resolve(parse(step["text"]), speaker=step["by"], view=view, store=store, now=clock())
        assert (got.verdict, got.reason) == (expected.verdict, expected.reason)
        if expected.person_id is None:
            assert got.person is None
            continue
        assert store.person(tenant, same.setdefault(expected.person_id, got.person.id)).id == got.person.id
        labelled[step["who"]] = expected.person_id
