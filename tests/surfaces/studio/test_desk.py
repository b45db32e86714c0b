"""What pages work with: texts as they may be shown, and the way back."""

from __future__ import annotations

import pytest

from wellkept.surfaces.studio.desk import back_of, shown


def test_hidden_characters_are_shown():
    assert shown("a\u202eb\x07c\nd") == "a⟨U+202E⟩b⟨U+0007⟩c\nd"
    assert len(shown("x" * 5_000)) < 2_100


@pytest.mark.parametrize("address", ["//evil.example/x", "https://evil.example", "/\\evil.example", "js:1", ""])
def test_a_form_leads_back_to_this_server_only(address):
    assert back_of(address) == "/"
    assert back_of("/memories?user=a") == "/memories?user=a"
