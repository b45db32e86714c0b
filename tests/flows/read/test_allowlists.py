"""What is told beside memories is bound by the allowlist of an agent too: people, the profile, state, todos."""

from __future__ import annotations

import pytest

from wellkept.errors import Ambiguous, InvalidInput, PersonNotFound, ProposalNotFound


@pytest.fixture
def known(memory_without_vectors):
    """Ana, of whom a friend, a city with a change that waits for her yes, and an errand are known."""
    at = memory_without_vectors.at(user="ana", chat="dm")
    at.remember("My friend Zara lives in Quito")
    at.remember("My cousin Tom sails")
    at.remember("My neighbour Tom bakes")
    at.remember("I live in Lima")
    at.observe([{"role": "user", "content": "I live in Tacna now."}], wait=True)
    at.turn("I will post the parcel tomorrow").finish("I see.")
    return memory_without_vectors


def test_without_an_agent_everything_is_told(known):
    ana = known.at(user="ana", chat="dm")
    assert [one.name for one in ana.people()]
    assert ana.profile()
    assert ana.consents()
    assert "parcel" in repr(ana.state())


@pytest.mark.parametrize("agent", ["stranger", "stylist", "Supervisor", "supervisor ", "\u0455upervisor"])
def test_an_agent_that_may_not_read_them_is_told_of_nobody(known, agent):
    asking = known.at(user="ana", chat="dm", agent=agent)
    (waiting,) = known.at(user="ana").consents()
    assert asking.people() == ()
    assert asking.profile() == {}
    assert asking.consents(state=None) == ()
    assert asking.review_people().waiting == ()
    with pytest.raises(PersonNotFound):
        asking.person("Zara")
    with pytest.raises(PersonNotFound):
        asking.alias_person("my friend", "Z")
    with pytest.raises(PersonNotFound):
        asking.recall("What does he do?", about=["Tom"])
    with pytest.raises(ProposalNotFound):
        asking.approve(waiting.id)
    turned = asking.turn("posted the parcel")
    assert turned.todos == ()
    assert "parcel" not in repr((turned.state, asking.state(), str(turned.context)))


def test_the_supervisor_is_told_whom_ana_knows(known):
    asking = known.at(user="ana", chat="dm", agent="supervisor")
    assert {"friend", "cousin"} <= {one.relation for one in asking.people()}
    with pytest.raises(Ambiguous, match="cousin"):
        asking.recall("What does he do?", about=["Tom"])
    assert asking.profile()["city"] == "Lima"


def test_no_name_is_no_agent(memory_without_vectors):
    ana = memory_without_vectors.at(user="ana")
    ana.remember("I like plums")
    for blank in ("", " ", "\t"):
        with pytest.raises(InvalidInput, match="agent must be a name"):
            ana.query("plums", agent=blank)
