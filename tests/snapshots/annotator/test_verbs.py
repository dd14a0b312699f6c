"""Verbs that are spelt as nouns, and nouns in the same places."""

from __future__ import annotations

import pytest

from snapshots.annotator.doubting.verbs import is_order, is_verb, is_verb_of_noun


def reads_as_verb(text: str, word: str, language: str = "en") -> bool:
    start = text.rfind(word)
    return is_verb(text, start, start + len(word), language)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("It leaves the town.", "leaves"),
        ("You can water plants.", "water"),
        ("Don't bark at me.", "bark"),
        ("Can penguins fly?", "fly"),
        ("can penguins fly", "fly"),
        ("Should children drink milk?", "drink"),
        ("Do young birds rest in trees?", "rest"),
        ("Hello! Do the birds rest?", "rest"),
        ("How do planes fly?", "fly"),
        ("When did the Roman Empire fall?", "fall"),
        ("when did Rome fall", "fall"),
        ("Can the dog swim?", "swim"),
        ("Did Rome arm its slaves?", "arm"),
    ],
)
def test_verbs(text: str, word: str) -> None:
    assert reads_as_verb(text, word)
    assert not reads_as_verb(text, word, "de")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Can penguins fly?", "penguins"),
        ("can penguins fly", "penguins"),
        ("Don't dogs bark?", "dogs"),
        ("Can water boil?", "water"),
        ("Should children drink milk?", "milk"),
        ("Do dogs eat meat?", "meat"),
        ("Does the dog eat meat?", "meat"),
        ("Do you like fish?", "fish"),
        ("Can computer programs think?", "programs"),
        ("Does the red star shine?", "star"),
        ("How many bones does a shark have?", "shark"),
        ("Do the right thing", "thing"),
        ("They said that dogs dream.", "dream"),
        ("It was late due to elections the party lost.", "elections"),
    ],
)
def test_nouns(text: str, word: str) -> None:
    assert not reads_as_verb(text, word)


def test_a_long_text_is_looked_at_near_the_word_alone() -> None:
    assert not reads_as_verb(f"Can {'very ' * 40}old penguins fly?", "fly")


def reads_as_verb_of_noun(text: str, word: str, language: str = "en") -> bool:
    start = text.rfind(word)
    return is_verb_of_noun(text, start, start + len(word), language)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Turkey shoots down Russian jet near Syrian border", "shoots"),
        ("turkey shoots down a jet", "shoots"),
        ("The bank backs out of the deal.", "backs"),
        ("Rebels fire off rockets", "fire"),
        ("Gates leaves Microsoft", "leaves"),
        ("Wood beats the odds", "beats"),
        ("In Paris, Thomas burns the letter.", "burns"),
    ],
)
def test_verbs_behind_their_subjects(text: str, word: str) -> None:
    assert reads_as_verb_of_noun(text, word)
    assert not reads_as_verb_of_noun(text, word, "de")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The shoots up there are green.", "shoots"),
        ("She put her hands up.", "hands"),
        ("They walked on fire off the coast.", "fire"),
        ("Turkey Shoots down a jet.", "Shoots"),
        ("The bank backs of the river.", "backs"),
        ("The car fire off the road was seen.", "fire"),
        ("Oak leaves fall in autumn.", "leaves"),
        ("All shoots down there are green.", "shoots"),
        ("Paris 3 shoots up", "shoots"),
    ],
)
def test_nouns_behind_other_words(text: str, word: str) -> None:
    assert not reads_as_verb_of_noun(text, word)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Peel the potatoes.", "Peel", True),
        ("Wash them. Peel your potatoes.", "Peel", True),
        ("- Peel the potatoes.", "Peel", True),
        ("Then Peel the potatoes.", "Peel", False),
        ("Peel the Potatoes", "Peel", False),
        ("Peel, the minister, resigned.", "Peel", False),
        ("Peter the Great", "Peter", False),
        ("Birds the world over sing.", "Birds", False),
    ],
)
def test_orders(text: str, word: str, expected: bool) -> None:
    start = text.index(word)
    assert is_order(text, start, start + len(word), "en") == expected
    assert not is_order(text, start, start + len(word), "de")
