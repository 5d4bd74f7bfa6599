"""The upper layers of a tagger with the outputs of all its readings: the heads of four types, each over a set of its own, for each nested
type B and I, whose O is 0, and for words that begin an entity one or two letters that stand before it, whose none is 0."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from isnad_base import encoder, published

from .data import TYPES
from .start import State

CUTS = 2
"""Letters before an entity within its first word, at most."""
NESTED = 2 * len(TYPES)
KEPT = NESTED + CUTS
"""The first outputs; those of heads come after them."""


class Reading(encoder.Layer):
    """A layer in which some words look at others."""

    def forward(self, asked: Tensor, read: Tensor, present: Tensor) -> Tensor:
        """States for `asked` [batch, count, width], which look at those of `read` [batch, length, width] that are `present`."""
        batch, count, width = asked.shape
        weight, bias = self.qkv.weight, self.qkv.bias

        def split(x: Tensor) -> Tensor:
            return x.view(batch, x.shape[1], encoder.HEADS, width // encoder.HEADS).transpose(1, 2)

        q = split(functional.linear(asked, weight[:width], bias[:width]))
        k, v = (split(part) for part in functional.linear(read, weight[width:], bias[width:]).split(width, -1))
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=present[:, None, None, :])
        x = self.norm1(asked + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, count, width))))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Upper(nn.Module):
    """States of the pieces of a window -> outputs of its words: NESTED, CUTS, then `others` of heads. The last layer answers for words alone,
    by their first pieces; so do those from `words_from` on, if it is less, and for <s>. `state`: of an encoder, whose layers from `first` on
    are these."""

    def __init__(self, state: State, first: int, drop: float, others: int, words_from: int | None = None) -> None:
        super().__init__()
        self.first = first
        inner = encoder.inner_of(state)
        self.words_from = len(inner) - 1 if words_from is None else words_from
        self.layers = nn.ModuleList(Reading(drop, units) for units in inner[first:])
        for number, layer in enumerate(self.layers, first):
            own = f"layers.{number}."
            layer.load_state_dict({k.removeprefix(own): v for k, v in state.items() if k.startswith(own)})
        self.drop = nn.Dropout(drop)
        self.head = nn.Linear(published.WIDTH, KEPT + others)
        with torch.no_grad():
            self.head.weight *= 0.1
            self.head.bias[:] = 0.0
            self.head.bias[:NESTED], self.head.bias[NESTED:KEPT] = -3.0, -2.0

    def states(self, pieces: Tensor, present: Tensor, firsts: Tensor, words: Tensor) -> Tensor:
        """pieces [batch, length, WIDTH], of which those that are `present` are no padding; firsts [batch, count], places of first pieces,
        of which `words` are no padding -> [batch, count, WIDTH]"""
        x = self.drop(pieces)
        last = self.first + len(self.layers) - 1
        for number, layer in enumerate(self.layers, self.first):
            places = encoder.asked(number, last + 1, firsts, self.words_from)
            asked = x if places is None else torch.gather(x, 1, places[..., None].expand(-1, -1, x.shape[-1]))
            x = layer(asked, x, present)
            if number == self.words_from < last:
                present = functional.pad(words, (1, 0), value=True)
        return x

    def words(self, pieces: Tensor, present: Tensor, firsts: Tensor, words: Tensor) -> Tensor:
        """States of the words [words, WIDTH], without padding."""
        return self.states(pieces, present, firsts, words)[words]

    def outputs(self, states: Tensor) -> Tensor:
        return self.head(self.drop(states))

    def forward(self, pieces: Tensor, present: Tensor, firsts: Tensor, words: Tensor) -> Tensor:
        """Outputs of the words [words, outputs], without padding."""
        return self.outputs(self.words(pieces, present, firsts, words))


def nested_logits(outputs: Tensor) -> Tensor:
    """[words, NESTED] -> [words, types, 3]: O, B, I."""
    pairs = outputs.view(len(outputs), len(TYPES), 2)
    return torch.cat([torch.zeros_like(pairs[..., :1]), pairs], -1)


def cut_logits(outputs: Tensor) -> Tensor:
    """[words, CUTS] -> [words, CUTS + 1]"""
    return torch.cat([torch.zeros_like(outputs[..., :1]), outputs], -1)
