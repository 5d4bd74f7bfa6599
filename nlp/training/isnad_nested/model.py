"""The upper layers of a tagger with the outputs of all its readings: the heads of four types, each over a set of its own, for each nested
type B and I, whose O is 0, and for words that begin an entity one or two letters that stand before it, whose none is 0."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from isnad_base import encoder, published
from isnad_base.ranges import Steps, rounded, stepped

from .data import TYPES
from .start import State

CUTS = 2
"""Letters before an entity within its first word, at most."""
NESTED = 2 * len(TYPES)
KEPT = NESTED + CUTS
"""The first outputs; those of heads come after them."""


class Reading(encoder.Layer):
    """A layer in which some words look at others. `bits`: those of the weights of its products, all where it is None; `steps`: of what goes into
    these products, where that is rounded, by names that begin with `at`."""

    bits: int | None = None
    steps: Steps | None = None
    at = ""

    def product(self, name: str, x: Tensor, rows: slice = slice(None)) -> Tensor:
        part: nn.Linear = getattr(self, name)
        weight, bias = part.weight[rows], part.bias[rows]
        if self.steps is not None:
            by = self.steps.even.get(self.at + name)
            weight, x = (weight, x) if by is None else (weight * by, x / by)
            x = stepped(x, *self.steps.ranges[self.at + name])
        return functional.linear(x, weight if self.bits is None else rounded(weight, self.bits), bias)

    def forward(self, asked: Tensor, read: Tensor, present: Tensor) -> Tensor:
        """States for `asked` [batch, count, width], which look at those of `read` [batch, length, width] that are `present`."""
        batch, count, width = asked.shape

        def split(x: Tensor) -> Tensor:
            return x.view(batch, x.shape[1], encoder.HEADS, width // encoder.HEADS).transpose(1, 2)

        q = split(self.product("qkv", asked, slice(0, width)))
        k, v = (split(part) for part in self.product("qkv", read, slice(width, None)).split(width, -1))
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=present[:, None, None, :])
        x = self.norm1(asked + self.drop(self.product("out", mixed.transpose(1, 2).reshape(batch, count, width))))
        return self.norm2(x + self.drop(self.product("down", functional.gelu(self.product("up", x)))))


class Upper(nn.Module):
    """States of the pieces of a window -> outputs of its words: NESTED, CUTS, then `others` of heads. The last layer answers for words alone,
    by their first pieces; so do those from `words_from` on, if it is less, and for <s>. `state`: of an encoder, whose layers from `first` on
    are these. `bits`: those of the weights of their products once they are rounded, all where it is None."""

    def __init__(
        self, state: State, first: int, drop: float, others: int, words_from: int | None = None, bits: int | None = None
    ) -> None:
        super().__init__()
        self.first, self.bits = first, bits
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

    def round(self, steps: Steps | None = None) -> None:
        """From now on the weights of products have their bits; and what goes into these products the `steps` of the encoder, if they are given."""
        for number, layer in enumerate(self.layers, self.first):
            layer.bits, layer.at = self.bits, f"layers.{number}."
            layer.steps = steps or layer.steps

    def states(self, pieces: Tensor, present: Tensor, firsts: Tensor, words: Tensor) -> list[Tensor]:
        """pieces [batch, length, WIDTH], of which those that are `present` are no padding; firsts [batch, count], places of first pieces,
        of which `words` are no padding -> of each layer [batch, count, WIDTH]"""
        x, out = self.drop(pieces), []
        last = self.first + len(self.layers) - 1
        for number, layer in enumerate(self.layers, self.first):
            places = encoder.asked(number, last + 1, firsts, self.words_from)
            asked = x if places is None else at(x, places)
            x = layer(asked, x, present)
            if number == last:
                out.append(x)
            elif number < self.words_from:
                out.append(at(x, firsts))
            else:
                out.append(x[:, 1:])
            if number == self.words_from < last:
                present = functional.pad(words, (1, 0), value=True)
        return out

    def words(self, pieces: Tensor, present: Tensor, firsts: Tensor, words: Tensor) -> list[Tensor]:
        """Of each layer states of the words [words, WIDTH], without padding."""
        return [x[words] for x in self.states(pieces, present, firsts, words)]

    def outputs(self, states: Tensor) -> Tensor:
        return self.head(self.drop(states))

    def forward(self, pieces: Tensor, present: Tensor, firsts: Tensor, words: Tensor) -> Tensor:
        """Outputs of the words [words, outputs], without padding."""
        return self.outputs(self.words(pieces, present, firsts, words)[-1])


def at(x: Tensor, places: Tensor) -> Tensor:
    """x [batch, length, width], places [batch, count] -> [batch, count, width]"""
    return torch.gather(x, 1, places[..., None].expand(-1, -1, x.shape[-1]))


def nested_logits(outputs: Tensor) -> Tensor:
    """[words, NESTED] -> [words, types, 3]: O, B, I."""
    pairs = outputs.view(len(outputs), len(TYPES), 2)
    return torch.cat([torch.zeros_like(pairs[..., :1]), pairs], -1)


def cut_logits(outputs: Tensor) -> Tensor:
    """[words, CUTS] -> [words, CUTS + 1]"""
    return torch.cat([torch.zeros_like(outputs[..., :1]), outputs], -1)
