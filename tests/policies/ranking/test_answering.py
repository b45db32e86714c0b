"""Which hit of a recall answers a question, by the reader's probability and the place of the hit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies.ranking.answering import AnswerOptions, choose

OPTIONS = AnswerOptions()
SHARES = st.lists(st.floats(0, 1), max_size=8)


def rows(shares, options=OPTIONS):
    return [one.row for one in choose(shares, options)]


def test_of_two_texts_that_answer_alike_the_one_that_recall_puts_first_is_chosen():
    assert rows([0.95, 0.95])[0] == 0


def test_a_text_further_down_is_chosen_when_the_reader_is_much_surer_of_it():
    assert rows([0.05, 0.999])[0] == 1


def test_nothing_is_chosen_where_the_reader_is_not_sure():
    assert rows([0.6, 0.6, 0.6]) == []
    assert rows([]) == []


def test_what_is_told_besides_has_to_be_likely_too():
    assert rows([0.99, 0.9]) == [0, 1]
    assert rows([0.99, 0.01]) == [0]


@given(SHARES)
def test_the_best_is_first_and_at_least_as_sure_as_is_asked(shares):
    chosen = choose(shares, OPTIONS)
    assert len(chosen) <= 2
    assert all(one.probability >= OPTIONS.besides for one in chosen)
    assert not chosen or chosen[0].probability >= max(OPTIONS.sure, *(one.probability for one in chosen))


@given(SHARES, st.integers(0, 7))
def test_a_surer_reader_never_takes_an_answer_away(shares, place):
    if place < len(shares):
        raised = [*shares]
        raised[place] = 1.0
        assert not choose(shares, OPTIONS) or choose(raised, OPTIONS)
