"""The opening of an article: its first sentence, and the names that it states by a pattern.

Editors set names in bold there, and ``bold`` of a page has them. Where a dump is without markup, the words
around a name still say that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

LOOKED_AT = 600
"""Characters of the paragraph in which the first sentence is."""

_END = re.compile(r"[^\W\d_]{3}[.!?]\s|[)\]\"][.!?]\s|[。！？।]")

_NAME = r"(?:the |a |an )?[\"“']?([^\W_][\w’'./-]*(?: [\w’'./-]+){0,4}?)[\"”']?"
_ENDS_NAME = (
    r"(?= or | ?[(\[]|[,;:)\].]|$"
    r"| (?:is|was|are|were|has|and|in|by|for|when|before|but|because|as|to|from|that|which|outside|among)\b)"
)
_STATED = {
    "en": re.compile(
        r"(?:\b(?:also|sometimes|commonly|popularly|otherwise|better|usually|often|formerly|officially|simply"
        r"|previously|historically|generally|frequently)"
        r" (?:known as|called|named|referred to as|spelled|spelt|written(?: as)?|abbreviated(?: as| to)?"
        r"|shortened to|romani[sz]ed as)"
        r"|\((?:called|named|or|short for)"
        r"|\b(?:known as|abbreviated(?: as| to)?|shortened to|a\.?k\.?a\.?|or simply|or just"
        r"|by (?:its|his|her|their|the) initials))"
        rf" {_NAME}{_ENDS_NAME}",
    ),
}
"""What introduces another name, and the name; a pattern by language."""

_LATER = {
    "en": re.compile(
        r"^(?:Another (?:common )?(?:name|word|term)(?: for [\w ]{1,30}?)? (?:is|was)"
        r"|(?:It|They|He|She) (?:is|are|was|were|can be|may be)"
        r" (?:(?:also|sometimes|often|usually|commonly|popularly|better|simply) )*"
        r"(?:called|known as|referred to as))"
        rf" {_NAME}{_ENDS_NAME}"
    ),
}
"""What begins a sentence behind the first one and introduces another name."""

_HEADS = {"en": re.compile(r",? (?:is|are|was|were)\b")}
"""What ends the names beside a title: the first verb of its sentence."""

_ROW = re.compile(r"(,? or |, )")
_ONE_NAME = re.compile(_NAME)

_SUBJECT = {"en": re.compile(r"(?:(?:The|An?) )?([^,;:()]{2,60}?) (?:is|are|was|were)\b")}
"""What the first sentence says something of."""

_VERB = re.compile(r" (?:is|are|was|were) ")
_ASIDE = re.compile(r" ?\([^()]*\)")

_OF_SUBJECT = {
    "en": re.compile(
        r"(?:^|.*\b(?:that|which|who|and|[Ii]t|[Tt]hey|[Hh]e|[Ss]he) (?:is|are|was|were) |[^A-Z]*[,;] )"
        r"(?:(?:and|now|then|today|also) |\w+ly )*"
    ),
}
"""What stands between the first verb of a sentence and "known as" where that is said of what the sentence is
about: another verb that is, or a comma before which no other name stands. The poet Horace lived "during the
time of Augustus, also known as Octavian"."""

_ARTICLE = re.compile(r"^(?:[Tt]he|[Aa]n?) ")
_SAYS_HOW = re.compile(
    r"^(?:(?:and|as|more|most|commonly|simply|just|sometimes|often|rarely|also|occasionally|colloquially"
    r"|informally|formally|formerly|popularly|usually|originally|historically|officially|alternatively"
    r"|specifically|precisely|accurately|technically|traditionally|known(?: \w+ly)? as|called|termed"
    r"|nicknamed|abbreviated(?: as| to)?|shortened to|referred to as|spelled|spelt|written(?: as)?)(?: |$))+"
)
"""What may stand before a name in a row of names, and says how it is used."""

