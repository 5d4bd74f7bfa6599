"""The reader: some layers of the shared encoder over question and sentence together, and one number of what they make of them."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from isnad_base import encoder
from isnad_base.published import WIDTH

LAYERS = 8
"""Of the encoder's twelve, from below."""
FROZEN = 4
"""Of these, from below: they are not trained."""


class Reader(nn.Module):
    """ids int64 [batch, length], 0 is padding -> scores [batch]: the logarithm of the odds that the sentence answers, against none."""

    def __init__(self, layers: int = LAYERS, frozen: int = FROZEN, drop: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder.start(range(layers), drop)
        self.frozen = frozen
        self.head = nn.Linear(2 * WIDTH, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        for parameter in [
            *self.encoder.places.parameters(),
            *self.encoder.norm.parameters(),
            *self.encoder.layers[:frozen].parameters(),
        ]:
            parameter.requires_grad_(False)

    def lower(self, ids: Tensor) -> Tensor:
        """States of the layers that are not trained."""
        own = self.encoder
        with torch.no_grad():
            x = own.norm(functional.embedding(ids, own.rows) + own.places.weight[: ids.shape[1]])
            for layer in own.layers[: self.frozen]:
                x = layer.eval()(x, ids != 0)
        return x

    def forward(self, ids: Tensor) -> Tensor:
        x = self.lower(ids)
        for layer in self.encoder.layers[self.frozen :]:
            x = layer(x, ids != 0)
        x = x.float()
        return self.head(torch.cat([x[:, 0], encoder.pooled(x, ids)], 1))[:, 0]
