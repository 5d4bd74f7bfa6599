"""Sentences as numbers, and batches of them."""

import numpy as np
import torch
from torch import Tensor

from .features import grams, shapes, stem
from .tokens import fold

Row = tuple[np.ndarray, np.ndarray, np.ndarray]


class Words:
    """The known words and the two tables of rows; every distinct token gets a number, and its vector when it is asked for:
    the mean of the rows of its word and n-grams, then the row of its stem."""

    def __init__(self, vocabulary: list[str], rows: np.ndarray, gram_rows: np.ndarray) -> None:
        self.rank = {w: i for i, w in enumerate(vocabulary)}
        self.vocabulary, self.rows, self.gram_rows = vocabulary, rows, gram_rows
        self.dims = rows.shape[1]
        self.ids: dict[str, int] = {}
        self.tokens: list[str] = []
        self.table = np.zeros((1, 2, 2 * self.dims), np.float32)
        self.made = 0

    def id(self, token: str) -> int:
        found = self.ids.get(token)
        if found is None:
            found = self.ids[token] = len(self.tokens)
            self.tokens.append(token)
        return found

    def features(self, token: str) -> tuple[int, int, list[int]]:
        """Row of the word, row of its stem (-1: none), buckets of its n-grams."""
        word = fold(token).replace(" ", "") or "_"
        return self.rank.get(word, -1), stem(word, self.rank), grams(word, len(self.gram_rows))

    def vectors(self) -> np.ndarray:
        """float [tokens, 2, 2 * dims]: of every token numbered so far, as it is and as if its word were not known."""
        if self.made < len(self.tokens):
            grown = np.zeros((len(self.tokens), 2, 2 * self.dims), np.float32)
            grown[: self.made] = self.table[: self.made]
            for n in range(self.made, len(self.tokens)):
                row, root, buckets = self.features(self.tokens[n])
                total = self.gram_rows[buckets].sum(0)
                grown[n, 1, : self.dims] = total / max(1, len(buckets))
                grown[n, 0, : self.dims] = (total + self.rows[row]) / (len(buckets) + 1) if row >= 0 else grown[n, 1, : self.dims]
                if root >= 0:
                    grown[n, :, self.dims :] = self.rows[root]
            self.table, self.made = grown, len(self.tokens)
        return self.table

    def sentence(self, tokens: list[str], tags: list[int] | None = None) -> Row:
        """Numbers of the tokens, their shapes, their tags."""
        ids = np.array([self.id(t) for t in tokens], np.int32)
        return ids, np.array(shapes(tokens), np.int32), np.array(tags or [0] * len(tokens), np.int64)


def stacked(rows: list[Row], words: Words, drop: float = 0.0) -> dict[str, Tensor]:
    """A batch as the tagger wants it; tags 0 beyond the end of a sentence. `drop`: share of words taken as unknown."""
    length = max(len(r[0]) for r in rows)
    ids = np.full((len(rows), length), -1, np.int64)
    shape = np.zeros((len(rows), length), np.int64)
    tags = np.zeros((len(rows), length), np.int64)
    for i, (a, b, c) in enumerate(rows):
        ids[i, : len(a)], shape[i, : len(b)], tags[i, : len(c)] = a, b, c
    mask = (ids >= 0).astype(np.float32)[:, :, None]
    unknown = (np.random.random(ids.shape) < drop).astype(np.int64) if drop > 0 else np.zeros(ids.shape, np.int64)
    vectors = words.vectors()[ids, unknown] * mask
    return {
        "vectors": torch.from_numpy(vectors),
        "shapes": torch.from_numpy(shape),
        "tags": torch.from_numpy(tags),
        "lengths": torch.tensor([len(r[0]) for r in rows]),
        "mask": torch.from_numpy(mask),
    }


def batches(lengths: np.ndarray, tokens: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Indexes of sentences of like length together, at most `tokens` cells a batch, the batches in random order."""
    order = np.argsort(lengths + rng.random(len(lengths)) * 4, kind="stable")
    out, start = [], 0
    for end in range(1, len(order) + 1):
        if end == len(order) or lengths[order[start : end + 1]].max() * (end + 1 - start) > tokens:
            out.append(order[start:end])
            start = end
    return [out[i] for i in rng.permutation(len(out))]
