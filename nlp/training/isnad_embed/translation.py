"""Word translation tables in both directions: the lexicon's glosses, sharpened on parallel sentences (IBM Model 1,
Brown et al. 1993) with the lexicon as its start."""

from collections import Counter, defaultdict

from .fold import is_arabic
from .morphology import Analyser, split_english

Table = dict[str, dict[tuple[str, ...], float]]


def lexical(types: Counter[str], analyser: Analyser, least: int = 1) -> Table:
    """Glosses of every Arabic word of the corpus; words of no use in English news get less."""
    table: Table = {}
    for word, n in types.items():
        if n < least or not is_arabic(word):
            continue
        options = analyser.translations(word)
        if not options:
            continue
        weighted = {g: p * min(types.get(w, 0) + 1 for w in g) ** 0.3 for g, p in options.items()}
        total = sum(weighted.values())
        table[word] = {g: p / total for g, p in weighted.items()}
    return table


def add_names(prior: Table, names: Table, share: float = 0.8) -> None:
    """Puts names into the table; what the lexicon says of such a word keeps the rest of the probability."""
    for word, options in names.items():
        row: dict[tuple[str, ...], float] = defaultdict(float)
        for gloss, p in prior.get(word, {}).items():
            row[gloss] += (1 - share) * p
        for gloss, p in options.items():
            row[gloss] += share * p
        total = sum(row.values())
        prior[word] = {g: p / total for g, p in row.items()}


def model_one(bitext: list[tuple[list[str], list[str]]], prior: Table, rounds: int = 6, strength: float = 2.0) -> Table:
    """P(english | arabic) by EM over (english, arabic) sentences; `strength` counts of the prior are added to each word."""
    start = {a: {g[0]: p for g, p in options.items() if len(g) == 1} for a, options in prior.items()}
    t: dict[str, dict[str, float]] = {}
    for step in range(rounds):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for english, arabic in bitext:
            for e in english:
                shares = [(t.get(a, {}).get(e, 1e-6) if step else start.get(a, {}).get(e, 0.0) + 0.02) for a in arabic]
                total = sum(shares) + 0.01
                for a, share in zip(arabic, shares, strict=True):
                    counts[a][e] += share / total
        for a, row in counts.items():
            for e, p in start.get(a, {}).items():
                row[e] += strength * p
            total = sum(row.values())
            t[a] = {e: c / total for e, c in row.items() if c / total > 0.01}
    return {a: {(e,): p for e, p in row.items()} for a, row in t.items()}


def merge(prior: Table, learned: Table, seen: Counter[str], trust: float = 5.0) -> Table:
    """Interpolates by how often the word stood in the parallel sentences."""
    merged: Table = {}
    for word in prior.keys() | learned.keys():
        left, right = prior.get(word, {}), learned.get(word, {})
        share = seen[word] / (seen[word] + trust) if left else min(1.0, seen[word] / 3)
        row: dict[tuple[str, ...], float] = defaultdict(float)
        for g, p in left.items():
            row[g] += (1 - share) * p
        for g, p in right.items():
            if p > 0.1:
                row[g] += share * p
        top = sorted(row.items(), key=lambda x: -x[1])[:6]
        total = sum(p for _, p in top)
        if total > 0.05:
            merged[word] = {g: p / total for g, p in top}
    return merged


def inverted(table: Table, types: Counter[str]) -> Table:
    """P(arabic | english word), by the corpus count of the Arabic word; inflected English words share their stem's row."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for word, options in table.items():
        for gloss, p in options.items():
            if len(gloss) == 1:
                stem = split_english(gloss[0], types)[0] if gloss[0] in types else gloss[0]
                rows[stem][word] += p * (types[word] + 0.1)
    result: Table = {}
    for english in types:
        if is_arabic(english) or english[0].isdigit():
            continue
        row = rows.get(split_english(english, types)[0])
        if row:
            top = row.most_common(6)
            total = sum(n for _, n in top)
            result[english] = {(a,): n / total for a, n in top}
    return result
