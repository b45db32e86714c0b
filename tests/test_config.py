"""Configuration: defaults, file, environment, and errors that name what is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import wellkept
from wellkept import config
from wellkept.errors import ConfigError

SEED = """
[memory]
auto_gc = true              # Clean up on startup
max_entries = 1000          # Cap on active memories (optional)
extraction_enabled = true   # Background extraction
extraction_confidence_threshold = 0.7
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "wellkept.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_without_a_file(tmp_path: Path) -> None:
    loaded = config.load(environment={"WELLKEPT_CONFIG": str(tmp_path / "none.toml")})
    assert loaded.memory.max_entries is None
    assert all(origin == "default" for _, _, origin in loaded.rows())


def test_the_memory_table_of_the_specification_loads_unchanged(tmp_path: Path) -> None:
    loaded = config.load(write(tmp_path, SEED), {})
    assert loaded.memory.max_entries == 1000
    assert loaded.memory.extraction_confidence_threshold == 0.7


def test_the_environment_outweighs_the_file(tmp_path: Path) -> None:
    environment = {
        "WELLKEPT_MEMORY__MAX_ENTRIES": "5",
        "WELLKEPT_MEMORY__AUTO_GC": "no",
        "WELLKEPT_PRIVACY__MODE": "strict",
        "WELLKEPT_PRIVACY__DENY_PATTERNS": "alpha,beta",
        "WELLKEPT_USER": "somebody",
    }
    loaded = config.load(write(tmp_path, SEED), environment)
    assert (loaded.memory.max_entries, loaded.memory.auto_gc) == (5, False)
    assert loaded.privacy.deny_patterns == ("alpha", "beta")
    assert loaded.privacy_options().mode == "strict"
    origins = {key: origin for key, _, origin in loaded.rows()}
    assert origins["memory.max_entries"] == "WELLKEPT_MEMORY__MAX_ENTRIES"
    assert origins["memory.extraction_enabled"].endswith("wellkept.toml")


def test_a_key_is_used_and_never_shown(tmp_path: Path) -> None:
    loaded = config.load(write(tmp_path, ""), {"WELLKEPT_EMBEDDER__API_KEY": "abc123"})
    assert loaded.embedder.api_key == "abc123"
    assert "abc123" not in str(list(loaded.rows()))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[memoria]\nauto_gc = true", "memoria"),
        ("memory = 3", "memory"),
        ("[memory]\nmax_entires = 3", "memory.max_entires"),
        ("[memory]\nmax_entries = 'many'", "memory.max_entries"),
        ("[memory]\nmax_entries = 1.5", "memory.max_entries"),
        ("[memory]\nmax_entries = -5", "-5 is not a whole number from 0 on"),
        ("[rank]\nthreshold = nan", "rank.threshold"),
        ("[upkeep]\ndebounce_seconds = '1e999'", "is not a number from 0 on"),
        ("[memory]\nauto_gc = 3", "memory.auto_gc"),
        ("[privacy]\nmode = 'open'", "default, seed, strict"),
        ("[privacy]\ndeny_patterns = 3", "privacy.deny_patterns"),
        ("[embedder]\nurl = 3", "embedder.url"),
        ("[memory", "TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, names: str) -> None:
    with pytest.raises(ConfigError, match=names):
        config.load(write(tmp_path, text), {})


def test_budgets_and_upkeep_reach_the_engine(tmp_path: Path) -> None:
    text = "[budgets]\nfacts_per_user_day = 2\npairs_per_user_day = 7\n[upkeep]\ndebounce_seconds = 5"
    with wellkept.open(tmp_path / "m.db", config=config.load(write(tmp_path, text), {}), embedder="none") as memory:
        engine = memory.engine
    assert (engine.extraction.day_max, engine.pairs_a_day, engine.extraction.debounce.total_seconds()) == (2, 7, 5.0)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no configuration file"):
        config.load(tmp_path / "absent.toml", {})


def test_an_unknown_table_in_the_environment_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="WELLKEPT_MEMROY__AUTO_GC"):
        config.load(write(tmp_path, ""), {"WELLKEPT_MEMROY__AUTO_GC": "1"})


def test_settings_say_what_they_mean():
    found = {one.key: one for one in config.Config().settings()}
    assert found["memory.auto_gc"].meaning == "Archive what is over when a store is opened."
    assert found["memory.auto_gc"].origin == "default"


def test_a_tenant_may_have_a_lifecycle_of_its_own(tmp_path):
    file = tmp_path / "wellkept.toml"
    file.write_text(
        "[lifecycle]\nidle_days = 50\n[retention.acme]\ntranscript_days = 90\n[retention.globex]\nidle_days = 10\n",
        encoding="utf-8",
    )
    loaded = config.load(file, {"WELLKEPT_RETENTION__INITECH": "idle_days=7, transcript_days=1"})
    assert loaded.retention["acme"] == replace(loaded.lifecycle, transcript_days=90.0)
    assert loaded.retention["globex"].idle_days == 10
    assert (loaded.retention["initech"].idle_days, loaded.retention["initech"].transcript_days) == (7, 1)
    shown = {key: value for key, value, _ in loaded.rows()}
    assert shown["retention.acme.transcript_days"] == 90
    assert "retention.acme.idle_days" not in shown


@pytest.mark.parametrize("said", ["idle_weeks = 3", 'idle_days = "soon"'])
def test_a_retention_that_cannot_be_read_is_named(tmp_path, said):
    file = tmp_path / "wellkept.toml"
    file.write_text(f"[retention.acme]\n{said}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="idle"):
        config.load(file, {})


def test_webhooks_are_read_and_their_secrets_not_shown(tmp_path):
    secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
    said = f'[webhooks.crm]\nurl = "https://hooks.example/in"\nsecret = "{secret}"\ntenant = "acme"\n'
    variables = {"WELLKEPT_WEBHOOKS__LOG": f"url=http://log.internal,secret={secret},is_private=true"}
    loaded = config.load(write(tmp_path, said), variables)
    crm, log = loaded.webhooks
    assert (crm.name, crm.tenant, crm.is_private) == ("crm", "acme", False)
    assert (log.name, log.url, log.is_private) == ("log", "http://log.internal", True)
    assert secret not in str(list(loaded.rows()))
    for wrong in ('url = "https://x.example"', f'url = "http://x.example"\nsecret = "{secret}"'):
        with pytest.raises(ConfigError, match="crm"):
            config.load(write(tmp_path, f"[webhooks.crm]\n{wrong}\n"), {})
