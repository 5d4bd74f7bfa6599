"""What the layers that are not trained make of sentences, computed once and kept on disk."""

import hashlib
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from isnad_base import encoder as base
from isnad_base import pieces
from isnad_base.processor import BFLOAT16
from isnad_base.published import WIDTH
from isnad_base.teacher import padded
from isnad_check.data import OUT

LONGEST = 128
CELLS = 6000
"""Pieces of a run, padding among them."""
States = list[np.ndarray]
"""Of each sentence float16 [pieces, WIDTH]."""


@torch.no_grad()
def states(shared: base.Encoder, texts: Sequence[str]) -> States:
    """The states of the pieces of each text."""
    rows = pieces.encode(list(texts), LONGEST)
    digest = hashlib.sha256(f"{len(shared.layers)}\n{chr(10).join(texts)}".encode()).hexdigest()[:16]
    kept = OUT / "states" / f"{digest}.npy"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, computed(shared.eval(), rows))
    flat = np.load(kept)
    return np.split(flat, np.cumsum([len(row) for row in rows])[:-1])


def computed(shared: base.Encoder, rows: list[list[int]]) -> np.ndarray:
    """The states of all pieces, one sentence after the other."""
    found: list[np.ndarray] = [np.zeros((0, WIDTH), np.float16)] * len(rows)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    at = 0
    while at < len(order):
        size = max(1, CELLS // len(rows[order[min(at + 255, len(order) - 1)]]))
        chosen = order[at : at + size]
        at += size
        with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
            out = shared(padded([rows[i] for i in chosen])).float().numpy().astype(np.float16)
        for place, i in enumerate(chosen):
            found[i] = out[place, : len(rows[i])]
    return np.concatenate(found)


def batch(of: States, chosen: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Padded states of the sentences `chosen`, and which of them are no padding."""
    length = max(len(of[i]) for i in chosen)
    out, present = np.zeros((len(chosen), length, WIDTH), np.float32), np.zeros((len(chosen), length), bool)
    for place, i in enumerate(chosen):
        out[place, : len(of[i])], present[place, : len(of[i])] = of[i], True
    return torch.from_numpy(out), torch.from_numpy(present)
