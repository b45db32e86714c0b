"""Every page of the Studio in a real browser: it opens, fits, can be used by everybody, and only shows text."""

from __future__ import annotations

import importlib
import urllib.parse
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

import wellkept

pytestmark = pytest.mark.browser

BENCH = Path(__file__).parents[3] / "bench"

PATHS = {
    "home": "/",
    "search everything": "/search?q=Italian",
    "playground": "/playground?user=alice&chat=dm-alice&other=bob",
    "memories": "/memories?user=alice",
    "search": "/memories?user=alice&q=what+does+my+wife+like&type=preference",
    "memory": "/memories/{color}?user=alice",
    "people": "/people?user=alice",
    "person": "/people/Sarah?user=alice",
    "compare": "/people/compare?user=alice&one=Sarah&other=Mehmet",
    "lens": "/lens?chat=team&users=alice,bob&q=loves&alone=1",
    "conversations": "/conversations?user=alice&chat=dm-alice&in=dm-alice",
    "sessions": "/sessions?user=alice&persona=Coach",
    "traces": "/traces",
    "trace": "/traces?session=s1",
    "plain": "/traces/plain?session=s1&number=2",
    "questions": "/questions?user=alice",
    "health": "/health?doctor=1",
    "settings": "/settings",
    "sign-in": "/sign-in",
}
EMPTY = {"home": "/", "memories": "/memories", "people": "/people", "lens": "/lens", "conversations": "/conversations"}
EMPTY |= {"playground": "/playground", "questions": "/questions", "settings": "/settings", "search": "/search"}
EMPTY |= {"traces": "/traces", "health": "/health?doctor=1", "nobody": "/sessions?user=nobody"}
WIDE = "document.documentElement.scrollWidth > window.innerWidth"
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
CONTROLS = """[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
  .filter((one) => one.checkVisibility())"""
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


def violations(page, options=None) -> list[str]:
    found = Axe().run(page, options=options or {"resultTypes": ["violations"]}).response["violations"]
    return [f"{one['id']} ({one['impact']}): {node['html'][:120]}" for one in found for node in one["nodes"]]


def drawn(page, name: str) -> None:
    """Wait for what a script puts into a page."""
    waited = {"home": ".live.on", "people": "#graph[data-drawn=yes]", "health": "#growth[data-drawn=yes]"}
    if name in waited:
        page.wait_for_selector(waited[name])


@pytest.mark.parametrize("name", PATHS)
def test_every_page_can_be_read_and_used_by_everybody(page, served, shots, name):
    assert page.goto(served.url + PATHS[name].format(**served.ids)).status == 200
    drawn(page, name)
    assert page.locator("h1").count() == 1
    assert violations(page) == []
    page.screenshot(path=shots / f"{name}-light.png")
    reached_by_keyboard(page)
    page.emulate_media(color_scheme="dark")
    assert violations(page, CONTRAST) == []
    page.screenshot(path=shots / f"{name}-dark.png")
    page.set_viewport_size({"width": 390, "height": 800})
    assert not page.evaluate(WIDE), "too wide for a phone"
    page.screenshot(path=shots / f"{name}-phone.png")
    page.set_viewport_size({"width": 1200, "height": 800})
    page.emulate_media(color_scheme="light")
    assert not page.evaluate(WIDE), "the page is too wide"


def reached_by_keyboard(page) -> None:
    """Every control that is to be seen gets the focus by Tab, and shows it."""
    page.evaluate(
        f"""() => {{ window.wanted = new Set({CONTROLS}); window.unseen = [];
        addEventListener("focusin", (event) => {{ const looks = getComputedStyle(event.target);
          if (looks.outlineStyle === "none" && looks.boxShadow === "none" && !event.target.matches("main")) {{
            window.unseen.push(event.target.outerHTML.slice(0, 80)); }}
          window.wanted.delete(event.target); }});
        document.activeElement?.blur(); }}"""
    )
    for _ in range(page.evaluate("window.wanted.size") + 12):
        page.keyboard.press("Tab")
    assert page.evaluate("[...window.wanted].map((one) => one.outerHTML.slice(0, 80))") == []
    assert page.evaluate("window.unseen") == []


def test_the_check_of_accessibility_can_fail(page, served):
    page.goto(f"{served.url}/questions")
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<p><input><img src=/studio/icon.svg></p>')"
    )
    assert {one.split(" ")[0] for one in violations(page)} >= {"label", "image-alt"}
    page.evaluate("document.querySelector('main button').tabIndex = -1")
    with pytest.raises(AssertionError):
        reached_by_keyboard(page)


@pytest.mark.parametrize("name", EMPTY)
def test_every_page_of_an_empty_store_says_what_to_do(page, empty, shots, name):
    assert page.goto(empty.url + EMPTY[name]).status == 200
    assert page.locator(".empty").count() > 0
    assert violations(page) == []
    page.screenshot(path=shots / f"{name}-empty.png")
    page.set_viewport_size({"width": 390, "height": 800})
    assert not page.evaluate(WIDE), "too wide for a phone"
    page.set_viewport_size({"width": 1200, "height": 800})


def test_hostile_strings_are_only_read(page, served):
    with wellkept.open(served.db, embedder="none") as memory:
        mallory = memory.at(user="mallory", display_name=HOSTILE[0][:100], chat="dm<b>x</b>")
        for text in HOSTILE:
            mallory.add(f"Note: {text}")
        mallory.remember("My cousin <b>Zed</b><img src=x onerror=window.pwned=1> lives in Rome")
    asked = urllib.parse.urlencode({"user": "mallory", "q": HOSTILE[1]})
    for path in ("/", "/memories?user=mallory", f"/memories?{asked}", "/people?user=mallory",
                 "/lens?users=mallory&q=note", "/questions?user=<script>window.pwned=1</script>",
                 f"/search?{asked}", "/conversations?user=mallory&in=dm<b>x</b>", f"/playground?{asked}",
                 f"/traces?session={urllib.parse.quote(HOSTILE[2])}"):  # fmt: skip
        page.goto(served.url + path)
        assert page.evaluate("window.pwned") is None
        assert page.locator("main img, main script, main svg").count() == 0
        assert not page.evaluate(WIDE)
    page.goto(f"{served.url}/memories?user=mallory")
    body = page.locator("main").inner_text()
    assert "\u202e" not in body
    assert "onerror" in body


@pytest.mark.parametrize("is_broken", [False, True])
def test_the_campaign_of_hostile_strings_in_short(browser, monkeypatch, tmp_path, is_broken):
    """Every string in every field and sent to every page; pages that escape nothing are found out."""
    monkeypatch.syspath_prepend(str(BENCH))
    campaign = importlib.import_module("studio")
    monkeypatch.setattr(campaign, "SENT_OPENED", 10)
    found = campaign.read(browser, tmp_path / "memory.db", 20, is_broken=is_broken)
    assert bool(found["faults"]) == is_broken, found["faults"][:5]
    assert found["opened"] > (1 if is_broken else 20)
