"""Somebody who does not know the word is told it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("memory", "forget", "m_1"), "wellkept memory delete"),
        (("memory", "remove", "m_1"), "wellkept memory delete"),
        (("memory", "serach", "tea"), "wellkept memory search"),
        (("memory", "undelete", "m_1"), "wellkept memory restore"),
        (("delete", "m_1"), "wellkept memory delete"),
        (("find", "tea"), "wellkept search"),
        (("forget", "m_1"), "wellkept people forget"),
        (("forget", "m_1"), "wellkept memory delete"),
        (("recall", "tea"), "wellkept search"),
        (("recal", "tea"), "wellkept memory search"),
        (("todo", "complete", "t_1"), "wellkept todo done"),
        (("person", "list"), "wellkept people"),
        (("memory", "doctor"), "wellkept doctor"),
        (("db", "dump"), "wellkept db export"),
        (("people", "delete", "Ana"), "wellkept people forget"),
        (("fsck",), "wellkept doctor"),
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
