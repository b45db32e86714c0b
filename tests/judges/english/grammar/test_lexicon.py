"""The closed word classes."""

from __future__ import annotations

from wellkept.judges.english.grammar import lexicon


def test_words_of_a_block_are_a_set():
    assert lexicon.words("a b\n  b c") == {"a", "b", "c"}
    assert lexicon.words("") == frozenset()


def test_every_possessive_has_a_pronoun():
    assert {*lexicon.POSSESSIVES.values(), *lexicon.INDEPENDENT_POSSESSIVES.values()} <= lexicon.SUBJECT_PRONOUNS


def test_words_are_looked_up_in_lower_case():
    classes = (lexicon.PREPOSITIONS, lexicon.ADVERBS, lexicon.DETERMINERS, lexicon.NAME_OR_WORD, lexicon.AUXILIARIES)
    assert [word for one in classes for word in one if word != word.lower()] == []


def test_a_typo_is_not_mended_into_another_one():
    assert [word for word, mended in lexicon.TYPOS.items() if mended == word or mended in lexicon.TYPOS] == []
