"""The commonest tasks in the Studio with the keyboard alone, in a real browser."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

import wellkept
from tests.surfaces.studio.conftest import serve

pytestmark = pytest.mark.browser

PRESSES_MAX = 120


@pytest.fixture(scope="module", autouse=True)
def world(served):
    """Two Johns who were taken for one, and a diagnosis told in private, beside what the other tests need."""
    with wellkept.open(served.db, embedder="none", worker="off") as memory:
        dora = memory.at(user="dora", display_name="Dora", chat="dm-dora")
        dora.remember(["My favorite color is teal", "My brother John lives in Kyiv", "My boss Jon plays the harp"])
        dora.observe([{"role": "user", "content": "My brother John moved to Oslo. Nice weather!"}], wait=True)
        dora.remember("I live in Bergen")
        dora.observe([{"role": "user", "content": "By the way, I moved to Tromsø last week."}], wait=True)
        memory.at(user="erik", display_name="Erik", chat="dm-erik").remember("I was diagnosed with diabetes")
        group = {"chat": "crew", "chat_type": "group"}
        memory.at(user="erik", participants=["dora"], **group).remember("I love sailing")


def reach(page, selector: str, text: str = "") -> None:
    """Go to a control by Tab."""
    is_there = """([selector, text]) => { const one = document.activeElement;
      return one && one.matches(selector) && (one.textContent + (one.ariaLabel || "")).includes(text); }"""
    for _ in range(PRESSES_MAX):
        page.keyboard.press("Tab")
        if page.evaluate(is_there, [selector, text]):
            return
    raise AssertionError(f"{selector} {text!r} was not reached")


@contextmanager
def leaving(page):
    """What is pressed inside leads to another page."""
    with page.expect_navigation():
        yield


def press(page, selector: str, text: str = "", *, key: str = "Enter") -> None:
    """Reach a control and use it; it leads to another page."""
    reach(page, selector, text)
    with leaving(page):
        page.keyboard.press(key)


def test_find_read_change_forget_and_bring_back(page, served):
    page.goto(served.url)
    page.keyboard.press("/")
    page.keyboard.type("teal")
    with leaving(page):
        page.keyboard.press("Enter")
    press(page, "main a", "teal")
    assert page.locator(".life li").first.inner_text().startswith("said")
    reach(page, "summary", "Edit")
    page.keyboard.press("Enter")
    reach(page, "textarea[name=content]")
    page.keyboard.press("Control+A")
    page.keyboard.type("Dora's favorite color is green")
    press(page, "button", "Preview")
    assert page.locator(".diff ins").inner_text().strip() == "green"
    press(page, "button", "Save")
    assert page.locator(".content").inner_text() == "Dora's favorite color is green"
    press(page, "main button", "Forget")
    assert page.locator(".tag.archived").count() == 1
    press(page, "main button", "Bring back")
    assert page.locator(".life li").last.inner_text() == "known now"
    page.keyboard.press("Control+K")
    assert page.evaluate("document.activeElement.id") == "find"


def test_add_with_a_preview_then_act_on_several(page, served):
    page.goto(f"{served.url}/memories?user=dora&add=1")
    reach(page, "textarea[name=text]")
    page.keyboard.type("My favorite color is blue")
    press(page, "button", "Preview")
    assert "green" in page.locator(".preview del").inner_text() or "teal" in page.locator(".preview del").inner_text()
    press(page, "button", "Remember")
    assert "Kept" in page.locator(".said").inner_text()
    reach(page, "input[data-all]")
    page.keyboard.press("Space")
    press(page, "button", "Pin")
    assert page.locator(".tag.pin").count() == page.locator(".item.pick").count() > 2
    reach(page, "summary", "Filter and sort")
    page.keyboard.press("Enter")
    reach(page, "select[name=privacy]")
    page.keyboard.type("sens")
    reach(page, "select[name=sort]")
    page.keyboard.type("old")
    reach(page, "button", "Apply")
    page.keyboard.press("Enter")
    page.wait_for_selector("#found .empty:has-text('Nothing fits')")


def test_choose_two_of_many_forget_them_and_bring_them_back(page, served):
    page.goto(f"{served.url}/memories")
    press(page, "a.chip", "dora")
    chosen = ("Oslo", "harp")
    for text in chosen:
        page.keyboard.press("Control+K")  # from the top again
        reach(page, "input[name=ids]", text)
        page.keyboard.press("Space")
    page.keyboard.press("Control+K")
    press(page, "#many button", "Forget")
    assert "2 of 2 forgotten" in page.locator(".said").inner_text()
    assert not any(text in page.locator("#many").inner_text() for text in chosen)
    reach(page, "summary", "Filter and sort")
    page.keyboard.press("Enter")
    reach(page, "select[name=state]")
    page.keyboard.type("forgotten")
    reach(page, "button", "Apply")
    page.keyboard.press("Enter")
    page.wait_for_selector("#found button:has-text('Bring back')")
    reach(page, "input[data-all]")
    page.keyboard.press("Space")
    press(page, "#many button", "Bring back")
    assert "brought back" in page.locator(".said").inner_text()
    page.goto(f"{served.url}/memories?user=dora")
    assert all(text in page.locator("#many").inner_text() for text in chosen)


def test_answer_a_question_yes(page, served):
    page.goto(served.url)
    press(page, ".waits a", "of a profile")
    reach(page, "input[name=user]")
    page.keyboard.type("dora")
    with leaving(page):
        page.keyboard.press("Enter")
    assert page.locator("#profile dd").first.inner_text() == "Bergen"
    press(page, ".question button", "Yes")
    assert "Noted in the profile" in page.locator(".said").inner_text()
    assert page.locator("#profile dd").first.inner_text() == "Tromsø"


def test_make_a_key(browser, tmp_path):
    """On a server of its own: the first key locks out whoever has none."""
    for own in serve(tmp_path / "memory.db"):
        page = browser.new_page()
        page.goto(own.url)
        press(page, "nav a", "Settings")
        reach(page, "input[name=name]")
        page.keyboard.type("my own")
        reach(page, "select[name=scope]")
        assert page.locator("select[name=scope]").input_value() == "operator"
        press(page, "button", "Make a key")
        key = page.locator("#new-key").inner_text()
        press(page, "nav a", "Home")
        assert page.url.endswith("/sign-in")
        reach(page, "input[name=key]")
        page.keyboard.type(key)
        with leaving(page):
            page.keyboard.press("Enter")
        assert page.locator("h1").inner_text() == "Home"
        page.close()


def test_talk_and_see_what_was_read_and_what_the_agent_gets(page, served):
    page.goto(f"{served.url}/playground?user=dora&chat=dm-dora&budget=300")
    reach(page, "textarea[name=text]")
    page.keyboard.type("I am allergic to peanuts. Lovely day!")
    reach(page, "button", "Say it")
    page.keyboard.press("Enter")
    page.wait_for_selector("#outcomes")
    assert "peanuts" in page.locator("#outcomes li").first.inner_text()
    assert "peanuts" in page.locator(".turns mark").last.inner_text()
    cells = [row.inner_text() for row in page.locator(".reading tbody tr").all()]
    assert "yes" in cells[0]
    assert "no" in cells[1]
    assert "%" in cells[0]
    shown = page.locator("#block").text_content()
    assert shown.startswith("<<<memory ")
    assert "peanuts" in shown
    assert page.locator("progress").first.get_attribute("max") == "300"
    press(page, "a.chip", "erik")
    told = page.locator("#other-block").text_content()
    assert "peanuts" not in told
    assert "diabetes" in told


def test_ask_why_somebody_is_not_told_and_read_it_on_the_record(page, served):
    page.goto(f"{served.url}/lens")
    for name, text in (("users", "dora, erik"), ("q", "What is Erik's diagnosis?"), ("chat", "crew")):
        reach(page, f"input[name={name}]")
        page.keyboard.type(text)
    press(page, "button", "Compare")
    row = page.locator("#differences tr", has_text="diabetes")
    told = {"dora alone with the assistant": False, "erik alone with the assistant": True}
    told |= {"dora in crew": False, "erik in crew": False}
    assert page.locator("#differences th").all_inner_texts() == ["Memory", *told]
    cells = row.locator("td").all_inner_texts()[1:]
    assert [one.startswith("told") for one in cells] == list(told.values())
    assert "belongs to somebody else" in cells[0]
    assert "sensitive, and told in private" in cells[3]
    assert "diabetes" not in page.locator("section[aria-label='What dora sees']").inner_text()
    reach(page, "button.link", "Read it")
    page.keyboard.press("Enter")
    page.wait_for_selector(".left-out :text('that you read it is on the ledger')")
    with wellkept.open(served.db, embedder="none", worker="off") as memory:
        assert any(one.reason == "revealed" for one in memory.events.list())


def test_undo_a_wrong_merge_and_relate_people(page, served):
    page.goto(f"{served.url}/people?user=dora")
    reach(page, "select[name=one]")
    page.keyboard.type("John")
    reach(page, "select[name=other]")
    page.keyboard.type("Jon,")
    press(page, "button", "Compare")
    assert "harp" in page.locator("section[aria-label=Jon]").inner_text()
    press(page, "button", "Same person")
    assert "can undo it" in page.locator(".said").inner_text()
    press(page, "#people a", "John")
    merged = page.locator("section[aria-label='Merged with Jon']")
    assert "harp" in merged.locator(".columns > div").nth(1).inner_text()
    press(page, "button", "Undo the merge with Jon")
    assert "two again" in page.locator(".said").inner_text()
    press(page, "#people a", "Jon")
    reach(page, "summary", "Relation to somebody else")
    page.keyboard.press("Enter")
    reach(page, "details input[name=relation]")
    page.keyboard.type("friend")
    reach(page, "details select[name=to]")
    page.keyboard.type("John")
    press(page, "details button", "Add")
    assert "friend of John" in page.locator("aside").inner_text()
    press(page, "aside button", "Remove")
    assert "friend of John" not in page.locator("aside").inner_text()


def test_what_was_learned_from_a_chat_and_the_colours(page, served):
    page.goto(f"{served.url}/conversations?user=dora")
    press(page, "main .picks a", "dm-dora")
    assert "Oslo" in page.locator(".turns mark").first.inner_text()
    assert "weather" not in page.locator(".turns mark").first.inner_text()
    press(page, ".turns mark a")
    assert "Oslo" in page.locator(".content").inner_text()
    dark = "getComputedStyle(document.documentElement).colorScheme"
    press(page, "button.link", "Auto")
    assert page.evaluate(dark) == "dark"
    press(page, "button.link", "Dark")
    assert page.evaluate(dark) == "light"
    press(page, "button.link", "Light")
    assert page.evaluate(dark) == "light dark"


def test_settings_say_what_they_mean(page, served):
    page.goto(f"{served.url}/settings")
    assert page.locator("text=Archive what is over when a store is opened.").count() == 1
    with page.expect_download() as got:
        reach(page, "input[name=of]")
        page.keyboard.type("dora")
        page.keyboard.press("Enter")
    assert "harp" in got.value.path().read_text(encoding="utf-8")


def test_a_page_that_is_not_there_is_a_page(browser, served):
    opened = browser.new_page()
    answer = opened.goto(f"{served.url}/nowhere")
    assert answer.status == 404
    assert "no page here" in opened.locator("[role=alert]").inner_text()
    opened.close()
