"""An adapter whose framework is not installed says what to install, by an extra that exists."""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from pathlib import Path

import pytest

from wellkept.errors import MissingExtra

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
# Adapter → the package that its framework is imported from, and the extra that brings it.
ADAPTERS = {
    "anthropic_memory": ("anthropic", "anthropic"),
    "autogen": ("autogen_core", "autogen"),
    "claude_agent_sdk": ("claude_agent_sdk", "claude-agent-sdk"),
    "crewai": ("crewai", "crewai"),
    "google_adk": ("google.adk", "google-adk"),
    "langgraph": ("langgraph", "langgraph"),
    "llama_index": ("llama_index", "llama-index"),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai"),
    "strands": ("strands", "strands"),
}


def is_installed(package):
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_error_names_the_extra(name):
    package, extra = ADAPTERS[name]
    assert extra in EXTRAS
    if is_installed(package):
        assert importlib.import_module(f"wellkept.integrations.{name}").__all__
        return
    with pytest.raises(MissingExtra, match=rf"pip install 'wellkept\[{extra}\]'"):
        importlib.import_module(f"wellkept.integrations.{name}")


def test_every_adapter_is_known_here_and_listed_in_the_docs():
    shared = {"__init__", "adapter", "openai_agents"}
    found = {path.stem for path in (ROOT / "src/wellkept/integrations").glob("*.py")} - shared
    assert found == set(ADAPTERS)
    pages = (ROOT / "docs/integrations/index.md").read_text(encoding="utf-8")
    for _, extra in ADAPTERS.values():
        assert f"`{extra}`" in pages
