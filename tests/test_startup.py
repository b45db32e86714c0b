"""Opening a memory: what is given wrongly is refused, and the settings reach the parts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from wellkept import startup
from wellkept.errors import ConfigError
from wellkept.judges.english import RulesJudge

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def test_an_address_is_a_text_or_a_path() -> None:
    wrong: Any = 42
    with pytest.raises(ConfigError, match="a text or a path"):
        startup.open(wrong)


def test_an_embedder_is_an_object_or_none_at_all(tmp_path: Path) -> None:
    wrong: Any = "openai"
    with pytest.raises(ConfigError, match='or "none"'):
        startup.open(tmp_path / "memory.db", embedder=wrong)
    with startup.open(tmp_path / "memory.db", embedder="none", worker="off") as memory:
        assert memory.engine.embedder is None


def test_settings_reach_the_parts_of_the_engine(tmp_path: Path) -> None:
    file = tmp_path / "wellkept.toml"
    file.write_text(
        "[memory]\nmax_entries = 7\nextraction_confidence_threshold = 0.5\ntraces = false\n"
        "[privacy]\ndeny_patterns = ['secret plan']\n[upkeep]\ndebounce_seconds = 3\n"
        "[budgets]\nfacts_per_user_day = 9\npairs_per_user_day = 11\n[delta]\nkeep_turns = 4\n"
        "[judge]\nprovider = 'rules'\n[embedder]\nprovider = 'none'\n"
    )
    with startup.open(tmp_path / "memory.db", config=file, clock=lambda: NOW, worker="off") as memory:
        engine = memory.engine
        assert (engine.max_entries, engine.keeps_traces, engine.keep_turns) == (7, False, 4)
        assert (engine.gate.confidence_min, engine.gate.deny_patterns) == (0.5, ("secret plan",))
        assert (engine.extraction.debounce, engine.extraction.day_max) == (timedelta(seconds=3), 9)
        assert engine.pairs_a_day == 11
        assert engine.clock() == NOW
        assert isinstance(engine.judge, RulesJudge)
        assert engine.embedder is None


def test_without_an_address_it_lives_in_the_data_folder_of_the_user() -> None:
    assert startup.default_path().name == "memory.db"
    assert "wellkept" in startup.default_path().parts
