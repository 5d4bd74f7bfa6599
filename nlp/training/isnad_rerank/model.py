"""The judge over the numbers of a candidate: a straight line and a small hidden layer."""

import torch
from torch import nn

from .numbers import WIDTH


class Judge(nn.Module):
    def __init__(self, hidden: int, dropped: float):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3 * WIDTH))
        self.register_buffer("scale", torch.ones(3 * WIDTH))
        self.first = nn.Linear(3 * WIDTH, hidden)
        self.last = nn.Linear(hidden, 1)
        self.straight = nn.Linear(3 * WIDTH, 1)
        self.dropped = nn.Dropout(dropped)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.straight.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """[..., 3 * WIDTH] -> scores [...]"""
        x = (x - self.mean) * self.scale
        return (self.last(torch.relu(self.first(self.dropped(x)))) + self.straight(self.dropped(x))).squeeze(-1)
