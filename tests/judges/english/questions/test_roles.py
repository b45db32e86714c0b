"""Who does it and to whom: no answer turns the two around, or takes another's part for the one asked about."""

from __future__ import annotations

import pytest

from tests.judges.english.questions.test_answers import NOW, fact
from wellkept.judges.english.questions.answers import UNKNOWN, answer
from wellkept.judges.english.questions.parse import understand

FACTS = (
    fact("Mei thinks the user is brilliant", "Mei", "you"),
    fact("Mei likes sushi", "Mei"),
    fact("Tariq likes the user", "Tariq", "you"),
    fact("The user trusts Mei"),
    fact("Mei gave Tariq a kite", "Mei", "Tariq"),
    fact("Rosa lent the user a bike", "Rosa", "you"),
    fact("The user owes Rosa 20 euros"),
    fact("The user is married to Jonas"),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does Mei think of me?", "Mei thinks you are brilliant."),
        ("What does Jorge think of me?", UNKNOWN),
        ("Who thinks I am brilliant?", "Mei thinks you are brilliant."),
        ("Who thinks Mei is brilliant?", UNKNOWN),
        ("Is Mei brilliant?", UNKNOWN),
        ("Does Mei like me?", UNKNOWN),
        ("Does Tariq like me?", "Yes. Tariq likes you."),
        ("Does Mei like sushi?", "Yes. Mei likes sushi."),
        ("Who trusts me?", UNKNOWN),
        ("Who do I trust?", "You trust Mei."),
        ("What did Mei give me?", UNKNOWN),
        ("What did Mei give Tariq?", "Mei gave Tariq a kite."),
        ("Who gave Mei a kite?", UNKNOWN),
        ("Who gave Tariq a kite?", "Mei gave Tariq a kite."),
        ("Who lent me a bike?", "Rosa lent you a bike."),
        ("How much do I owe Rosa?", "You owe Rosa 20 euros."),
        ("How much does Rosa owe me?", UNKNOWN),
        ("Who am I married to?", "You are married to Jonas."),
    ],
)
def test_the_pair_that_is_asked_about_or_nobody(question, said):
    assert answer(understand(question), FACTS, now=NOW).text == said
