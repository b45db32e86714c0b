"""The Studio behind keys, in a real browser: who has none signs in, and a user's key opens that user's pages only."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request

import pytest

pytestmark = pytest.mark.browser


def sign_in(page, locked, key: str) -> None:
    page.goto(f"{locked.url}/people")
    assert page.url.endswith("/sign-in")
    page.fill("input[name=key]", key)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_a_user_sees_their_own_and_nothing_else(browser, locked):
    page = browser.new_page()
    sign_in(page, locked, "rk_wrong")
    assert "opens nothing" in page.locator("[role=alert]").inner_text()
    sign_in(page, locked, locked.ids["alice"])
    page.goto(f"{locked.url}/memories")
    assert "favorite color is red" in page.locator(".items").inner_text()
    page.goto(locked.url)
    assert "bob" not in page.locator("#events").inner_text()
    for path in ("/memories?user=bob", f"/memories/{locked.ids['bob']}", "/lens?users=bob&q=bees", "/people?user=bob",
                 "/sessions?user=bob", "/traces?session=s1", "/questions?user=bob", "/playground?user=bob",
                 "/conversations?user=bob", "/search?user=bob&q=bees", "/settings/export?of=bob"):  # fmt: skip
        answer = page.goto(locked.url + path)
        assert answer.status in (403, 404), path
        assert "bees" not in page.locator("main").inner_text()
    page.goto(f"{locked.url}/settings")
    assert page.locator("#keys").count() == 0
    reveal = page.request.post(f"{locked.url}/lens/reveal", form={"memory": locked.ids["bob"]})
    assert reveal.status == 403
    assert "bees" not in reveal.text()
    page.goto(f"{locked.url}/health")
    assert "for operators" in page.locator("main").inner_text()
    assert page.request.get(f"{locked.url}/health/latency.json").status == 403
    page.goto(f"{locked.url}/lens?users=alice&q=color")
    assert page.locator(".left-out").count() == 0
    (cookie,) = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    with page.expect_navigation():
        page.click("button:has-text('Sign out')")
    assert page.goto(f"{locked.url}/memories").url.endswith("/sign-in")
    page.close()


def test_a_key_is_made_shown_once_and_revoked(browser, locked):
    page = browser.new_page()
    sign_in(page, locked, locked.ids["operator"])
    page.goto(f"{locked.url}/settings")
    page.fill("input[name=name]", "bot of carol")
    page.select_option("select[name=scope]", "user")
    page.fill("input[name=whom]", "carol")
    page.click("button:has-text('Make a key')")
    key = page.locator("#new-key").inner_text()
    assert key.startswith("rk_")
    row = page.locator("#keys tr", has_text="bot of carol")
    assert "user:carol" in row.inner_text()
    page.goto(f"{locked.url}/settings")
    assert key not in page.content()
    asked = urllib.request.Request(f"{locked.url}/v1/people", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        assert answer.status == 200
    page.click("button[aria-label='Revoke bot of carol']")
    assert "revoked" in page.locator("#keys tr", has_text="bot of carol").inner_text()
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked, timeout=10)
    assert refused.value.code == 401
    refused.value.close()
    page.close()


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_another_page_cannot_use_the_key(locked, origin):
    form = urllib.parse.urlencode({"content": "changed", "user": "alice"}).encode()
    headers = {"Cookie": f"wellkept_key={locked.ids['alice']}", "Origin": origin}
    for path in (
        "/memories/m_x/edit",
        "/people/merge",
        "/traces/start",
        "/questions/c_x/approve",
        "/memories/many",
        "/playground",
        "/settings/keys",
        "/theme",
        "/sign-out",
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(locked.url + path, form, headers), timeout=10)
        assert refused.value.code == 403
        refused.value.close()


def test_a_program_without_a_key_is_told_so(locked):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{locked.url}/memories", timeout=10)
    assert refused.value.code == 401
    refused.value.close()