_NO_NAME = re.compile(r"(?:in|after|by|with) .*|.*\b(?:is|means|that|which|who)\b.*|\W.*")
"""In which language something is called so, after whom ("abbreviated in English as CPSU"), and clauses."""

_FULL_STOP = re.compile(r"(?<=[^\W\d_]{4})\.$")

_A_THING = re.compile(r"(?:^| )(?:the|an?) [^A-Z]+$")
_GOES_ON = re.compile(r" and (?!(?:the|an?|as|in|is|was|also|[a-z]+ly|often|sometimes|less|later)\b)[a-z]")
"""A common noun behind an article, and one without: half of a name, as "a mom" of a mom and pop store."""

_AND_ANOTHER = re.compile(
    rf"(?: \([^()]*\))?,?(?: or (?!by )| and (?:\w+ly )?as ){_NAME}{_ENDS_NAME}"
    rf"|, {_NAME}(?=(?:, [^,();]+){{0,3}},? or )"
)
"""What follows a name and is another: in a row of names, behind "or", or "and informally as"."""

_PRONOUNCED = re.compile(r" ?\[[^\[\]]*\]")
_MARKUP = re.compile(r"[^.]{0,80}\|\w+ ?=")
_IN_PARENTHESES = re.compile(r"\(([^()]{2,60})")
_ALL_IN_PARENTHESES = re.compile(r"\(([^()]{4,300})\)")
_IN_LANGUAGE = re.compile(
    rf"(?:^|[;,]) ?([^\W\d_]{{3,}})\.?(?: [^\W\d_]+)?: ?(?:{_NAME}(?=$|[,;\"”])|([^,;:/\"“\[]+))"
)
"""A language, a colon and the name in it, among others in parentheses, as wikis in any language write it."""

_CAPITAL_LANGUAGES = frozenset(["en"])
"""Languages that write the names of languages with a capital: "pronounce: " introduces no name in them."""

_NUMERAL = re.compile(r"[IVX]{2,}")
_ABBREVIATION = re.compile(r"(?:[A-Z][.]?[a-z]?){2,8}s?|[a-z]{3,8}")
_LONGEST_NAME = 8
"""Words of a name that an abbreviation may follow."""

_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "de",
        "for",
        "in",
        "of",
        "on",
        "or",
        "the",
        "to",
        "und",
        "y",
        "et",
        "la",
        "le",
    ]
)


def opening(title: str, bold: Sequence[str], paragraphs: Sequence[str]) -> str:
    """The paragraph that begins an article, without a heading that repeats the title before it.

    Captions and what is left of tables may stand before it: it is the first that has the first words in
    ``bold``, if there are any.
    """
    text = [each for each in paragraphs if not _MARKUP.match(each)]
    first = next((each for each in text if bold and bold[0] in each), text[0] if text else "")
    repeated = first.removeprefix(f"{title} ")
    return repeated if repeated != first and (repeated[:1].isupper() or title in repeated) else first


def first_sentence(paragraph: str) -> str:
    """The first sentence of a paragraph, up to where one surely ends: behind no initial or short word."""
    text = paragraph[:LOOKED_AT]
    end = _END.search(text)
    return text if end is None else text[: end.end()].rstrip()


