"""The product is judged on conversations by what is kept of each turn, found and answered."""

from __future__ import annotations

import random

import pytest

from training import corpus, product

CONVERSATION = """# id: flat
# kind: assistant
# person mara: Mara Okafor, 34, nurse
## 2025-03-04 20:15
t1 mara: we finally got the flat, the one on Cardigan Road in Leeds
+ identity lasting self personal slot=home value=Cardigan Road | the one on Cardigan Road => Mara lives there.
t2 assistant: Congratulations!
t3 mara: lol thanks
? single | which road is the flat on? | t1 | Cardigan Road
? none | what is the rent? | |
"""


@pytest.fixture
def talk(tmp_path):
    path = tmp_path / "w9-01.txt"
    path.write_text(CONVERSATION, encoding="utf-8")
    talk, errors = corpus.read(path)
    assert errors == []
    return talk


@pytest.mark.reader
def test_a_conversation_is_told_and_judged(talk, tmp_path):
    told, figures = product.Told(talk, tmp_path), product.Figures()
    product.count_kept(told, figures)
    for question in talk.questions:
        product.count_found(told, question, figures)
        product.count_answers(told, question, figures)
    told.memory.close()
    assert figures.counts["gold"] == figures.counts["both"] == 1
    assert figures.found["single"] == [(1.0, 1.0)]
    assert (figures.counts["asked"], figures.counts["right"]) == (1, 1)
    assert figures.counts["nothing told"] == 1
    assert any(line.startswith("turns kept: precision") for line in product.report(figures))


def test_the_fit_finds_the_weights_that_made_the_labels():
    chance = random.Random(1)
    candidates = []
    for _ in range(3_000):
        shares = [chance.uniform(0.01, 0.99) for _ in range(4)]
        odds = [
            -1.0 + 0.5 * product.math.log(s / (1 - s)) - 1.0 * product.math.log(p + 1) for p, s in enumerate(shares)
        ]
        candidates.append((shares, [chance.random() < 1 / (1 + product.math.exp(-one)) for one in odds]))
    assert product.fit(candidates) == pytest.approx([-1.0, 0.5, -1.0], abs=0.1)


def test_only_development_conversations_are_fitted_to():
    with pytest.raises(SystemExit):
        product.main(["test", "--fit"])
