"""What people do in the Studio, in a real browser: look as others, change, undo, answer, compare."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import wellkept

pytestmark = pytest.mark.browser


def asked(served, query: str, place: dict) -> dict:
    body = {"query": query, "limit": 200, "sources": ["memories"], "why": True, "left_out": True, "viewpoint": place}
    request = urllib.request.Request(
        f"{served.url}/v1/recall", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_what_the_lens_shows_is_what_the_api_gives(page, served):
    group = {"chat": "team", "chat_type": "group"}
    places = {
        "alice sees alone": {"user": "alice"},
        "alice sees": {"user": "alice", "participants": ["bob"], **group},
        "bob sees": {"user": "bob", "participants": ["alice"], **group},
    }
    for query in ("loves", "asthma", "chess"):
        page.goto(f"{served.url}/lens?chat=team&users=alice,bob&alone=1&q={query}")
        for label, place in places.items():
            found = asked(served, query, place)
            column = page.locator(f"section[aria-label='What {label}']")
            assert column.locator(".seen a").all_inner_texts() == [hit["text"] for hit in found["hits"]]
            rules = column.locator(".left-out li[data-rule]").evaluate_all(
                "(rows) => rows.map((row) => [row.dataset.id, row.dataset.rule])"
            )
            assert rules == [[one["id"], one["rule"]] for one in found["why"]["left_out"]]
    sees = page.locator("section[aria-label='What bob sees']")
    assert "chess" not in sees.locator(".seen").inner_text()
    assert "A memory of alice: belongs to somebody else" in sees.locator(".left-out").inner_text()


def test_edit_diff_undo_delete_restore(page, served):
    page.goto(f"{served.url}/memories/{served.ids['color']}?user=alice")
    page.click("summary:has-text('Edit')")
    page.fill("textarea[name=content]", "Alice's favorite color is green")
    page.focus("button:has-text('Save')")
    page.keyboard.press("Enter")
    assert page.locator("ins").first.inner_text().strip() == "green"
    assert page.locator("del").first.inner_text().strip() == "red"
    page.click("button:has-text('Undo')")
    assert page.locator(".content").inner_text().endswith("red")
    page.click("button:has-text('Forget')")
    expect(page.locator(".tag.archived")).to_have_count(1)
    page.click("button:has-text('Bring back')")
    expect(page.locator(".tag.active")).to_have_count(1)


def test_the_graph_is_explored_by_clicks(page, served):
    page.goto(f"{served.url}/people?user=alice")
    page.wait_for_selector("#graph[data-drawn=yes]")
    place = page.evaluate(
        """() => { const drawn = document.getElementById("graph").drawn;
        return drawn.nodes().filter((one) => one.data("label") === "Sarah")[0].renderedPosition(); }"""
    )
    page.locator("#graph").click(position=place)
    page.wait_for_selector("#graph[data-chosen]")
    page.click("#graph-said a:has-text('Open Sarah')")
    assert page.locator("h1").inner_text() == "Sarah"


def test_selected_memories_are_exported_and_made_private(page, served):
    page.goto(f"{served.url}/memories?user=alice")
    page.check(f"input[value='{served.ids['wife']}']")
    with page.expect_download() as got:
        page.click("button:has-text('Export')")
    (line,) = got.value.path().read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["id"] == served.ids["wife"]
    page.select_option("select[name=sensitivity]", "sensitive")
    page.click("button:has-text('Set privacy')")
    assert "1 of 1 changed" in page.locator(".said").inner_text()
    row = page.locator(".item.pick", has=page.locator(f"input[value='{served.ids['wife']}']"))
    assert row.locator(".tag.sensitive").count() == 1


def people(page):
    return page.locator("#people tbody tr")


def test_merge_and_split(page, served):
    page.goto(f"{served.url}/people?user=alice")
    before = people(page).count()
    for field, name in (("one", "Sarah"), ("other", "Mehmet")):
        chosen = page.locator(f"select[name={field}] option", has_text=name).get_attribute("value")
        page.select_option(f"select[name={field}]", value=chosen)
    page.click("button:has-text('Compare')")
    assert "Italian food" in page.locator("section[aria-label=Sarah]").inner_text()
    assert "boss" in page.locator("section[aria-label=Mehmet]").inner_text()
    page.click("button:has-text('Same person')")
    expect(people(page)).to_have_count(before - 1)
    page.click("#people a:has-text('Sarah')")
    page.click("button[aria-label='Undo the merge with Mehmet']")
    expect(people(page)).to_have_count(before)


@pytest.mark.parametrize("answer", ["Two people", "Same person"])
def test_a_question_whether_two_are_one_is_answered(page, served, answer):
    user = f"asker-{answer[0].lower()}"
    with wellkept.open(served.db, embedder="none", worker="off") as memory:
        memory.at(user=user).remember(["My colleague Makesh plays chess", "Mukesh sails at weekends"])
    page.goto(f"{served.url}/people?user={user}")
    assert "the names are similar" in page.locator(".review").inner_text()
    page.focus(f"button:has-text('{answer}')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".said")
    assert page.locator(".review").count() == 0
    expect(people(page)).to_have_count(1 if answer == "Same person" else 2)


def test_approving_a_question_changes_the_profile(page, served):
    page.goto(f"{served.url}/questions?user=alice")
    assert "moved to Hamburg" in page.locator(".question blockquote").inner_text()
    assert page.locator("#profile dd").first.inner_text() == "Lyon"
    page.click("a:has-text('Later')")
    assert page.locator(".question .tag").inner_text() == "later"
    page.click(".question button:has-text('Yes')")
    assert page.locator("#profile dd").first.inner_text() == "Hamburg"


def test_a_new_memory_appears_without_reload(page, served):
    page.goto(served.url)
    page.wait_for_selector(".live.on")
    page.evaluate("window.isSamePage = true")
    with wellkept.open(served.db, embedder="none", worker="off") as memory:
        memory.at(user="carol").remember("I keep bees on the roof")
    row = page.wait_for_selector(".fresh:has-text('carol'):has-text('learned')")
    assert page.evaluate("window.isSamePage")
    assert "bees on the roof" in row.query_selector("a").inner_text()
    assert "learned about carol" in page.locator(".today").inner_text()


def test_the_plain_view_is_the_command_line_s(page, served):
    page.goto(f"{served.url}/traces?session=s1")
    page.locator("details.event summary").nth(1).click()
    page.wait_for_selector("details.event[open] pre.plain:has-text('type: memory_write')")
    page.click("#whole")
    shown = page.locator("#plain").text_content()
    command = [sys.executable, "-m", "wellkept", "--db", str(served.db), "trace", "show", "s1", "--plain"]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    assert f"{shown}\n".encode() == printed


def test_a_phase_is_begun_and_the_difference_shown(page, served):
    page.goto(f"{served.url}/traces?session=s1")
    begun = page.locator(".steps li").count()
    page.fill("input[name=name]", "third week")
    page.click("button:has-text('Start a phase')")
    assert page.locator(".said").inner_text() == f"phase-{begun + 1} has begun."
    assert "third week" in page.locator(".steps li").last.inner_text()
    assert page.locator("#diff h2").inner_text() == f"phase-{begun} → phase-{begun + 1}"
    page.select_option("select[name=from_phase]", "phase-1")
    page.select_option("select[name=to_phase]", "phase-2")
    page.click("button:has-text('Compare')")
    changed = page.locator("#diff")
    assert "phase-1 → phase-2" in changed.inner_text()
    assert "tea" in " ".join(changed.locator("del").all_inner_texts())
    assert "coffee" in " ".join(changed.locator("ins").all_inner_texts())


def test_a_conversation_is_shown_with_its_turns_summaries_and_todos(page, served):
    page.goto(f"{served.url}/sessions?user=alice&persona=Coach")
    expect(page.locator(".turns li")).to_have_count(2)
    page.click("a:has-text('Session 1')")
    expect(page.locator(".turns li")).to_have_count(16)
    assert "tulips" in page.locator(".turns").inner_text()
    latest = page.locator("details.version").first
    assert "Version 2" in latest.inner_text()
    assert latest.locator("ins, del").count() > 0
    todos = page.locator("#todos")
    assert "Call the insurance company" in todos.locator("tr", has_text="completed").inner_text()
    page.click("button[aria-label^='Dismiss: Send the bridge report']")
    assert "Send the bridge report" in todos.locator("tr", has_text="skipped").inner_text()


def test_figures_of_calls_and_jobs_are_drawn_and_told(page, served):
    for _ in range(12):
        asked(served, "tea", {"user": "alice"})
    page.goto(f"{served.url}/health")
    page.wait_for_selector("#latency[data-drawn=yes]")
    cells = page.locator("#calls tr", has_text="recall").locator("td").all_inner_texts()
    assert int(cells[1]) >= 12
    assert 0 < float(cells[2]) <= float(cells[3]) <= float(cells[4])
    assert "jobs waiting" in page.locator(".figures").inner_text()


def test_ids_with_slashes_and_signs_are_reached_by_links(page, served):
    user, named = "org/ann, jr?#%", "2026/03 – week #1?"
    with wellkept.open(served.db, embedder="none", worker="off") as memory:
        memory.at(user=user).remember("My favorite color is teal")
        memory.governed(session=named, user=user).record(user="I prefer tea")
    page.goto(f"{served.url}/traces")
    page.click(f"text={named}")
    assert page.locator("details").count() > 0
    page.goto(f"{served.url}/memories")
    page.click(f"text={user}")
    page.click("text=teal")
    assert page.locator(".content").inner_text().endswith("teal")
    page.click("button:has-text('Pin')")
    assert page.locator(".said").inner_text() == "Pinned."
    page.goto(f"{served.url}/lens?chat=team&alone=1&users={quote(chr(34) + user + chr(34))},bob")
    assert page.locator("section[aria-label^='What ']").count() == 4
    assert "teal" in page.locator(f'section[aria-label="What {user} sees alone"]').inner_text()
