"""What a project begins with, by kind: the numbers of the papers, and guidelines in our own words."""

from __future__ import annotations

from datasets.annotation.records import Kind, ProjectSettings

_SETTINGS: dict[Kind, ProjectSettings] = {
    # WORD and TR9856: ten judgements a pair.
    "binary": ProjectSettings(wanted=10),
    # Zesch & Gurevych: 0 to 4, some pairs again after a day at the earliest.
    "graded": ProjectSettings(wanted=10, low=0, high=4, gold_tolerance=1, repeat_share=0.1),
    # BiRD: eight answers a tuple, two in a hundred gold questions.
    "best-worst": ProjectSettings(wanted=8, gold_share=0.02),
}


def settings_of(kind: Kind) -> ProjectSettings:
    """The settings that a project of a kind has if nothing else is said."""
    return _SETTINGS[kind]


def guidelines_of(kind: Kind, settings: ProjectSettings) -> str:
    """The guidelines of a project of a kind that has none of its own; an empty line ends a paragraph."""
    if kind == "binary":
        what = f"{_BINARY}\n\n{_ANTONYMS}"
    elif kind == "graded":
        what = _GRADED.format(low=settings.low, high=settings.high) + f"\n\n{_ANTONYMS}\n\n{_PRIMING}"
    else:
        what = f"{_BEST_WORST}\n\n{_ANTONYMS}\n\n{_WORD_ORDER}"
    articles = "\n\n" + _ARTICLES if settings.sides == "concepts" else ""
    return f"{what}{articles}\n\n{_UNKNOWN}\n\n{_PACE}"


_BINARY = (
    "You see two things at a time. Say whether they are related: whether the one brings the other to mind "
    "at once, because they belong together in the world. A guitar and a musician are related; a guitar and a "
    "glacier are not. If you have to make up a story to connect them, they are not related.\n\n"
    "Where a topic is shown, take both things in the sense that they have in that topic."
)
_GRADED = (
    "You see two words at a time. Say how closely they are related, from {low}, not at all, to {high}, as "
    "closely as can be. Use the whole scale, steps in between as well. Related is more than similar: a "
    "teacher and a school are no similar things and yet closely related.\n\n"
    "Where a meaning is shown beside a word, judge that meaning, and no other that the word may have."
)
_BEST_WORST = (
    "You see four pairs, or four words, at a time. Choose the one whose parts are most closely related, and "
    "the one whose parts are least closely related. Some choices are hard; then choose what comes to mind "
    "first. Take words in the senses that are closest to each other."
)
_ANTONYMS = (
    "Opposites are related: hot and cold, war and peace. They bring each other to mind, though they mean the "
    "contrary."
)
_PRIMING = (
    "Judge each pair for itself. What you saw before colours what you see next: after a pair from medicine, "
    "a doctor seems nearer to everything. Forget the pair before, and do not try to be consistent with it."
)
_WORD_ORDER = (
    "Mind the order of words: a pet food is food for pets, and a food pet would be something else. Two terms "
    "of the same words are not the same for that."
)
_ARTICLES = (
    "Each thing is an article of Wikipedia. If you are not sure what it is, look at the first paragraph of "
    "its article before you answer."
)
_UNKNOWN = (
    "If you do not know one of them even after you have looked it up, say “I don't know this”. That is an "
    "answer too, and better than a guess."
)
_PACE = (
    "There is no time limit. You can stop whenever you like and go on later by the same link. You can take "
    "back your last answer."
)
