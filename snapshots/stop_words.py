"""Stop words: closed-class words, which say how a sentence is built and not what it is about.

A snapshot names in its manifest those that it was built with, unless they are the list here. A language of
which a build knew none has none. Its tables lose little: a word that stands in nearly every article has an
inverse document frequency near 0, and its positive PMI with any other word is near 0 too.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapshots.manifest import Manifest

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


def base_language(code: str) -> str:
    """The language of a code, which may be a regional one (``en-GB``)."""
    return code.lower().partition("-")[0]


def stop_words_of(manifest: Manifest) -> frozenset[str]:
    """The stop words that a snapshot was built with."""
    listed = manifest.settings.get("stop_words")
    own = STOP_WORDS.get(base_language(manifest.language), frozenset())
    return own if listed is None else frozenset(listed)
