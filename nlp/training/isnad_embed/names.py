"""Names that no lexicon holds, matched across scripts by sound: same consonants, then least edits of a romanisation."""

import re
from collections import Counter, defaultdict

CLASSES = {
    **dict.fromkeys("بپ", "b"), **dict.fromkeys("تطث", "t"), **dict.fromkeys("جغ", "g"), **dict.fromkeys("خقك", "k"),
    **dict.fromkeys("دض", "d"), **dict.fromkeys("زذظ", "z"), **dict.fromkeys("سص", "s"), "ش": "S", "ر": "r", "ف": "f",
    "ل": "l", "م": "m", "ن": "n",
}  # fmt: skip
LATIN = {
    **dict.fromkeys("bp", "b"), "t": "t", **dict.fromkeys("gj", "g"), **dict.fromkeys("kqc", "k"), "d": "d", "z": "z",
    "s": "s", "r": "r", **dict.fromkeys("fv", "f"), "l": "l", "m": "m", "n": "n",
}  # fmt: skip
DIGRAPHS = ((r"sch|tch|sh|ch", "S"), (r"ph", "f"), (r"th", "t"), (r"kh", "k"), (r"gh", "g"), (r"ck", "k"), (r"x", "ks"),
            (r"c(?=[eiy])", "s"), (r"dj", "g"), (r"wr", "r"), (r"tz", "ts"))  # fmt: skip
SOUND = str.maketrans("ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "abttjhkdzrzsSsdtzagfkklmnhoi")


def skeleton_arabic(word: str) -> str:
    found = "".join(CLASSES.get(c, "") for c in word.replace("تش", "ش"))
    return re.sub(r"(.)\1+", r"\1", found)


def respelled(word: str) -> str:
    for pattern, to in DIGRAPHS:
        word = re.sub(pattern, to, word)
    return word


def skeleton_latin(word: str) -> str:
    found = "".join(c if c == "S" else LATIN.get(c, "") for c in respelled(word))
    return re.sub(r"(.)\1+", r"\1", found)


def romanised(word: str) -> str:
    return word.replace("تش", "ش").translate(SOUND)


VOWELS = set("aeiouwy")
NEAR = {
    frozenset(p)
    for p in ("ou", "ow", "uw", "ie", "iy", "ei", "ey", "ae", "ov", "bp", "fv", "gj", "kq", "kc", "sc", "ao")
}


def distance(a: str, b: str) -> float:
    """Edits from one romanisation to another; vowels cost little, as Arabic leaves the short ones out."""
    row = [0.0]
    for c in b:
        row.append(row[-1] + (0.25 if c in VOWELS or c == "h" else 1.0))
    for x in a:
        drop = 0.35 if x in VOWELS or x == "h" else 1.0
        before, row = row, [row[0] + drop]
        for j, y in enumerate(b):
            change = (
                0.0 if x == y else 0.2 if frozenset((x, y)) in NEAR else 0.4 if x in VOWELS and y in VOWELS else 1.0
            )
            add = 0.25 if y in VOWELS or y == "h" else 0.15 if j and y == b[j - 1] else 1.0
            row.append(min(before[j] + change, before[j + 1] + drop, row[-1] + add))
    return row[-1]


def matches(arabic: Counter[str], latin: Counter[str], worst: float = 0.1) -> dict[str, dict[str, float]]:
    """For Arabic words their English spellings with probabilities; `worst` is the largest distance per letter."""
    by_sound: dict[str, list[str]] = defaultdict(list)
    for word in latin:
        key = skeleton_latin(word)
        if len(key) >= 2:
            by_sound[key].append(word)
    table: dict[str, dict[str, float]] = {}
    for word in arabic:
        bare = word[2:] if word.startswith("ال") and len(word) > 5 else word
        key = skeleton_arabic(bare)
        if len(key) < 2 or len(bare) < 4:
            continue
        scored = []
        for other in by_sound.get(key, ()):
            cost = distance(romanised(bare), respelled(other)) / max(len(bare), len(other))
            if cost <= worst and (bare[0] in "اعيوهء") == (other[0] in "aeiouyhw"):
                scored.append((cost, other))
        if scored:
            least = min(scored)[0]
            kept = {o: latin[o] ** 0.5 * 2.0 ** (-(c - least) * 40) for c, o in scored if c < least + 0.06}
            total = sum(kept.values())
            table[word] = {o: v / total for o, v in kept.items() if v / total > 0.15}
    return table


def capitalised(texts: list[str], least: int = 3) -> Counter[str]:
    """English words that stand with a capital nearly always, in the middle of sentences, by count."""
    high, low = Counter[str](), Counter[str]()
    for text in texts:
        high.update(w.lower() for w in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}", text))
        low.update(re.findall(r"(?<![A-Za-z])[a-z]{3,}", text))
    return Counter({w: n for w, n in high.items() if n >= least and n > 3 * low[w]})
