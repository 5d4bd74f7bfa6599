"""Analysis of folded words by the lexicon's stems: Arabic clitics and inflections, English suffixes."""

from collections import defaultdict
from dataclasses import dataclass

from .lexicon import Entry

CONJ = ("", "و", "ف")
NOMINAL_PREFIX = tuple(c + p for c in CONJ for p in ("", "ال", "ب", "ك", "ل", "لل", "بال", "كال"))
IMPERFECT_PREFIX = tuple(c + s + p for c in CONJ for s in ("", "س", "ل") for p in ("ي", "ت", "ن", "ا"))
PERFECT_PREFIX = tuple(c + s for c in CONJ for s in ("", "ل"))
OBJECT = ("", "ه", "ها", "هم", "هن", "هما", "ك", "كم", "نا")
NOMINAL_SUFFIX = tuple(
    dict.fromkeys(
        ("", "ا", "ان", "ين", "ون", "ات", "تان", "تين", "ي", "يه", "تي", "اتي", *OBJECT, *tuple("ت" + o for o in OBJECT), *tuple("ات" + o for o in OBJECT), *tuple("ي" + o for o in OBJECT))
    )
)  # fmt: skip
PERFECT_SUFFIX = tuple(dict.fromkeys(s + o for s in ("", "ت", "وا", "ا", "تا", "نا", "تم", "ن", "و") for o in OBJECT))
IMPERFECT_SUFFIX = tuple(dict.fromkeys(s + o for s in ("", "ون", "وا", "ان", "ا", "ن", "ين", "و") for o in OBJECT))
AFFIXES = {
    "N": (frozenset(NOMINAL_PREFIX), frozenset(NOMINAL_SUFFIX)),
    "P": (frozenset(PERFECT_PREFIX), frozenset(PERFECT_SUFFIX)),
    "I": (frozenset(IMPERFECT_PREFIX), frozenset(IMPERFECT_SUFFIX)),
    "C": (frozenset(CONJ), frozenset((*OBJECT, "وا", "ي"))),
    "O": (frozenset(NOMINAL_PREFIX), frozenset(OBJECT)),
}
AFFIX_COST = 0.6


@dataclass(frozen=True)
class Analysis:
    prefix: str
    stem: str
    suffix: str
    kind: str
    score: float


class Analyser:
    """Analyses of a folded Arabic word, best first; a score is log10 of the stem's frequency less a cost per affix."""

    def __init__(self, entries: list[Entry]):
        self.weight: dict[tuple[str, str], float] = {}
        self.gloss: dict[tuple[str, str], dict[tuple[str, ...], float]] = defaultdict(dict)
        for e in entries:
            key = (e.form, e.kind)
            self.weight[key] = max(self.weight.get(key, -99.0), e.weight)
            table = self.gloss[key]
            table[e.gloss] = max(table.get(e.gloss, -99.0), e.weight)

    def analyses(self, word: str) -> list[Analysis]:
        found = []
        for cut in range(min(5, len(word))):
            prefix = word[:cut]
            for end in range(len(word), max(cut, len(word) - 6), -1):
                stem, suffix = word[cut:end], word[end:]
                for kind, (prefixes, suffixes) in AFFIXES.items():
                    weight = self.weight.get((stem, kind))
                    if weight is None or prefix not in prefixes or suffix not in suffixes:
                        continue
                    if len(stem) < 2 and (prefix or suffix):
                        continue
                    cost = AFFIX_COST * ((prefix != "") + (suffix != "")) + (1.0 if len(stem) == 2 and cut else 0)
                    found.append(Analysis(prefix, stem, suffix, kind, weight - cost))
        return sorted(found, key=lambda a: -a.score)

    def translations(self, word: str, within: float = 1.2) -> dict[tuple[str, ...], float]:
        """Glosses with probabilities, over all analyses within a factor 10**within of the best."""
        table: dict[tuple[str, ...], float] = defaultdict(float)
        best = None
        for a in self.analyses(word):
            best = a.score if best is None else best
            if a.score < best - within:
                break
            options = self.gloss[(a.stem, a.kind)]
            cost = a.score - self.weight[(a.stem, a.kind)]
            for gloss, weight in options.items():
                table[gloss] += 10 ** (weight + cost - best)
        total = sum(table.values())
        return {g: v / total for g, v in sorted(table.items(), key=lambda x: -x[1])[:8]} if total else {}


def split_prefix(prefix: str) -> list[str]:
    """A prefix chain as conjunction, then the rest in one piece: وال -> و, ال."""
    if len(prefix) > 1 and prefix[0] in "وف":
        return [prefix[0], prefix[1:]]
    return [prefix] if prefix else []


def split_arabic(word: str, analyser: Analyser, count: dict[str, int]) -> list[str]:
    """Morphemes of a word: by the lexicon, else by taking off prefixes that leave a word seen more often."""
    found = analyser.analyses(word)
    if found:
        best = found[0]
        for other in found[1:]:
            if other.score > best.score - 0.8 and len(other.stem) > len(best.stem):
                best = other
        return [*split_prefix(best.prefix), best.stem, *([best.suffix] if best.suffix else [])]
    for prefix in sorted(NOMINAL_PREFIX, key=len, reverse=True):
        rest = word[len(prefix) :]
        if not prefix or not word.startswith(prefix) or len(rest) < 3:
            continue
        if count.get(rest, 0) >= (1 if prefix.endswith(("ال", "لل")) else 2 * count.get(word, 0)):
            return [*split_prefix(prefix), rest]
    return [word]


def split_english(word: str, count: dict[str, int]) -> list[str]:
    """Stem and inflection where the bare stem is itself a common word."""
    for suffix in ("s", "es", "ed", "ing", "d"):
        rest = word[: -len(suffix)]
        if (
            word.endswith(suffix)
            and len(rest) >= 3
            and not rest.endswith("s")
            and count.get(rest, 0) * 4 >= count[word]
        ):
            return [rest, suffix]
    return [word]
