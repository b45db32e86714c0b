"""Who waits for whom on PostgreSQL: writers of the same scope, person or chat, and nobody else."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager

import pytest

from wellkept.store.contract import SaidAbout
from wellkept.store.opening import open_store
from wellkept.testing.world import World
from wellkept.vocabulary import Space

ALICE, BOB = (Space.USER, "alice"), (Space.USER, "bob")
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"


@pytest.fixture
def store(new_database):
    store = open_store(new_database())
    for scope in (ALICE, BOB):
        World(store).tell("There is tea.", scope=scope)
    yield store
    store.close()


@contextmanager
def at_work(store, work):
    """Another thread is in the middle of this write, until the block ends."""
    is_begun, may_end = threading.Event(), threading.Event()

    def run() -> None:
        work(lambda: (is_begun.set(), may_end.wait(60)))

    thread = threading.Thread(target=run)
    thread.start()
    assert is_begun.wait(60)
    try:
        yield
    finally:
        may_end.set()
        thread.join()


def tell(store, scope, text, then=lambda: None):
    def work():
        memory = World(store).tell(text, scope=scope, discriminator=text)
        then()
        return memory

    return work


def await_waiter(store) -> None:
    """Until somebody waits for a lock."""
    while store._db.driver.rows(WAITING, {}) == [(0,)]:
        time.sleep(0.01)


def test_writers_of_other_scopes_do_not_wait(store):
    with at_work(store, lambda pause: store.write_in("t", [ALICE], tell(store, ALICE, "Alice likes tea.", pause))):
        told = store.write_in("t", [BOB], tell(store, BOB, "Bob likes tea."))
        assert store.memory("t", told.id) is not None
        assert store._db.driver.rows(WAITING, {}) == [(0,)]
    assert len(list(store.every("t"))) == 4
    assert not list(store.verify("t"))


@pytest.mark.parametrize("second", ["scope", "tenant"])
def test_writers_of_one_scope_wait_and_so_does_who_takes_the_tenant(store, second):
    write = tell(store, ALICE, "Alice likes coffee.")

    def follow() -> None:
        if second == "scope":
            store.write_in("t", [ALICE], write)
        else:
            with store.transaction():
                write()

    follower = threading.Thread(target=follow)
    with at_work(store, lambda pause: store.write_in("t", [ALICE], tell(store, ALICE, "Alice likes tea.", pause))):
        follower.start()
        await_waiter(store)
        assert len(list(store.every("t"))) == 2, "neither is written yet"
    follower.join()
    assert len(list(store.every("t"))) == 4
    assert not list(store.verify("t"))


@pytest.mark.parametrize("need", ["scope", "person"])
def test_what_a_write_turns_out_to_need_is_waited_for_before_it_begins_again(store, need):
    """Bob's writer finds that it needs what Alice's has: it lets go of all it has, so that there is no circle."""
    begun = []

    def use() -> None:
        if need == "scope":
            tell(store, ALICE, f"{len(begun)} of Bob's about Alice.")()
        else:
            store.memories(SaidAbout(tenant="t", person_id="p_alice"))

    def work() -> None:
        begun.append(1)
        tell(store, BOB, f"{len(begun)} of Bob's.")()
        use()

    def hold(pause):
        def held():
            store.memories(SaidAbout(tenant="t", person_id="p_alice"))
            return tell(store, ALICE, "Alice likes tea.", pause)()

        return store.write_in("t", [ALICE], held)

    follower = threading.Thread(target=lambda: store.write_in("t", [BOB], work))
    with at_work(store, hold):
        follower.start()
        await_waiter(store)
        # It holds nothing meanwhile that somebody else of Bob's would have to wait for, but what it was begun with.
    follower.join()
    assert len(begun) == 2
    texts = {memory.content for memory in store.every("t")}
    assert "1 of Bob's." not in texts
    assert "2 of Bob's." in texts
    assert not list(store.verify("t"))


def test_a_scope_that_is_new_is_made_before_the_write_begins_again(store):
    begun = []

    def work():
        begun.append(1)
        return tell(store, (Space.CHAT, "c1"), "Tea at five.")()

    told = store.write_in("t", [ALICE], work)
    assert len(begun) == 2
    assert store.memory("t", told.id) is not None
    store.write_in("t", [ALICE], tell(store, (Space.CHAT, "c1"), "Tea at six."))
    assert store.counters("t", Space.CHAT, "c1")


def test_how_long_locks_were_held_is_counted_by_kind(store):
    store.write_in("t", [ALICE], tell(store, ALICE, "Alice likes tea."), chat="c1")
    with store.transaction():
        World(store).tell("All wait for this.", discriminator="own")
    times = store.lock_times()
    assert {"tenant", "tenant, shared", "scope", "chat"} <= times.keys()
    assert all(count > 0 and seconds > 0 for count, seconds in times.values())


def test_many_writers_that_need_each_others_scopes_all_get_through(store):
    """Each writes in its own scope and then in everybody's: the order of discovery is a circle, and nobody hangs."""
    users = [(Space.USER, f"user{number}") for number in range(4)]
    failures = []

    def run(number: int) -> None:
        try:
            for count in range(3):

                def work(count=count) -> None:
                    for step in range(len(users)):
                        place = users[(number + step) % len(users)]
                        tell(store, place, f"{number} {count} {step}")()

                store.write_in("t", [users[number]], work)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(users))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(list(store.every("t"))) == 2 + 4 * 3 * 4
    assert not list(store.verify("t"))
