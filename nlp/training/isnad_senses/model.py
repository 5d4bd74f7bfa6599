"""A word and a gloss as vectors of one space. The word is read over the states of lower.onnx: its own state, and those around it
by attention. A gloss is read by all twelve layers of multilingual-e5-small, before training and never at run time."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from isnad_base.published import WIDTH

REACH = 24
"""Pieces on each side of a word's first one that are looked at."""
KEY = 32


class Reader(nn.Module):
    """states float [batch, 2 * REACH + 1, WIDTH], the word's first piece in the middle, and which of them are there -> [batch, dims]"""

    def __init__(self, dims: int, heads: int, drop: float) -> None:
        super().__init__()
        self.dims, self.heads = dims, heads
        self.own = nn.Linear(WIDTH, dims)
        self.query = nn.Linear(WIDTH, heads * KEY)
        self.key = nn.Linear(WIDTH, heads * KEY)
        self.worth = nn.Linear(WIDTH, heads)
        self.value = nn.Linear(WIDTH, dims)
        self.distance = nn.Parameter(torch.zeros(heads, 2 * REACH + 1))
        self.drop = nn.Dropout(drop)

    def forward(self, states: Tensor, present: Tensor) -> Tensor:
        batch, length, _ = states.shape
        x = self.drop(states)
        word = x[:, REACH]
        query = self.query(word).view(batch, 1, self.heads, KEY)
        scores = (self.key(x).view(batch, length, self.heads, KEY) * query).sum(-1) * KEY**-0.5
        scores = scores + self.worth(x) + self.distance.t()
        weights = torch.softmax(scores.masked_fill(~present[..., None], -1e4), 1)
        values = self.value(x).view(batch, length, self.heads, self.dims // self.heads)
        found = (weights[..., None] * values).sum(1).reshape(batch, self.dims)
        return functional.normalize(self.own(word) + found, dim=1)


class Glosses(nn.Module):
    """float [glosses, WIDTH], of the teacher, centred -> [glosses, dims]"""

    def __init__(self, dims: int, drop: float) -> None:
        super().__init__()
        self.turn = nn.Linear(WIDTH, dims)
        self.drop = nn.Dropout(drop)

    def forward(self, vectors: Tensor) -> Tensor:
        return functional.normalize(self.turn(self.drop(vectors)), dim=1)


class Senses(nn.Module):
    def __init__(self, dims: int = 128, heads: int = 4, drop: float = 0.2) -> None:
        super().__init__()
        self.reader, self.glosses = Reader(dims, heads, drop), Glosses(dims, drop)
        self.sharp = nn.Parameter(torch.tensor(2.3))
        """The logarithm of what likenesses are multiplied by before they are compared."""
