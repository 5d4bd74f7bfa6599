"""What the teacher, all twelve layers of multilingual-e5-small, makes of texts; and how any encoder reads many rows of ids."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from . import encoder, pieces
from .processor import BFLOAT16
from .published import WIDTH

CELLS = 8192
"""Ids, padding among them, of one run."""


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    out = torch.zeros((len(rows), max(map(len, rows))), dtype=torch.long)
    for place, row in enumerate(rows):
        out[place, : len(row)] = torch.tensor(row)
    return out


def read(model: Callable[[Tensor], Tensor], rows: list[list[int]], cells: int = CELLS) -> np.ndarray:
    """The model's vectors, float32 [rows, WIDTH], in runs of like length."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    out = np.zeros((len(rows), WIDTH), np.float32)
    at = 0
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
        while at < len(order):
            size = max(1, cells // len(rows[order[min(at + 255, len(order) - 1)]]))
            chosen = order[at : at + size]
            at += size
            out[chosen] = model(padded([rows[i] for i in chosen])).float().numpy()
    return out


def vectors(texts: list[str], prefix: str, longest: int) -> np.ndarray:
    """float32 [texts, WIDTH], mean pooled, unit length. `prefix` is `query: ` or `passage: `, as the teacher was trained."""
    model = encoder.start(drop=0.0).eval()

    def pooled(ids: Tensor) -> Tensor:
        return functional.normalize(encoder.pooled(model(ids).float(), ids), dim=1)

    return read(pooled, pieces.encode([prefix + text for text in texts], longest))


def kept(path: Path, texts: list[str], prefix: str, longest: int) -> np.ndarray:
    """vectors(), made once and kept as float16."""
    if not path.exists() or len(np.load(path, mmap_mode="r")) != len(texts):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, vectors(texts, prefix, longest).astype(np.float16))
    return np.load(path).astype(np.float32)
