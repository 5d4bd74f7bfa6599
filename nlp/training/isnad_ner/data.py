"""Readers of the named data sets: sentences of (token, tag) with BIO tags, each set with the names of its own types.

Held out, never trained on: the last fifth of the sentences of anercorp_train.txt and of wikigold, WNUT-17 dev and
Wojood val. A sentence of any other set that occurs in a held-out part, letters folded, is dropped."""

import gzip
import re
from dataclasses import dataclass
from pathlib import Path

from isnad_embed.corpus import DATA

from .tokens import fold

NER = DATA / "ner"
Sentence = list[tuple[str, str]]

FANE = {
    "PER": "Politician Athlete Artist Scientist Businessperson Police Engineer Lawyer Other_PER Religious_PER",
    "NORP": "Group",
    "ORG": "Government Non-Governmental Commercial Educational Media Sports Medical-Science Religious_ORG Entertainment",
    "GPE": "Nation Population-Center State-or-Province County-or-District GPE-Cluster",
    "LOC": "Continent Water-Body Celestial Land Land-Region-Natural",
    "FAC": "Building-Grounds Airport Path Plant Subarea-Facility",
}
FANE_OF = {name: kind for kind, names in FANE.items() for name in names.split()}
NAMES = {"PERS": "PER"}
RE3D = {"Organisation": "ORG", "Location": "LOC", "Person": "PER", "Nationality": "NORP", "Temporal": "DATE"}
RE3D |= {"MilitaryPlatform": "PRODUCT", "Weapon": "PRODUCT"}
SHIPPED = ("anercorp", "wikigold", "wnut")
TUNED = 15
CLITICS = {"و", "ف", "ب", "ل", "ك", "س"}
PRONOUNS = {"ه", "ها", "هم", "هما", "هن", "كم", "نا"}


def columns(text: str, separator: str | None = None) -> list[Sentence]:
    """CoNLL columns: the token first, the tag last."""
    out: list[Sentence] = []
    rows: Sentence = []
    for line in text.lstrip("\ufeff").splitlines():
        parts = line.replace("\u200e", "").split(separator)
        if len(parts) < 2 or not parts[0].strip():
            if rows:
                out.append(rows)
            rows = []
        else:
            rows.append((parts[0].strip(), parts[-1].strip()))
    return [*out, rows] if rows else out


def renamed(sentences: list[Sentence], names: dict[str, str], other: str | None = None) -> list[Sentence]:
    """Types by `names`; one that is not in it keeps its name, or becomes `other` where that is given ("" drops it)."""

    def tag(old: str) -> str:
        if old == "O":
            return old
        kind = names.get(old[2:], old[2:] if other is None else other)
        return f"{old[:2]}{kind}" if kind else "O"

    return [[(token, tag(old)) for token, old in sentence] for sentence in sentences]


def repaired(sentences: list[Sentence]) -> list[Sentence]:
    """Every span begins with B-: also where the set has I- only, or an I- after another type."""
    out = []
    for sentence in sentences:
        before, rows = "O", []
        for token, tag in sentence:
            if tag[0] == "I" and before[1:] != tag[1:]:
                tag = "B" + tag[1:]
            rows.append((token, tag))
            before = tag
        out.append(rows)
    return out


def rejoined(sentences: list[Sentence]) -> list[Sentence]:
    """Arabic proclitics and pronouns, which some sets split off, put back on their words."""
    out = []
    for sentence in sentences:
        rows: Sentence = []
        held = ""
        for i, (token, tag) in enumerate(sentence):
            following = sentence[i + 1] if i + 1 < len(sentence) else ("", "O")
            lone = token in CLITICS and re.match("[\u0621-\u064a]", following[0]) and len(following[0]) > 1
            if lone and (tag == "O" or (tag[0] == "I" and following[1][0] == "I")):
                held += token
                continue
            if rows and not held and tag == "O" and token in PRONOUNS and rows[-1][1] == "O" and len(rows[-1][0]) > 1:
                rows[-1] = (rows[-1][0] + token, "O")
                continue
            rows.append((held + token, tag))
            held = ""
        out.append(rows)
    return out


def read(path: Path, separator: str | None = None) -> list[Sentence]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return columns(raw.decode("utf8"), separator)


