"""The lower layers, which are not trained."""

from collections.abc import Callable, Sequence
from typing import Protocol

import torch
from torch import nn
from torch.nn import functional
from torch.utils.hooks import RemovableHandle

from isnad_base import encoder, pieces
from isnad_base.ranges import Steps, products_of, stepped
from isnad_ner.rows import padded

from .start import State

TOGETHER = 24


class Row(Protocol):
    ids: list[int]
    states: torch.Tensor | None


def within(steps: Steps, name: str) -> Callable[[nn.Module, tuple], torch.Tensor]:
    by = steps.even.get(name, torch.ones(()))
    return lambda _, inputs: stepped(inputs[0] / by, *steps.ranges[name]) * by


class Lower:
    """The first `count` layers of the encoder with this state."""

    def __init__(self, state: State, count: int) -> None:
        inner = encoder.inner_of(state)
        self.encoder = encoder.Encoder(pieces.rows(), len(inner), 0.0, inner).eval()
        self.encoder.load_state_dict(state)
        self.count = count
        self.hooks: list[RemovableHandle] = []

    def round(self, steps: Steps) -> None:
        """From now on what goes into the products of these layers has these steps."""
        for hook in self.hooks:
            hook.remove()
        layers = self.encoder.layers[: self.count]
        self.hooks = [
            part.register_forward_pre_hook(within(steps, f"layers.{number}.{name}"))
            for number, layer in enumerate(layers)
            for name, part in products_of(layer).items()
        ]

    @torch.no_grad()
    def read(self, rows: Sequence[Row]) -> None:
        """Gives each row its states [pieces, WIDTH]."""
        own = self.encoder
        ordered = sorted(rows, key=lambda row: len(row.ids))
        for at in range(0, len(ordered), TOGETHER):
            part = ordered[at : at + TOGETHER]
            ids = padded([row.ids for row in part])
            x = own.norm(functional.embedding(ids, own.rows) + own.places.weight[: ids.shape[1]])
            for layer in own.layers[: self.count]:
                x = layer(x, ids != 0)
            for row, states in zip(part, x, strict=True):
                row.states = states[: len(row.ids)].clone()
