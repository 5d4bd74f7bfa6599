"""Words of the news with clusters of words that occur in like contexts: k-means over the skip-gram vectors, of three sizes."""

from functools import cache

import numpy as np
from sklearn.cluster import MiniBatchKMeans

from isnad_embed.corpus import OUT

SIZES = (64, 256, 1024)
FILE = OUT / "ner-clusters.npz"


def gram_hash(gram: bytes) -> int:
    """FNV-1a with the bytes taken as signed, as in fastText."""
    h = 2166136261
    for byte in gram:
        h = ((h ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * 16777619) & 0xFFFFFFFF
    return h


def grams(word: str, buckets: int) -> list[int]:
    """Buckets of the character 3- to 5-grams of <word>, as in fastText; of a very long word those of its beginning."""
    marked = f"<{word}>"
    found = [marked[i : i + n] for i in range(len(marked)) for n in (3, 4, 5) if i + n <= len(marked)]
    return [gram_hash(gram.encode("utf8")) % buckets for gram in found[:40]]


def make(count: int, seed: int) -> None:
    kept = np.load(OUT / "ner-words.npz", allow_pickle=True)
    words, rows, gram_rows = [str(w) for w in kept["words"][:count]], kept["rows"], kept["grams"]
    buckets = [grams(w, len(gram_rows)) for w in words]
    vectors = np.stack([(rows[i] + gram_rows[b].sum(0)) / (1 + len(b)) for i, b in enumerate(buckets)])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    labels = [
        MiniBatchKMeans(n, batch_size=4096, n_init=1, max_iter=15, random_state=seed).fit(vectors).labels_ for n in SIZES
    ]
    np.savez(FILE, words=np.array(words, dtype=object), labels=np.stack(labels, 1).astype(np.int16))


class Lexicon:
    """The known words, the most frequent first, each with its clusters."""

    def __init__(self) -> None:
        kept = np.load(FILE, allow_pickle=True)
        self.words = [str(w) for w in kept["words"]]
        self.rank = {w: i for i, w in enumerate(self.words)}
        self.labels = kept["labels"]

    def lines(self) -> str:
        """As in `words.txt`: word and clusters, separated by tabs."""
        return "".join(f"{w}\t" + "\t".join(map(str, row)) + "\n" for w, row in zip(self.words, self.labels))


@cache
def lexicon() -> Lexicon:
    return Lexicon()
