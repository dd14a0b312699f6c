"""Words with a meaning of their own in wikitext, declared as data.

They are MediaWiki's English words, which work on every wiki; only the behaviour switch of hidden categories
is declared in other languages too, where it stands on category pages themselves.
"""

from __future__ import annotations

# Behaviour switches without their underscores; they show nothing.
BEHAVIOUR_SWITCHES = (
    *("NOTOC", "FORCETOC", "TOC", "NOEDITSECTION", "NEWSECTIONLINK", "NONEWSECTIONLINK", "NOGALLERY"),
    *(
        "HIDDENCAT",
        "EXPECTUNUSEDCATEGORY",
        "EXPECTUNUSEDTEMPLATE",
        "NOCONTENTCONVERT",
        "NOCC",
        "START",
        "END",
    ),
    *("NOTITLECONVERT", "NOTC", "INDEX", "NOINDEX", "STATICREDIRECT", "DISAMBIG", "NOGLOBAL"),
    *("ARCHIVEDTALK", "NOTALK", "EXPECTED_UNCONNECTED_PAGE"),
)

DISAMBIGUATION_SWITCHES = ("DISAMBIG",)
HIDDEN_CATEGORY_SWITCHES = (
    *("HIDDENCAT", "VERSTECKTE_KATEGORIE", "WARTUNGSKATEGORIE", "CATEGORÍAOCULTA", "CATCACHEE"),
    *("VERBORGENCAT", "CATEGORIAOCULTA", "KATEGORIAUKRYTA", "GÖMDKAT", "PIILOLUOKKA", "SKJULTKATEGORI"),
    *("СКРЫТАЯКАТЕГОРИЯ", "ПРИХОВКАТ"),
)

# Templates of the English Wikipedia that make a page a disambiguation page, in lower case.
DISAMBIGUATION_TEMPLATES = frozenset(
    (
        *("disambiguation", "disambig", "disamb", "disam", "dab", "disambiguation page", "disambig-cleanup"),
        *("disambiguation cleanup", "2cc", "3cc", "4cc", "tladisambig", "tlad", "lnd", "letter disambig"),
        *("letter disambiguation", "letter-number combination disambiguation", "numberdis", "hndis"),
        *("hndis-cleanup", "human name disambiguation", "human name disambiguation cleanup", "geodis"),
        *("geodis-cleanup", "place name disambiguation", "roaddis", "road disambiguation", "schooldis"),
        *("school disambiguation", "hospitaldis", "hospital disambiguation", "airport disambiguation"),
        *("callsigndis", "call sign disambiguation", "mathdab", "mathematical disambiguation"),
        *("mathematics disambiguation", "mil-unit-dis", "military unit disambiguation", "shipindex dab"),
        *("biology disambiguation", "genus disambiguation", "species latin name disambiguation"),
        *("species latin name abbreviation disambiguation", "latindab", "taxonomy disambiguation"),
        *("phonetics disambiguation", "chinese title disambiguation", "chinese surname disambiguation"),
        *("portal disambiguation", "template disambiguation", "wp disambig", "wikipedia disambiguation"),
    )
)

# Templates of the English Wikipedia that make a category a hidden one, in lower case.
HIDDEN_CATEGORY_TEMPLATES = frozenset(
    (
        *("hidden category", "hiddencat", "hidden cat", "hidden categories", "tracking category"),
        *("maintenance category", "cleanup category", "wikipedia maintenance category"),
    )
)

# What stands before the name of a template without being part of it.
TEMPLATE_MODIFIERS = ("subst:", "safesubst:", "msg:", "msgnw:", "raw:")

# Functions and variables of the parser, in lower case; functions whose name starts with "#" need no list.
PARSER_WORDS = frozenset(
    (
        *("!", "=", "anchorencode", "artpath", "articlepagename", "articlepagenamee", "basepagename"),
        *("basepagenamee", "bidi", "canonicalurl", "canonicalurle", "cascadingsources", "contentlang"),
        *("contentlanguage", "currentday", "currentday2", "currentdayname", "currentdow", "currenthour"),
        *("currentmonth", "currentmonth1", "currentmonthabbrev", "currentmonthname", "currentmonthnamegen"),
        *("currenttime", "currenttimestamp", "currentversion", "currentweek", "currentyear", "defaultsort"),
        *("defaultsortkey", "defaultcategorysort", "dirmark", "directionmark", "displaytitle", "filepath"),
        *("formatnum", "fullpagename", "fullpagenamee", "fullurl", "fullurle", "gender", "grammar", "int"),
        *("lc", "lcfirst", "localday", "localday2", "localdayname", "localdow", "localhour", "localmonth"),
        *("localmonth1", "localmonthabbrev", "localmonthname", "localmonthnamegen", "localtime"),
        *("localtimestamp", "localurl", "localurle", "localweek", "localyear", "namespace", "namespacee"),
        *("namespacenumber", "noexternallanglinks", "ns", "nse", "numberingroup", "numberofactiveusers"),
        *("numberofadmins", "numberofarticles", "numberofedits", "numberoffiles", "numberofpages"),
        *("numberofusers", "numingroup", "padleft", "padright", "pageid", "pagename", "pagenamee"),
        *("pagesincategory", "pagesincat", "pagesinnamespace", "pagesinns", "pagesize", "plural"),
        *("protectionlevel", "revisionday", "revisionday2", "revisionid", "revisionmonth", "revisionmonth1"),
        *("revisionsize", "revisiontimestamp", "revisionuser", "revisionyear", "rootpagename"),
        *("rootpagenamee", "scriptpath", "server", "servername", "sitename", "stylepath", "subjectpagename"),
        *("subjectpagenamee", "subjectspace", "subjectspacee", "articlespace", "articlespacee"),
        *("subpagename", "subpagenamee", "tag", "talkpagename", "talkpagenamee", "talkspace", "talkspacee"),
        *("uc", "ucfirst", "urlencode"),
    )
)
