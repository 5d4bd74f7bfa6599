"""A BERT encoder over rows of words that are given and never change: inputs are ids of shared pieces, 0 is padding."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from . import pieces, published

HEADS = 12
POSITIONS = 192


def attention(q: Tensor, k: Tensor, v: Tensor, present: Tensor) -> Tensor:
    """[batch, heads, length, size] each; `q` may have fewer places. For training: the backward pass of the fused kernel takes half as long again
    as these products."""
    batch, heads, asked, size = q.shape
    length = k.shape[2]
    flat = (batch * heads, -1, size)
    scores = torch.bmm(q.reshape(flat), k.reshape(flat).transpose(1, 2)) * size**-0.5
    scores = (
        scores.view(batch, heads, asked, length) + torch.where(present, 0.0, -1e4).to(scores.dtype)[:, None, None, :]
    )
    weights = torch.softmax(scores, -1, dtype=torch.float32).to(v.dtype)
    return torch.bmm(weights.view(batch * heads, asked, length), v.reshape(flat)).view(batch, heads, asked, size)


class Layer(nn.Module):
    """`inner`: units between its two products."""

    def __init__(self, drop: float, inner: int = published.INNER) -> None:
        super().__init__()
        width = published.WIDTH
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width, eps=1e-12)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm2 = nn.LayerNorm(width, eps=1e-12)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, present: Tensor, asked: Tensor | None = None) -> Tensor:
        """`asked`: the places that are answered for; all where it is None."""
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        if asked is not None:
            q, x, length = q[:, :, asked], x[:, asked], len(asked)
        if self.training:
            mixed = attention(q, k, v, present)
        else:
            mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=present[:, None, None, :])
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, length, width))))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    """ids int64 [batch, length], 0 is padding -> states [batch, length, WIDTH]. `inner`: units of each layer, where they are not those of the
    published encoder."""

    def __init__(self, rows: Tensor, layers: int, drop: float = 0.1, inner: Sequence[int] | None = None) -> None:
        super().__init__()
        self.register_buffer("rows", rows, persistent=False)
        self.places = nn.Embedding(POSITIONS, published.WIDTH)
        self.norm = nn.LayerNorm(published.WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(drop, units) for units in inner or [published.INNER] * layers)
        self.drop = nn.Dropout(drop)

    def forward(self, ids: Tensor) -> Tensor:
        x = functional.embedding(ids, self.rows) + self.places.weight[: ids.shape[1]]
        x = self.drop(self.norm(x))
        present = ids != 0
        for layer in self.layers:
            x = layer(x, present)
        return x

    def of_words(self, ids: Tensor, firsts: Tensor, words_from: int) -> Tensor:
        """The states of the places `firsts` of a window [1, length], where layer `words_from` and those above it answer for these and the
        first place alone, and the last one for these."""
        x = self.norm(functional.embedding(ids, self.rows) + self.places.weight[: ids.shape[1]])
        for number, layer in enumerate(self.layers):
            x = layer(x, x.new_ones(x.shape[:2], dtype=torch.bool), asked(number, len(self.layers), firsts, words_from))
        return x


def asked(number: int, layers: int, firsts: Tensor, words_from: int) -> Tensor | None:
    """The places that layer `number` answers for, among those that it reads; `firsts` [..., count]."""
    last = number == layers - 1
    if number == words_from:
        return firsts if last else functional.pad(firsts, (1, 0))
    return torch.arange(1, firsts.shape[-1] + 1).expand(firsts.shape) if last else None


def inner_of(state: dict[str, Tensor]) -> list[int]:
    """The units of each layer of an encoder with this state."""
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    return [len(state[f"layers.{number}.up.bias"]) for number in range(layers)]


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
