"""Keys, logins and answers that a sentence or a line of configuration announces."""

from __future__ import annotations

import pytest

from wellkept.policies.secrets.keys import key_spans
from wellkept.policies.secrets.shapes import Said


def values(text: str) -> dict[str, str]:
    return {text[span.start : span.end]: span.kind for span in key_spans(Said(text=text, low=text.lower()))}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("our API key is 9f8b7c6d5e4f3a2b", "9f8b7c6d5e4f3a2b", "api_key"),
        ("client_secret = Zq83hfKd92", "Zq83hfKd92", "api_key"),
        ("the Windows product key is ABCD1-EFGH2-IJKL3-MNOP4", "ABCD1-EFGH2-IJKL3-MNOP4", "license_key"),
        ("login: admin / Tiger99!", "Tiger99!", "login"),
        ("mysql -u root -pTiger99 shop", "Tiger99", "login"),
        ("the answer to my security question is Rosebud", "Rosebud", "security_answer"),
    ],
)
def test_what_is_announced_is_found(text, value, kind):
    assert values(text)[value] == kind


@pytest.mark.parametrize(
    "text",
    [
        "the key to success is patience",
        "the public key is 9f8b7c6d5e4f3a2b",
        "API key: <your-key-here>",
        "I log in with my phone",
        "the primary key is an integer",
    ],
)
def test_other_keys_pass(text):
    assert values(text) == {}
