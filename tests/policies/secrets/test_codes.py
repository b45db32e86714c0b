"""Sentences that give something away in a dozen languages, written and halved before the rules that find them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from wellkept.policies.secrets.detector import find_secrets, has_secret, has_split_secret

FOLDER = Path(__file__).resolve().parents[3] / "evals" / "secrets"
# Not tuned on: at first sight 46 % of its secrets were refused, and none of its ordinary sentences.
FROZEN = "c8cc54a99c0414cb4a2625c4f3fb172ef0527088eacc9621b4cba7b6e8f25785"
REFUSED_MIN = 0.85
KEPT_MIN = 0.98


def rows(half):
    return [json.loads(line) for line in (FOLDER / f"fresh_{half}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_test_half_is_frozen():
    assert hashlib.sha256((FOLDER / "fresh_test.jsonl").read_bytes()).hexdigest() == FROZEN


@pytest.mark.parametrize("half", ["train", "test"])
def test_what_opens_something_is_refused_and_ordinary_talk_is_kept(half):
    secrets = [row["text"] for row in rows(half) if row["label"] == "secret"]
    ordinary = [row["text"] for row in rows(half) if row["label"] == "ordinary"]
    assert min(len(secrets), len(ordinary)) >= 140
    assert sum(map(has_secret, secrets)) / len(secrets) >= REFUSED_MIN
    assert 1 - sum(map(has_secret, ordinary)) / len(ordinary) >= KEPT_MIN


@pytest.mark.parametrize(
    "text",
    [
        "my password is 123",
        "the password is 42",
        "I set my new password as Begonia!12",
        "Password changed from Zinnia!1x to Zinnia!2x",
        "ssh admin@host with Magnolia77",
        "root:Jasmine!42@10.0.0.5",
        "my 2fa backup is 8842 1193",
        "pin is four, one, one, nine",
        "the safe goes 18 left, 32 right, 7 left",
        "mon mot de passe pour la banque, c'est Coquelicot12",
        '{"pw": "password=Lobelia_88"}',
        "金庫は左18、右32、左7",
        "telefon 1379 ile açılıyor",
    ],
)
def test_each_is_refused(text):
    assert has_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "I changed the password policy at work",
        "The zip code is 60614.",
        "the garage was built in 1987",
        "the alarm went off at 5:23 this morning",
        "I turned left after 18 km, then right, then left again",
        "my daughter counts four, five, six, seven in Dutch",
        "the backup took 8842 seconds",
    ],
)
def test_each_is_kept(text):
    assert find_secrets(text) == ()


def test_a_secret_over_two_messages_is_found():
    assert has_split_secret(["the safe goes 18 left,"], "32 right, 7 left")
    assert has_split_secret(["my password is"], "Begonia!12")
