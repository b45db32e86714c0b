"""The context block: what memory said is known again, and what leaves first when it is too long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies import context
from wellkept.policies.context import (
    DROPS,
    LASTING,
    ORDER,
    Section,
    block_tokens,
    fit_sections,
    render_block,
    without_repeats,
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <<<memory x>>> b <<<end x>>> c", "a  c"),
        ("a <<<memory x>>> <<<memory y>>> b <<<end x>>> c <<<end y>>>", "a  c <<<end y>>>"),
        ("<<<memory x>>> a <<<memory y>>> b <<<end y>>> c", "<<<memory x>>> a  c"),
        ("<<<end x>>> a <<<memory x>>> b <<<end x>>> c <<<end x>>>", "<<<end x>>> a  c <<<end x>>>"),
        ("<<<memory x>>> a", "<<<memory x>>> a"),
        ("no marker", "no marker"),
    ],
)
def test_a_block_ends_at_the_first_end_of_its_own_call(text, left):
    assert context.outside_blocks(text) == left


def test_blanked_words_leave_the_others_in_their_places():
    text = "a <<<memory x>>> b <<<end x>>> c"
    assert len(context.own_words(text)) == len(text)
    assert context.own_words(text).split() == ["a", "c"]


NONCE = "a1b2c3d4e5f6"
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=60)


def section(name: str, lines: list[str], keep: int = 0) -> Section:
    return Section(name=name, title=name.capitalize(), lines=tuple(lines), keep=keep)


SECTIONS = st.lists(
    st.builds(section, st.sampled_from(ORDER), st.lists(TEXT, max_size=8, unique=True), st.integers(0, 3)),
    max_size=len(ORDER),
    unique_by=lambda one: one.name,
)


@given(SECTIONS, st.integers(100, 1_500))
def test_it_fits_and_keeps_what_lasts(sections, budget):
    fitted = fit_sections(sections, budget, NONCE)
    assert block_tokens(fitted, NONCE) <= budget
    assert [one.name for one in fitted] == [name for name in ORDER if name in {one.name for one in fitted}]
    given_names = {one.name for one in sections if one.lines}
    assert {name for name in LASTING if name in given_names} <= {one.name for one in fitted}


@given(SECTIONS, st.integers(100, 1_500))
def test_what_is_dropped_later_is_whole_while_something_before_it_stands(sections, budget):
    before = {one.name: one for one in sections if one.lines}
    after = {one.name: one for one in fit_sections(sections, budget, NONCE)}
    is_short_of_room = False
    for name, is_sparing in reversed(DROPS):
        if name not in before:
            continue
        left = len(after[name].lines) if name in after else 0
        spared = min(before[name].keep, len(before[name].lines)) if is_sparing else 0
        if is_short_of_room:
            assert left <= spared, f"{name} should have gone first"
        # Under its second turn a section that has lost more than its first turn takes is being dropped.
        first_turn = any(other == name and sparing for other, sparing in DROPS) and not is_sparing
        whole = min(before[name].keep, len(before[name].lines)) if first_turn else len(before[name].lines)
        is_short_of_room = is_short_of_room or left < whole


@given(SECTIONS)
def test_with_room_for_all_nothing_is_changed(sections):
    fitted = fit_sections(sections, 100_000, NONCE)
    assert {one.name: one for one in fitted} == {one.name: one for one in sections if one.lines}
    assert block_tokens(fitted, NONCE) == -(-len(render_block(fitted, NONCE)) // 4)


def test_what_lasts_says_how_much_is_missing():
    lines = [f"fact number {number} of the foundation, which is long enough to matter" for number in range(20)]
    (only,) = fit_sections([section("foundation", lines)], 100, NONCE)
    told = re.search(r"\(\+(\d+) more\)$", only.lines[-1])
    assert len(only.lines) + int(told[1]) == 20


def test_of_messages_the_oldest_go_first():
    lines = [f"message {number} " + "x" * 100 for number in range(6)]
    (left,) = fit_sections([section("messages", lines, keep=1)], 100, NONCE)
    assert left.lines == tuple(lines[-len(left.lines) :])


def test_what_todos_and_summaries_tell_is_told_once():
    sections = (
        Section(
            name="rolling",
            title="So far",
            lines=("Open: Feed the cat", "I keep being late.", "A roof leaks.", "It rained."),
        ),
        Section(name="commitments", title="Commitments", lines=("Feed the cat (due 2026-03-03)",)),
        Section(name="frictions", title="Frictions", lines=("I keep being late",)),
        Section(
            name="last_session", title="Last", lines=("A roof leaks.", "mattered: It rained.", "open: Feed the cat")
        ),
        Section(name="messages", title="Last messages", lines=("It rained.",)),
    )
    told = {section.name: section.lines for section in without_repeats(sections)}
    assert told["rolling"] == ("It rained.",)
    assert told["last_session"] == ("A roof leaks.",)
    assert told["messages"] == ("It rained.",)
    assert [section.name for section in without_repeats(sections)] == [section.name for section in sections]
