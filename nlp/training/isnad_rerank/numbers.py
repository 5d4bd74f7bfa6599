"""What the reranker knows of each candidate, in NumPy: as the exported graphs and lib/inference/tasks/rerank/ compute it."""

from dataclasses import dataclass

import numpy as np

from .data import Lists
from .matching import Matching

FEATURES = 5
"""Numbers that the first stage tells of a candidate."""
NUMBERS = FEATURES + 3
"""Numbers of a candidate before the contextual layers; they add one."""
WIDTH = NUMBERS + 1


@dataclass
class Table:
    """numbers [lists, count, NUMBERS]; grades, presence, and the piece that the best stretch starts with [lists, count]."""

    numbers: np.ndarray
    grades: np.ndarray
    present: np.ndarray
    starts: np.ndarray


def table(lists: Lists, matching: Matching, count: int) -> Table:
    bags = np.stack([matching.bag(p.tokens) for p in lists.passages])
    shape = (len(lists.queries), count)
    found = Table(
        np.zeros((*shape, NUMBERS), np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.int32),
    )
    known: dict[tuple[bytes, int], tuple[float, int]] = {}
    for i, (query, every) in enumerate(zip((q.tokens for q in lists.queries), lists.candidates, strict=True)):
        candidates = every[:count]
        n = len(candidates)
        if n == 0:
            continue
        key = query.tobytes()
        new = [c for c in candidates if (key, c) not in known]
        if new:
            scores, starts = matching.windows(query, [lists.passages[c].tokens for c in new])
            known.update(
                {
                    (key, c): (float(s), lists.passages[c].reading_at(at))
                    for c, s, at in zip(new, scores, starts, strict=True)
                }
            )
        keyword = lists.keyword[i][:n]
        share = np.maximum(keyword, 0) / max(1e-6, float(keyword.max()))
        cosine = bags[candidates] @ matching.bag(query)
        rank = np.arange(n)
        x = found.numbers[i]
        x[:n, 0] = share
        x[:n, 1] = share == 0
        x[:n, 2] = np.log1p(rank) / 4
        x[:n, 3] = 1 / (1 + rank)
        x[:n, 4] = np.log1p(len(np.unique(query))) / 4
        x[:n, 5] = cosine
        x[:n, 6] = cosine / max(0.05, float(cosine.max()))
        x[:n, 7] = [known[key, c][0] for c in candidates]
        found.starts[i, :n] = [known[key, c][1] for c in candidates]
        found.grades[i, :n] = lists.grades[i][:n]
        found.present[i, :n] = 1
    return found


def beside(x: np.ndarray, present: np.ndarray) -> np.ndarray:
    """[..., 3 * width]: the numbers themselves, less their mean and less their best over the list."""
    here = present[..., None]
    mean = (x * here).sum(1, keepdims=True) / np.maximum(here.sum(1, keepdims=True), 1)
    best = (x - 1e4 * (1 - here)).max(1, keepdims=True)
    return np.concatenate([x, x - mean, x - best], 2) * here
