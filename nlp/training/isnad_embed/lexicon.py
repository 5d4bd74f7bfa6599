"""Bilingual lexicon: folded Arabic stems and words with English glosses, from the public lexica of linguistic/."""

import csv
import gzip
import json
import re
from collections import defaultdict
from dataclasses import dataclass

from babel import Locale

from .corpus import DATA, ROOT
from .fold import fold, words

LINGUISTIC = DATA / "linguistic"
MORPH = LINGUISTIC / "camel_morph_msa"
BUCKWALTER = dict(
    zip(
        "'|>&<}AbptvjHxd*rzs$SDTZEgfqklmnhwYyFNKaui~o`{_PJVG",
        "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْٰٱـپچڤگ",
        strict=True,
    )
)
FILLERS = set(
    "a an the of to be is are in on at for by with or and sb sth smb st it its one someone something etc s".split()
)


@dataclass(frozen=True)
class Entry:
    """`kind`: N nominal, P perfect, I imperfect, C imperative, O other word; `weight`: log10 of the lemma's frequency."""

    form: str
    kind: str
    gloss: tuple[str, ...]
    weight: float


def arabic(buckwalter: str) -> str:
    return fold("".join(BUCKWALTER.get(c, "") for c in buckwalter))


def glosses(cell: str) -> list[tuple[str, ...]]:
    """The alternatives of a gloss cell, each as its content words."""
    found = []
    for part in re.split(r"[;,/]", re.sub(r"\(.*?\)|\[.*?\]", " ", cell).replace("_", " ")):
        kept = tuple(w for w in words(part) if w not in FILLERS)
        if 0 < len(kept) <= 4 and kept not in found:
            found.append(kept)
    return found


def frequencies() -> dict[str, float]:
    table: dict[str, float] = {}
    for line in (MORPH / "logprob_lex.tsv").read_text(encoding="utf8").splitlines():
        lemma, _, value = line.partition("\t")
        try:
            table[lemma] = float(value)
        except ValueError:
            continue
    return table


def morphological() -> list[Entry]:
    """Stems of CAMeL Morph MSA with their glosses."""
    freq = frequencies()
    sources = [
        ("MSA-Verb-LEX-PV.csv", "P"), ("MSA-Verb-LEX-IV.csv", "I"), ("MSA-Verb-LEX-CV.csv", "C"),
        ("MSA-Adj-LEX.csv", "N"), ("MSA-Adj-Comp-LEX.csv", "N"), ("MSA-Adj-Num-LEX.csv", "N"),
        ("MSA-Noun-Prop-LEX.csv", "N"), ("MSA-Noun-Num-LEX.csv", "N"), ("MSA-Noun-Quant-LEX.csv", "N"),
        ("MSA-Other-LEX.csv", "O"), ("lemmas_to_patternize.tsv.gz", "N"),
    ]  # fmt: skip
    found = []
    for name, kind in sources:
        opener = gzip.open if name.endswith(".gz") else open
        with opener(MORPH / name, "rt", encoding="utf8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t" if ".tsv" in name else ","):
                lemma, form = row.get("LEMMA") or "", row.get("FORM") or ""
                if row.get("DEFINE", "LEXICON") not in ("LEXICON", None) or not row.get("GLOSS"):
                    continue
                weight = max(-7.0, freq.get(lemma, -6.5))
                bases = {arabic(form)} | ({arabic(lemma)} if kind == "N" else set())
                for base in bases:
                    for gloss in glosses(row["GLOSS"]):
                        if base:
                            found.append(Entry(base, kind, gloss, weight))
    return found


def wordlists() -> list[Entry]:
    """Whole words with glosses: UniMorph, Maknuune (with its MSA equivalents), CLDR names, TICO-19 terms."""
    found = []
    for name in ("ara_atb.gloss", "ara_new.gloss"):
        for line in (LINGUISTIC / "unimorph_gloss" / name).read_text(encoding="utf8").splitlines():
            cells = line.split("\t")
            if len(cells) == 3:
                kind = "P" if cells[1].startswith("V") else "N"
                found += [Entry(fold(cells[0]), kind, g, -5.5) for g in glosses(cells[2])]
    with gzip.open(LINGUISTIC / "maknuune_palestinian" / "maknuune.jsonl.gz", "rt", encoding="utf8") as lines:
        for line in lines:
            row = json.loads(line)
            forms = {fold(f["form"]) for f in row["forms"]} | {fold(m) for m in row["msa"]}
            for form in forms:
                if form and " " not in form:
                    found += [Entry(form, "N", g, -7.0) for text in row["gloss_en"] for g in glosses(text)]
    return found


def phrases() -> list[tuple[str, str]]:
    """Arabic and English names and terms of several words: CLDR territories and languages, TICO-19 terminology."""
    found = []
    ar, en = Locale.parse("ar"), Locale.parse("en")
    for table in ("territories", "languages", "currencies"):
        left, right = getattr(ar, table), getattr(en, table)
        found += [(left[key], right[key]) for key in left if key in right and not left[key].isascii()]
    zones = ar.time_zones
    for key, zone in zones.items():
        if "city" in zone and not zone["city"].isascii():
            found.append((zone["city"], key.split("/")[-1].replace("_", " ")))
    for months in ("months", "days"):
        left, right = getattr(ar, months)["format"]["wide"], getattr(en, months)["format"]["wide"]
        found += [(left[key], right[key]) for key in left]
    with open(DATA / "parallel" / "tico19" / "terminology_en-ar.csv", encoding="utf8") as file:
        found += [(row["targetString"], row["sourceString"]) for row in csv.DictReader(file)]
    return [(a, e) for a, e in found if a and e]


def names() -> list[tuple[str, str]]:
    """Arabic and English names of the news: our own list."""
    rows = (ROOT / "nlp" / "training" / "lexicon" / "names.tsv").read_text(encoding="utf8").splitlines()
    return [(row.split("\t")[0], row.split("\t")[1]) for row in rows]


def synonym_sets() -> list[list[str]]:
    """Arabic words of one WordNet synset: AWN, Wiktionary, CLDR."""
    synsets: dict[str, set[str]] = defaultdict(set)
    for path in ("awn_omw/wn-nodia-arb.tab", "awn_omw/wn-data-arb.tab", "wikt_wordnet/wn-wikt-arb.tab"):
        for line in (LINGUISTIC / path).read_text(encoding="utf8").splitlines():
            cells = line.split("\t")
            if len(cells) == 3 and cells[1].endswith("lemma"):
                synsets[cells[0]].add(" ".join(words(cells[2])))
    return [sorted(s - {""}) for s in synsets.values() if len(s - {""}) > 1]
