"""What static vectors tell of a query and a passage: as match.onnx and lib/inference/tasks/rerank/ compute it."""

from dataclasses import dataclass

import numpy as np

from .shipped import Shipped

WINDOW, STEP = 24, 12
STRETCH = 32
"""Pieces that are read of a passage, from where its best window starts."""
POWER = 0.85
LEAST = 1e-6


@dataclass
class Matching:
    """Rows of static-ar-en-256 turned onto `axes` [width, dims]; `importance` [tokens] says how much finding a token tells."""

    rows: np.ndarray
    axes: np.ndarray
    importance: np.ndarray

    def __post_init__(self) -> None:
        self.table = (self.rows @ self.axes).astype(np.float32)
        self.unit = self.table / np.maximum(np.linalg.norm(self.table, axis=1, keepdims=True), LEAST)

    def bag(self, ids: np.ndarray) -> np.ndarray:
        """The sum of the rows, a token that occurs n times counted n ** POWER times; unit length."""
        different, counts = np.unique(ids, return_counts=True)
        summed = (counts**POWER).astype(np.float32) @ self.table[different]
        return summed / max(float(np.linalg.norm(summed)), LEAST)

    def windows(self, query: np.ndarray, passages: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """For each passage how like the query its best stretch of WINDOW tokens is (each token of the query by the most similar one
        there, weighed by importance), and where that stretch starts, a multiple of STEP."""
        different = np.unique(query)
        weights = self.importance[different] / self.importance[different].sum()
        length = -(-max(WINDOW, *map(len, passages)) // STEP) * STEP
        ids = np.full((len(passages), length), -1, np.int32)
        for row, passage in zip(ids, passages, strict=True):
            row[: len(passage)] = passage
        known, places = np.unique(np.maximum(ids, 0), return_inverse=True)
        alike = (self.unit[different] @ self.unit[known].T)[:, places.reshape(ids.shape)]
        alike[:, ids < 0] = -1
        blocks = alike.reshape(len(different), len(passages), -1, STEP).max(3)
        wide = WINDOW // STEP
        found = np.stack([blocks[:, :, at : at + wide].max(2) for at in range(length // STEP - wide + 1)], 2)
        scores = np.tensordot(weights, found, (0, 0))
        return scores.max(1), scores.argmax(1) * STEP


def matching(shipped: Shipped, dims: int = 96) -> Matching:
    return Matching(shipped.table, shipped.axes(dims), shipped.importance())
