"""What the reranker knows of each candidate, in NumPy: as the exported graph and lib/inference/rerank/ compute it."""

import numpy as np

from .data import Lists

WIDTH = 8
WINDOW, STEP = 24, 12
POWER = 0.85


def bag(ids: np.ndarray, table: np.ndarray) -> np.ndarray:
    """The sum of the rows, a token that occurs n times counted n ** POWER times; unit length."""
    different, counts = np.unique(ids, return_counts=True)
    summed = (counts**POWER) @ table[different]
    return summed / max(float(np.linalg.norm(summed)), 1e-6)


def window(query: np.ndarray, importance: np.ndarray, passage: np.ndarray) -> float:
    """The stretch of WINDOW tokens that is most like the query: each query token by its most similar one there. Rows of unit length."""
    length = max(2 * STEP, -(-len(passage) // STEP) * STEP)
    alike = np.full((len(query), length), -1.0, np.float32)
    alike[:, : len(passage)] = query @ passage.T
    found = [alike[:, at : at + WINDOW].max(1) for at in range(0, length - WINDOW + 1, STEP)]
    return float((np.stack(found, 1) * importance[:, None]).sum(0).max())


def raw(lists: Lists, table: np.ndarray, rarity: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers [lists, count, WIDTH], grades and presence [lists, count]."""
    unit = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-6)
    bags = np.stack([bag(p, table) for p in lists.passages])
    x = np.zeros((len(lists.queries), count, WIDTH), np.float32)
    grades = np.zeros(x.shape[:2], np.float32)
    present = np.zeros(x.shape[:2], np.float32)
    for i, (query, candidates) in enumerate(zip(lists.queries, lists.candidates, strict=True)):
        n = len(candidates)
        if n == 0:
            continue
        different = np.unique(query)
        importance = rarity[different] / rarity[different].sum()
        keyword = lists.keyword[i]
        share = np.maximum(keyword, 0) / max(1e-6, float(keyword.max()))
        rank = np.arange(n)
        x[i, :n, 0] = share
        x[i, :n, 1] = share == 0
        x[i, :n, 2] = np.log1p(rank) / 4
        x[i, :n, 3] = 1 / (1 + rank)
        x[i, :n, 4] = np.log1p(len(different)) / 4
        cosine = bags[candidates] @ bag(query, table)
        x[i, :n, 5] = cosine
        x[i, :n, 6] = cosine / max(0.05, float(cosine.max()))
        rows = unit[different]
        x[i, :n, 7] = [window(rows, importance, unit[lists.passages[c]]) for c in candidates]
        grades[i, :n] = lists.grades[i]
        present[i, :n] = 1
    return x, grades, present


def beside(x: np.ndarray, present: np.ndarray) -> np.ndarray:
    """[..., 3 * WIDTH]: the numbers themselves, less their mean and less their best over the list."""
    here = present[..., None]
    mean = (x * here).sum(1, keepdims=True) / np.maximum(here.sum(1, keepdims=True), 1)
    best = (x - 1e4 * (1 - here)).max(1, keepdims=True)
    return np.concatenate([x, x - mean, x - best], 2) * here
