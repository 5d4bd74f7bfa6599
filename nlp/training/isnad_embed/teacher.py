"""Vectors of a contextual teacher for texts of the training data: multilingual-e5-small over the shared pieces, mean pooled, unit length."""

import numpy as np
import torch

from isnad_base import encoder, pieces

LONGEST = 128
CELLS = 8192


def vectors(texts: list[str], prefix: str, threads: int) -> np.ndarray:
    """float16 [texts, 384]. `prefix` is `query: ` or `passage: `, as the teacher was trained."""
    torch.set_num_threads(threads)
    model = encoder.start(drop=0).eval()
    rows = pieces.encode([prefix + text for text in texts], LONGEST)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    out = np.zeros((len(rows), model.rows.shape[1]), np.float16)
    at = 0
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        while at < len(order):
            size = max(1, CELLS // len(rows[order[min(at + 63, len(order) - 1)]]))
            chosen = order[at : at + size]
            at += size
            ids = torch.zeros(len(chosen), max(len(rows[i]) for i in chosen), dtype=torch.long)
            for place, i in enumerate(chosen):
                ids[place, : len(rows[i])] = torch.tensor(rows[i])
            found = torch.nn.functional.normalize(encoder.pooled(model(ids).float(), ids), dim=1)
            out[chosen] = found.numpy().astype(np.float16)
    return out