def stated_names(title: str, sentence: str, language: str) -> Iterator[str]:
    """The names that a first sentence states: by the title, behind "also known as", short ones, foreign ones.

    >>> list(stated_names("Cat", "The cat, also known as the house cat or moggy, is an animal.", "en"))
    ['house cat', 'moggy']
    >>> list(stated_names("John F. Kennedy", "John Kennedy, known as Jack or by his initials JFK, was", "en"))
    ['Jack', 'JFK']
    >>> list(stated_names("European Union", "The European Union (EU) is a union of 27 states.", "en"))
    ['EU', 'European Union', 'EU']
    >>> list(stated_names("Small business", "A small business, also called a mom and pop store, is", "en"))
    []
    >>> list(stated_names("Algebra", "Algebra is a part of mathematics (often called math or maths).", "en"))
    []
    >>> list(stated_names("Tyrant", 'A tyrant (pronounce: "tie"-rant; Greek: τύραννος) is a ruler.', "en"))
    ['τύραννος']
    >>> list(stated_names("Rēzekne", "Rēzekne (latvīšu: Rēzekne; krīvu: Резекне) irā mīsts.", "ltg"))
    ['Rēzekne', 'Резекне']
    """
    yield from map(_bare, _of_subject(title, sentence, language))
    yield from _beside_title(title, sentence, language)
    yield from _subject(title, sentence, language)
    yield from abbreviations(title, sentence)
    yield from _named_before_parentheses(sentence)
    for inside in _ALL_IN_PARENTHESES.findall(_PRONOUNCED.sub("", sentence)):
        for match in _IN_LANGUAGE.finditer(inside):
            if language not in _CAPITAL_LANGUAGES or match[1].istitle():
                yield (match[2] or match[3]).strip(" \"“”'’")


def later_names(paragraph: str, language: str) -> Iterator[str]:
    """The names that the sentences behind the first one state of what "it" is.

    >>> list(later_names("A cat is a pet. Another name is house cat. It is also called a moggy.", "en"))
    ['house cat', 'moggy']
    """
    text, pattern = paragraph[:LOOKED_AT], _LATER.get(language)
    ends = [match.end() for match in _END.finditer(f"{text} ")]
    for begin, end in pairwise(ends):
        yield from map(_bare, _introduced(pattern, text[begin:end].rstrip(" .!?")))


def _of_subject(title: str, sentence: str, language: str) -> Iterator[str]:
    """The names that a sentence introduces of what it is about.

    Behind its first verb, most names are those of something else, and all in parentheses are; but not how the
    title begins.

    >>> text = "Horace was a poet in the time of Augustus (also known as Octavian), and is known as Flaccus"
    >>> list(_of_subject("Horace", text, "en"))
    ['Flaccus']
    """
    pattern, of_subject = _STATED.get(language), _OF_SUBJECT.get(language)
    if pattern is None or of_subject is None:
        return
    begin = _behind_verb(sentence)
    for match in pattern.finditer(sentence, 0, begin):
        # "Every point of a smooth (or differentiable) manifold" has two words for something else.
        before = sentence[: match.start()].lower().split()[-1:]
        if not match[0].startswith("(or ") or not set(before).isdisjoint(title.lower().split()):
            yield from _from(match, sentence[:begin])
    rest = _ASIDE.sub("", sentence[begin:])
    for match in pattern.finditer(rest):
        if of_subject.fullmatch(rest, 0, match.start()):
            yield from _from(match, rest)
        else:
            yield from (name for name in _from(match, rest) if title.startswith(name))


def _behind_verb(sentence: str) -> int:
    """Where the first verb of a sentence ends that is in no parentheses; its length, if it has none."""
    for verb in _VERB.finditer(sentence):
        if sentence.count("(", 0, verb.start()) <= sentence.count(")", 0, verb.start()):
            return verb.end()
    return len(sentence)


def _introduced(pattern: re.Pattern[str] | None, text: str) -> Iterator[str]:
    for match in pattern.finditer(text) if pattern is not None else ():
        yield from _from(match, text)


def _from(match: re.Match[str], text: str) -> Iterator[str]:
    """The names that a match introduces, which ``or`` may part."""
    if _GOES_ON.match(text, match.end()) and _A_THING.search(match[0]):
        return
    yield match[1]
    other = _AND_ANOTHER.match(text, match.end())
    while other is not None:
        yield other[1] or other[2]
        other = _AND_ANOTHER.match(text, other.end())


def _bare(name: str) -> str:
    """A name without what says how it is used, article and full stop; empty if it is none.

    >>> [_bare(name) for name in ("known as morbilli", "occasionally denary", "the flu.", "in English")]
    ['morbilli', 'denary', 'flu.', '']
    """
    bare = _FULL_STOP.sub("", _SAYS_HOW.sub("", name, count=1).strip(" \"'“”’"))
    return "" if _NO_NAME.fullmatch(bare) else re.sub("^(?:the|an?) ", "", bare)


