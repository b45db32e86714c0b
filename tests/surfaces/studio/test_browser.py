"""The Studio in a real browser: every page, every action, and strings that would like to do more than be read."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest

import recollect

pytestmark = pytest.mark.browser

PATHS = {
    "timeline": "/",
    "memories": "/memories?user=alice",
    "search": "/memories?user=alice&q=what+does+my+wife+like",
    "people": "/people?user=alice",
    "lens": "/lens?chat=team&users=alice,bob&q=loves",
    "sessions": "/sessions?user=alice",
    "traces": "/traces?session=s1",
    "consent": "/consent?user=alice",
    "health": "/health?doctor=1",
}
HOSTILE = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror='window.pwned=1'>",
    '"><svg onload=window.pwned=1>',
    "{{ 7 * 7 }}{% raw %}",
    "[click](javascript:window.pwned=1) ![x](http://192.0.2.1/x.png)",
    "\x1b[31mred\x1b[0m \u202egnp.exe \u200bzero\u200d width\ufeff",
    "a" * 3_000,
    "javascript:window.pwned=1",
    "</textarea><script>window.pwned=1</script>",
)


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("store", ["empty", "served"])
def test_every_page_opens(request, page, shots, store, name):
    one = request.getfixturevalue(store)
    answer = page.goto(one.url + PATHS[name])
    assert answer.status == 200
    assert page.locator("h1").count() == 1
    page.wait_for_load_state("networkidle") if name != "timeline" else page.wait_for_selector(".live.on")
    page.screenshot(path=shots / f"{store}-{name}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page is too wide"


@pytest.mark.parametrize("name", PATHS)
def test_every_control_has_a_name_and_is_reached_by_keyboard(page, served, name):
    page.goto(served.url + PATHS[name])
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")]
        .filter(one => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
        .map(one => one.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    wanted = page.evaluate("document.querySelectorAll('header a').length")
    seen = set()
    for _ in range(wanted + 1):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.getAttribute('href')"))
    assert len(seen) >= wanted


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(browser, served, scheme):
    page = browser.new_page(color_scheme=scheme, viewport={"width": 390, "height": 800})
    page.goto(f"{served.url}/memories?user=alice")
    ratio = page.evaluate(
        """() => {
          const parts = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
          const light = (text) => { const [r, g, b] = parts(text).map((v) => { v /= 255;
            return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const paper = light(getComputedStyle(document.documentElement).backgroundColor);
          return Math.min(...[...document.querySelectorAll("h1, td, th, label, a")].map((one) => {
            const ink = light(getComputedStyle(one).color);
            return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05); }));
        }"""
    )
    assert ratio >= 4.5
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "too wide for a phone"
    page.close()


def test_what_the_lens_shows_is_what_the_api_gives(page, served):
    page.goto(f"{served.url}/lens?chat=team&users=alice,bob&q=loves")
    for user, other in (("alice", "bob"), ("bob", "alice")):
        place = {"user": user, "chat": "team", "chat_type": "group", "participants": [other]}
        body = {"query": "loves", "limit": 50, "threshold": 0, "sources": ["memories"], "viewpoint": place}
        asked = urllib.request.Request(
            f"{served.url}/v1/recall", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(asked, timeout=10) as answer:
            hits = json.load(answer)["hits"]
        shown = page.locator(f"section[aria-label='What {user} sees'] .seen a").all_inner_texts()
        assert shown == [hit["text"] for hit in hits]
        assert not any("asthma" in text for text in shown)
    assert page.locator(".left-out li:not(.none)").count() > 0


def test_edit_diff_undo_delete_restore(page, served):
    page.goto(f"{served.url}/memories/{served.ids['color']}?user=alice")
    page.click("summary:has-text('Edit')")
    page.fill("textarea[name=content]", "Alice's favorite color is green")
    page.click("button:has-text('Save')")
    assert page.locator("ins").first.inner_text().strip() == "green"
    assert page.locator("del").first.inner_text().strip() == "red"
    page.click("button:has-text('Undo')")
    assert page.locator(".content").inner_text().endswith("red")
    page.click("button:has-text('Delete')")
    assert page.locator(".tag.archived").count() == 1
    page.click("button:has-text('Restore')")
    assert page.locator(".tag.active").count() == 1


def test_merge_and_split(page, served):
    page.goto(f"{served.url}/people?user=alice")
    page.wait_for_selector("#graph[data-drawn=yes]")
    before = page.locator("main table").first.locator("tbody tr").count()
    for field, name in (("primary", "Sarah ("), ("secondary", "Mehmet (")):
        chosen = page.locator(f"select[name={field}] option", has_text=name).get_attribute("value")
        page.select_option(f"select[name={field}]", value=chosen)
    page.click("button:has-text('Merge')")
    assert page.locator("main table").first.locator("tbody tr").count() == before - 1
    page.click("button[aria-label='Split Sarah']")
    assert page.locator("main table").first.locator("tbody tr").count() == before


def test_approving_a_question_changes_the_profile(page, served):
    page.goto(f"{served.url}/consent?user=alice")
    assert page.locator("dd").first.inner_text() == "Lyon"
    page.click("button:has-text('Approve')")
    assert page.locator("dd").first.inner_text() == "Hamburg"


def test_a_new_memory_appears_without_reload(page, served):
    page.goto(served.url)
    page.wait_for_selector(".live.on")
    with recollect.open(served.db, embedder="none") as memory:
        memory.at(user="carol").remember("I keep bees on the roof")
    row = page.wait_for_selector("tr.fresh:has-text('carol')")
    assert "create" in row.inner_text() or "classify" in row.inner_text()


def test_the_plain_view_is_the_command_line_s(page, served):
    page.goto(f"{served.url}/traces?session=s1")
    shown = page.locator("#whole").text_content()
    command = [sys.executable, "-m", "recollect", "--db", str(served.db), "trace", "show", "s1", "--plain"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert shown.strip() == printed.strip()
    page.goto(f"{served.url}/traces?session=s1&from_phase=phase-1&to_phase=phase-2")
    assert "coffee" in page.locator("pre.plain").first.text_content()


def test_hostile_strings_are_only_read(page, served):
    with recollect.open(served.db, embedder="none") as memory:
        mallory = memory.at(user="mallory", display_name=HOSTILE[0][:100], chat="dm<b>x</b>")
        for text in HOSTILE:
            mallory.add(f"Note: {text}")
        mallory.remember("My cousin <b>Zed</b><img src=x onerror=window.pwned=1> lives in Rome")
    asked = urllib.parse.urlencode({"user": "mallory", "q": HOSTILE[1]})
    for path in ("/", "/memories?user=mallory", f"/memories?{asked}", "/people?user=mallory",
                 "/lens?users=mallory&q=note", "/consent?user=<script>window.pwned=1</script>",
                 f"/traces?session={urllib.parse.quote(HOSTILE[2])}"):  # fmt: skip
        page.goto(served.url + path)
        page.wait_for_timeout(150)
        assert page.evaluate("window.pwned") is None
        assert page.locator("main img, main script, main svg").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.goto(f"{served.url}/memories?user=mallory")
    body = page.locator("main").inner_text()
    assert "\u202e" not in body
    assert "onerror" in body