def split_last_fifth(sentences: list[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    cut = len(sentences) - len(sentences) // 5
    return sentences[:cut], sentences[cut:]


@dataclass(frozen=True)
class Sets:
    """`tune`: the last fifteenth of the training sentences of the sets whose heads ship, kept from training to calibrate on."""

    train: dict[str, list[Sentence]]
    tune: dict[str, list[Sentence]]
    held_out: dict[str, list[Sentence]]


def key(sentence: Sentence) -> str:
    return re.sub(r"\W|0", "", "".join(fold(token) for token, _ in sentence))


def pieces(text: str) -> set[str]:
    """Stretches of 24 letters: two texts that share one are taken for copies."""
    return {text[i : i + 24] for i in range(max(1, len(text) - 23))}


def load(inner: bool = False) -> Sets:
    """All sets. `inner`, to choose settings by: of ANERcorp and Wikigold the last fifth is not there, and the fourth is held out."""
    aner = repaired(renamed(read(NER / "ar/anercorp_train.txt"), NAMES))
    gold = repaired(read(NER / "en/wikigold/CONLL-format/data/wikigold.conll.txt"))

    def fane(path: Path) -> list[Sentence]:
        return rejoined(repaired(renamed(read(path, None), FANE_OF, "PRODUCT")))

    wnut = NER / "en/wnut17/CONLL-format/data"
    wiki = [
        [(token.split(":", 1)[1], tag) for token, tag in s]
        for part in ("train", "dev", "test")
        for s in read(NER / f"en/wikiann_en/{part}.txt", "\t")
    ]
    btc = [s for part in "abefgh" for s in read(NER / f"en/btc/CONLL-format/data/{part}.conll", "\t")]
    btc = [[(token, tag) for token, tag in handles_joined(s)] for s in btc]
    aner_train, aner_out = parted(aner, inner)
    gold_train, gold_out = parted(gold, inner)

    def wojood(part: str) -> list[Sentence]:
        return repaired(
            [[x for x in s if x[0] != "$#$"] for s in read(NER / f"ar/wojood_sample_{part}.txt") if len(s) > 1]
        )

    held = {
        "anercorp": aner_out,
        "wikigold": gold_out,
        "wnut": repaired(read(wnut / "dev/emerging.dev.conll", "\t")),
        "wojood": renamed(wojood("val"), NAMES),
    }
    train = {
        "anercorp": aner_train,
        "newsfane": fane(NER / "ar/newsfane_train.txt"),
        "wikifane": fane(NER / "ar/wikifane/WikiFANE_Gold_2014_500K.txt.gz"),
        "wojood": renamed(wojood("train"), NAMES),
        "wikigold": gold_train,
        "wnut": repaired(read(wnut / "train/wnut17train.conll", "\t")),
        "btc": repaired(btc),
        "re3d": repaired(renamed(read(NER / "en/re3d_conll/data/train/re3d-train.conll", "\t"), RE3D, "")),
        "wikiann": repaired(wiki),
    }
    train = {name: without(s, held) for name, s in train.items()}
    tune = {name: train[name][-len(train[name]) // TUNED :] for name in SHIPPED}
    rest = {name: train[name][: -len(train[name]) // TUNED] for name in SHIPPED}
    return Sets(train | rest, tune, held)


def parted(sentences: list[Sentence], inner: bool) -> tuple[list[Sentence], list[Sentence]]:
    kept, out = split_last_fifth(sentences)
    return (kept[: len(kept) * 3 // 4], kept[len(kept) * 3 // 4 :]) if inner else (kept, out)


def handles_joined(sentence: Sentence) -> Sentence:
    """`@ name` and `# name`, which BTC splits, as one token."""
    rows: Sentence = []
    for token, tag in sentence:
        if rows and rows[-1][0] in "@#" and re.match(r"\w", token):
            rows[-1] = (rows[-1][0] + token, rows[-1][1] if rows[-1][1] != "O" else tag)
        else:
            rows.append((token, tag))
    return rows


def without(sentences: list[Sentence], held: dict[str, list[Sentence]]) -> list[Sentence]:
    known = set().union(*(pieces(key(s)) for part in held.values() for s in part if len(key(s)) >= 24))
    return [s for s in sentences if not (len(k := key(s)) >= 24 and len(pieces(k) & known) > 0.3 * len(pieces(k)))]


if __name__ == "__main__":
    sets = load()
    for part in (sets.train, sets.held_out):
        for name, sentences in part.items():
            kinds: dict[str, int] = {}
            for s in sentences:
                for _, tag in s:
                    if tag[0] == "B":
                        kinds[tag[2:]] = kinds.get(tag[2:], 0) + 1
            print(name, len(sentences), sum(map(len, sentences)), kinds)
