"""Somebody who does not know the word is told it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("memory", "forget", "m_1"), "recollect memory delete"),
        (("memory", "remove", "m_1"), "recollect memory delete"),
        (("memory", "serach", "tea"), "recollect memory search"),
        (("memory", "undelete", "m_1"), "recollect memory restore"),
        (("delete", "m_1"), "recollect memory delete"),
        (("find", "tea"), "recollect memory search"),
        (("forget", "m_1"), "recollect people forget"),
        (("forget", "m_1"), "recollect memory delete"),
        (("recall", "tea"), "recollect memory search"),
        (("recal", "tea"), "recollect memory search"),
        (("todo", "complete", "t_1"), "recollect todo done"),
        (("person", "list"), "recollect people"),
        (("memory", "doctor"), "recollect doctor"),
        (("db", "dump"), "recollect db export"),
        (("people", "delete", "Ana"), "recollect people forget"),
        (("fsck",), "recollect doctor"),
    ],
)
def test_near_misses_name_the_command(cli, typed, meant):
    done = cli(*typed)
    assert done.status == 2
    assert "Did you mean" in done.err
    assert f"`{meant}`" in done.err


def test_a_word_like_no_other_gets_no_guess(cli):
    done = cli("memory", "xyzzy", "--json")
    assert done.status == 2
    assert done.json["error"] == {"code": "usage", "message": "No such command 'xyzzy'."}
