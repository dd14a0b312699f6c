"""Redirects as wikitext writes them: ``#REDIRECT [[target]]``, in the wiki's own word."""

from __future__ import annotations

import re

# The magic word in the languages of the larger Wikipedias, lower case; English works on all of them.
REDIRECT_WORDS = (
    *("aanstuur", "adkas", "ail-cyfeirio", "ailgyfeirio", "alidirekti", "alidirektu", "alih", "ohjaus"),
    *("athsheoladh", "birzuzendu", "doorverwijzing", "doorverwyzing", "lencong", "ohjaa", "omdirigering"),
    *("patrz", "peradresavimas", "preusmeri", "preusmeritev", "preusmjeri", "presmeruj", "przekieruj"),
    *("pāradresācija", "pāradresēt", "přesměruj", "redirecció", "redireccion", "redirección", "redirect"),
    *("redirecteaza", "redirection", "redirecionamento", "ridrejto", "rimando", "rinvia", "rinvio", "suuna"),
    *("tam", "tilvísun", "uudelleenohjaus", "virúleedung", "viruleedung", "weiterleitung", "wiederleiden"),
    *("yönlendir", "yönlendi̇r", "yönlendirme", "yönlendi̇rme", "átirányítás", "đổi"),
    *("ανακατευθυνση", "виж", "види", "айдау", "перанакіраваньне", "перанакіраванне", "перенаправление"),
    *("перенаправлення", "перенапр", "пренасочване", "пренасочување", "преусмери", "ՎԵՐԱՀՂՈՒՄ".lower()),
    *("გადამისამართება", "הפניה", "ווייטערפירן", "تحويل", "تغییرمسیر", "تغییر_مسیر", "رجوع_مکرر"),
    *("अनुप्रेषित", "पुनर्प्रेषित", "पुनर्निर्देशन", "পুনর্নির্দেশ", "வழிமாற்று", "దారిమార్పు", "ದಾರಿಮಾರ್ಪು"),
    *("തിരിച്ചുവിടുക", "เปลี่ยนทาง", "បញ្ជូនបន្ត", "リダイレクト", "転送", "重定向", "넘겨주기"),
)

# MediaWiki: the word, an optional colon (old redirects have one), then the first link.
_REDIRECT = re.compile(r"\s*[#＃]([^\s:\[]+)\s*:?\s*\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_WORDS = frozenset(REDIRECT_WORDS)


def redirect_target(text: str) -> str | None:
    """Return the target of the redirect that ``text`` starts with, as it is written, else None."""
    match = _REDIRECT.match(text)
    if match is None or match[1].lower() not in _WORDS:
        return None
    return match[2].strip() or None
