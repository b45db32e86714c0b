"""The server held to its own OpenAPI description by schemathesis: examples, coverage, fuzzing and stateful sequences.

    python bench/contract.py [--examples 20] [--phases examples,coverage,fuzzing,stateful] [--positive] [--undescribed]

`--positive` says who asks in every request and sends only what the description allows: then a refusal may be about
what is meant (an unknown person, an unreadable date), never about the form. `--undescribed` describes an answer, and a
number that a request may have, as something it is not; there it must fail.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from serving import Running, running

PHASES = "examples,coverage,fuzzing,stateful"
SETTINGS = """
[checks]
# Whether a text makes sense to the operation is more than a schema can say: refusing it is an answer.
positive_data_acceptance.expected-statuses = ["2xx", "403", "404", "409", "412", "422"]
# What no route has is answered before anything else is looked at.
unsupported_method.enabled = true
"""
UNDERSTOOD = {
    # What a schema cannot say: the text has no meaning, or what it names is not there.
    *("empty_content", "empty_name", "empty_query", "invalid_time", "invalid_expiry", "no_chat"),
    "invalid_config",  # the server of the bench signs no tokens
    *(
        "invalid_category",
        "invalid_cursor",
        "invalid_pair",
        "already_merged",
        "merged_on",
        "person_in_use",
        "not_merged",
        "invalid_fact",
        "no_persona",
        "unknown_job",
        "not_pending",
        "unknown_phase",
        "unknown_session",
        "unknown_user",
    ),
}
EITHER = {"remember": "invalid_parameter", "add_key": "invalid_scope"}
"""Operations where one of several parameters has to be given, and how it is said."""
HOOKS = f"""
import schemathesis
from schemathesis.generation.modes import GenerationMode


@schemathesis.check
def what_is_described_is_understood(ctx, response, case):
    is_positive = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    if is_positive and response.status_code in (400, 422):
        code = response.json()["code"]
        is_either = {EITHER!r}.get(case.operation.definition.raw["operationId"]) == code
        assert is_either or code in {sorted(UNDERSTOOD)!r}, f"refused as {{code}}: {{response.text}}"
"""
LEFT_OUT = ("doctor", "rebuild_index")
"""Work on the whole store, however long it takes; their form is that of the others."""
OWN_KEY = ("revoke_key",)
"""What takes back the key of the bench itself, once its requests are understood."""


def key(server: Running) -> str:
    """A key for everything, with which the server is closed to everybody else."""
    asked = json.dumps({"name": "contract", "scope": ["operator"]}).encode()
    return str(_json(urllib.request.Request(f"{server.url}/v1/keys", asked))["key"])  # noqa: S310 -- our own server


def _json(request: urllib.request.Request) -> Any:  # noqa: ANN401 -- JSON
    with urllib.request.urlopen(request) as answer:  # noqa: S310 -- our own server
        return json.load(answer)


def asked_by_alice(document: dict[str, Any]) -> None:
    """Have every request say that alice asks: what belongs to nobody is refused."""
    seen = document["components"]["schemas"]["Viewpoint"]
    seen["properties"]["user"] = {"const": "alice"}
    seen["required"] = ["user"]
    for described in (one for methods in document["paths"].values() for one in methods.values()):
        # The same key for another request is refused before the operation sees it: nothing would be tested.
        described["parameters"] = [one for one in described["parameters"] if one["name"] != "Idempotency-Key"]
        for one in described["parameters"]:
            if (one["name"], one["in"]) == ("user", "query"):
                one |= {"required": True, "schema": {"const": "alice"}}
        if "requestBody" in described:
            described["requestBody"]["required"] = True
            body = described["requestBody"]["content"]["application/json"]["schema"]
            body["properties"]["viewpoint"] = {"$ref": "#/components/schemas/Viewpoint"}
            body["required"] = [*body["required"], "viewpoint"]


def described(server: Running, credential: str, *, is_wrong: bool, is_positive: bool) -> str:
    """The description, as a file for schemathesis."""
    headers = {"Authorization": f"Bearer {credential}"}
    document = _json(urllib.request.Request(f"{server.url}/openapi.json", headers=headers))  # noqa: S310 -- our own server
    if is_wrong:
        responses = document["paths"]["/v1/recall"]["post"]["responses"]["200"]
        responses["content"]["application/json"]["schema"] = {"type": "integer"}
        asked = document["paths"]["/v1/recall"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        asked["properties"]["limit"] = {"type": "integer", "minimum": 5_000}
    if is_positive:
        asked_by_alice(document)
    return json.dumps(document)


def check(
    phases: str = PHASES,
    examples: int = 20,
    *,
    is_wrong: bool = False,
    is_positive: bool = False,
    only: str | None = None,
) -> tuple[bool, str]:
    """Whether the server keeps to its description, and what schemathesis says."""
    limits = {"WELLKEPT_SERVER__REQUESTS_PER_MINUTE": "0", "WELLKEPT_EMBEDDER__PROVIDER": "none"}
    with tempfile.TemporaryDirectory() as folder, running(**limits) as server:
        credential = key(server)
        place = Path(folder)
        (place / "schemathesis.toml").write_text(SETTINGS, encoding="utf-8")
        (place / "openapi.json").write_text(
            described(server, credential, is_wrong=is_wrong, is_positive=is_positive), encoding="utf-8"
        )
        (place / "hooks.py").write_text(HOOKS if is_positive else "", encoding="utf-8")
        chosen = [f"--include-operation-id-regex={only}"] if only else []
        left_out = [
            word for name in (*LEFT_OUT, *(OWN_KEY if is_positive else ())) for word in ("--exclude-operation-id", name)
        ]
        command = [
            *("schemathesis", "run", "openapi.json", "--url", server.url, "--no-color"),
            *("--header", f"Authorization: Bearer {credential}", "--phases", phases, "--max-examples", str(examples)),
            *("--mode", "positive" if is_positive else "all"),
            *("--generation-deterministic", "--continue-on-failure", "--request-timeout", "60", *left_out, *chosen),
        ]
        variables = {
            **os.environ,
            "SCHEMATHESIS_HOOKS": "hooks",
            "PYTHONPATH": str(place),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        }
        done = subprocess.run(command, cwd=place, env=variables, capture_output=True, text=True, check=False)
        return done.returncode == 0, done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=20)
    parser.add_argument("--phases", default=PHASES)
    parser.add_argument("--only", help="operations whose name fits this regular expression")
    parser.add_argument("--positive", action="store_true", help="only what the description allows")
    parser.add_argument("--undescribed", action="store_true", help="the negative control")
    asked = parser.parse_args()
    is_good, said = check(
        asked.phases, asked.examples, is_wrong=asked.undescribed, is_positive=asked.positive, only=asked.only
    )
    print(said)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
