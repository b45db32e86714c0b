"""A write and its answer are stored together, once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from wellkept.errors import IdempotencyMismatch, NotAllowed
from wellkept.flows.serving.once import OnceRequest, once
from wellkept.startup import open as open_memory


@pytest.fixture
def memory(store_url, clock):
    with open_memory(store_url, clock=clock, embedder="none") as memory:
        yield memory


def request(memory, key="k", asked="a", caller="c"):
    return OnceRequest(viewpoint=memory.at(user="alice").place, caller=caller, key=key, asked=asked)


def test_the_second_time_nothing_is_done(memory):
    alice = memory.at(user="alice")
    done = []

    def work():
        done.append(alice.remember("My favorite color is teal").id)
        return {"id": done[-1]}

    answers = [once(request(memory), work, memory.engine) for _ in range(3)]
    assert answers == [{"id": done[0]}] * 3
    assert len(done) == 1
    with pytest.raises(IdempotencyMismatch):
        once(request(memory, asked="b"), work, memory.engine)
    once(request(memory, caller="d"), work, memory.engine)
    assert len(done) == 2


def test_an_error_is_no_answer_and_what_it_left_on_record_stays(memory):
    alice = memory.at(user="alice")
    stored = alice.remember("My favorite color is teal", shared=False)
    calls = []

    def work():
        calls.append(1)
        alice.edit(stored.id, f"It is {len(calls)}.")
        raise NotAllowed("no")

    for _ in range(2):
        with pytest.raises(NotAllowed):
            once(request(memory), work, memory.engine)
    assert alice.show(stored.id).memory.content == "It is 2."


def test_of_two_at_once_one_is_stored(memory):
    """Both begin before either is done; both get the answer of the one that was."""
    both = threading.Barrier(2)
    answers = []

    def ask(number):
        def work():
            both.wait()
            return memory.at(user="alice").add(f"Fact number {number}.").id

        answers.append(once(request(memory), work, memory.engine))

    threads = [threading.Thread(target=ask, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1
    assert len(memory.at(user="alice").list()) == 1


CRASHING = """
import os, sys
import wellkept
from wellkept.flows.serving.once import OnceRequest, once
memory = wellkept.open(sys.argv[1], embedder="none")
alice = memory.at(user="alice")
ask = OnceRequest(viewpoint=alice.place, caller="c", key="k", asked="a")
answer = once(ask, lambda: alice.remember("I adopted a cat called Miso").id, memory.engine)
print(answer, flush=True)
os.kill(os.getpid(), 9)
"""


def test_after_a_crash_the_answer_is_the_same_and_there_is_one_memory(store_url):
    def run():
        command = [sys.executable, "-c", CRASHING, store_url]
        return subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, timeout=60, check=False)

    first, second = run(), run()
    assert first.returncode == second.returncode == -9
    assert first.stdout == second.stdout != ""
    with open_memory(store_url, embedder="none") as memory:
        assert len(memory.at(user="alice").list()) == 1


def test_killed_before_the_answer_is_kept_nothing_is_stored(store_url):
    """The negative control: a write that is not held would be there without its answer."""
    text = CRASHING.replace("print(answer", "os.kill(os.getpid(), 9)\nprint(answer")
    text = text.replace(
        'alice.remember("I adopted a cat called Miso").id',
        "(alice.remember('I adopted a cat'), os.kill(os.getpid(), 9))",
    )
    subprocess.run([sys.executable, "-c", text, store_url], capture_output=True, timeout=60, check=False)
    with open_memory(store_url, embedder="none") as memory:
        assert memory.at(user="alice").list() == ()
