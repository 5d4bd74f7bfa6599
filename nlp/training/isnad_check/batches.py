"""Batches of texts of like length, in an order drawn by a generator."""

from collections.abc import Iterator

import numpy as np
import torch


def padded(rows: list[list[int]]) -> torch.Tensor:
    length = max(len(row) for row in rows)
    out = torch.zeros(len(rows), length, dtype=torch.int64)
    for place, row in enumerate(rows):
        out[place, : len(row)] = torch.tensor(row)
    return out


def shuffled(rows: list[list[int]], size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Indexes of batches; rows are sorted by length within windows of 50 batches."""
    order = rng.permutation(len(rows))
    lengths = np.array([len(row) for row in rows])
    found = []
    for window in np.array_split(order, max(1, len(order) // (size * 50))):
        window = window[np.argsort(lengths[window], kind="stable")]
        found += [window[at : at + size] for at in range(0, len(window), size)]
    for place in rng.permutation(len(found)):
        yield found[place]


def in_order(rows: list[list[int]], size: int) -> Iterator[np.ndarray]:
    """Indexes of batches by length, for measuring."""
    order = np.argsort([len(row) for row in rows], kind="stable")
    for at in range(0, len(order), size):
        yield order[at : at + size]
