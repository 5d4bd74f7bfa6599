"""The features of each token of a sentence, as text; in the model they are FNV-1a hashes of it. `lib/inference/tag` holds the
same rules."""

from functools import lru_cache

import numpy as np

from .clusters import lexicon
from .features import case, shapes, stem
from .tokens import fold

EDGE = ("<s>", ("B", "B", "B"), "-", "-")


@lru_cache(maxsize=400_000)
def facts(token: str) -> tuple[str, tuple[str, ...], str, str]:
    """The word folded, its clusters (its stem's, where it is not known), its stem, the stem's middle cluster."""
    known = lexicon()
    word = fold(token).replace(" ", "") or "_"
    row, root = known.rank.get(word, -1), stem(word, known.rank)
    if row >= 0:
        clusters = tuple(str(c) for c in known.labels[row])
    elif root >= 0:
        clusters = tuple(f"s{c}" for c in known.labels[root])
    else:
        clusters = ("-", "-", "-")
    if root < 0:
        return word, clusters, "-", "-"
    return word, clusters, known.words[root], str(known.labels[root][1])


def sentence_features(tokens: list[str]) -> list[list[str]]:
    found = [facts(t) for t in tokens]
    rows, cases = [str(s) for s in shapes(tokens)], [str(case(t)) for t in tokens]
    at = lambda i: found[i] if 0 <= i < len(found) else EDGE
    shape = lambda i: rows[i] if 0 <= i < len(rows) else "B"
    kind = lambda i: cases[i] if 0 <= i < len(cases) else "B"
    out = []
    for t, (word, clusters, root, root_cluster) in enumerate(found):
        before, after, before2, after2 = at(t - 1), at(t + 1), at(t - 2), at(t + 2)
        features = [
            "b", f"w0={word}", f"w-1={before[0]}", f"w+1={after[0]}", f"w-2={before2[0]}", f"w+2={after2[0]}",
            f"w-10={before[0]}|{word}", f"w01={word}|{after[0]}", f"st={root}", f"st-1={before[2]}", f"st+1={after[2]}",
            f"sc={root_cluster}", f"p-1={before[0][:3]}", f"s-1={before[0][-3:]}", f"p+1={after[0][:3]}", f"s+1={after[0][-3:]}",
            f"sh={rows[t]}", f"sh-1={shape(t - 1)}", f"sh+1={shape(t + 1)}",
            f"cs-101={kind(t - 1)}{cases[t]}{kind(t + 1)}", f"cs-2={kind(t - 2)}{kind(t - 1)}{cases[t]}",
            f"cs+2={cases[t]}{kind(t + 1)}{kind(t + 2)}", f"c256-2={before2[1][1]}", f"c256+2={after2[1][1]}",
            f"c256-10={before[1][1]}|{clusters[1]}", f"c256+10={clusters[1]}|{after[1][1]}",
            f"c64-101={before[1][0]}|{clusters[0]}|{after[1][0]}", f"c1024w-1={before[1][2]}|{cases[t]}",
            f"wcs={word}|{cases[t]}", f"c256cs={clusters[1]}|{cases[t]}", f"w-1cs={before[0]}|{cases[t]}",
        ]
        for n in range(1, min(4, len(word)) + 1):
            features += [f"p{n}={word[:n]}", f"s{n}={word[-n:]}"]
        for i, name in enumerate(("c64", "c256", "c1024")):
            features += [f"{name}={clusters[i]}", f"{name}-1={before[1][i]}", f"{name}+1={after[1][i]}"]
        out.append(features)
    return out


def window_features(name: str, labels: list[str]) -> list[list[str]]:
    """What a row of labels, one a token, gives each token: its own, those around it, both pairs."""
    row = ["B", *labels, "B"]
    return [
        [f"{name}={b}", f"{name}-1={a}", f"{name}+1={c}", f"{name}-10={a}|{b}", f"{name}01={b}|{c}"]
        for a, b, c in zip(row, row[1:], row[2:])
    ]


def feature_hash(text: str) -> int:
    """FNV-1a of 32 bits over UTF-16 units."""
    h = 2166136261
    for unit in np.frombuffer(text.encode("utf-16-le"), "<u2").tolist():
        h = ((h ^ unit) * 16777619) & 0xFFFFFFFF
    return h
