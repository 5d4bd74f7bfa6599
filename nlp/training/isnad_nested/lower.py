"""The lower layers, which are not trained."""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch.nn import functional

from isnad_base import encoder, pieces
from isnad_ner.rows import padded

from .start import State

TOGETHER = 24


class Row(Protocol):
    ids: list[int]
    states: torch.Tensor | None


class Lower:
    """The first `count` layers of the encoder with this state."""

    def __init__(self, state: State, count: int) -> None:
        inner = encoder.inner_of(state)
        self.encoder = encoder.Encoder(pieces.rows(), len(inner), 0.0, inner).eval()
        self.encoder.load_state_dict(state)
        self.count = count

    @torch.no_grad()
    def read(self, rows: Sequence[Row]) -> None:
        """Gives each row its states, float16 [pieces, WIDTH]."""
        own = self.encoder
        ordered = sorted(rows, key=lambda row: len(row.ids))
        for at in range(0, len(ordered), TOGETHER):
            part = ordered[at : at + TOGETHER]
            ids = padded([row.ids for row in part])
            x = own.norm(functional.embedding(ids, own.rows) + own.places.weight[: ids.shape[1]])
            for layer in own.layers[: self.count]:
                x = layer(x, ids != 0)
            for row, states in zip(part, x, strict=True):
                row.states = states[: len(row.ids)].half()
