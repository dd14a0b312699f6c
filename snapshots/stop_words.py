"""Stop words, by language: closed-class words, which say how a sentence is built and not what it is about.

A language without a list here has no stop words. Its tables lose little: a word that stands in nearly every
article has an inverse document frequency near 0, and its positive PMI with any other word is near 0 too.
"""

from __future__ import annotations

from collections.abc import Mapping

_ENGLISH = """
a an the
this that these those such same other another own
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
it its itself we us our ours ourselves they them their theirs themselves one ones oneself
who whom whose which what whoever whatever whichever
someone somebody something anyone anybody anything everyone everybody everything none nobody nothing
all any both each either every few less least little many more most much neither no several some enough
and or but nor yet so for if unless until while whereas whether because although though since than as
about above across after against along amid among around at before behind below beneath beside besides
between beyond by despite down during except from in inside into like near of off on onto out outside
over per past through throughout to toward towards under underneath unlike up upon via with within without
am is are was were be been being have has had having do does did doing done
can cannot could may might must shall should will would ought
not never ever always often sometimes usually also too very quite rather just only even still already
again once then there here now thus hence therefore however moreover otherwise instead indeed perhaps
when where why how whenever wherever
s ll ve re
"""
# The last line holds what an apostrophe leaves behind (Earth's, they'll). The single letters d, m and t are
# not in it: they are names as well (vitamin D, T cell).

STOP_WORDS: Mapping[str, frozenset[str]] = {"en": frozenset(_ENGLISH.split())}
"""Language code → its stop words, lower-case, as ``snapshots.text.words`` gives them."""


def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, by its code; a regional code (``en-GB``) has those of its language."""
    return STOP_WORDS.get(language.lower().partition("-")[0], frozenset())
