"""A tagger with outputs for nested entities beside those of its heads: for each type B and I, whose O is 0, and for words that begin an
entity one or two letters that stand before it, whose none is 0."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from isnad_base import encoder, pieces, published

from .data import TYPES
from .start import Start

CUTS = 2
"""Letters before an entity within its first word, at most."""
NESTED = 2 * len(TYPES)


class NestedTagger(nn.Module):
    """ids [batch, length] -> states; `head` gives the outputs of the start's heads, then NESTED, then CUTS."""

    def __init__(self, start: Start, drop: float, frozen: int = 0) -> None:
        super().__init__()
        self.encoder = encoder.Encoder(pieces.rows(), start.layers, drop)
        self.encoder.load_state_dict(start.state)
        self.given, self.frozen = len(start.bias), frozen
        self.drop = nn.Dropout(drop)
        self.head = nn.Linear(published.WIDTH, self.given + NESTED + CUTS)
        with torch.no_grad():
            self.head.weight[: self.given], self.head.bias[: self.given] = start.weight, start.bias
            self.head.weight[self.given :] *= 0.1
            self.head.bias[self.given : self.given + NESTED] = -3.0
            self.head.bias[self.given + NESTED :] = -2.0
        for part in (self.encoder.places, self.encoder.norm, *self.encoder.layers[:frozen]):
            part.requires_grad_(False)

    @torch.no_grad()
    def lower(self, ids: Tensor) -> Tensor:
        """States [batch, length, WIDTH] below the first layer that is trained, without dropout."""
        made = self.encoder
        x = made.norm(functional.embedding(ids, made.rows) + made.places.weight[: ids.shape[1]])
        for layer in made.layers[: self.frozen]:
            x = layer.eval()(x, ids != 0)
        return x

    def upper(self, x: Tensor, present: Tensor) -> Tensor:
        """The states above, from those of lower()."""
        x = self.encoder.drop(x)
        for layer in self.encoder.layers[self.frozen :]:
            x = layer(x, present)
        return x

    def outputs(self, states: Tensor) -> Tensor:
        return self.head(self.drop(states))


def nested_logits(outputs: Tensor) -> Tensor:
    """[words, NESTED] -> [words, types, 3]: O, B, I."""
    pairs = outputs.view(len(outputs), len(TYPES), 2)
    return torch.cat([torch.zeros_like(pairs[..., :1]), pairs], -1)


def cut_logits(outputs: Tensor) -> Tensor:
    """[words, CUTS] -> [words, CUTS + 1]"""
    return torch.cat([torch.zeros_like(outputs[..., :1]), outputs], -1)


def nested_loss(logits: Tensor, gold: Tensor) -> Tensor:
    """Cross-entropy of each type's labels, summed over the types. gold [words, types]"""
    return functional.cross_entropy(logits.reshape(-1, 3), gold.reshape(-1), reduction="sum") / len(gold)
