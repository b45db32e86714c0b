"""The other half of `peers.py`: fills a mem0 with the same texts and vectors, and prints how long its searches take."""

from __future__ import annotations

import json
import random
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import numpy as np
from mem0 import Memory  # type: ignore[import-not-found]  # runs where it is installed, not here

DIMENSIONS, BATCH, SEED = 384, 2_000, 1
WORDS = tuple(f"word{number}" for number in range(4_000))


class Drawn:
    """Stands where an embedder would, and costs nothing."""

    config = None

    def embed(self, text: str, *_: object) -> list[float]:
        row = np.random.default_rng(len(text)).standard_normal(DIMENSIONS)
        return list(row / np.linalg.norm(row))


def fill(memory: Any, size: int) -> None:  # noqa: ANN401 -- mem0 has no types here
    """The sentences and vectors of `growth_users.fill`, put straight into the vector store."""
    chance, numbers = random.Random(SEED), np.random.default_rng(SEED)
    for start in range(0, size, BATCH):
        count = min(BATCH, size - start)
        rows = numbers.standard_normal((count, DIMENSIONS))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        texts = [f"{' '.join(chance.choices(WORDS, k=9))} live work color {start + row}" for row in range(count)]
        memory.vector_store.insert(
            vectors=rows.tolist(),
            payloads=[{"data": text, "hash": "", "user_id": "ada", "text_lemmatized": text} for text in texts],
            ids=[str(uuid.UUID(int=start + row + 1)) for row in range(count)],
        )


def main() -> None:
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    store = {"path": task["folder"], "collection_name": "bench", "embedding_model_dims": DIMENSIONS, "on_disk": True}
    nobody = {"api_key": "none"}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "llm": {"provider": "openai", "config": nobody},
            "embedder": {"provider": "openai", "config": nobody | {"embedding_dims": DIMENSIONS}},
        }
    )
    memory.embedding_model = Drawn()
    fill(memory, task["size"])
    taken = []
    for query in task["asked"]:
        began, worked = time.perf_counter(), time.process_time()
        memory.search(query, filters={"user_id": "ada"}, top_k=task["limit"])
        taken.append(((time.perf_counter() - began) * 1_000, (time.process_time() - worked) * 1_000))
    print(json.dumps(taken))


if __name__ == "__main__":
    main()
