"""The page of the API in a real browser: it draws the description, loads nothing from elsewhere, and can be tried."""

from __future__ import annotations

import hashlib
import json
import urllib.error
import urllib.request

import pytest

from wellkept.surfaces.http.application import API_DOCS as FOLDER

pytestmark = pytest.mark.browser


def test_vendored_files_are_what_they_are_said_to_be():
    listed = json.loads((FOLDER / "vendored.json").read_text(encoding="utf-8"))["files"]
    assert {path.name for path in FOLDER.glob("*.min.*")} == set(listed)
    for name, entry in listed.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == entry["sha256"]
        assert (FOLDER / entry["licence_file"]).is_file()
        assert entry["version"] in name


def test_the_page_shows_every_operation_and_tries_them(empty, page):
    """The fixture sees to it that nothing comes from elsewhere, and that the browser has nothing to complain of."""
    page.goto(f"{empty.url}/docs")
    page.locator("#operations-remember-remember").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    assert "created" in page.locator(".live-responses-table tbody").inner_text()
    with urllib.request.urlopen(f"{empty.url}/openapi.json", timeout=10) as answer:
        described = json.load(answer)
    assert page.locator(".opblock").count() == sum(len(methods) for methods in described["paths"].values())


def test_the_description_needs_a_key_where_everything_does(locked):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{locked.url}/openapi.json", timeout=10)
    assert refused.value.code == 401
    refused.value.close()
    with urllib.request.urlopen(f"{locked.url}/docs/docs.js", timeout=10) as answer:
        assert answer.status == 200
