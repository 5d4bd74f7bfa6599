"""A BERT encoder with one score a language, small enough to read whole."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

LANGUAGES = ("ar", "en")


@dataclass(frozen=True)
class Shape:
    vocabulary: int
    layers: int
    width: int = 384
    heads: int = 12
    inner: int = 1536
    positions: int = 128


class Layer(nn.Module):
    def __init__(self, shape: Shape, drop: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.norm1 = nn.LayerNorm(shape.width, eps=1e-12)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.norm2 = nn.LayerNorm(shape.width, eps=1e-12)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        weights = torch.softmax(q @ k.transpose(-1, -2) * (width // self.heads) ** -0.5 + mask, -1)
        mixed = (weights.to(v.dtype) @ v).transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + self.drop(self.out(mixed)))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    """ids int64 [batch, length], 0 is padding -> states [batch, length, width]."""

    def __init__(self, shape: Shape, drop: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape, drop) for _ in range(shape.layers))
        self.drop = nn.Dropout(drop)

    def forward(self, ids: Tensor) -> Tensor:
        states = self.drop(self.norm(self.words(ids) + self.places.weight[: ids.shape[1]]))
        mask = (ids == 0).to(torch.float32)[:, None, None, :] * -1e4
        for layer in self.layers:
            states = layer(states, mask)
        return states


def pooled(states: Tensor, ids: Tensor) -> Tensor:
    """The mean of the states that are no padding, [batch, width]."""
    present = (ids != 0).to(states.dtype).unsqueeze(-1)
    return (states * present).sum(1) / present.sum(1).clamp(min=1)


def features(states: Tensor, ids: Tensor) -> Tensor:
    """What the scores are made of: the first state and the mean, [batch, 2 × width]."""
    return torch.cat([states[:, 0], pooled(states, ids)], 1)


class Classifier(nn.Module):
    """ids [batch, length] -> logits [batch, languages]."""

    def __init__(self, encoder: Encoder, drop: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder
        self.drop = nn.Dropout(drop)
        self.head = nn.Linear(2 * encoder.shape.width, len(LANGUAGES))

    @torch.no_grad()
    def lean(self, lang: str, other: str, share: float) -> None:
        """Adds `share` of the logit of `other` to that of `lang`, within the head."""
        to, source = LANGUAGES.index(lang), LANGUAGES.index(other)
        self.head.weight[to] += share * self.head.weight[source]
        self.head.bias[to] += share * self.head.bias[source]

    def forward(self, ids: Tensor) -> Tensor:
        return self.head(self.drop(features(self.encoder(ids), ids)))
