"""The contextual part: two layers of multilingual-e5-small that read a query, or a short stretch of a passage, to one vector."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from isnad_base import encoder, pieces
from isnad_base.published import WIDTH

LAYERS = (0, 1)


class Reader(nn.Module):
    """ids int64 [batch, length], 0 is padding -> vectors of unit length [batch, WIDTH]: a mean of the states, weighed by a gate, turned by the head."""

    def __init__(self, layers: Sequence[int] = LAYERS) -> None:
        super().__init__()
        self.encoder = encoder.start(layers, 0.0)
        self.gate = nn.Linear(WIDTH, 1)
        self.head = nn.Linear(WIDTH, WIDTH)
        nn.init.zeros_(self.gate.weight)
        nn.init.zeros_(self.gate.bias)

    def forward(self, ids: Tensor) -> Tensor:
        states = self.encoder(ids).float()
        weights = self.gate(states).float().squeeze(-1).masked_fill(ids == pieces.PADDING, -1e9).softmax(1)
        return functional.normalize(self.head((states * weights.unsqueeze(-1)).sum(1)).float(), dim=1)


def by_hand(layer: encoder.Layer, x: Tensor, present: Tensor) -> Tensor:
    """As encoder.Layer, without its dropout and with batched products for the attention: on processors their gradient is the quicker one."""
    batch, length, width = x.shape
    heads = encoder.HEADS
    q, k, v = layer.qkv(x).view(batch, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4).reshape(3, batch * heads, length, -1)
    scores = (torch.bmm(q, k.transpose(1, 2)).float() / math.sqrt(width // heads)).view(batch, heads, length, length)
    shares = scores.masked_fill(~present[:, None, None, :], -1e9).softmax(-1).to(v.dtype).view(batch * heads, length, length)
    mixed = torch.bmm(shares, v).view(batch, heads, length, -1).transpose(1, 2).reshape(batch, length, width)
    x = layer.norm1(x + layer.out(mixed))
    return layer.norm2(x + layer.down(functional.gelu(layer.up(x))))


def sequence(ids: np.ndarray, start: int, length: int) -> list[int]:
    """A stretch between <s> and </s>."""
    return [pieces.FIRST, *(int(i) for i in ids[start : start + length]), pieces.LAST]


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    out = torch.zeros((len(rows), max(map(len, rows))), dtype=torch.long)
    for place, row in enumerate(rows):
        out[place, : len(row)] = torch.tensor(row)
    return out


def read(model: nn.Module, rows: list[list[int]], cells: int = 8192) -> np.ndarray:
    """The model's vectors, [rows, WIDTH], in runs of like length."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    out = np.zeros((len(rows), WIDTH), np.float32)
    at = 0
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        while at < len(order):
            size = max(1, cells // len(rows[order[min(at + 255, len(order) - 1)]]))
            chosen = order[at : at + size]
            at += size
            out[chosen] = model(padded([rows[i] for i in chosen])).float().numpy()
    return out
