"""What callers give: one name where several may stand."""

from __future__ import annotations

import wellkept


def test_one_name_alone_is_a_name_and_not_its_letters(store_path):
    with wellkept.open(store_path, embedder="none") as memory:
        ana = memory.at(user="ana")
        ana.remember("My sister Lena lives in Oslo")
        ana.remember("I like tea")
        assert ana.add("She skis on Sundays", about="Lena").outcome == "created"
        told = {"She skis on Sundays", "Lena lives in Oslo"}
        assert {one.content for one in ana.list(about="Lena")} == told
        assert {hit.text for hit in ana.recall("Oslo Sundays", about="my sister")} == told
        assert len(ana.query("Oslo Sundays", about="Lena").bullets) == 2
        assert memory.at(user="ana", chat="team", participants="bob").place.participants == ("bob",)