def _beside_title(title: str, sentence: str, language: str) -> Iterator[str]:
    """The names that stand beside the title before the first verb, where the last is behind "or".

    >>> list(_beside_title("Capital punishment", "Capital punishment, death penalty or execution is", "en"))
    ['death penalty', 'execution']
    >>> list(_beside_title("Telephone", "A telephone (from Greek) or telly, or phone, is a device.", "en"))
    ['telly', 'phone']
    >>> list(_beside_title("Paris", "Paris, France, is a city or town.", "en"))
    []
    """
    verb, begun = _HEADS.get(language), _ARTICLE.match(sentence)
    bare = _ASIDE.sub("", sentence if begun is None else sentence[begun.end() :])
    if verb is None or bare[: len(title)].lower() != title.lower():
        return
    end = verb.search(bare, len(title))
    # Nothing, then what parts it from a name and that name, and so on.
    nothing, *row = _ROW.split(bare[len(title) : end.start()]) if end is not None else [""]
    names = row[1::2]
    if nothing or not row or not row[-2].endswith(" or ") or not all(map(_ONE_NAME.fullmatch, names)):
        return
    yield from (_ARTICLE.sub("", _bare(name), count=1) for name in names)


def _subject(title: str, sentence: str, language: str) -> Iterator[str]:
    """The first words of the title, where the first sentence calls its subject by them alone.

    What a title says behind a preposition makes it another: "Football in Austria" is not about football.

    >>> list(_subject("Diabetes mellitus", "Diabetes is a condition.", "en"))
    ['Diabetes']
    >>> list(_subject("Football in Austria", "Football is the most popular sport in Austria.", "en"))
    []
    """
    pattern = _SUBJECT.get(language)
    match = None if pattern is None else pattern.match(sentence)
    if match is not None and title.lower().startswith(f"{match[1].lower()} "):
        rest = title[len(match[1]) :].split()
        if all(word.isalpha() and word not in _SMALL_WORDS for word in rest):
            yield match[1]


def _named_before_parentheses(sentence: str) -> Iterator[str]:
    """The name that a sentence begins with, where its abbreviation follows, and that.

    >>> list(_named_before_parentheses("The United States of America (USA), commonly known as the U.S., is"))
    ['United States of America', 'USA']
    """
    before, parenthesis, _ = sentence.partition("(")
    name = before.strip().removeprefix("The ")
    if parenthesis and name[:1].isupper() and name.count(" ") < _LONGEST_NAME and "," not in name:
        short = list(abbreviations(name, sentence[: sentence.find(")") + 1]))
        if short:
            yield name
            yield from short


def abbreviations(title: str, sentence: str) -> Iterator[str]:
    """What stands in parentheses and is made of the initials of the title's words, in order.

    A Roman numeral stands there as a whole.

    >>> list(abbreviations("World Health Organization", "The World Health Organization (WHO, French OMS) is"))
    ['WHO']
    >>> list(abbreviations("World War II", "World War II (WWII or WW2) was a war."))
    ['WWII']
    """
    words = [word for word in re.split(r"[\s-]+", title) if word[:1].isalpha()]
    initials = "".join(map(_initial, words)).lower()
    large = "".join(_initial(word) for word in words if word.lower() not in _SMALL_WORDS).lower()
    if len(large) < 2:
        return
    for inside in _IN_PARENTHESES.findall(sentence):
        for part in re.split(r"[,;/]| or | and |: ", inside):
            short = part.strip(" \"'“”").removeprefix("abbreviated ").removeprefix("abbreviation ")
            letters = short.replace(".", "").removesuffix("s").lower()
            if _ABBREVIATION.fullmatch(short) and letters in (initials, large):
                yield short


def _initial(word: str) -> str:
    return word if _NUMERAL.fullmatch(word) else word[0]
