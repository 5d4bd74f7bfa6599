"""A BERT encoder over rows of words that are given and never change: inputs are ids of shared pieces, 0 is padding."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from . import pieces, published

HEADS = 12
POSITIONS = 192


def attention(q: Tensor, k: Tensor, v: Tensor, present: Tensor) -> Tensor:
    """[batch, heads, length, size] each. For training: the backward pass of the fused kernel takes half as long again as these products."""
    batch, heads, length, size = q.shape
    flat = (batch * heads, length, size)
    scores = torch.bmm(q.reshape(flat), k.reshape(flat).transpose(1, 2)) * size**-0.5
    scores = (
        scores.view(batch, heads, length, length) + torch.where(present, 0.0, -1e4).to(scores.dtype)[:, None, None, :]
    )
    weights = torch.softmax(scores, -1, dtype=torch.float32).to(v.dtype)
    return torch.bmm(weights.view(batch * heads, length, length), v.reshape(flat)).view(batch, heads, length, size)


class Layer(nn.Module):
    def __init__(self, drop: float) -> None:
        super().__init__()
        width, inner = published.WIDTH, published.INNER
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width, eps=1e-12)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm2 = nn.LayerNorm(width, eps=1e-12)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, present: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        if self.training:
            mixed = attention(q, k, v, present)
        else:
            mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=present[:, None, None, :])
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, length, width))))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    """ids int64 [batch, length], 0 is padding -> states [batch, length, WIDTH]."""

    def __init__(self, rows: Tensor, layers: int, drop: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("rows", rows, persistent=False)
        self.places = nn.Embedding(POSITIONS, published.WIDTH)
        self.norm = nn.LayerNorm(published.WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(drop) for _ in range(layers))
        self.drop = nn.Dropout(drop)

    def forward(self, ids: Tensor) -> Tensor:
        x = functional.embedding(ids, self.rows) + self.places.weight[: ids.shape[1]]
        x = self.drop(self.norm(x))
        present = ids != 0
        for layer in self.layers:
            x = layer(x, present)
        return x


def start(layers: Sequence[int] = range(published.LAYERS), drop: float = 0.1) -> Encoder:
    """The published encoder with these of its twelve layers, over the shared pieces."""
    given = published.read().tensors
    made = Encoder(pieces.rows(), len(layers), drop)
    state = {
        "places.weight": given["pos"][:POSITIONS] + given["type"],
        "norm.weight": given["ln.w"],
        "norm.bias": given["ln.b"],
    }
    for place, number in enumerate(layers):
        for old, new in (("w", "weight"), ("b", "bias")):
            state[f"layers.{place}.qkv.{new}"] = torch.cat([given[f"l{number}.{part}.{old}"] for part in "qkv"])
            for part, name in (("ao", "out"), ("fi", "up"), ("fo", "down"), ("aln", "norm1"), ("oln", "norm2")):
                state[f"layers.{place}.{name}.{new}"] = given[f"l{number}.{part}.{old}"]
    made.load_state_dict(state)
    return made


def pooled(states: Tensor, ids: Tensor) -> Tensor:
    """The mean of the states that are no padding, [batch, WIDTH]."""
    present = (ids != 0).to(states.dtype).unsqueeze(-1)
    return (states * present).sum(1) / present.sum(1).clamp(min=1)
