"""Facts about title prefixes that dumps do not state: MediaWiki's own names, aliases, other wikis.

A dump's siteinfo names each namespace once, in the wiki's language. Everything else that may stand before
a colon is declared here: the canonical English names that every MediaWiki accepts, the aliases configured
for Wikipedias, and the prefixes that lead to other languages and projects.
"""

from __future__ import annotations

from itertools import chain, repeat


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _with_talk(**subjects: int) -> tuple[tuple[str, int], ...]:
    """Each namespace by its name, and that of its talk, whose number is the next."""
    both = (((name, key), (f"{name} talk", key + 1)) for name, key in subjects.items())
    return tuple(chain.from_iterable(both))


def _local(namespace: int, text: str) -> tuple[tuple[str, str, int], ...]:
    """The aliases of a namespace: ``text`` has a language's code before each."""
    words = _words(text)
    return tuple(zip(words[::2], words[1::2], repeat(namespace)))


# Names that work on every wiki, whatever its language (MediaWiki manual, "Namespace").
CANONICAL_NAMESPACES = (
    *(("Media", -2), ("Special", -1), ("Talk", 1)),
    *_with_talk(User=2, Project=4, File=6, MediaWiki=8, Template=10, Help=12, Category=14),
)

# English names of namespaces that a wiki may have or not; they count where the dump declares the number.
OPTIONAL_NAMESPACES = _with_talk(Portal=100, Draft=118, TimedText=710, Module=828)

NAMESPACE_ALIASES = (*_with_talk(Image=6, Wikipedia=4), ("WP", 4), ("WT", 5))

# Older local names, which wikitext still uses: (language, alias, namespace).
LOCAL_ALIASES = (
    *_local(2, "de Benutzerin fr Utilisatrice ru Участница"),
    *_local(
        6,
        """
        ar صورة bg Картинка ca Imatge da Billede de Bild el Εικόνα es Imagen fa تصویر fi Kuva
        gl Imaxe he תמונה hu Kép it Immagine ja 画像 ko 그림 lt Vaizdas nl Afbeelding nn Bilde no
        Bilde pl Grafika pt Arquivo pt Imagem ro Imagine ru Изображение sk Obrázok sl Slika sr
        Слика sv Bild tr Resim uk Зображення vi Hình zh 图像 zh 圖像 zh 文件 zh 档案 zh 檔案
        """,
    ),
    *_local(10, "zh 模板"),
    *_local(14, "zh 分类 zh 分類"),
)

# Codes of Wikipedia's language editions, with old codes that wikitext still uses.
LANGUAGE_CODES = _words(
    """
    aa ab ace ady af ak als alt am ami an ang ann anp ar arc ary arz as ast atj av avk awa ay az azb ba ban
    bar bat-smg bbc bcl bdr be be-tarask be-x-old bew bg bh bi bjn blk bm bn bo bpy br bs btm bug bxr ca
    cbk-zam cdo ce ceb ch cho chr chy ckb closed-zh-tw co cr crh cs csb cu cv cy cz da dag de dga din diq dk
    dsb dtp dty dv dz ee egl el eml en eo epo es et eu ext fa fat ff fi fiu-vro fj fo fon fr frp frr fur fy ga
    gag gan gcr gd gl glk gn gom gor got gpe gsw gu guc gur guw gv ha hak haw he hi hif ho hr hsb ht hu hy hyw
    hz ia iba id ie ig igl ii ik ilo inh io is it iu ja jam jbo jp jv ka kaa kab kbd kbp kcg kg kge ki kj kk
    kl km kn knc ko koi kr krc ks ksh ku kus kv kw ky la lad lb lbe lez lfn lg li lij lld lmo ln lo lrc lt ltg
    lv lzh mad mai map-bms mdf mg mh mhr mi min minnan mk ml mn mni mnw mo mos mr mrj ms mt mus mwl my myv mzn
    na nah nan nap nb nds nds-nl ne new ng nia nl nn no nov nqo nr nrm nso nup nv ny oc olo om or os pa pag
    pam pap pcd pcm pdc pfl pi pih pl pms pnb pnt ps pt pwn qu rki rm rmy rn ro roa-rup roa-tara rsk ru rue
    rup rw sa sah sat sc scn sco sd se sg sgs sh shi shn si simple sk skr sl sm smn sn so sq sr srn ss st stq
    su sv sw syl szl szy ta tay tcy tdd te tet tg th ti tig tk tl tly tn to tpi tr trv ts tt tum tw ty tyv udm
    ug uk ur uz ve vec vep vi vls vo vro wa war wo wuu xal xh xmf yi yo yue za zea zgh zh zh-cfr zh-classical
    zh-cn zh-min-nan zh-tw zh-yue zu
    """
)

# Prefixes that lead to other projects of the Wikimedia movement and to sites in its interwiki map.
PROJECT_PREFIXES = _words(
    """
    arxiv b betawiki bugzilla c commons d doi foundation gerrit google hdl imdbname imdbtitle incubator
    iso639-3 m mail mailarchive mailman mediawikiwiki meta metawiki metawikimedia metawikipedia mw n nost
    nostalgia oclc otrs otrswiki outreach outreachwiki phab phabricator pmid q quality rev rfc s sep11
    sourceforge spcom species strategy strategywiki svn tenwiki test2wiki testwiki ticket toolforge toollabs
    tools translatewiki v voy vrts vrtwiki w wg wikia wikibooks wikicities wikidata wikifunctions wikilivres
    wikimania wikimedia wikinews wikipedia wikiquote wikisource wikispecies wikitech wikitravel wikiversity
    wikivoyage wikt wiktionary wmania wmbe wmca wmch wmcz wmde wmdk wmes wmf wmfblog wmfi wmfr wmhu wmil wmin
    wmit wmmx wmnl wmno wmpl wmru wmse wmtr wmtw wmua wmuk wmza
    """
)
