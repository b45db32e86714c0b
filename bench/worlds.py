"""Small random worlds for the privacy harnesses: sentences from a seed, a clock, and vectors without a model."""

from __future__ import annotations

import hashlib
import random
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
PEOPLE = ("Sarah", "Jonas", "Mei", "Priya", "Mateo", "Ingrid", "Tariq", "Lucia")
CITIES = ("Lisbon", "Oslo", "Kyoto", "Tunis", "Quito", "Ghent")
COLORS = ("blue", "green", "crimson", "amber", "teal")
FOODS = ("ramen", "paella", "pierogi", "falafel", "okonomiyaki")
FIRMS = ("Nordwind", "Acme", "Halden", "Brightside")
ILLS = ("asthma", "migraine", "diabetes", "insomnia")

SENTENCES = (
    "My favorite color is {color}",
    "I live in {city}",
    "I moved to {city} last month",
    "I work at {firm}",
    "I love {food}",
    "I don't like {food} any more",
    "My sister {person} lives in {city}",
    "My boss is {person}",
    "{person} loves {food}",
    "{person} works at {firm}",
    "{person}'s birthday is on March 15",
    "We decided to use {firm} for the launch",
    "I have {ill}",
    "{person} has {ill}",
    "Keep this between us: I am leaving {firm}",
    "I am looking for a new job in {city}",
    "My dog is called {person}",
    "Actually, I live in {city}",
)
QUESTIONS = (
    "What is my favorite color?",
    "Where do I live?",
    "What do you know about {person}?",
    "Who loves {food}?",
    "Where does my sister live?",
    "What do you know about me?",
    "{city} {food} {firm}",
    "{person} {ill}",
    "who works at {firm}",
)


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self) -> None:
        self.now += timedelta(minutes=7)


class WordVectors:
    """An embedder without a model: every word has a fixed random direction, a text is the sum of its words."""

    model_id = "bench-words"
    weights_hash = "0" * 64
    dimensions = 48

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.stack([self._row(text) for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def pieces(self, text: str) -> list[str]:
        return [text]

    def calibrate(self, cosine: float) -> float:
        return min(max(cosine, 0.0), 1.0)

    def _row(self, text: str) -> NDArray[np.float64]:
        total = np.full(self.dimensions, 1e-3)
        for word in text.casefold().split():
            seed = zlib.crc32(word.strip(".,:?!'").encode())
            total = total + np.random.default_rng(seed).standard_normal(self.dimensions)
        return total


def fill(template: str, chance: random.Random) -> str:
    return template.format(
        person=chance.choice(PEOPLE),
        city=chance.choice(CITIES),
        color=chance.choice(COLORS),
        food=chance.choice(FOODS),
        firm=chance.choice(FIRMS),
        ill=chance.choice(ILLS),
    )


def sentence(chance: random.Random) -> str:
    return fill(chance.choice(SENTENCES), chance)


def question(chance: random.Random) -> str:
    return fill(chance.choice(QUESTIONS), chance)


def token(*parts: object) -> str:
    """A word that stands nowhere else."""
    return "canary" + hashlib.sha256(repr(parts).encode()).hexdigest()[:12]
