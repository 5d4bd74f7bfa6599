"""The contextual part: two layers of multilingual-e5-small that read a query, or a short stretch of a passage, to one vector."""

from collections.abc import Sequence

import numpy as np
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


def sequence(ids: np.ndarray, start: int, length: int) -> list[int]:
    """A stretch between <s> and </s>."""
    return [pieces.FIRST, *(int(i) for i in ids[start : start + length]), pieces.LAST]
