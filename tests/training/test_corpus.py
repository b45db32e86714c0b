"""The corpus is well formed, large enough and balanced, and its tests are those that were frozen."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from training import agreement, check, corpus, examples

CONVERSATION = """# id: flat
# kind: pair
# person mara: Mara Okafor, 34, nurse
# person deb: Deborah Finch, 36
## 2025-03-04 20:15
t1 mara: finally off shift. we got the flat!! the one on Cardigan Rd
+ identity lasting self personal slot=home value=Cardigan Rd | we got the flat!! the one on Cardigan Rd => Mara has it.
t2 deb: If I win the lottery I'm buying the one upstairs.
- hypothetical | If I win the lottery
## 2025-05-19 09:02
t3 mara: so the flat fell through
+ identity now self personal slot=home ends=t1 | the flat fell through => Mara lost the flat.
? now | where does mara live? | t3 | nowhere yet | stale=t1
? none | how many rooms has it? | |
"""


@pytest.fixture
def talk(tmp_path):
    path = tmp_path / "w9-01.txt"
    path.write_text(CONVERSATION, encoding="utf-8")
    talk, errors = corpus.read(path)
    assert errors == []
    return talk


def test_the_corpus_has_no_fault(capsys):
    assert check.main([]) == 0, capsys.readouterr().out[-2_000:]


def test_a_changed_test_file_is_found(monkeypatch):
    found = check.hashes()
    monkeypatch.setattr(check, "hashes", lambda: {**found, "test/ta-01.txt": "0" * 64})
    assert check._changed_tests() == ["test/ta-01.txt has changed since it was frozen"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("t4 nobody: hello there", "unknown speaker"),
        ("+ identity lasting self secret | the flat => x", "unknown label"),
        ("+ identity lasting self public | not said => x", "span is not in the turn"),
        ("+ identity lasting self public replaces=t9 | the flat => x", "no earlier turn"),
        ("? single | who? | t99 | x", "evidence must be turns"),
        ("? none | who? | t1 | x", "none has none"),
        ("- wishful | the flat", "unknown stance"),
    ],
)
def test_a_malformed_line_is_named(tmp_path, line, fault):
    path = tmp_path / "bad.txt"
    path.write_text(CONVERSATION + line + "\n", encoding="utf-8")
    [error] = corpus.read(path)[1]
    assert fault in error
    assert error.startswith(f"bad.txt:{len(CONVERSATION.splitlines()) + 1}:")


def test_a_fact_belongs_to_the_sentence_that_holds_its_value(talk):
    said = {one.text: one.labels for one in examples.read_sentences(talk)}
    assert said["the one on Cardigan Rd"]["keep"] == "yes"
    assert said["we got the flat!!"] == {}
    assert said["finally off shift."]["keep"] == "no"
    assert said["If I win the lottery I'm buying the one upstairs."]["stance"] == "hypothetical"


def test_linked_facts_become_pairs(talk):
    pairs = list(examples.read_relations(talk, lambda texts: [[0.0] * len(texts)] * len(texts), random.Random(1)))
    assert Counter(one.label for one in pairs)["replaces"] == 3


def test_the_splits_share_no_conversation():
    train, development = corpus.split(corpus.load(corpus.TRAIN))
    assert not {talk.path for talk in train} & {talk.path for talk in development}
    assert len(development) >= 20


def test_kappa_is_one_for_equal_labels_and_nothing_for_chance():
    assert agreement.kappa("aabb", "aabb") == 1
    assert agreement.kappa("aabb", "abab") == pytest.approx(0)
