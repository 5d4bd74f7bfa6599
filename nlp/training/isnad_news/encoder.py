"""The layers by which check-worthiness is judged: the lower ones of the shared base as they were published, and upper ones, which begin as
published."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from isnad_base import encoder as base
from isnad_base.published import WIDTH
from isnad_check.encoder import LANGUAGES


@dataclass(frozen=True)
class Shape:
    """Of the base's twelve layers those that are used, and those of them that are not trained."""

    layers: int
    shared: int


NEWS, SPEECH = Shape(6, 3), Shape(7, 5)
FIRST = torch.tensor([0])


class Branch(nn.Module):
    """The upper layers and the scores. The scores come of the mean of the states before the last layer, and of the first state
    after it, for which alone that layer is computed."""

    def __init__(self, layers: Iterable[base.Layer], drop: float = 0.1) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.drop = nn.Dropout(drop)
        self.head = nn.Linear(2 * WIDTH, len(LANGUAGES))
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, states: Tensor, present: Tensor) -> Tensor:
        """states [batch, length, WIDTH], of which those that are `present` are no padding -> logits [batch, languages]"""
        *lower, last = self.layers
        for layer in lower:
            states = layer(states, present)
        share = present.float().unsqueeze(-1)
        mean = (states.float() * share).sum(1) / share.sum(1)
        top = last(states, present, FIRST)
        return self.head(self.drop(torch.cat([top[:, 0].float(), mean], 1)))


class Checker(nn.Module):
    """ids [batch, length], 0 is padding -> logits [batch, languages]."""

    def __init__(self, shape: Shape = NEWS, drop: float = 0.1) -> None:
        super().__init__()
        self.shared = base.start(range(shape.shared), drop=0.0)
        for value in self.shared.parameters():
            value.requires_grad_(False)
        self.branch = Branch(base.start(range(shape.shared, shape.layers), drop).layers, drop)

    def forward(self, ids: Tensor) -> Tensor:
        return self.branch(self.shared(ids), ids != 0)
